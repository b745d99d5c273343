#include "base/proc_child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXEC_FAILED = 127 };

static void
reduce_environment(const struct proc_job *job)
{
	static char *empty[] = { NULL };
	static const char *const kept[] = { "HOME", "TMPDIR", "TERM", NULL };
	extern char **environ;
	const char *values[3];
	char path[4096];

	for (int i = 0; kept[i] != NULL; i++)
		values[i] = getenv(kept[i]);
	(void)snprintf(
	    path, sizeof path, "%s:%s", proc_search_path(), PROC_STANDARD_PATH);
	environ = empty;
	(void)setenv("PATH", path, 1);
	(void)setenv("LC_ALL", "C", 1);
	for (int i = 0; kept[i] != NULL; i++)
		if (values[i] != NULL)
			(void)setenv(kept[i], values[i], 1);
	for (int i = 0; job->extra_environment != NULL &&
			job->extra_environment[i] != NULL;
	     i++)
		(void)putenv((char *)(uintptr_t)job->extra_environment[i]);
}

static void
default_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		if (number != SIGKILL && number != SIGSTOP)
			(void)signal(number, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Moves a pipe's end out of the way of 0, 1, 2, so that dup2 is safe. */
static int
lift(int fd)
{
	return fd > 2 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static void
close_others(int keep_a, int keep_b)
{
	long most = sysconf(_SC_OPEN_MAX);

	if (most < 0 || most > 4096)
		most = 4096;
	for (int fd = 3; fd < (int)most; fd++)
		if (fd != keep_a && fd != keep_b)
			(void)close(fd);
}

static int
become_user(const struct proc_job *job)
{
	if (!job->change_user || getuid() == job->uid)
		return 0;
	/* setuid alone would leave the child in root's other groups */
	if (setgroups(1, &job->gid) == -1 || setgid(job->gid) == -1)
		return -1;
	return setuid(job->uid);
}

static _Noreturn void
fail_exec(int fd)
{
	int code = errno;

	(void)!write(fd, &code, sizeof code);
	_exit(EXEC_FAILED);
}

/* It is not the program that is missing. */
static _Noreturn void
fail_directory(const struct proc_job *job, int fd)
{
	int code = errno;

	(void)dprintf(2, "folder '%s': %s\n", job->directory, strerror(code));
	errno = code == ENOENT || code == EACCES ? EIO : code;
	fail_exec(fd);
}

/*
 * What was held by the parent is held by this child alone from here on.  It
 * waits for that: a parent that gets no processor would still hold the device
 * when its mkfs wants it.
 */
static void
wait_for_go(const int go[2])
{
	char byte;

	if (go[0] == -1)
		return;
	(void)close(go[1]);
	while (read(go[0], &byte, 1) == -1 && errno == EINTR)
		continue;
}

_Noreturn void
proc_child_run(
    const struct proc_job *job, const int write_ends[PIPES], const int go[2])
{
	int null = open("/dev/null", O_RDONLY);
	int output = lift(write_ends[OUTPUT]);
	int errors = lift(write_ends[ERRORS]);
	int exec_fd = lift(write_ends[EXEC]);

	(void)setpgid(0, 0);
	if (job->argv != NULL)
		reduce_environment(job);
	default_signals();
	if (dup2(null, 0) == -1 || dup2(errors, 2) == -1 ||
	    dup2(job->argv != NULL ? output : errors, 1) == -1)
		fail_exec(exec_fd);
	if (job->directory != NULL && chdir(job->directory) == -1)
		fail_directory(job, exec_fd);
	if (job->setup != NULL && job->setup(job->setup_context) != 0)
		fail_exec(exec_fd);
	if (become_user(job) == -1)
		fail_exec(exec_fd);
	wait_for_go(go);
	if (job->argv != NULL) {
		close_others(exec_fd, job->keep_fd);
		(void)execvp(job->argv[0], (char *const *)(uintptr_t)job->argv);
		fail_exec(exec_fd);
	}
	(void)close(exec_fd);
	_exit(job->function(job->context, output));
}
