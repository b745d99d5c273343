#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/proc_child.h"

static const int64_t GRACE_NS = 2000000000;
static const int64_t KILL_WAIT_NS = 10000000000;
enum { OUTPUT_LIMIT = 64 * 1024 };

static int cancel_fd = -1;

struct child {
	const struct proc_job *job;
	pid_t pid;
	int fds[PIPES]; /* the parent's ends */
	int go[2];      /* ends when the child may exec; -1: at once */
	struct buffer texts[2];
	bool cut;
	int exec_errno;
	bool reaped;
	int status;
	struct rusage usage;
	int64_t started_ns;
	int64_t ended_ns;
};

void
proc_set_cancel(int fd)
{
	cancel_fd = fd;
}

bool
proc_is_cancelled(void)
{
	struct pollfd poll_cancel = { .fd = cancel_fd, .events = POLLIN };

	return cancel_fd != -1 && poll(&poll_cancel, 1, 0) == 1;
}

bool
proc_succeeded(const struct proc_result *result)
{
	return result->started && !result->timed_out && !result->cancelled &&
	       result->exit_code == 0;
}

char *
proc_describe(struct arena *arena, const struct proc_result *result)
{
	if (result->stuck)
		return arena_strdup(
		    arena, "did not end after SIGKILL (uninterruptible sleep)");
	if (!result->started)
		return arena_strdup(arena, result->is_missing
					       ? "program not found"
					       : "could not be started");
	if (result->cancelled)
		return arena_strdup(arena, "stopped by a signal to the run");
	if (result->timed_out)
		return arena_printf(arena, "timed out after %.1f s",
		    (double)result->wall_ns / 1e9);
	if (result->signal != 0)
		return arena_printf(arena, "signal %d (%s)", result->signal,
		    strsignal(result->signal));
	return arena_printf(arena, "exit %d", result->exit_code);
}

