/*
 * Blogbench 1.1: writers, rewriters, commenters and readers at work on the
 * same blogs for a fixed time.
 *
 * What is kept is the series, row by row as the tool prints it, and the count
 * of blogs read, which it never prints though its final score is made of it.
 * Each thread has its own seeded generator: the tool's shared rand() has the
 * same distribution but never the same sequence twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "workload/files.h"
#include "workload/run.h"

enum { WRITES, READS, ELAPSED };

static const struct metric metrics[] = {
	[WRITES] = { "writes", "blogs", HIGHER_IS_BETTER,
	    "blogs written: the final score for writes" },
	[READS] = { "reads", "blogs", HIGHER_IS_BETTER,
	    "blogs read: the final score for reads" },
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "set by the keys, but for the last operations" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "writers", KEY_INTEGER, "3", 0, 1000, NULL, 1, "write new blogs" },
	{ "rewriters", KEY_INTEGER, "1", 0, 1000, NULL, 1,
	    "write over articles and pictures" },
	{ "commenters", KEY_INTEGER, "5", 0, 1000, NULL, 1, "add comments" },
	{ "readers", KEY_INTEGER, "100", 0, 1000, NULL, 1, "read blogs" },
	{ "iterations", KEY_INTEGER, "30", 1, 100000, NULL, 1,
	    "rows of the series" },
	{ "interval", KEY_DURATION, "10s", 1e8, 3.6e12, NULL, 1,
	    "time of each row" },
	{ "compressible", KEY_PERCENT, "0%", 0, 100, NULL, 1,
	    "share of zeros in the data; the tool itself has 100%" },
	{ "seed", KEY_INTEGER, "42", 0, 4294967295.0, NULL, 1,
	    "of the choices" },
	{ "passes", KEY_INTEGER, "1", 1, 1, NULL, 1,
	    "always 1: a second pass would meet another filesystem" },
	KEY_ONE_THREAD,
	KEY_BY_COUNT,
	{ .name = NULL },
};

enum kind { ARTICLE, PICTURE, COMMENT, KINDS };

/* Sizes are uniform in smallest .. smallest + span - 1. */
static const struct {
	const char *name;
	const char *suffix;
	uint64_t smallest;
	uint64_t span;
} kinds[] = {
	[ARTICLE] = { "article", "xml", 1024, 31744 },
	[PICTURE] = { "picture", "jpg", 8192, 57344 },
	[COMMENT] = { "comment", "xml", 2048, 8192 },
};

enum {
	MOST = 100, /* articles, pictures, comments of a blog */
	WRITE_CHUNK = 8192,
	READ_CHUNK = 65536,
	LARGEST = 65536,
};

/* What the tool counts; one set for each thread, summed at each tick. */
struct counts {
	_Atomic int64_t blogs_written;
	_Atomic int64_t blogs_read;
	_Atomic int64_t written[KINDS];
	_Atomic int64_t read[KINDS];
};

struct bench {
	int root;
	const char *data;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	int64_t newest; /* id of the newest blog; 0: none yet */
	bool stop;
	int errno_value; /* what the filesystem could not do */
};

struct blogger {
	struct bench *bench;
	/* false: wait a second, as after any failure */
	bool (*operate)(struct blogger *blogger);
	struct rng rng;
	struct counts counts;
	char block[READ_CHUNK];
};

