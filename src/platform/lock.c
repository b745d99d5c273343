#include "platform/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/process.h"
#include "platform/text.h"

enum { OWNER_LIMIT = 4096 };

static bool is_owner_known;
static bool is_owner_root;

void
state_owner_remember(void)
{
	if (is_owner_known)
		return;
	is_owner_root = geteuid() == 0;
	is_owner_known = true;
}

/* Makes every missing folder of the path: ours for us alone, those above it
 * as such folders are in the system or in a home. */
static int
make_folders(char *path, struct error *err)
{
	for (char *slash = strchr(path + 1, '/');;
	     slash = strchr(slash + 1, '/')) {
		int rc;

		if (slash != NULL)
			*slash = '\0';
		rc = mkdir(path, slash != NULL && is_owner_root ? 0755 : 0700);
		if (rc == -1 && errno != EEXIST && errno != EISDIR)
			return error_errno(err, "cannot make '%s'", path);
		if (slash == NULL)
			return 0;
		*slash = '/';
	}
}

static char *
state_path(struct arena *arena, struct error *err)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	state_owner_remember();
	if (is_owner_root)
		return arena_strdup(arena, "/var/lib/mountmatrix");
	if (state != NULL && state[0] == '/')
		return arena_printf(arena, "%s/mountmatrix", state);
	if (home != NULL && home[0] == '/')
		return arena_printf(arena, "%s/.local/state/mountmatrix", home);
	(void)error_set_kind(err, ERROR_HOST,
	    "no place for state: neither XDG_STATE_HOME nor HOME is set");
	return NULL;
}

int
platform_state_directory(
    struct arena *arena, const char **path, struct error *err)
{
	char *made = state_path(arena, err);
	struct stat status;

	if (made == NULL)
		return -1;
	if (make_folders(made, err) == -1)
		return error_wrap(err, "no place for locks and undo journals%s",
		    is_owner_root ? "" : " (XDG_STATE_HOME names another one)");
	if (lstat(made, &status) == -1)
		return error_errno(err, "cannot look at '%s'", made);
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid())
		return error_set_kind(
		    err, ERROR_HOST, "'%s' is not a folder of this user", made);
	if ((status.st_mode & 0022) != 0)
		return error_set_kind(err, ERROR_HOST,
		    "others can write to '%s': run chmod 700 on it", made);
	*path = made;
	return 0;
}

/* A file name for any key: what is no letter or digit becomes %XX. */
static char *
lock_name(struct arena *arena, const char *directory, const char *key)
{
	size_t length = strlen(key);
	char *name = arena_alloc(arena, 3 * length + 1);
	char *to = name;

	for (const char *from = key; *from != '\0'; from++) {
		unsigned char c = (unsigned char)*from;

		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
		    (c >= 'a' && c <= 'z') || c == '-' || c == '.')
			*to++ = (char)c;
		else
			to += sprintf(to, "%%%02X", c);
	}
	/* a longer name than a folder takes: its end tells more */
	if (to - name > 200)
		name = to - 200;
	return arena_printf(arena, "%s/lock-%s", directory, name);
}

static int
held_by_other(int fd, const struct lock_request *request, struct error *err)
{
	char text[OWNER_LIMIT] = "";
	ssize_t got = pread(fd, text, sizeof text - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return error_set_kind(err, ERROR_HOST,
	    "'%s' is in use by another run%s%s",
	    request->name != NULL ? request->name : request->key,
	    text[0] != '\0' ? ": " : "", text);
}

/* Removes the files of locks that nobody has: one a run would pile up. */
static void
sweep(struct arena *arena, const char *directory)
{
	struct name_list names;

	name_list_folder(arena, &names, directory);
	for (size_t i = 0; i < names.count; i++) {
		const char *path =
		    arena_printf(arena, "%s/%s", directory, names.names[i]);
		int fd;

		if (strncmp(names.names[i], "lock-", 5) != 0)
			continue;
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
		if (fd == -1)
			continue;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			(void)unlink(path);
		(void)close(fd);
	}
}

/* "boot id:pid:start time": inside a PID namespace getpid() is a number that
 * nobody else can look for. */
static const char *
own_number(struct arena *arena)
{
	const char *identity = platform_process_identity(arena, 0);
	const char *colon = identity != NULL ? strchr(identity, ':') : NULL;

	return arena_printf(arena, "process %ld",
	    colon != NULL ? (long)text_number(colon + 1, 0) : (long)getpid());
}

static int
write_owner(int fd, struct arena *arena, const char *owner, const char *path,
    struct error *err)
{
	const char *text = arena_printf(
	    arena, "%s\n", owner != NULL ? owner : own_number(arena));
	ssize_t length = (ssize_t)strlen(text);

	if (ftruncate(fd, 0) == 0 &&
	    pwrite(fd, text, (size_t)length, 0) == length)
		return 0;
	return error_errno(err, "cannot write to the lock '%s'", path);
}

static int
lock_file(struct arena *arena, const char *path,
    const struct lock_request *request, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc = -1;

	if (fd == -1)
		return error_errno(err, "cannot open the lock '%s'", path);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		rc = write_owner(fd, arena, request->owner, path, err);
	else if (errno == EWOULDBLOCK)
		(void)held_by_other(fd, request, err);
	else
		(void)error_errno(err, "cannot lock '%s'", path);
	if (rc == 0)
		return fd;
	(void)close(fd);
	return -1;
}

/*
 * One at a time, by a lock on the folder itself: else a file could be swept
 * away between another run's opening and locking it, and two would have it.
 */
int
platform_lock(
    struct arena *arena, const struct lock_request *request, struct error *err)
{
	const char *directory = NULL;
	int folder;
	int fd = -1;

	if (platform_state_directory(arena, &directory, err) != 0 ||
	    directory == NULL)
		return -1;
	folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder == -1)
		return error_errno(err, "cannot open '%s'", directory);
	while (flock(folder, LOCK_EX) == -1)
		if (errno != EINTR) {
			(void)error_errno(err, "cannot lock '%s'", directory);
			(void)close(folder);
			return -1;
		}
	sweep(arena, directory);
	fd = lock_file(
	    arena, lock_name(arena, directory, request->key), request, err);
	(void)close(folder);
	return fd;
}

bool
platform_lock_is_held(struct arena *arena, const char *key)
{
	struct error ignored = { 0 };
	const char *directory = state_path(arena, &ignored);
	bool is_held = false;
	int fd;

	if (directory == NULL)
		return false;
	fd = open(lock_name(arena, directory, key),
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd == -1)
		return false;
	is_held = flock(fd, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK;
	(void)close(fd);
	return is_held;
}
