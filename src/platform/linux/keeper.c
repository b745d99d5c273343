/*
 * Mounts that outlive their run: a process that does nothing but stay in the
 * mount namespace, found again by its identity in a file.
 *
 * Binding the namespace to the file would need no process, but a kernel
 * refuses that (EINVAL) unless the namespace's number is above that of the
 * one it is bound in, and since Linux 6.18 numbers are given out per CPU: in
 * any namespace but the first it worked or not by where both were made.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/isolate.h"
#include "platform/process.h"
#include "platform/text.h"

static const int64_t END_NS = 5 * INT64_C(1000000000);

/* The namespace's own /proc is empty now that its processes are gone: without
 * it who enters sees the host's, and df and mount work. */
static void
uncover_proc(void)
{
	if (access("/proc/self", F_OK) == -1)
		(void)umount2("/proc", UMOUNT_NOFOLLOW);
}

/* Nothing of the run stays open in it: neither its locks nor its terminal. */
static void
close_all_but(int first, int second)
{
	long most = sysconf(_SC_OPEN_MAX);

	if (most < 0 || most > 65536)
		most = 65536;
	for (int fd = 0; fd < (int)most; fd++)
		if (fd != first && fd != second)
			(void)close(fd);
}

/* Ends with the pipe unless told to stay: who dies before the file names this
 * process leaves none that nobody would find. */
static _Noreturn void
keep(const struct isolate *isolate, int ready, int stay)
{
	int code = 0;
	char byte;

	(void)setsid();
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	(void)signal(SIGHUP, SIG_IGN);
	if ((isolate->user_fd != -1 &&
		setns(isolate->user_fd, CLONE_NEWUSER) == -1) ||
	    setns(isolate->mounts_fd, CLONE_NEWNS) == -1)
		code = errno;
	close_all_but(ready, stay);
	/* another user namespace would close /proc/PID to its own user */
	(void)prctl(PR_SET_DUMPABLE, 1);
	(void)prctl(PR_SET_NAME, "mm-kept");
	uncover_proc();
	(void)!chdir("/");
	(void)!write(ready, &code, sizeof code);
	(void)close(ready);
	if (code != 0 || read(stay, &byte, 1) != 1)
		_exit(1);
	(void)close(stay);
	for (;;)
		(void)pause();
}

struct keeper {
	pid_t pid;
	int ready; /* an errno, or 0 */
	int stay;  /* a byte: for good */
};

static int
start_keeper(
    const struct isolate *isolate, struct keeper *keeper, struct error *err)
{
	int ready[2], stay[2];

	if (pipe2(ready, O_CLOEXEC) == -1)
		return error_errno(err, "cannot make a pipe");
	if (pipe2(stay, O_CLOEXEC) == -1) {
		(void)close(ready[0]);
		(void)close(ready[1]);
		return error_errno(err, "cannot make a pipe");
	}
	keeper->pid = fork();
	if (keeper->pid == 0) {
		(void)close(ready[0]);
		(void)close(stay[1]);
		keep(isolate, ready[1], stay[0]);
	}
	(void)close(ready[1]);
	(void)close(stay[0]);
	keeper->ready = ready[0];
	keeper->stay = stay[1];
	return keeper->pid == -1 ? error_errno(err, "cannot fork") : 0;
}

static int
hear_ready(const struct keeper *keeper, struct error *err)
{
	int code = 0;
	ssize_t got;

	do
		got = read(keeper->ready, &code, sizeof code);
	while (got == -1 && errno == EINTR);
	if (got != (ssize_t)sizeof code)
		return error_set(err, "the process that was to stay ended");
	errno = code;
	return code != 0 ? error_errno(err, "cannot stay in them") : 0;
}

static int
write_identity(const char *file, pid_t pid, struct error *err)
{
	struct arena *arena = arena_new();
	const char *identity = platform_process_identity(arena, pid);
	int fd = open(
	    file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc = 0;

	if (fd == -1 || identity == NULL ||
	    write(fd, identity, strlen(identity)) !=
		(ssize_t)strlen(identity) ||
	    fsync(fd) == -1)
		rc = error_errno(err, "cannot write to '%s'", file);
	if (fd != -1)
		(void)close(fd);
	arena_free(arena);
	return rc;
}

int
platform_isolate_pin(
    const struct isolate *isolate, const char *file, struct error *err)
{
	struct keeper keeper = { -1, -1, -1 };
	int rc;

	if (!isolate->got.has_mounts)
		return PLATFORM_ABSENT;
	if (isolate->mounts_fd == -1)
		return error_set(err, "the mounts were not held for keeping");
	rc = start_keeper(isolate, &keeper, err);
	if (rc == 0)
		rc = hear_ready(&keeper, err);
	if (rc == 0)
		rc = write_identity(file, keeper.pid, err);
	if (rc == 0 && write(keeper.stay, "s", 1) != 1)
		rc = error_errno(err, "the process that was to stay ended");
	if (keeper.stay != -1) {
		(void)close(keeper.ready);
		(void)close(keeper.stay);
	}
	if (rc == 0)
		return 0;
	/* without a byte it ends by itself */
	while (keeper.pid > 0 && waitpid(keeper.pid, NULL, 0) == -1 &&
	       errno == EINTR)
		continue;
	(void)error_wrap(err, "cannot keep the mounts");
	err->kind = ERROR_HOST;
	(void)unlink(file);
	return -1;
}

/* The process named in the file, when it still is that one; else 0. */
static pid_t
find_keeper(const char *file, struct arena *arena, const char **identity)
{
	const char *colon;

	*identity = text_first_line(arena, "%s", file);
	colon = strchr(*identity, ':');
	if (colon == NULL || platform_wait_gone(*identity, 0) == 0)
		return 0;
	return (pid_t)text_number(colon + 1, 0);
}

static bool
is_in_our_user_namespace(struct arena *arena, pid_t pid)
{
	struct stat own, its;

	return stat("/proc/self/ns/user", &own) == 0 &&
	       stat(arena_printf(arena, "/proc/%d/ns/user", (int)pid), &its) ==
		   0 &&
	       own.st_ino == its.st_ino;
}

char *
platform_pin_enter(const char *file, struct arena *arena)
{
	const char *identity;
	pid_t pid = find_keeper(file, arena, &identity);

	if (pid <= 0)
		return NULL;
	if (is_in_our_user_namespace(arena, pid))
		return arena_printf(
		    arena, "nsenter --mount=/proc/%d/ns/mnt", (int)pid);
	return arena_printf(arena,
	    "nsenter --preserve-credentials --user=/proc/%d/ns/user --mount=/proc/%d/ns/mnt",
	    (int)pid, (int)pid);
}

static int
end_keeper(const char *file, struct arena *arena, struct error *err)
{
	const char *identity;
	pid_t pid = find_keeper(file, arena, &identity);

	if (pid <= 0)
		return 0;
	if (kill(pid, SIGKILL) == -1 && errno != ESRCH)
		return error_errno(err, "cannot end process %d", (int)pid);
	if (platform_wait_gone(identity, END_NS) != 0)
		return error_set(err, "process %d does not end", (int)pid);
	return 0;
}

int
platform_isolate_unpin(const char *file, struct error *err)
{
	struct arena *arena = arena_new();
	int rc = end_keeper(file, arena, err);

	arena_free(arena);
	if (rc == 0 && unlink(file) == -1 && errno != ENOENT)
		rc = error_errno(err, "cannot remove the pin '%s'", file);
	return rc;
}