static int
make_pipe(int ends[2], struct error *err)
{
	if (pipe(ends) == -1)
		return error_errno(err, "cannot make a pipe");
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static void
close_pipe(const int ends[2])
{
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* The three pipes, and one for the go where there is something to release. */
static int
make_pipes(struct child *child, int pipes[PIPES][2], struct error *err)
{
	int made = 0;

	while (made < PIPES && make_pipe(pipes[made], err) == 0)
		made++;
	child->go[0] = child->go[1] = -1;
	if (made == PIPES &&
	    (child->job->release_count == 0 || make_pipe(child->go, err) == 0))
		return 0;
	while (made-- > 0)
		close_pipe(pipes[made]);
	return -1;
}

static void
release(const struct child *child)
{
	for (size_t i = 0; i < child->job->release_count; i++)
		(void)close(child->job->release_fds[i]);
	if (child->go[0] != -1)
		close_pipe(child->go);
}

static int
start_child(struct child *child, struct error *err)
{
	int pipes[PIPES][2];
	int write_ends[PIPES];

	if (make_pipes(child, pipes, err) == -1)
		return -1;
	for (int i = 0; i < PIPES; i++) {
		child->fds[i] = pipes[i][0];
		write_ends[i] = pipes[i][1];
	}
	child->started_ns = clock_now_ns();
	child->pid = fork();
	if (child->pid == 0)
		proc_child_run(child->job, write_ends, child->go);
	release(child);
	for (int i = 0; i < PIPES; i++) {
		(void)close(write_ends[i]);
		(void)fcntl(child->fds[i], F_SETFL, O_NONBLOCK);
		if (child->pid == -1)
			(void)close(child->fds[i]);
	}
	if (child->pid == -1)
		return error_errno(err, "cannot fork");
	(void)setpgid(child->pid, child->pid);
	return 0;
}

static void
keep(struct child *child, int stream, const char *bytes, size_t size)
{
	struct buffer *text = &child->texts[stream];
	size_t limit = child->job->output_limit > 0 ? child->job->output_limit
						    : OUTPUT_LIMIT;
	size_t room = limit > text->length ? limit - text->length : 0;

	if (size > room) {
		child->cut |= stream == OUTPUT;
		size = room;
	}
	buffer_append(text, bytes, size);
}

/* Reads what is there from one pipe; closes it at its end. */
static void
drain(struct child *child, int which)
{
	char block[16384];
	ssize_t got;

	while (child->fds[which] != -1) {
		got = read(child->fds[which], block, sizeof block);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1 && errno == EAGAIN)
			return;
		if (got <= 0) {
			(void)close(child->fds[which]);
			child->fds[which] = -1;
		} else if (which == EXEC)
			memcpy(&child->exec_errno, block,
			    sizeof child->exec_errno);
		else
			keep(child, which, block, (size_t)got);
	}
}

static void
reap(struct child *child)
{
	pid_t got;

	if (child->reaped)
		return;
	do
		got = wait4(child->pid, &child->status, WNOHANG, &child->usage);
	while (got == -1 && errno == EINTR);
	if (got == child->pid) {
		child->reaped = true;
		child->ended_ns = clock_now_ns();
	}
}

/* Waits for bytes, the end of the child, or "milliseconds".  A child that has
 * closed its pipes is looked for every few milliseconds. */
static void
wait_a_little(struct child *child, int milliseconds)
{
	struct pollfd polls[PIPES + 1];
	nfds_t count = 0;

	for (int i = 0; i < PIPES; i++)
		if (child->fds[i] != -1)
			polls[count++] = (struct pollfd){ .fd = child->fds[i],
				.events = POLLIN };
	if (count < PIPES - 1 && milliseconds > 2)
		milliseconds = 2;
	if (cancel_fd != -1 && !child->job->ignores_cancel)
		polls[count++] =
		    (struct pollfd){ .fd = cancel_fd, .events = POLLIN };
	(void)poll(polls, count, milliseconds);
	for (int i = 0; i < PIPES; i++)
		drain(child, i);
	reap(child);
}

/* Ends the group; true when the child could be reaped. */
static bool
end_group(struct child *child)
{
	int64_t grace =
	    child->job->grace_ns > 0 ? child->job->grace_ns : GRACE_NS;
	int64_t until = clock_now_ns() + grace;

	(void)kill(-child->pid, SIGTERM);
	(void)kill(-child->pid, SIGCONT);
	while (!child->reaped && clock_now_ns() < until) {
		clock_sleep_ms(2);
		reap(child);
	}
	(void)kill(-child->pid, SIGKILL);
	until = clock_now_ns() + KILL_WAIT_NS;
	while (!child->reaped && clock_now_ns() < until) {
		clock_sleep_ms(2);
		reap(child);
	}
	return child->reaped;
}

static void
supervise(struct child *child, struct proc_result *result)
{
	int64_t limit = child->job->timeout_ns;

	while (!child->reaped) {
		int64_t spent = clock_now_ns() - child->started_ns;
		int64_t left_ms = 100;

		if (limit > 0 && spent >= limit)
			result->timed_out = true;
		else if (!child->job->ignores_cancel && proc_is_cancelled())
			result->cancelled = true;
		if (result->timed_out || result->cancelled) {
			result->stuck = !end_group(child);
			break;
		}
		if (limit > 0 && (limit - spent) / 1000000 < left_ms)
			left_ms = (limit - spent) / 1000000 + 1;
		wait_a_little(child, (int)left_ms);
	}
	/* what the child left running in its group must not outlive it */
	(void)kill(-child->pid, SIGKILL);
	for (int i = 0; i < PIPES; i++)
		drain(child, i);
}

static int64_t
timeval_ns(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

static void
fill_result(
    struct child *child, struct arena *arena, struct proc_result *result)
{
	const struct rusage *usage = &child->usage;

	result->pid = child->pid;
	result->started = child->exec_errno == 0;
	result->is_missing = child->exec_errno == ENOENT ||
			     child->exec_errno == ENOTDIR ||
			     child->exec_errno == EACCES;
	result->exit_code = -1;
	if (child->reaped && WIFEXITED(child->status))
		result->exit_code = WEXITSTATUS(child->status);
	if (child->reaped && WIFSIGNALED(child->status))
		result->signal = WTERMSIG(child->status);
	result->wall_ns = (child->reaped ? child->ended_ns : clock_now_ns()) -
			  child->started_ns;
	result->user_ns = timeval_ns(usage->ru_utime);
	result->system_ns = timeval_ns(usage->ru_stime);
	result->voluntary_switches = usage->ru_nvcsw;
	result->involuntary_switches = usage->ru_nivcsw;
	result->major_faults = usage->ru_majflt;
	result->minor_faults = usage->ru_minflt;
	result->output_size = child->texts[OUTPUT].length;
	result->output = arena_strndup(
	    arena, buffer_text(&child->texts[OUTPUT]), result->output_size);
	result->output_cut = child->cut;
	result->errors_size = child->texts[ERRORS].length;
	result->errors = arena_strndup(
	    arena, buffer_text(&child->texts[ERRORS]), result->errors_size);
	if (!result->started && result->errors_size == 0)
		result->errors = arena_printf(arena, "%s: %s",
		    child->job->argv != NULL ? child->job->argv[0] : "child",
		    strerror(child->exec_errno));
}

int
proc_run(const struct proc_job *job, struct arena *arena,
    struct proc_result *result, struct error *err)
{
	struct child child = { .job = job };

	*result = (struct proc_result){ 0 };
	if (start_child(&child, err) == -1)
		return -1;
	supervise(&child, result);
	fill_result(&child, arena, result);
	for (int i = 0; i < PIPES; i++)
		if (child.fds[i] != -1)
			(void)close(child.fds[i]);
	buffer_reset(&child.texts[OUTPUT]);
	buffer_reset(&child.texts[ERRORS]);
	return 0;
}
