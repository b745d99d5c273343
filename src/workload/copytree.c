/*
 * What "cp -R" does: the populated tree copied beside itself, by reading and
 * writing.  Never by copy_file_range or clones: on filesystems that share
 * blocks that would measure something else.
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
#include "base/io.h"
#include "platform/folder.h"
#include "workload/files.h"
#include "workload/run.h"

enum { ELAPSED, RATE, THROUGHPUT, BUFFER_SIZE = 256 * 1024 };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "until the last entry is copied" },
	[RATE] = { "rate", "entries/s", HIGHER_IS_BETTER, "entries copied" },
	[THROUGHPUT] = { "throughput", "MiB/s", HIGHER_IS_BETTER,
	    "bytes copied" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	KEYS_ONCE,
	{ .name = NULL },
};

struct copier {
	char *data;
	int64_t entries;
	int64_t bytes;
	dev_t target_device; /* of the copy's root, not to be copied itself */
	ino_t target_inode;
	char name[256]; /* of what failed */
};

/* Notes what failed; always 1, errno as it was. */
static int
failed(struct copier *copier, const char *name)
{
	if (copier->name[0] == '\0')
		(void)snprintf(copier->name, sizeof copier->name, "%s", name);
	return 1;
}

/* Closes both; 1 when the copying or the closing failed. */
static int
finish(struct copier *copier, int in, int out, int code, const char *name)
{
	int former = errno;

	if (in != -1)
		(void)close(in);
	if (out != -1 && close(out) == -1 && code == 0)
		return failed(copier, name);
	errno = former;
	return code == 0 ? 0 : failed(copier, name);
}

static int
copy_file(
    struct copier *copier, int from, int to, const char *name, mode_t mode)
{
	int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int out =
	    in == -1 ? -1
		     : openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			   mode & 0777);
	ssize_t got = 0;
	int code = out == -1;

	while (code == 0 && (got = read(in, copier->data, BUFFER_SIZE)) > 0) {
		code = io_write(out, copier->data, (size_t)got);
		copier->bytes += got;
	}
	return finish(copier, in, out, code == 1 || got == -1, name);
}

static int
copy_link(struct copier *copier, int from, int to, const char *name)
{
	ssize_t got = readlinkat(from, name, copier->data, BUFFER_SIZE - 1);

	if (got == -1)
		return failed(copier, name);
	copier->data[got] = '\0';
	return symlinkat(copier->data, to, name) == -1 ? failed(copier, name)
						       : 0;
}

static int copy_contents(struct copier *copier, int from, int to);

static int
copy_folder(struct copier *copier, int from, int to, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int in = openat(from, name, flags);
	int out = in == -1 || mkdirat(to, name, 0755) == -1
		      ? -1
		      : openat(to, name, flags);
	int code = out == -1 ? 1 : copy_contents(copier, in, out);

	return finish(copier, in, out, code, name);
}

static int
copy_entry(struct copier *copier, int from, int to, const char *name)
{
	struct stat status;

	if (fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) == -1)
		return failed(copier, name);
	if (status.st_dev == copier->target_device &&
	    status.st_ino == copier->target_inode)
		return 0;
	copier->entries++;
	if (S_ISDIR(status.st_mode))
		return copy_folder(copier, from, to, name);
	if (S_ISLNK(status.st_mode))
		return copy_link(copier, from, to, name);
	if (!S_ISREG(status.st_mode))
		return 0;
	return copy_file(copier, from, to, name, status.st_mode);
}

static int
copy_contents(struct copier *copier, int from, int to)
{
	char *block = malloc(BUFFER_SIZE);
	long got = 0;
	int code = 0;

	if (block == NULL)
		abort();
	while (code == 0 &&
	       (got = platform_folder_read(from, block, BUFFER_SIZE)) > 0) {
		size_t at = 0;

		while (code == 0 && at < (size_t)got) {
			struct folder_entry entry;

			at = platform_folder_next(block, at, &entry);
			if (entry.name[0] != '\0' &&
			    strcmp(entry.name, ".") != 0 &&
			    strcmp(entry.name, "..") != 0)
				code = copy_entry(copier, from, to, entry.name);
		}
	}
	free(block);
	return code == 1 || got == -1 ? failed(copier, ".") : 0;
}

static int
copy_all(struct workload_run *run, struct copier *copier, int to)
{
	int from =
	    open(run->tree_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;
	int code;

	if (from == -1 || fstat(to, &status) == -1) {
		code = failed(copier, run->tree_directory);
	} else {
		copier->target_device = status.st_dev;
		copier->target_inode = status.st_ino;
		code = copy_contents(copier, from, to);
	}
	if (code == 1)
		(void)run_fail_errno(run, "cannot copy '%s'", copier->name);
	if (from != -1)
		(void)close(from);
	return code;
}

static int
run_copytree(struct workload_run *run, struct error *err)
{
	struct copier copier = { .data = malloc(BUFFER_SIZE) };
	int to = files_new_folder(run, "copytree");
	int64_t start_ns = clock_now_ns();
	double seconds;
	int code;

	(void)err;
	if (copier.data == NULL)
		abort();
	code = to == -1 ? run_fail_errno(run, "cannot make folder 'copytree'")
			: copy_all(run, &copier, to);
	seconds = run_seconds(start_ns, clock_now_ns());
	if (to != -1)
		(void)close(to);
	free(copier.data);
	if (code == 1)
		return 1;
	run_passes(run, &metrics[ELAPSED], 1, &seconds, 1);
	run_sample(run, &metrics[RATE], 0, (double)copier.entries / seconds);
	run_sample(run, &metrics[THROUGHPUT], 0,
	    (double)copier.bytes / 1048576 / seconds);
	return 0;
}

const struct workload workload_copytree = {
	.name = "copytree",
	.summary = "copy the whole tree beside itself, as cp -R does",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_POPULATED,
	.writes = true,
	.run = run_copytree,
};
