/*
 * Other processes: who holds a mount, who is stuck, who is still alive.
 * Only looks; never signals anybody.
 */
#ifndef MM_PLATFORM_PROCESS_H
#define MM_PLATFORM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/platform.h"

struct process_entry {
	pid_t pid;
	const char *name;
	const char *what; /* "current folder", "open file '/m/x'", "nfs_wait" */
};

struct process_list {
	struct process_entry *items;
	size_t count;
};

/* Processes that use the filesystem mounted at the path, one entry each.
 * Those of other users may be invisible to an ordinary user. */
int platform_mount_holders(const char *mountpoint, struct arena *arena,
    struct process_list *list, struct error *err);

/* Processes of the group (0: all) in uninterruptible sleep, and where. */
int platform_stuck_processes(pid_t group, struct arena *arena,
    struct process_list *list, struct error *err);

/* A text that names this process and no later one with the same pid:
 * "boot id:pid:start time".  NULL when it is gone. */
char *platform_process_identity(struct arena *arena, pid_t pid);

/* 0 when the process of that identity is gone (or was of another boot)
 * within the time, all of its namespace with it; 1 when it still lives. */
int platform_wait_gone(const char *identity, int64_t timeout_ns);

#endif
