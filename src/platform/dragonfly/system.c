/* sysctl, processes and the message buffer of DragonFly. */
#include <sys/param.h>

#include <sys/kinfo.h>
#include <sys/sysctl.h>
#include <sys/user.h>

#include <limits.h>
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
	const struct kinfo_proc *table;
	size_t size = 0;
	size_t count;
	void *bytes;

	*processes = NULL;
	if (sysctl(mib, parts, NULL, &size, NULL, 0) == -1 || size == 0)
		return 0;
	size += size / 8 + sizeof *table;
	bytes = arena_alloc(arena, size);
	if (sysctl(mib, parts, bytes, &size, NULL, 0) == -1 ||
	    size % sizeof *table != 0)
		return 0;
	table = bytes;
	count = size / sizeof *table;
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
	char path[PATH_MAX];
	size_t size = sizeof path;

	if (sysctl(mib, 4, path, &size, NULL, 0) == -1 || size == 0)
		return NULL;
	path[sizeof path - 1] = '\0';
	return arena_strdup(arena, path);
}
