/*
 * A child with mounts and processes of its own.
 *
 * On Linux the child runs in a private mount and PID namespace, as root or,
 * for an ordinary user, in a user namespace.  Below the caller ("outer") are
 * an init process, which reaps and forwards signals, and the worker, which
 * runs the function.  When the worker ends, or the outer one dies by
 * whatever, SIGKILL included, the kernel ends all that is left in there and
 * lets go of every mount.  Elsewhere the child is a plain one in its own
 * process group: the undo journal and "clean" must do the rest.
 */
#ifndef MM_PLATFORM_ISOLATE_H
#define MM_PLATFORM_ISOLATE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/platform.h"

/* What this process may do here; found by trying, in a child. */
struct isolation {
	bool is_root;            /* devices, loops, real filesystems */
	bool has_mounts;         /* mounts of its own, nothing is left behind */
	bool has_processes;      /* a PID namespace: no orphans */
	bool has_user_namespace; /* an ordinary user: tmpfs and overlay only */
	const char *note;        /* why something is missing, or "" */
};

void platform_isolation(struct arena *arena, struct isolation *isolation);

struct isolate_job {
	/* Runs in the worker; its return value (0-255) is the exit status. */
	int (*function)(void *context);
	void *context;
	bool keep; /* hold on to the mounts until pin or close */
	/* Do without what is missing (no namespaces at all: a plain child)
	 * instead of failing. */
	bool allow_less;
	/* A plain child that sees and changes the host's own mounts: for a
	 * target that is an existing mount point. */
	bool share_mounts;
};

struct isolate {
	pid_t pid;     /* of the init (Linux) or of the worker */
	int status_fd; /* readable when it has ended */
	int mounts_fd; /* with "keep": holds the mount namespace, else -1 */
	int user_fd;   /* and the user namespace, where there is one */
	struct isolation got;
	/* set by the wait: the worker has ended, but a process that nothing
	 * ends is left, and the mounts stay with it */
	bool is_held_up;
};

/*
 * Starts the function in a new child.  SIGINT and SIGTERM sent to isolate.pid
 * arrive in the worker, which has its own process group (so ^C reaches only
 * the outer one) and the signal handlers of the caller.
 */
int platform_isolate_start(const struct isolate_job *job, struct arena *arena,
    struct isolate *isolate, struct error *err);

/* Sends it a signal; SIGKILL ends everything inside. */
void platform_isolate_signal(const struct isolate *isolate, int signal);

/*
 * Waits for its end.  "*exit_code" is the worker's, or -1 with "*signal" set
 * when a signal ended it.  Calls interrupted by signals go on waiting.  What
 * is left in there ends with it, and is waited for as well, for a while
 * (is_held_up).
 */
int platform_isolate_wait(
    struct isolate *isolate, int *exit_code, int *signal, struct error *err);

/*
 * After "keep": makes the mounts outlive this process, by another one that
 * stays in them and is named in "file" (made, or written over).  When it is
 * killed, or the machine goes down, they are gone.  PLATFORM_ABSENT where
 * mounts are visible to everyone anyway: the file is not touched.
 */
int platform_isolate_pin(
    const struct isolate *isolate, const char *file, struct error *err);

/* The command that enters the pinned mounts, or NULL when they are gone or
 * visible to everyone. */
char *platform_pin_enter(const char *file, struct arena *arena);

/* Undoes a pin, also after a crash, and removes the file; one that is not
 * there is done. */
int platform_isolate_unpin(const char *file, struct error *err);

/* In a child of the worker: ends with it, where the system knows how. */
void platform_die_with_parent(pid_t parent);

/* Lets go of the descriptors, and with them of unpinned mounts. */
void platform_isolate_close(struct isolate *isolate);

#endif
