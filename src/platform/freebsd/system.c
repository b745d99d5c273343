/* sysctl, processes and the message buffer of FreeBSD. */
#include <sys/param.h>

#include <sys/procctl.h>
#include <sys/sysctl.h>
#include <sys/user.h>

#include <signal.h>
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

void
bsd_follow_parent(void)
{
	int number = SIGKILL;

	(void)procctl(P_PID, 0, PROC_PDEATHSIG_CTL, &number);
}

static char
state_of(const struct kinfo_proc *kernel)
{
	switch (kernel->ki_stat) {
	case SRUN:
		return 'R';
	case SSTOP:
		return 'T';
	case SZOMB:
		return 'Z';
	case SSLEEP:
		return (kernel->ki_tdflags & TDF_SINTR) != 0 ? 'S' : 'D';
	default:
		return 'S';
	}
}

static void
fill(const struct kinfo_proc *kernel, struct bsd_process *process)
{
	*process = (struct bsd_process){
		.pid = kernel->ki_pid,
		.parent = kernel->ki_ppid,
		.group = kernel->ki_pgid,
		.start_us = (int64_t)kernel->ki_start.tv_sec * 1000000 +
			    kernel->ki_start.tv_usec - bsd_boot_us(),
		.state = state_of(kernel),
	};
	(void)snprintf(
	    process->name, sizeof process->name, "%s", kernel->ki_comm);
	(void)snprintf(
	    process->wait, sizeof process->wait, "%s", kernel->ki_wmesg);
}

size_t
bsd_processes(struct arena *arena, pid_t pid, struct bsd_process **processes)
{
	int mib[4] = { CTL_KERN, KERN_PROC,
		pid != 0 ? KERN_PROC_PID : KERN_PROC_PROC, (int)pid };
	u_int parts = pid != 0 ? 4 : 3;
	size_t count;
	const struct kinfo_proc *table =
	    bsd_sysctl_table(arena, mib, parts, sizeof *table, NULL, &count);

	*processes = NULL;
	/* a kernel of another age has another struct */
	if (count == 0 || table->ki_structsize != sizeof *table)
		return 0;
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
	return fdatasync(fd);
}

char *
platform_program_path(struct arena *arena)
{
	int mib[4] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1 };

	return bsd_sysctl_path(arena, mib, 4);
}
