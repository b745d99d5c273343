/* sysctl, processes and the message buffer of DragonFly. */
#include <sys/param.h>

#include <sys/kinfo.h>
#include <sys/sysctl.h>
#include <sys/user.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/filesystem.h"
#include "platform/host.h"
#include "platform/text.h"

int
bsd_sysctl(const char *name, void *bytes, size_t *size)
{
	return sysctlbyname(name, bytes, size, NULL, 0);
}

static char
state_of(const struct kinfo_proc *kernel)
{
	if (kernel->kp_stat == SZOMB)
		return 'Z';
	if (kernel->kp_stat == SSTOP)
		return 'T';
	if (kernel->kp_lwp.kl_stat == LSRUN)
		return 'R';
	return (kernel->kp_lwp.kl_flags & LWP_SINTR) != 0 ? 'S' : 'D';
}

static void
fill(const struct kinfo_proc *kernel, struct bsd_process *process)
{
	*process = (struct bsd_process){
		.pid = kernel->kp_pid,
		.parent = kernel->kp_ppid,
		.group = kernel->kp_pgid,
		.start_us = (int64_t)kernel->kp_start.tv_sec * 1000000 +
			    kernel->kp_start.tv_usec,
		.state = state_of(kernel),
	};
	(void)snprintf(
	    process->name, sizeof process->name, "%s", kernel->kp_comm);
	(void)snprintf(
	    process->wait, sizeof process->wait, "%s", kernel->kp_lwp.kl_wmesg);
}

size_t
bsd_processes(struct arena *arena, pid_t pid, struct bsd_process **processes)
{
	int mib[4] = { CTL_KERN, KERN_PROC,
		pid != 0 ? KERN_PROC_PID : KERN_PROC_ALL, (int)pid };
	u_int parts = pid != 0 ? 4 : 3;
	size_t count;
	const struct kinfo_proc *table =
	    bsd_sysctl_table(arena, mib, parts, sizeof *table, NULL, &count);

	*processes = arena_array(arena, count, sizeof **processes);
	for (size_t i = 0; i < count; i++)
		fill(&table[i], &(*processes)[i]);
	return count;
}

char *
bsd_messages(struct arena *arena, size_t *size)
{
	const char *text = bsd_sysctl_bytes(arena, "kern.msgbuf", size);

	return text != NULL ? msgbuf_clean(arena, text, size) : NULL;
}

int
platform_data_sync(int fd)
{
	return fsync(fd);
}

char *
platform_program_path(struct arena *arena)
{
	int mib[4] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1 };

	return bsd_sysctl_path(arena, mib, 4);
}
