#include "cli/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/proc.h"

/* A byte in this pipe asks all to stop: the handler's only deed. */
static int stop_pipe[2] = { -1, -1 };
static volatile sig_atomic_t last_signal;
static volatile sig_atomic_t count;

static void
on_signal(int number)
{
	int saved = errno;

	last_signal = number;
	count++;
	(void)!write(stop_pipe[1], "", 1);
	errno = saved;
}

int
stop_catch(struct error *err)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;

	if (pipe(stop_pipe) == -1)
		return error_errno(err, "cannot make a pipe");
	for (int i = 0; i < 2; i++) {
		(void)fcntl(stop_pipe[i], F_SETFD, FD_CLOEXEC);
		(void)fcntl(stop_pipe[i], F_SETFL, O_NONBLOCK);
	}
	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (sigaction(numbers[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			(void)sigaction(numbers[i], &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	/* a limit on the size of files: the write fails, and is told of */
	(void)signal(SIGXFSZ, SIG_IGN);
	proc_set_cancel(stop_pipe[0]);
	return 0;
}

int
stop_signal(void)
{
	return (int)last_signal;
}

void
stop_forward(const struct isolate *isolate)
{
	if (count > 0)
		platform_isolate_signal(isolate, count > 2 ? SIGKILL : SIGTERM);
}

void
stop_watch(const struct isolate *isolate)
{
	struct pollfd ended = { .fd = isolate->status_fd, .events = POLLIN };

	do {
		(void)poll(&ended, 1, 1000);
		stop_forward(isolate);
	} while ((ended.revents & (POLLIN | POLLHUP)) == 0);
}

void
stop_raise(void)
{
	const struct rlimit none = { 0 };

	if (last_signal == 0)
		return;
	(void)fflush(stdout);
	/* of a program that has unwound, a core file (SIGQUIT) tells nothing */
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)signal((int)last_signal, SIG_DFL);
	(void)raise((int)last_signal);
}
