/*
 * The processes of the whole host, also from inside a PID namespace: the
 * worker of an isolate sees only itself in /proc, but keeps a descriptor of
 * the /proc that was there before.
 */
#ifndef MM_PLATFORM_LINUX_HOST_PROC_H
#define MM_PLATFORM_LINUX_HOST_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "platform/attach.h"

/* Remembers the present /proc; called before a new one is mounted. */
void host_proc_keep(void);

/* A descriptor of the host's /proc; not to be closed. -1: there is none. */
int host_proc_fd(void);

/* The whole of "PID/name" of the host's /proc, or NULL. */
char *host_proc_text(struct arena *arena, pid_t pid, const char *name);

/* Every pid of the host that this process may see. */
size_t host_proc_pids(struct arena *arena, pid_t **pids);

/* The pid of the calling process as the whole host sees it. */
pid_t host_proc_self(void);

#endif
