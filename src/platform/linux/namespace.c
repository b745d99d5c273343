#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "platform/isolate.h"
#include "platform/linux/host_proc.h"
#include "platform/linux/init.h"
#include "platform/plain_child.h"
#include "platform/text.h"

static const int64_t END_NS = 10 * INT64_C(1000000000);
enum { POLL_MS = 2 };
static const unsigned long ROOT_FLAGS = CLONE_NEWNS | CLONE_NEWPID;
static const unsigned long USER_FLAGS =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID;

/*
 * fork() into new namespaces.  The child is the namespace's init and does
 * nothing but system calls until it forks the worker by the C library, which
 * then is right about its own thread again.
 */
static pid_t
fork_into(unsigned long flags)
{
	return (pid_t)syscall(
	    SYS_clone, flags | (unsigned long)SIGCHLD, NULL, NULL, NULL, NULL);
}

static bool
can_fork_into(unsigned long flags)
{
	pid_t pid = fork_into(flags);
	int status = 0;

	if (pid == 0)
		_exit(0);
	if (pid == -1)
		return false;
	while (waitpid(pid, &status, 0) == -1 && errno == EINTR)
		continue;
	return true;
}

static int
do_nothing(void *context)
{
	(void)context;
	return 0;
}

/* A real attempt, since files and capabilities do not tell the whole. */
void
platform_isolation(struct arena *arena, struct isolation *isolation)
{
	const struct isolate_job job = { .function = do_nothing };
	struct isolate isolate;
	struct error err = { 0 };
	int exit_code;
	int signal;

	*isolation = (struct isolation){ .note = "" };
	if (platform_isolate_start(&job, arena, &isolate, &err) == -1) {
		isolation->note = arena_strdup(arena, err.text);
		return;
	}
	if (platform_isolate_wait(&isolate, &exit_code, &signal, &err) == 0)
		*isolation = isolate.got;
	platform_isolate_close(&isolate);
}

struct pipes {
	int report[2];
	int life[2];
};

static void
close_pipes(struct pipes *pipes)
{
	for (int i = 0; i < 2; i++) {
		if (pipes->report[i] != -1)
			(void)close(pipes->report[i]);
		if (pipes->life[i] != -1)
			(void)close(pipes->life[i]);
	}
}

static int
open_pipes(struct pipes *pipes, struct error *err)
{
	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 } };
	if (pipe2(pipes->report, O_CLOEXEC) == 0 &&
	    pipe2(pipes->life, O_CLOEXEC) == 0)
		return 0;
	(void)error_errno(err, "cannot make a pipe");
	close_pipes(pipes);
	return -1;
}

static void
reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) == -1 && errno == EINTR)
		continue;
}

static int
hear_report(pid_t pid, int fd, struct init_report *report, struct error *err)
{
	if (io_read(fd, report, sizeof *report) == 1) {
		reap(pid);
		return error_set(
		    err, "the first process of the namespace died");
	}
	if (report->failed_errno == 0)
		return 0;
	reap(pid);
	errno = report->failed_errno;
	return error_errno(err, "cannot %s", report->step);
}

/* Forks; the child becomes the init. */
static pid_t
fork_init(const struct isolate_job *job, unsigned long flags,
    struct pipes *pipes, struct error *err)
{
	struct init_setup setup = { .job = job,
		.uid = geteuid(),
		.gid = getegid(),
		.is_user = (flags & CLONE_NEWUSER) != 0,
		.report_fd = pipes->report[1],
		.life_read = pipes->life[0],
		.life_write = pipes->life[1] };
	pid_t pid;

	(void)fflush(NULL);
	pid = fork_into(flags);
	if (pid == 0) {
		(void)close(pipes->report[0]);
		linux_init_main(&setup);
	}
	if (pid == -1)
		(void)error_errno(err, "cannot make namespaces");
	(void)close(pipes->report[1]);
	pipes->report[1] = -1;
	return pid;
}

static void
hold_mounts(struct isolate *isolate, bool is_user)
{
	char path[64];

	(void)snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)isolate->pid);
	isolate->mounts_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (!is_user)
		return;
	(void)snprintf(
	    path, sizeof path, "/proc/%d/ns/user", (int)isolate->pid);
	isolate->user_fd = open(path, O_RDONLY | O_CLOEXEC);
}

