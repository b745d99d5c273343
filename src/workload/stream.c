/*
 * One large file written or read from start to end, as dd does it, but
 * with data that does not compress and without reading /dev/zero.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "workload/files.h"
#include "workload/run.h"

enum { ELAPSED, WRITE_RATE, READ_RATE };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER, "all that was timed" },
	[WRITE_RATE] = { "write_rate", "MiB/s", HIGHER_IS_BETTER,
	    "with the fsync where asked for" },
	[READ_RATE] = { "read_rate", "MiB/s", HIGHER_IS_BETTER, "reading" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "mode", KEY_WORD, "write", 0, 0, "write read both", 1,
	    "what is timed" },
	{ "bytes", KEY_SIZE, "1G", 1, 1e15, NULL, 1, "size of the file" },
	{ "block", KEY_SIZE, "1M", 1, 1073741824.0, NULL, 1, "bytes a call" },
	{ "fsync", KEY_BOOLEAN, "true", 0, 0, NULL, 1,
	    "fsync at the end, within the time" },
	{ "direct", KEY_BOOLEAN, "false", 0, 0, NULL, 1,
	    "past the cache (O_DIRECT)" },
	KEY_PASSES,
	KEY_ONE_THREAD,
	KEY_BY_COUNT,
	{ .name = NULL },
};

struct stream {
	const char *name;
	int folder;
	int64_t bytes;
	size_t block;
	int flags; /* for direct I/O */
	bool fsync;
	char *data;
};

static int
check(const struct workload_keys *bound, struct error *err)
{
	int64_t block = keys_integer(bound, "block");

	if (!keys_boolean(bound, "direct"))
		return 0;
	if (files_direct_flag() == -1)
		return error_set(err, "this system has no direct I/O");
	if (block % 512 != 0 || keys_integer(bound, "bytes") % block != 0)
		return error_set(err,
		    "'direct' needs a 'block' that is a multiple of 512, and 'bytes' that is a multiple of 'block'");
	return 0;
}

/* 0, or 1 with errno. */
static int
write_file(const struct stream *stream)
{
	int fd = openat(stream->folder, stream->name,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | stream->flags, 0644);
	int64_t left = stream->bytes;
	int code = fd == -1;

	while (code == 0 && left > 0) {
		size_t part = left < (int64_t)stream->block ? (size_t)left
							    : stream->block;

		/* no two blocks alike: some filesystems would notice */
		memcpy(stream->data, &left, sizeof left);
		code = io_write(fd, stream->data, part);
		left -= (int64_t)part;
	}
	if (code == 0 && stream->fsync)
		code = fsync(fd) == -1;
	if (fd != -1 && close(fd) == -1)
		code = 1;
	return code;
}

static int
read_file(const struct stream *stream)
{
	int fd = openat(
	    stream->folder, stream->name, O_RDONLY | O_CLOEXEC | stream->flags);
	ssize_t got = 0;

	if (fd == -1)
		return 1;
	while ((got = read(fd, stream->data, stream->block)) > 0)
		continue;
	(void)close(fd);
	return got == -1 ? 1 : 0;
}

/* Writes the file off the clock and lets its pages go. */
static int
prepare_reading(const struct stream *stream)
{
	struct stream plain = *stream;
	int fd;

	plain.fsync = true;
	if (write_file(&plain) == 1)
		return 1;
	fd = openat(stream->folder, stream->name, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return 1;
	files_drop_cache(fd);
	return close(fd) == -1 ? 1 : 0;
}

static int
timed(struct workload_run *run, const struct stream *stream,
    int (*function)(const struct stream *), double *seconds)
{
	int64_t start_ns = clock_now_ns();
	int code = function(stream);

	*seconds = run_seconds(start_ns, clock_now_ns());
	if (code == 1)
		return run_fail_errno(run, "cannot %s '%s'",
		    function == read_file ? "read" : "write", stream->name);
	return 0;
}

/* "values" gets elapsed, write and read rate of one pass; 0 where not done. */
static int
run_pass(
    struct workload_run *run, const struct stream *stream, double values[3])
{
	const char *mode = keys_text(run->keys, "mode");
	double mib = (double)stream->bytes / 1048576;
	double seconds;

	values[ELAPSED] = values[WRITE_RATE] = values[READ_RATE] = 0;
	if (strcmp(mode, "read") != 0) {
		if (timed(run, stream, write_file, &seconds) == 1)
			return 1;
		values[ELAPSED] += seconds;
		values[WRITE_RATE] = mib / seconds;
	}
	if (strcmp(mode, "write") != 0) {
		if (prepare_reading(stream) == 1)
			return run_fail_errno(
			    run, "cannot write '%s'", stream->name);
		if (timed(run, stream, read_file, &seconds) == 1)
			return 1;
		values[ELAPSED] += seconds;
		values[READ_RATE] = mib / seconds;
	}
	return 0;
}

static void
report(struct workload_run *run, const double *values, size_t passes)
{
	double *column = malloc(passes * sizeof *column);

	if (column == NULL)
		abort();
	for (size_t m = 0; m < 3; m++) {
		for (size_t i = 0; i < passes; i++)
			column[i] = values[i * 3 + m];
		if (column[0] > 0)
			run_passes(run, &metrics[m], 1, column, passes);
	}
	free(column);
}

static int
run_stream(struct workload_run *run, struct error *err)
{
	size_t passes = (size_t)keys_integer(run->keys, "passes");
	double *values = calloc(passes * 3, sizeof *values);
	struct stream stream = {
		.name = "stream",
		.folder =
		    open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.bytes = keys_integer(run->keys, "bytes"),
		.block = (size_t)keys_integer(run->keys, "block"),
		.fsync = keys_boolean(run->keys, "fsync"),
	};
	int code = 0;

	(void)err;
	if (values == NULL)
		abort();
	if (keys_boolean(run->keys, "direct"))
		stream.flags = files_direct_flag();
	stream.data = files_data(stream.block + sizeof(int64_t), 1, 0);
	if (stream.folder == -1)
		code = run_fail_errno(run, "cannot open '%s'", run->directory);
	for (size_t i = 0; code == 0 && i < passes; i++)
		code = run_pass(run, &stream, &values[i * 3]);
	if (code == 0)
		report(run, values, passes);
	if (stream.folder != -1)
		(void)close(stream.folder);
	free(stream.data);
	free(values);
	return code;
}

const struct workload workload_stream = {
	.name = "stream",
	.summary = "one large file from start to end, as dd writes and reads",
	.keys = keys,
	.metrics = metrics,
	.writes = true,
	.check = check,
	.run = run_stream,
};
