/*
 * Children: run a program or a function, with a time limit, its output kept.
 *
 * A child gets its own process group, /dev/null as standard input, default
 * signal dispositions, a reduced environment (PATH, LANG=C, HOME, TMPDIR) and
 * no other descriptors.  On a time-out or a cancellation the whole group is
 * sent SIGTERM, then SIGKILL.  What the child does is data: proc_run fails
 * (-1) only when the harness could not do its own part (pipe, fork).
 */
#ifndef MM_BASE_PROC_H
#define MM_BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * What to run.  Give either "argv" (searched in PATH) or "function", which
 * runs in a forked child, writes its result to the descriptor it is given
 * (it arrives in result.output), its complaint to standard error, and whose
 * return value is the exit status.
 */
struct proc_job {
	const char *const *argv;
	int (*function)(void *context, int result_fd);
	void *context;
	int64_t timeout_ns;                   /* 0: none */
	int64_t grace_ns;                     /* SIGTERM to SIGKILL; 0: 2 s */
	const char *directory;                /* NULL: stay */
	const char *const *extra_environment; /* "NAME=value", NULL-ended */
	bool change_user; /* run as uid and gid, no other groups */
	uid_t uid;
	gid_t gid;
	/* goes on when all is to end: what unwinds must not be cut short */
	bool ignores_cancel;
	size_t output_limit; /* bytes kept per stream; 0: 64 KiB */
	int keep_fd;         /* >0: a descriptor the child inherits */
	/* descriptors that are closed here, and in the child by the exec
	 * itself: exclusive holds on devices, let go when their mkfs begins */
	const int *release_fds;
	size_t release_count;
	/* runs in the child before exec or function (cgroup, limits) */
	int (*setup)(void *context);
	void *setup_context;
};

struct proc_result {
	bool started; /* false: no such program, or it could not be run */
	/* false also for what is there, but could not be run (I/O error) */
	bool is_missing;
	bool timed_out;
	bool cancelled; /* see proc_set_cancel */
	bool stuck;     /* survived SIGKILL: uninterruptible; not reaped */
	int exit_code;  /* -1 when it did not exit by itself */
	int signal;     /* 0 when no signal ended it */
	pid_t pid;
	int64_t wall_ns;
	int64_t user_ns;
	int64_t system_ns;
	int64_t voluntary_switches;
	int64_t involuntary_switches;
	int64_t major_faults;
	int64_t minor_faults;
	const char *output; /* standard output or the function's result */
	size_t output_size;
	bool output_cut;    /* more came than output_limit */
	const char *errors; /* standard error */
	size_t errors_size;
};

/* Runs it to its end.  The result's texts are in the arena. */
int proc_run(const struct proc_job *job, struct arena *arena,
    struct proc_result *result, struct error *err);

/* True when it started, exited by itself and with status 0. */
bool proc_succeeded(const struct proc_result *result);

/* "exit 32", "signal 9 (Killed)", "timed out after 5 s", "program not found",
 * "could not be started". */
char *proc_describe(struct arena *arena, const struct proc_result *result);

/*
 * A descriptor that becomes readable when all is to end (-1: none).  While it
 * is readable every running child is ended and proc_run reports "cancelled".
 * proc_run polls it and never reads it.
 */
void proc_set_cancel(int fd);

/* True when the cancel descriptor is readable now. */
bool proc_is_cancelled(void);

/* The full path of a program as execvp would find it in PATH (with /sbin and
 * /usr/sbin added), or NULL. */
char *proc_find(struct arena *arena, const char *program);

#endif