static void
count(_Atomic int64_t *counter)
{
	(void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* --- files --------------------------------------------------------------- */

static void
file_name(char name[64], int64_t blog, enum kind kind, int number)
{
	(void)snprintf(name, 64, "blog-%lld/%s-%d.%s", (long long)blog,
	    kinds[kind].name, number, kinds[kind].suffix);
}

/* A full or broken filesystem ends the run; what is not there (yet) does
 * not. */
static bool
trouble(struct blogger *blogger)
{
	struct bench *bench = blogger->bench;

	if (errno == ENOENT || errno == EEXIST || errno == EINTR)
		return false;
	(void)pthread_mutex_lock(&bench->lock);
	if (bench->errno_value == 0)
		bench->errno_value = errno;
	bench->stop = true;
	(void)pthread_cond_broadcast(&bench->stopped);
	(void)pthread_mutex_unlock(&bench->lock);
	return false;
}

static bool
fill_file(struct blogger *blogger, const char *name, uint64_t size)
{
	int fd = openat(blogger->bench->root, name,
	    O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	const char *at = blogger->bench->data;
	bool ok = fd != -1;

	while (ok && size > 0) {
		size_t part = size < WRITE_CHUNK ? (size_t)size : WRITE_CHUNK;

		ok = files_write(fd, at, part) == 0;
		at += part;
		size -= part;
	}
	if (!ok)
		(void)trouble(blogger);
	if (fd != -1)
		(void)close(fd);
	return ok;
}

static bool
write_file(struct blogger *blogger, int64_t blog, enum kind kind, int number)
{
	uint64_t size =
	    kinds[kind].smallest + rng_below(&blogger->rng, kinds[kind].span);
	int root = blogger->bench->root;
	char name[64];
	char temporary[72];

	file_name(name, blog, kind, number);
	(void)snprintf(temporary, sizeof temporary, "%s.tmp", name);
	if (!fill_file(blogger, temporary, size))
		return false;
	if (renameat(root, temporary, root, name) == -1)
		return trouble(blogger);
	count(&blogger->counts.written[kind]);
	return true;
}

static bool
read_file(struct blogger *blogger, int64_t blog, enum kind kind, int number)
{
	char name[64];
	int fd;
	ssize_t got;

	file_name(name, blog, kind, number);
	fd = openat(blogger->bench->root, name, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return trouble(blogger);
	while ((got = read(fd, blogger->block, READ_CHUNK)) > 0)
		continue;
	if (got == -1)
		(void)trouble(blogger);
	(void)close(fd);
	if (got == 0)
		count(&blogger->counts.read[kind]);
	return got == 0;
}

/* Some of a kind, from the last down to the first. */
static bool
write_some(struct blogger *blogger, int64_t blog, enum kind kind)
{
	int number = 1 + (int)rng_below(&blogger->rng, MOST);

	for (; number > 0; number--)
		if (!write_file(blogger, blog, kind, number))
			return false;
	return true;
}

/* --- what each does ------------------------------------------------------ */

/* Never the newest one; 0 while there are none to choose from. */
static int64_t
random_blog(struct blogger *blogger)
{
	int64_t newest;

	(void)pthread_mutex_lock(&blogger->bench->lock);
	newest = blogger->bench->newest;
	(void)pthread_mutex_unlock(&blogger->bench->lock);
	return newest <= 0
		   ? 0
		   : (int64_t)rng_below(&blogger->rng, (uint64_t)newest);
}

static bool
write_blog(struct blogger *blogger)
{
	char name[32];
	int64_t blog;

	(void)pthread_mutex_lock(&blogger->bench->lock);
	blog = ++blogger->bench->newest;
	(void)pthread_mutex_unlock(&blogger->bench->lock);
	(void)snprintf(name, sizeof name, "blog-%lld", (long long)blog);
	if (mkdirat(blogger->bench->root, name, 0700) == -1 && errno != EEXIST)
		return trouble(blogger);
	if (!write_some(blogger, blog, ARTICLE) ||
	    !write_some(blogger, blog, PICTURE))
		return false;
	count(&blogger->counts.blogs_written);
	return true;
}

static bool
rewrite_blog(struct blogger *blogger)
{
	int64_t blog = random_blog(blogger);

	if (blog == 0)
		return false;
	if (rng_below(&blogger->rng, 2) == 0 &&
	    !write_file(blogger, blog, PICTURE,
		1 + (int)rng_below(&blogger->rng, MOST)))
		return false;
	return write_file(
	    blogger, blog, ARTICLE, 1 + (int)rng_below(&blogger->rng, MOST));
}

static bool
comment_blog(struct blogger *blogger)
{
	return write_some(blogger, random_blog(blogger), COMMENT);
}

/* A blog that is being written has no first article yet: reading it costs
 * almost nothing and counts as one. */
static bool
read_blog(struct blogger *blogger)
{
	int64_t blog = random_blog(blogger);

	if (blog == 0)
		return false;
	if (rng_below(&blogger->rng, 2) == 0)
		for (int i = 1; read_file(blogger, blog, COMMENT, i); i++)
			continue;
	for (int i = 1;; i++) {
		(void)read_file(blogger, blog, PICTURE, i);
		if (!read_file(blogger, blog, ARTICLE, i))
			break;
	}
	count(&blogger->counts.blogs_read);
	return true;
}

/* --- threads and time ---------------------------------------------------- */

/* Waits until then (clock_now_ns) or the end; true at the end. */
static bool
wait_until(struct bench *bench, int64_t until_ns)
{
	bool stop;

	(void)pthread_mutex_lock(&bench->lock);
	while (!bench->stop && clock_now_ns() < until_ns) {
		struct timespec at = { .tv_sec = until_ns / 1000000000,
			.tv_nsec = until_ns % 1000000000 };

		(void)pthread_cond_timedwait(
		    &bench->stopped, &bench->lock, &at);
	}
	stop = bench->stop;
	(void)pthread_mutex_unlock(&bench->lock);
	return stop;
}

/* By the clock of clock_now_ns: setting the time of day must not stretch an
 * interval. */
static void
init_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(condition, &attributes);
	(void)pthread_condattr_destroy(&attributes);
}

static bool
is_over(struct bench *bench)
{
	bool stop;

	(void)pthread_mutex_lock(&bench->lock);
	stop = bench->stop;
	(void)pthread_mutex_unlock(&bench->lock);
	return stop;
}

static void *
work(void *context)
{
	struct blogger *blogger = context;

	while (!is_over(blogger->bench))
		if (!blogger->operate(blogger))
			(void)wait_until(
			    blogger->bench, clock_now_ns() + 1000000000);
	return NULL;
}

/* Columns of the series; blogs written as the tool prints them, the total so
 * far, the others in this interval. */
enum {
	ROW_BLOGS,
	ROW_READ_ARTICLES,
	ROW_WRITTEN_ARTICLES,
	ROW_READ_PICTURES,
	ROW_WRITTEN_PICTURES,
	ROW_READ_COMMENTS,
	ROW_WRITTEN_COMMENTS,
	ROW_READ_BLOGS,
	COLUMNS,
};

static const char column_names[] =
    "blogs read_articles write_articles read_pictures write_pictures "
    "read_comments write_comments read_blogs";

static void
sum_counts(const struct blogger *bloggers, int threads, double row[COLUMNS])
{
	memset(row, 0, COLUMNS * sizeof *row);
	for (int i = 0; i < threads; i++) {
		const struct counts *counts = &bloggers[i].counts;

		row[ROW_BLOGS] += (double)counts->blogs_written;
		row[ROW_READ_BLOGS] += (double)counts->blogs_read;
		for (int k = 0; k < KINDS; k++) {
			row[ROW_READ_ARTICLES + 2 * k] +=
			    (double)counts->read[k];
			row[ROW_WRITTEN_ARTICLES + 2 * k] +=
			    (double)counts->written[k];
		}
	}
}

/* A row at each tick.  What is done after the last one does not count. */
static void
watch(struct workload_run *run, struct bench *bench,
    const struct blogger *bloggers, int threads)
{
	int64_t interval_ns = keys_integer(run->keys, "interval");
	int64_t rows = keys_integer(run->keys, "iterations");
	int64_t start_ns = clock_now_ns();
	double before[COLUMNS] = { 0 };
	double now[COLUMNS] = { 0 };
	double row[COLUMNS];

	run_curve(run, "blogbench", (double)interval_ns / 1e9, column_names);
	for (int64_t i = 1; i <= rows; i++) {
		if (wait_until(bench, start_ns + i * interval_ns))
			return;
		sum_counts(bloggers, threads, now);
		for (int c = 0; c < COLUMNS; c++)
			row[c] = now[c] - before[c];
		row[ROW_BLOGS] = now[ROW_BLOGS];
		run_curve_row(run, row, COLUMNS);
		memcpy(before, now, sizeof before);
	}
	run_sample(run, &metrics[WRITES], 0, now[ROW_BLOGS]);
	run_sample(run, &metrics[READS], 0, now[ROW_READ_BLOGS]);
	run_sample(
	    run, &metrics[ELAPSED], 0, run_seconds(start_ns, clock_now_ns()));
}

/* --- the run ------------------------------------------------------------- */

static const struct {
	const char *key;
	bool (*operate)(struct blogger *blogger);
} roles[] = {
	{ "writers", write_blog },
	{ "rewriters", rewrite_blog },
	{ "commenters", comment_blog },
	{ "readers", read_blog },
};

enum { ROLES = sizeof roles / sizeof *roles };

static int
count_bloggers(const struct workload_run *run)
{
	int64_t sum = 0;

	for (size_t r = 0; r < ROLES; r++)
		sum += keys_integer(run->keys, roles[r].key);
	return (int)sum;
}

static void
make_bloggers(
    const struct workload_run *run, struct bench *bench, struct blogger *all)
{
	uint64_t seed = (uint64_t)keys_integer(run->keys, "seed");
	size_t made = 0;

	for (size_t r = 0; r < ROLES; r++)
		for (int64_t i = 0; i < keys_integer(run->keys, roles[r].key);
		     i++) {
			struct blogger *blogger = &all[made++];

			blogger->bench = bench;
			blogger->operate = roles[r].operate;
			rng_seed(&blogger->rng, seed * 1000003 + made);
		}
}

static int
run_bloggers(struct workload_run *run, struct bench *bench,
    struct blogger *bloggers, int count)
{
	pthread_t *threads = calloc((size_t)count + 1, sizeof *threads);
	int started = 0;
	int code = 0;

	if (threads == NULL)
		abort();
	while (code == 0 && started < count) {
		code = pthread_create(
		    &threads[started], NULL, work, &bloggers[started]);
		started += code == 0;
	}
	if (code == 0)
		watch(run, bench, bloggers, count);
	(void)pthread_mutex_lock(&bench->lock);
	bench->stop = true;
	(void)pthread_cond_broadcast(&bench->stopped);
	(void)pthread_mutex_unlock(&bench->lock);
	for (int i = 0; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
	errno = code != 0 ? code : bench->errno_value;
	if (code != 0)
		return run_fail_errno(run, "cannot start thread %d", started);
	return errno == 0 ? 0 : run_fail_errno(run, "cannot write a blog");
}

static int
run_blogbench(struct workload_run *run, struct error *err)
{
	struct bench bench = {
		.root =
		    open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	int threads = count_bloggers(run);
	struct blogger *bloggers =
	    calloc((size_t)threads + 1, sizeof *bloggers);
	char *data =
	    files_data(LARGEST, (uint64_t)keys_integer(run->keys, "seed"),
		keys_number(run->keys, "compressible"));
	int code;

	(void)err;
	if (bloggers == NULL)
		abort();
	bench.data = data;
	make_bloggers(run, &bench, bloggers);
	(void)pthread_mutex_init(&bench.lock, NULL);
	init_condition(&bench.stopped);
	code = bench.root == -1
		   ? run_fail_errno(run, "cannot open '%s'", run->directory)
		   : run_bloggers(run, &bench, bloggers, threads);
	if (bench.root != -1)
		(void)close(bench.root);
	free(bloggers);
	free(data);
	return code;
}

/* --- the report of 2008 -------------------------------------------------- */

static void
put_row(struct buffer *text, const double *row)
{
	buffer_printf(text, "%10.0f", row[ROW_BLOGS]);
	for (int c = ROW_READ_ARTICLES; c <= ROW_WRITTEN_COMMENTS; c++)
		buffer_printf(text, " %*.0f", c % 2 == 1 ? 12 : 13, row[c]);
	buffer_putc(text, '\n');
}

static char *
classic_report(const struct workload_result *result, struct arena *arena)
{
	const struct trial_curve *curve =
	    workload_result_curve(result, "blogbench");
	double writes = 0;
	double reads = 0;
	struct buffer text;
	char *copy;

	buffer_init(&text);
	buffer_puts(&text,
	    "  Nb blogs   R articles    W articles    R pictures    "
	    "W pictures    R comments    W comments\n");
	for (size_t i = 0; curve != NULL && i < curve->row_count; i++)
		put_row(&text, curve->values + i * COLUMNS);
	(void)workload_result_value(result, "writes", &writes);
	(void)workload_result_value(result, "reads", &reads);
	buffer_printf(&text,
	    "\nFinal score for writes: %12.0f\n"
	    "Final score for reads : %12.0f\n",
	    writes, reads);
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}

const struct workload workload_blogbench = {
	.name = "blogbench",
	.summary =
	    "many readers and few writers at once for a fixed time: Blogbench 1.1",
	.keys = keys,
	.metrics = metrics,
	.writes = true,
	.is_classic = true,
	.run = run_blogbench,
	.classic_report = classic_report,
};
