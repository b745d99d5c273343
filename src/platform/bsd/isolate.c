/* No namespaces: a plain child, whose leavings the undo journal knows. */
#include "platform/isolate.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/plain_child.h"

static const char NOTE[] =
    "no mount namespaces on this system: after SIGKILL, run clean";

void
platform_die_with_parent(pid_t parent)
{
	bsd_follow_parent();
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
}

void
platform_isolation(struct arena *arena, struct isolation *isolation)
{
	(void)arena;
	*isolation =
	    (struct isolation){ .is_root = geteuid() == 0, .note = NOTE };
}

int
platform_isolate_start(const struct isolate_job *job, struct arena *arena,
    struct isolate *isolate, struct error *err)
{
	*isolate = (struct isolate){ .status_fd = -1, .mounts_fd = -1 };
	platform_isolation(arena, &isolate->got);
	return plain_child_start(job, isolate, err);
}

void
platform_isolate_signal(const struct isolate *isolate, int signal)
{
	if (isolate->pid > 0)
		(void)kill(isolate->pid, signal);
}

int
platform_isolate_wait(
    struct isolate *isolate, int *exit_code, int *signal, struct error *err)
{
	return plain_child_wait(isolate, exit_code, signal, err);
}

int
platform_isolate_pin(
    const struct isolate *isolate, const char *file, struct error *err)
{
	(void)isolate;
	(void)file;
	(void)err;
	return PLATFORM_ABSENT;
}

char *
platform_pin_enter(const char *file, struct arena *arena)
{
	(void)file;
	(void)arena;
	return NULL;
}

int
platform_isolate_unpin(const char *file, struct error *err)
{
	if (unlink(file) == -1 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s'", file);
	return 0;
}

void
platform_isolate_close(struct isolate *isolate)
{
	if (isolate->status_fd != -1)
		(void)close(isolate->status_fd);
	isolate->status_fd = -1;
}
