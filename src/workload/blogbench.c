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
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "workload/blogger.h"
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

/* --- the series ---------------------------------------------------------- */

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
		const struct blog_counts *counts = &bloggers[i].counts;

		row[ROW_BLOGS] += (double)counts->blogs_written;
		row[ROW_READ_BLOGS] += (double)counts->blogs_read;
		for (int k = 0; k < PARTS; k++) {
			row[ROW_READ_ARTICLES + 2 * k] +=
			    (double)counts->read[k];
			row[ROW_WRITTEN_ARTICLES + 2 * k] +=
			    (double)counts->written[k];
		}
	}
}

/* A row at each tick.  What is done after the last one does not count. */
static void
watch(struct workload_run *run, struct blogs *blogs,
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
		if (blogs_wait(blogs, start_ns + i * interval_ns))
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
	{ "writers", blogger_write },
	{ "rewriters", blogger_rewrite },
	{ "commenters", blogger_comment },
	{ "readers", blogger_read },
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
    const struct workload_run *run, struct blogs *blogs, struct blogger *all)
{
	uint64_t seed = (uint64_t)keys_integer(run->keys, "seed");
	size_t made = 0;

	for (size_t r = 0; r < ROLES; r++)
		for (int64_t i = 0; i < keys_integer(run->keys, roles[r].key);
		     i++) {
			struct blogger *blogger = &all[made++];

			blogger->blogs = blogs;
			blogger->operate = roles[r].operate;
			rng_seed(&blogger->rng, seed * 1000003 + made);
		}
}

static int
run_bloggers(struct workload_run *run, struct blogs *blogs,
    struct blogger *bloggers, int count)
{
	pthread_t *threads = calloc((size_t)count + 1, sizeof *threads);
	int started = 0;
	int code = 0;

	if (threads == NULL)
		abort();
	while (code == 0 && started < count) {
		code = pthread_create(
		    &threads[started], NULL, blogger_work, &bloggers[started]);
		started += code == 0;
	}
	if (code == 0)
		watch(run, blogs, bloggers, count);
	blogs_stop(blogs);
	for (int i = 0; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
	errno = code != 0 ? code : blogs->errno_value;
	if (code != 0)
		return run_fail_errno(run, "cannot start thread %d", started);
	return errno == 0 ? 0 : run_fail_errno(run, "cannot write a blog");
}

static int
run_blogbench(struct workload_run *run, struct error *err)
{
	int threads = count_bloggers(run);
	struct blogger *bloggers =
	    calloc((size_t)threads + 1, sizeof *bloggers);
	char *data =
	    files_data(BLOG_LARGEST, (uint64_t)keys_integer(run->keys, "seed"),
		keys_number(run->keys, "compressible"));
	int root = open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct blogs blogs;
	int code;

	(void)err;
	if (bloggers == NULL)
		abort();
	if (root == -1) {
		code = run_fail_errno(run, "cannot open '%s'", run->directory);
	} else {
		blogs_init(&blogs, root, data);
		make_bloggers(run, &blogs, bloggers);
		code = run_bloggers(run, &blogs, bloggers, threads);
		(void)close(root);
	}
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
