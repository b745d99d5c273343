/* sysctl, processes and the message buffer of OpenBSD. */
#include <sys/param.h>

#include <sys/msgbuf.h>
#include <sys/proc.h>
#include <sys/sysctl.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/filesystem.h"
#include "platform/host.h"
#include "platform/text.h"

/* There is no sysctlbyname here: the names that are asked for. */
static const struct {
	const char *name;
	int mib[3];
	u_int parts;
} names[] = {
	{ "kern.boottime", { CTL_KERN, KERN_BOOTTIME }, 2 },
	{ "kern.version", { CTL_KERN, KERN_VERSION }, 2 },
	{ "kern.securelevel", { CTL_KERN, KERN_SECURELVL }, 2 },
	{ "kern.maxvnodes", { CTL_KERN, KERN_MAXVNODES }, 2 },
	{ "kern.cp_time", { CTL_KERN, KERN_CPTIME }, 2 },
	{ "kern.msgbufsize", { CTL_KERN, KERN_MSGBUFSIZE }, 2 },
	{ "kern.msgbuf", { CTL_KERN, KERN_MSGBUF }, 2 },
	{ "kern.timecounter.hardware",
	    { CTL_KERN, KERN_TIMECOUNTER, KERN_TIMECOUNTER_HARDWARE }, 3 },
	{ "hw.model", { CTL_HW, HW_MODEL }, 2 },
	{ "hw.ncpu", { CTL_HW, HW_NCPU }, 2 },
	{ "hw.physmem64", { CTL_HW, HW_PHYSMEM64 }, 2 },
	{ "hw.diskstats", { CTL_HW, HW_DISKSTATS }, 2 },
};

int
bsd_sysctl(const char *name, void *bytes, size_t *size)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i].name, name) == 0)
			return sysctl(
			    names[i].mib, names[i].parts, bytes, size, NULL, 0);
	errno = ENOENT;
	return -1;
}

/* No signal comes at a parent's death. */
void
bsd_follow_parent(void)
{
}

static char
state_of(const struct kinfo_proc *kernel)
{
	switch (kernel->p_stat) {
	case SRUN:
	case SONPROC:
		return 'R';
	case SSTOP:
		return 'T';
	case SDEAD:
		return 'Z';
	case SSLEEP:
		return (kernel->p_flag & P_SINTR) != 0 ? 'S' : 'D';
	default:
		return 'S';
	}
}

static void
fill(const struct kinfo_proc *kernel, struct bsd_process *process)
{
	*process = (struct bsd_process){
		.pid = kernel->p_pid,
		.parent = kernel->p_ppid,
		.group = kernel->p__pgid,
		.start_us = (int64_t)kernel->p_ustart_sec * 1000000 +
			    kernel->p_ustart_usec - bsd_boot_us(),
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
	int mib[6] = { CTL_KERN, KERN_PROC,
		pid != 0 ? KERN_PROC_PID : KERN_PROC_ALL, (int)pid,
		(int)sizeof(struct kinfo_proc), 0 };
	size_t count;
	const struct kinfo_proc *table =
	    bsd_sysctl_table(arena, mib, 6, sizeof *table, &mib[5], &count);

	*processes = arena_array(arena, count, sizeof **processes);
	for (size_t i = 0; i < count; i++)
		fill(&table[i], &(*processes)[i]);
	return count;
}

/* A header, then a ring whose oldest byte is the next to be written over. */
char *
bsd_messages(struct arena *arena, size_t *size)
{
	int64_t ring_size = bsd_sysctl_number("kern.msgbufsize");
	struct msgbuf *ring;
	size_t room;
	size_t head;
	char *text;

	if (ring_size <= 0)
		return NULL;
	room = sizeof *ring + (size_t)ring_size;
	ring = arena_alloc(arena, room);
	if (bsd_sysctl("kern.msgbuf", ring, &room) == -1 ||
	    ring->msg_magic != MSG_MAGIC || ring->msg_bufs > ring_size ||
	    ring->msg_bufx > ring->msg_bufs || ring->msg_bufx < 0)
		return NULL;
	*size = (size_t)ring->msg_bufs;
	head = (size_t)ring->msg_bufx;
	text = arena_alloc(arena, *size + 1);
	memcpy(text, ring->msg_bufc + head, *size - head);
	memcpy(text + *size - head, ring->msg_bufc, head);
	return msgbuf_clean(arena, text, size);
}

int
platform_data_sync(int fd)
{
	return fdatasync(fd);
}

/* The kernel does not tell. */
char *
platform_program_path(struct arena *arena)
{
	(void)arena;
	return NULL;
}
