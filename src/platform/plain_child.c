#include "platform/plain_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/text.h"

int
plain_child_start(
    const struct isolate_job *job, struct isolate *isolate, struct error *err)
{
	pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	/* nothing is written: the end of the pipe is the child's end */
	if (pipe(ends) == -1)
		return error_errno(err, "cannot make a pipe");
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	(void)fflush(NULL);
	pid = fork();
	if (pid == -1) {
		(void)error_errno(err, "cannot start the worker");
		(void)close(ends[0]);
		(void)close(ends[1]);
		return -1;
	}
	if (pid == 0) {
		int code;

		(void)close(ends[0]);
		(void)setpgid(0, 0);
		platform_die_with_parent(parent);
		code = job->function(job->context);
		(void)fflush(NULL);
		_exit(code);
	}
	(void)setpgid(pid, pid);
	(void)close(ends[1]);
	isolate->pid = pid;
	isolate->status_fd = ends[0];
	isolate->mounts_fd = -1;
	return 0;
}

void
plain_child_status(int status, int *exit_code, int *signal)
{
	*exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	*signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int
plain_child_wait(
    struct isolate *isolate, int *exit_code, int *signal, struct error *err)
{
	int status = 0;

	while (waitpid(isolate->pid, &status, 0) == -1)
		if (errno != EINTR)
			return error_errno(err, "cannot wait for the worker");
	isolate->pid = -1;
	plain_child_status(status, exit_code, signal);
	return 0;
}
