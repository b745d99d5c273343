/* sysctl, processes and the message buffer of NetBSD. */
#include <sys/param.h>

#include <sys/sysctl.h>

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
	const struct kinfo_proc2 *table;
	size_t size = 0;
	size_t count;
	void *bytes;

	*processes = NULL;
	if (sysctl(mib, 6, NULL, &size, NULL, 0) == -1 || size == 0)
		return 0;
	size += size / 8 + sizeof *table;
	bytes = arena_alloc(arena, size);
	mib[5] = (int)(size / sizeof *table);
	if (sysctl(mib, 6, bytes, &size, NULL, 0) == -1)
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
	return fdatasync(fd);
}

char *
platform_program_path(struct arena *arena)
{
	int mib[4] = { CTL_KERN, KERN_PROC_ARGS, -1, KERN_PROC_PATHNAME };
	char path[PATH_MAX];
	size_t size = sizeof path;

	if (sysctl(mib, 4, path, &size, NULL, 0) == -1 || size == 0)
		return NULL;
	path[sizeof path - 1] = '\0';
	return arena_strdup(arena, path);
}