static int
start_namespaced(const struct isolate_job *job, unsigned long flags,
    struct isolate *isolate, struct error *err)
{
	bool is_user = (flags & CLONE_NEWUSER) != 0;
	struct init_report report;
	struct pipes pipes;
	pid_t pid;

	if (open_pipes(&pipes, err) == -1)
		return -1;
	pid = fork_init(job, flags, &pipes, err);
	if (pid == -1 ||
	    hear_report(pid, pipes.report[0], &report, err) == -1) {
		close_pipes(&pipes);
		return -1;
	}
	isolate->pid = pid;
	isolate->status_fd = pipes.report[0];
	/* before the worker runs: a short one would be gone already */
	if (job->keep)
		hold_mounts(isolate, is_user);
	/* the read end is kept open here until then: no SIGPIPE */
	if (write(pipes.life[1], "g", 1) != 1)
		platform_isolate_signal(isolate, SIGKILL);
	(void)close(pipes.life[0]);
	(void)close(pipes.life[1]);
	isolate->got = (struct isolation){
		.is_root = !is_user,
		.has_mounts = true,
		.has_processes = true,
		.has_user_namespace = is_user,
		.note =
		    report.has_fresh_proc
			? ""
			: "no /proc of its own: process numbers are the host's",
	};
	return 0;
}

int
platform_isolate_start(const struct isolate_job *job, struct arena *arena,
    struct isolate *isolate, struct error *err)
{
	unsigned long flags = geteuid() == 0 ? ROOT_FLAGS : USER_FLAGS;

	*isolate =
	    (struct isolate){ .status_fd = -1, .mounts_fd = -1, .user_fd = -1 };
	state_owner_remember();
	host_proc_keep();
	if (job->share_mounts) {
		isolate->got = (struct isolation){
			.is_root = flags == ROOT_FLAGS,
			.note = "the host's own mounts, since a target is one",
		};
		return plain_child_start(job, isolate, err);
	}
	if (flags == ROOT_FLAGS && !can_fork_into(flags))
		flags = USER_FLAGS;
	if (start_namespaced(job, flags, isolate, err) == 0)
		return 0;
	(void)error_wrap(err, "no private mounts");
	err->kind = ERROR_HOST;
	if (!job->allow_less)
		return -1;
	isolate->got =
	    (struct isolation){ .note = arena_strdup(arena, err->text) };
	return plain_child_start(job, isolate, err);
}

void
platform_die_with_parent(pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
}

void
platform_isolate_signal(const struct isolate *isolate, int signal)
{
	if (isolate->pid > 0)
		(void)kill(isolate->pid, signal);
}

/* The init ends with all that is left in its namespace: at once, but for a
 * process in uninterruptible sleep, which may last until the next boot. */
static int
wait_for_init(struct isolate *isolate, int *status, struct error *err)
{
	int64_t until = clock_now_ns() + END_NS;

	for (;;) {
		pid_t got = waitpid(isolate->pid, status, WNOHANG);

		if (got == isolate->pid)
			return 0;
		if (got == -1 && errno != EINTR)
			return error_errno(err, "cannot wait for the worker");
		if (clock_now_ns() >= until)
			break;
		clock_sleep_ms(POLL_MS);
	}
	isolate->is_held_up = true;
	return 0;
}

int
platform_isolate_wait(
    struct isolate *isolate, int *exit_code, int *signal, struct error *err)
{
	int own_status = 0;
	int status = 0;
	bool told;

	if (!isolate->got.has_processes)
		return plain_child_wait(isolate, exit_code, signal, err);
	/* the worker's own status; none when the init was killed */
	told = io_read(isolate->status_fd, &status, sizeof status) == 0;
	if (wait_for_init(isolate, &own_status, err) == -1)
		return -1;
	if (isolate->is_held_up)
		own_status = SIGKILL;
	isolate->pid = -1;
	plain_child_status(told ? status : own_status, exit_code, signal);
	return 0;
}

void
platform_isolate_close(struct isolate *isolate)
{
	if (isolate->status_fd != -1)
		(void)close(isolate->status_fd);
	if (isolate->mounts_fd != -1)
		(void)close(isolate->mounts_fd);
	if (isolate->user_fd != -1)
		(void)close(isolate->user_fd);
	isolate->status_fd = -1;
	isolate->mounts_fd = -1;
	isolate->user_fd = -1;
}
