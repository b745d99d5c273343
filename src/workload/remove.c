/*
 * What "rm -r" does: every entry of the tree removed, in the order in which
 * the folders give them.  Each folder is read to its end first: removing while
 * reading makes some filesystems skip entries.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "platform/folder.h"
#include "workload/run.h"

enum { ELAPSED, RATE, ENTRIES, BUFFER_SIZE = 256 * 1024 };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "until the last entry is gone" },
	[RATE] = { "rate", "entries/s", HIGHER_IS_BETTER, "entries removed" },
	[ENTRIES] = { "entries", "entries", HIGHER_IS_BETTER,
	    "how many were removed" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	KEYS_ONCE,
	{ .name = NULL },
};

/* Names of a folder, each behind a byte that tells folders ('d'), others
 * ('f') and unknown ones ('?') apart. */
struct remover {
	char *block;
	int64_t removed;
	char name[256]; /* of what failed */
};

static int
read_names(struct remover *remover, int fd, struct buffer *names)
{
	long got;

	while (
	    (got = platform_folder_read(fd, remover->block, BUFFER_SIZE)) > 0) {
		size_t at = 0;

		while (at < (size_t)got) {
			struct folder_entry entry;

			at = platform_folder_next(remover->block, at, &entry);
			if (strcmp(entry.name, ".") == 0 ||
			    strcmp(entry.name, "..") == 0 ||
			    entry.name[0] == '\0')
				continue;
			buffer_putc(names, entry.type == FOLDER_DIRECTORY ? 'd'
					   : entry.type == FOLDER_UNKNOWN
					       ? '?'
					       : 'f');
			buffer_append(
			    names, entry.name, strlen(entry.name) + 1);
		}
	}
	return got == 0 ? 0 : 1;
}

static int remove_contents(struct remover *remover, int fd, bool is_top);

static int
failed(struct remover *remover, const char *name)
{
	if (remover->name[0] == '\0')
		(void)snprintf(remover->name, sizeof remover->name, "%s", name);
	return 1;
}

static int
remove_folder(struct remover *remover, int parent, const char *name)
{
	int fd = openat(
	    parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int code;

	if (fd == -1)
		return failed(remover, name);
	code = remove_contents(remover, fd, false);
	(void)close(fd);
	if (code == 1)
		return 1;
	return unlinkat(parent, name, AT_REMOVEDIR) == -1
		   ? failed(remover, name)
		   : 0;
}

static int
remove_entry(struct remover *remover, int parent, char kind, const char *name)
{
	struct stat status;

	remover->removed++;
	if (kind == '?' &&
	    fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(status.st_mode))
		kind = 'd';
	if (kind == 'd')
		return remove_folder(remover, parent, name);
	return unlinkat(parent, name, 0) == -1 ? failed(remover, name) : 0;
}

/* At the top "lost+found" belongs to the filesystem. */
static int
remove_contents(struct remover *remover, int fd, bool is_top)
{
	struct buffer names;
	size_t at = 0;
	int code;

	buffer_init(&names);
	code = read_names(remover, fd, &names);
	if (code == 1)
		(void)failed(remover, ".");
	while (code == 0 && at < names.length) {
		char kind = names.data[at];
		const char *name = names.data + at + 1;

		at += strlen(name) + 2;
		if (!is_top || strcmp(name, "lost+found") != 0)
			code = remove_entry(remover, fd, kind, name);
	}
	buffer_reset(&names);
	return code;
}

static int
run_remove(struct workload_run *run, struct error *err)
{
	struct remover remover = { .block = malloc(BUFFER_SIZE) };
	int64_t start_ns = clock_now_ns();
	int fd = open(run->tree_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	double seconds;
	int code;

	(void)err;
	if (remover.block == NULL)
		abort();
	code = fd == -1 ? failed(&remover, run->tree_directory)
			: remove_contents(&remover, fd, true);
	seconds = run_seconds(start_ns, clock_now_ns());
	if (code == 1)
		code = run_fail_errno(run, "cannot remove '%s'", remover.name);
	if (fd != -1)
		(void)close(fd);
	free(remover.block);
	if (code == 1)
		return 1;
	run_passes(run, &metrics[ELAPSED], 1, &seconds, 1);
	run_sample(run, &metrics[RATE], 0, (double)remover.removed / seconds);
	run_sample(run, &metrics[ENTRIES], 0, (double)remover.removed);
	return 0;
}

const struct workload workload_remove = {
	.name = "remove",
	.summary = "remove the whole tree, as rm -r does",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_POPULATED,
	.writes = true,
	.run = run_remove,
};
