/* sysctl, processes and the message buffer of NetBSD. */
#include <sys/param.h>

#include <sys/sysctl.h>

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

/* No signal comes at a parent's death. */
void
bsd_follow_parent(void)
{
}

static char
state_of(const struct kinfo_proc2 *kernel)
{
	switch (kernel->p_stat) {
	case LSRUN:
	case LSONPROC:
		return 'R';
	case LSSTOP:
		return 'T';
	case LSZOMB:
		return 'Z';
	case LSSLEEP:
		return (kernel->p_flag & P_SINTR) != 0 ? 'S' : 'D';
	default:
		return 'S';
	}
}

static void
fill(const struct kinfo_proc2 *kernel, struct bsd_process *process)
{
	*process = (struct bsd_process){
		.pid = kernel->p_pid,
		.parent = kernel->p_ppid,
		.group = kernel->p__pgid,
		.start_us = (int64_t)kernel->p_ustart_sec * 1000000 +
			    kernel->p_ustart_usec,
		.state = state_of(kernel),
	};
	(void)snprintf(
	    process->name, sizeof process->name, "%s", kernel->p_comm);
	(void)snprintf(
	    process->wait, sizeof process->wait, "%s", kernel->p_wmesg);
}

/* The caller's idea of the struct's size is part of the question. */
size_t
bsd_processes(struct arena *arena, pid_t pid, struct bsd_process **processes)
{
	int mib[6] = { CTL_KERN, KERN_PROC2,
		pid != 0 ? KERN_PROC_PID : KERN_PROC_ALL, (int)pid,
		(int)sizeof(struct kinfo_proc2), 0 };
	size_t count;
	const struct kinfo_proc2 *table =
	    bsd_sysctl_table(arena, mib, 6, sizeof *table, &mib[5], &count);

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
	int mib[4] = { CTL_KERN, KERN_PROC_ARGS, -1, KERN_PROC_PATHNAME };

	return bsd_sysctl_path(arena, mib, 4);
}
