/* Creating many files of one size, and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "workload/files.h"
#include "workload/run.h"

enum { ELAPSED, RATE, THROUGHPUT, DATA_SIZE = 4 << 20 };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "until the last file is closed" },
	[RATE] = { "rate", "files/s", HIGHER_IS_BETTER, "files created" },
	[THROUGHPUT] = { "throughput", "MiB/s", HIGHER_IS_BETTER,
	    "bytes written" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "files", KEY_INTEGER, "10000", 1, 1e9, NULL, 1, "how many" },
	{ "size", KEY_SIZE, "0", 0, 1e12, NULL, 1, "of each" },
	{ "directories", KEY_INTEGER, "1", 1, 1e6, NULL, 1,
	    "folders they are spread over" },
	KEY_ONE_PASS,
	KEY_THREADS,
	KEY_BY_COUNT,
	{ .name = NULL },
};

/* One thread's share: files number, number + stride, ... */
struct share {
	int root;
	const char *data;
	int64_t files;
	int64_t size;
	int64_t directories;
	int64_t number;
	int64_t stride;
	int errno_value;
	char name[64]; /* of the file at hand */
};

static int
create_file(struct share *share, int64_t number)
{
	int64_t left = share->size;
	int fd;

	(void)snprintf(share->name, sizeof share->name, "d%lld/f%lld",
	    (long long)(number % share->directories), (long long)number);
	fd = openat(share->root, share->name,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd == -1)
		return 1;
	/* begins elsewhere for each file: equal files may be stored once */
	while (left > 0) {
		size_t from = (size_t)(number % 4096) * 512;
		size_t part =
		    left < DATA_SIZE / 2 ? (size_t)left : DATA_SIZE / 2;

		if (io_write(fd, share->data + from, part) == 1) {
			(void)close(fd);
			return 1;
		}
		left -= (int64_t)part;
	}
	return close(fd) == -1 ? 1 : 0;
}

static void *
work(void *context)
{
	struct share *share = context;

	for (int64_t i = share->number; i < share->files; i += share->stride)
		if (create_file(share, i) == 1) {
			share->errno_value = errno;
			break;
		}
	return NULL;
}

/* Starts all, is the first of them, waits; the index of one that failed, or
 * -1. */
static int
run_shares(struct share *shares, int count)
{
	pthread_t *threads = calloc((size_t)count, sizeof *threads);
	int started = 1;
	int bad = -1;

	if (threads == NULL)
		abort();
	while (started < count &&
	       (shares[started].errno_value = pthread_create(
		    &threads[started], NULL, work, &shares[started])) == 0)
		started++;
	(void)work(&shares[0]);
	for (int i = 1; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	for (int i = 0; i < count; i++)
		if (shares[i].errno_value != 0 && bad == -1)
			bad = i;
	free(threads);
	return bad;
}

static int
make_folders(struct workload_run *run, int root, int64_t count)
{
	char name[32];

	for (int64_t i = 0; i < count; i++) {
		(void)snprintf(name, sizeof name, "d%lld", (long long)i);
		if (mkdirat(root, name, 0755) == -1)
			return run_fail_errno(
			    run, "cannot make folder '%s'", name);
	}
	return 0;
}

static int
measure(struct workload_run *run, const struct share *first)
{
	int count = (int)first->stride;
	struct share *shares = calloc((size_t)count, sizeof *shares);
	int64_t start_ns;
	double seconds;
	int bad;

	if (shares == NULL)
		abort();
	for (int i = 0; i < count; i++) {
		shares[i] = *first;
		shares[i].number = i;
	}
	start_ns = clock_now_ns();
	bad = run_shares(shares, count);
	seconds = run_seconds(start_ns, clock_now_ns());
	if (bad != -1) {
		errno = shares[bad].errno_value;
		(void)run_fail_errno(
		    run, "cannot write '%s'", shares[bad].name);
	} else {
		run_passes(run, &metrics[ELAPSED], 1, &seconds, 1);
		run_sample(
		    run, &metrics[RATE], 0, (double)first->files / seconds);
		if (first->size > 0)
			run_sample(run, &metrics[THROUGHPUT], 0,
			    (double)first->files * (double)first->size /
				1048576 / seconds);
	}
	free(shares);
	return bad != -1 ? 1 : 0;
}

static int
run_create(struct workload_run *run, struct error *err)
{
	struct share first = {
		.root = files_new_folder(run, "create"),
		.files = keys_integer(run->keys, "files"),
		.size = keys_integer(run->keys, "size"),
		.directories = keys_integer(run->keys, "directories"),
		.stride = keys_integer(run->keys, "threads"),
	};
	char *data;
	int code;

	(void)err;
	if (first.root == -1)
		return run_fail_errno(run, "cannot make folder 'create'");
	data = files_data(DATA_SIZE, 1, 0);
	first.data = data;
	code = make_folders(run, first.root, first.directories);
	if (code == 0)
		code = measure(run, &first);
	free(data);
	(void)close(first.root);
	return code;
}

const struct workload workload_create = {
	.name = "create",
	.summary = "create many files of one size",
	.keys = keys,
	.metrics = metrics,
	.writes = true,
	.run = run_create,
};
