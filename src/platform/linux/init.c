/*
 * The first process of an isolate.  It makes the namespaces private, starts
 * the worker, passes signals on to it, reaps whoever is orphaned, and ends
 * with the worker: the kernel then kills what is left in the PID namespace
 * and drops its mounts.
 */
#include "platform/linux/init.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/linux/host_proc.h"
#include "platform/text.h"

enum { EXIT_SETUP = 125 };

static pid_t init_pid;

pid_t
linux_init_pid(void)
{
	return init_pid;
}

/* A reader that is gone cannot be told anything. */
static void
tell(int fd, const void *bytes, size_t size)
{
	ssize_t written = write(fd, bytes, size);

	(void)written;
}

static _Noreturn void
fail(const struct init_setup *setup, const char *step)
{
	struct init_report report = { .failed_errno = errno };

	(void)snprintf(report.step, sizeof report.step, "%s", step);
	tell(setup->report_fd, &report, sizeof report);
	_exit(EXIT_SETUP);
}

/* The signal at the outer one's death cannot be lost: it is asked for first,
 * and a parent that is gone by then never says go. */
static void
die_with_outer(const struct init_setup *setup)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == -1)
		fail(setup, "ask to die with the outer process");
}

/* Until the outer process has taken hold of what it wants to keep. */
static void
wait_for_go(const struct init_setup *setup)
{
	char byte;
	ssize_t got;

	do
		got = read(setup->life_read, &byte, 1);
	while (got == -1 && errno == EINTR);
	if (got != 1)
		_exit(EXIT_SETUP);
	(void)close(setup->life_read);
}

static void
map_user(const struct init_setup *setup)
{
	struct error ignored = { 0 };
	char line[64];

	/* a kernel before 3.19 has no such file, and needs none */
	(void)text_write("/proc/self/setgroups", "deny", &ignored);
	(void)snprintf(line, sizeof line, "0 %u 1", (unsigned int)setup->uid);
	if (text_write("/proc/self/uid_map", line, &ignored) == -1)
		fail(setup, "map the user");
	(void)snprintf(line, sizeof line, "0 %u 1", (unsigned int)setup->gid);
	if (text_write("/proc/self/gid_map", line, &ignored) == -1)
		fail(setup, "map the group");
}

static bool
set_up_namespaces(const struct init_setup *setup)
{
	if (setup->is_user)
		map_user(setup);
	die_with_outer(setup);
	/* a slave and not private: what is mounted here stays here, but what
	 * the host unmounts goes here too, and is not kept busy all night */
	if (mount("none", "/", "none", MS_REC | MS_SLAVE, NULL) == -1)
		fail(setup, "make the mounts private");
	init_pid = host_proc_self();
	/* refused in some containers, whose /proc has covers */
	return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		   NULL) == 0;
}

static void
watched_signals(sigset_t *set)
{
	static const int signals[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP,
		SIGQUIT, SIGUSR1, SIGUSR2 };

	(void)sigemptyset(set);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		(void)sigaddset(set, signals[i]);
}

/* Reaps everybody; true when the worker was among them. */
static bool
reap(pid_t worker, int *worker_status)
{
	bool is_over = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == worker) {
			*worker_status = status;
			is_over = true;
		}
	return is_over;
}

static _Noreturn void
run_worker(const struct init_setup *setup, const sigset_t *mask)
{
	int code;

	(void)setpgid(0, 0);
	(void)close(setup->report_fd);
	(void)sigprocmask(SIG_SETMASK, mask, NULL);
	code = setup->job->function(setup->job->context);
	(void)fflush(NULL);
	_exit(code);
}

_Noreturn void
linux_init_main(const struct init_setup *setup)
{
	struct init_report report = { 0 };
	sigset_t watched;
	sigset_t before;
	siginfo_t info;
	int status = 0;
	pid_t worker;

	(void)close(setup->life_write);
	watched_signals(&watched);
	(void)sigprocmask(SIG_BLOCK, &watched, &before);
	(void)setpgid(0, 0);
	report.has_fresh_proc = set_up_namespaces(setup);
	tell(setup->report_fd, &report, sizeof report);
	wait_for_go(setup);
	worker = fork();
	if (worker == -1)
		_exit(EXIT_SETUP);
	if (worker == 0)
		run_worker(setup, &before);
	for (;;) {
		int number = sigwaitinfo(&watched, &info);

		if (number == SIGCHLD && reap(worker, &status))
			break;
		if (number > 0 && number != SIGCHLD)
			(void)kill(worker, number);
	}
	tell(setup->report_fd, &status, sizeof status);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SETUP);
}
