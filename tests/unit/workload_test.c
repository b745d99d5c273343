/* Workloads in their child: what they report, and what becomes of those that
 * fail, crash, hang or talk nonsense. */
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "workload/postmark_report.h"
#include "workload/walk.h"
#include "workload/workload.h"

static char box[PATH_MAX];
static struct arena *arena;

static int
remove_one(
    const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	arena = arena_new();
	(void)snprintf(box, sizeof box, "%s/mm-workload-XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	return mkdtemp(box) == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return nftw(box, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

/* A job with these settings, a line each; nothing else is set. */
static struct workload_job
job_for(const char *name, const char *line)
{
	const struct workload *workload = workload_find(name);
	struct setting *settings = arena_array(arena, 16, sizeof *settings);
	struct workload_job job = { .workload = workload, .directory = box };
	struct workload_keys *keys;
	struct error err = { 0 };
	size_t count = 0;
	char *copy = arena_strdup(arena, line);

	assert_non_null(workload);
	for (char *word = strtok(copy, "\n"); word != NULL;
	     word = strtok(NULL, "\n"))
		if (workload_parse_setting(
			workload, word, arena, &settings[count++], &err) == -1)
			fail_msg("%s", err.text);
	if (workload_bind(workload, settings, count, arena, &keys, &err) == -1)
		fail_msg("%s", err.text);
	job.keys = keys;
	return job;
}

static struct workload_result
execute(const struct workload_job *job)
{
	struct workload_result result;
	struct error err = { 0 };

	if (workload_execute(job, arena, &result, &err) == -1)
		fail_msg("%s", err.text);
	return result;
}

static struct workload_result
run(const char *name, const char *line)
{
	struct workload_job job = job_for(name, line);
	struct workload_result result = execute(&job);

	if (result.verdict != VERDICT_OK)
		fail_msg("%s: %s", name, result.reason);
	return result;
}

static double
value_of(const struct workload_result *result, const char *metric)
{
	double value;

	if (!workload_result_value(result, metric, &value))
		fail_msg("no value of '%s'", metric);
	return value;
}

/* --- null ---------------------------------------------------------------- */

static double
draw(const struct cell *cell, int block, const char *line)
{
	struct workload_job job = job_for("null", line);
	struct workload_result result;

	job.cell = cell;
	job.block = block;
	result = execute(&job);
	return value_of(&result, "elapsed");
}

static void
test_null_draws_the_same_again(void **state)
{
	static const struct cell cell = { .key = "ext4:noatime" };

	(void)state;
	assert_true(draw(&cell, 1, "mean=10\ncv=5%") ==
		    draw(&cell, 1, "mean=10\ncv=5%"));
	assert_false(draw(&cell, 1, "mean=10\ncv=5%") ==
		     draw(&cell, 2, "mean=10\ncv=5%"));
	assert_false(draw(&cell, 1, "mean=10\ncv=5%") ==
		     draw(NULL, 1, "mean=10\ncv=5%"));
	assert_false(draw(&cell, 1, "mean=10\ncv=5%") ==
		     draw(&cell, 1, "mean=10\ncv=5%\nseed=2"));
}

static void
test_null_follows_its_keys(void **state)
{
	static struct cell_level levels[] = { { "noatime", "on", true },
		{ "async", "off", true }, { "data", "ordered", false } };
	static const struct cell cell = {
		.key = "k", .levels = levels, .level_count = 3
	};
	struct workload_result result;
	double sum = 0;

	(void)state;
#define NEAR(a, b) assert_true(fabs((a) / (b)-1) < 1e-9)
	NEAR(draw(&cell, 1, "mean=10\ncv=0"), 10.0);
	NEAR(draw(&cell, 1, "mean=10\ncv=0\neffects=noatime=-27%"), 7.3);
	NEAR(draw(&cell, 1, "mean=10\ncv=0\neffects=async=-27%"), 10.0);
	NEAR(draw(&cell, 1, "mean=10\ncv=0\neffects=data=ordered=50%"), 15.0);
	NEAR(
	    draw(&cell, 1, "mean=10\ncv=0\neffects=noatime+ordered=10%"), 11.0);
	NEAR(draw(&cell, 1, "mean=10\ncv=0\neffects=noatime+async=10%"), 10.0);
	NEAR(draw(&cell, 3, "mean=10\ncv=0\ndrift=10%"), 12.1);
	assert_in_range(
	    (int)draw(&cell, 3, "mean=10\ncv=0\noutliers=100%"), 20, 50);
	/* the spread is the one asked for: 1000 draws, within 10 % */
	result = run("null", "mean=10\ncv=5%\npasses=1000");
	for (size_t i = 0; i < result.sample_count; i++)
		if (result.samples[i].pass > 0)
			sum += pow(result.samples[i].value - 10, 2) / 1000;
	assert_true(fabs(sqrt(sum) / 0.5 - 1) < 0.1);
	assert_int_equal(result.sample_count, 1001);
}

/* --- what goes wrong ------------------------------------------------------ */

static const struct {
	const char *fault;
	enum verdict verdict;
	const char *words;
} faults[] = {
	{ "exit", VERDICT_FAILED, "exit 1: null: told to fail" },
	{ "crash", VERDICT_FAILED, "signal 9" },
	{ "hang", VERDICT_TIMEOUT, "timed out after " },
	{ "garbage", VERDICT_FAILED, "ended without a result" },
	{ "no-space", VERDICT_NO_SPACE, "told to find no space" },
};

static void
test_faults_are_data(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct workload_job job = job_for(
		    "null", arena_printf(arena, "fault=%s", faults[i].fault));
		struct workload_result result;

		/* the others end by themselves, however slow the host is */
		job.timeout_ns = faults[i].verdict == VERDICT_TIMEOUT
				     ? 300000000
				     : INT64_C(120000000000);
		result = execute(&job);
		assert_int_equal(result.verdict, faults[i].verdict);
		if (strstr(result.reason, faults[i].words) == NULL)
			fail_msg(
			    "'%s' lacks '%s'", result.reason, faults[i].words);
	}
}

/* --- command ------------------------------------------------------------- */

static void
test_command_metrics(void **state)
{
	static const struct metric_pattern patterns[] = {
		{ { "score", "1/s", HIGHER_IS_BETTER, NULL },
		    "^score: ([0-9.]+)" },
		{ { "whole", "s", LOWER_IS_BETTER, NULL }, "[0-9]+$" },
	};
	struct workload_job job = job_for("command",
	    "shell=true\npasses=3\nrun=echo score: 1; echo score: 2.5; "
	    "echo on stderr 17 >&2");
	struct workload_result result;

	(void)state;
	job.patterns = patterns;
	job.pattern_count = 2;
	result = execute(&job);
	if (result.verdict != VERDICT_OK)
		fail_msg("%s", result.reason);
	assert_true(value_of(&result, "score") == 2.5);
	assert_true(value_of(&result, "whole") == 5);
	assert_true(value_of(&result, "elapsed") > 0);
	job.patterns =
	    &(struct metric_pattern){ { "no", "s", LOWER_IS_BETTER, NULL },
		    "nothing ([0-9]+)" };
	job.pattern_count = 1;
	result = execute(&job);
	assert_int_equal(result.verdict, VERDICT_FAILED);
	assert_non_null(strstr(result.reason, "matches nothing"));
}

/* No shell: its letters are letters. */
static void
test_command_words(void **state)
{
	struct workload_result result = run("command",
	    "env=COLOUR=blue\nrun=printf '%s|' 'a b' %m \"$HOME;\" \\*");

	(void)state;
	assert_string_equal(result.process.output,
	    arena_printf(arena, "a b|%s|$HOME;|*|", box));
}

static void
test_command_failures(void **state)
{
	static const struct {
		const char *line;
		enum verdict verdict;
		const char *words;
	} commands[] = {
		{ "run=false", VERDICT_FAILED, "exit 1" },
		{ "run=/no/such/program", VERDICT_FAILED, "not found" },
		{ "shell=true\nrun=echo sorry >&2; exit 3", VERDICT_FAILED,
		    "exit 3: sorry" },
		{ "run=sleep 30", VERDICT_TIMEOUT, "timed out" },
		{ "shell=true\nrun=sleep 30 & wait", VERDICT_TIMEOUT,
		    "timed out" },
		{ "shell=true\nrun=kill -SEGV $$", VERDICT_FAILED,
		    "signal 11" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		struct workload_job job = job_for("command", commands[i].line);
		struct workload_result result;

		job.timeout_ns = 200000000;
		result = execute(&job);
		assert_int_equal(result.verdict, commands[i].verdict);
		if (strstr(result.reason, commands[i].words) == NULL)
			fail_msg("'%s' lacks '%s'", result.reason,
			    commands[i].words);
	}
}

/* --- traverse ------------------------------------------------------------ */

static void
make_tree(void)
{
	static const char *const folders[] = { "a", "a/b", "a/b/c", "d",
		"d/e e", "d/\303\274" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		(void)snprintf(
		    path, sizeof path, "%.3000s/%s", box, folders[i]);
		assert_int_equal(mkdir(path, 0755), 0);
		for (int j = 0; j < 150; j++) {
			FILE *file;

			(void)snprintf(path, sizeof path, "%.3000s/%s/f%d", box,
			    folders[i], j);
			file = fopen(path, "w");
			assert_non_null(file);
			assert_true(fprintf(file, "%0100d", j) == 100);
			assert_int_equal(fclose(file), 0);
		}
	}
	(void)snprintf(path, sizeof path, "%.3000s/a/loop", box);
	assert_int_equal(symlink("..", path), 0);
}

struct paths {
	char **items;
	size_t count;
};

static void
keep_path(struct paths *paths, const char *path)
{
	paths->items =
	    realloc(paths->items, (paths->count + 1) * sizeof *paths->items);
	assert_non_null(paths->items);
	paths->items[paths->count++] = arena_strdup(arena, path);
}

static void
visit(void *context, const char *folder, const char *name)
{
	keep_path(context, arena_printf(arena, "%s%s%s", folder,
			       folder[0] != '\0' ? "/" : "", name));
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What find prints, sorted, without the root. */
static void
find_paths(struct paths *paths)
{
	struct workload_result result =
	    run("command", arena_printf(arena, "run=find %s -mindepth 1", box));
	char *copy = arena_strdup(arena, result.process.output);

	for (char *line = strtok(copy, "\n"); line != NULL;
	     line = strtok(NULL, "\n"))
		keep_path(paths, line + strlen(box) + 1);
}

static void
test_walk_meets_what_find_meets(void **state)
{
	struct paths found = { 0 };

	(void)state;
	make_tree();
	find_paths(&found);
	assert_int_equal(found.count, 6 + 6 * 150 + 1);
	qsort(found.items, found.count, sizeof *found.items, by_text);
	for (int breadth = 0; breadth < 2; breadth++) {
		struct paths met = { 0 };
		struct walk_options options = { .breadth = breadth == 1,
			.threads = 1,
			.visit = visit,
			.context = &met };
		struct walk_result walked;

		assert_true(walk_tree(box, &options, &walked));
		assert_int_equal(met.count, found.count);
		qsort(met.items, met.count, sizeof *met.items, by_text);
		for (size_t i = 0; i < met.count; i++)
			assert_string_equal(met.items[i], found.items[i]);
		assert_int_equal(walked.folders, 7);
		free(met.items);
	}
	free(found.items);
}

static void
test_traverse_figures(void **state)
{
	struct workload_result result;
	struct walk_options options = {
		.content = true, .stat = true, .threads = 4
	};
	struct walk_result walked;
	double value;

	(void)state;
	make_tree();
	result = run("traverse", "cache=both\npasses=5");
	assert_true(value_of(&result, "entries") == 907);
	assert_true(value_of(&result, "elapsed") > 0);
	assert_true(value_of(&result, "elapsed_warm") > 0);
	assert_int_equal(result.sample_count, 2 + 6 + 2);
	result = run("traverse", "cache=warm\nthreads=3\norder=breadth");
	assert_true(value_of(&result, "entries") == 907);
	assert_false(workload_result_value(&result, "elapsed", &value));
	for (int i = 0; i < 50; i++) {
		assert_true(walk_tree(box, &options, &walked));
		assert_int_equal(walked.entries, 907);
		assert_int_equal(walked.bytes_read, 6 * 150 * 100);
	}
}

static void
test_traverse_of_nothing(void **state)
{
	struct workload_job job = job_for("traverse", "");
	struct workload_result result;

	(void)state;
	job.directory = "/no/such/folder";
	result = execute(&job);
	assert_int_equal(result.verdict, VERDICT_FAILED);
	assert_non_null(
	    strstr(result.reason, "'/no/such/folder': No such file"));
}

/* --- postmark ------------------------------------------------------------ */

static void
assert_empty(void)
{
	struct walk_options options = { .threads = 1 };
	struct walk_result walked;

	assert_true(walk_tree(box, &options, &walked));
	assert_int_equal(walked.entries, 0);
}

static void
test_postmark_on_files(void **state)
{
	static const char *const lines[] = { "", "buffering=false",
		"whole=true", "subdirectories=5\nlocations=A/x 2,B" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct workload_result result = run("postmark", lines[i]);
		const struct trial_curve *curve =
		    workload_result_curve(&result, "postmark");

		assert_non_null(curve);
		assert_int_equal(curve->row_count, 1);
		assert_true(curve->values[6] > 700); /* created */
		assert_true(curve->values[6] == curve->values[9]);
		assert_true(value_of(&result, "elapsed") > 0);
		assert_true(value_of(&result, "write_rate") > 0);
		/* "A" of "A/x" is left: it may have been there before */
		if (i < 3)
			assert_empty();
	}
}

/* What a run did, in a time that is given: whole seconds are all that the
 * tool had. */
static void
test_postmark_report(void **state)
{
	struct workload_result result = run("postmark", "");
	const struct trial_curve *curve =
	    workload_result_curve(&result, "postmark");
	double row[POSTMARK_COLUMNS];

	(void)state;
	assert_non_null(curve);
	assert_memory_equal(
	    workload_find("postmark")->classic_report(&result, arena),
	    "Time:\n", 6);
	memcpy(row, curve->values, sizeof row);
	row[CREATION_S] = 0.2;
	row[TRANSACTION_S] = 0.99;
	row[DELETION_S] = 0.1;
	row[TOTAL_S] = 1.29;
	assert_string_equal(postmark_report(row, arena),
	    "Time:\n"
	    "\t1 seconds total\n"
	    "\t1 seconds of transactions (500 per second)\n"
	    "\n"
	    "Files:\n"
	    "\t764 created (764 per second)\n"
	    "\t\tCreation alone: 500 files (500 per second)\n"
	    "\t\tMixed with transactions: 264 files (264 per second)\n"
	    "\t243 read (243 per second)\n"
	    "\t257 appended (257 per second)\n"
	    "\t764 deleted (764 per second)\n"
	    "\t\tDeletion alone: 528 files (528 per second)\n"
	    "\t\tMixed with transactions: 236 files (236 per second)\n"
	    "\n"
	    "Data:\n"
	    "\t1.36 megabytes read (1.36 megabytes per second)\n"
	    "\t4.45 megabytes written (4.45 megabytes per second)\n");
	row[TRANSACTION_S] = 2.99;
	row[TOTAL_S] = 3;
	assert_non_null(strstr(postmark_report(row, arena),
	    "\t3 seconds total\n"
	    "\t2 seconds of transactions (250 per second)\n"
	    "\n"
	    "Files:\n"
	    "\t764 created (254 per second)\n"));
}

static void
test_postmark_out_of_files(void **state)
{
	struct workload_job job =
	    job_for("postmark", "number=20\nbias_create=0");
	struct workload_result result = execute(&job);

	(void)state;
	assert_int_equal(result.verdict, VERDICT_FAILED);
	assert_non_null(strstr(result.reason, "out of files after 20 of 500"));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_null_draws_the_same_again),
		TEST(test_null_follows_its_keys),
		TEST(test_faults_are_data),
		TEST(test_command_metrics),
		TEST(test_command_words),
		TEST(test_command_failures),
		TEST(test_walk_meets_what_find_meets),
		TEST(test_traverse_figures),
		TEST(test_traverse_of_nothing),
		TEST(test_postmark_on_files),
		TEST(test_postmark_report),
		TEST(test_postmark_out_of_files),
	};

	return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
