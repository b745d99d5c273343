/* The workloads that handle files: what they did to the disk is what they
 * say they did. */
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "workload/workload.h"

static char box[PATH_MAX];
static struct arena *arena;
static struct tree *tree;

static int
remove_one(
    const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

static char *
in_box(const char *name)
{
	return arena_printf(arena, "%s/%s", box, name);
}

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct error err = { 0 };
	FILE *file;
	char *path;

	(void)state;
	arena = arena_new();
	(void)snprintf(
	    box, sizeof box, "%s/mm-files-XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(box) == NULL)
		return -1;
	path = arena_printf(arena, "%s.mtree", box);
	file = fopen(path, "w");
	if (file == NULL)
		return -1;
	(void)fputs("#mtree\n./a type=dir\n./a/b type=dir\n", file);
	for (int i = 0; i < 300; i++)
		(void)fprintf(file, "./a/b/f%d type=file size=%d\n", i, i * 37);
	(void)fputs(
	    "./a/l type=link link=b/f1\n./top type=file size=5\n", file);
	(void)fclose(file);
	if (tree_load(path, NULL, &tree, &err) == -1)
		return -1;
	return unlink(path);
}

static int
tear_down(void **state)
{
	(void)state;
	tree_free(tree);
	arena_free(arena);
	return nftw(box, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static struct workload_result
run(const char *name, const char *line)
{
	const struct workload *workload = workload_find(name);
	struct setting *settings = arena_array(arena, 16, sizeof *settings);
	struct workload_job job = { .workload = workload,
		.directory = box,
		.tree = tree,
		.tree_directory = in_box("untar"),
		.timeout_ns = 60000000000 };
	struct workload_keys *keys;
	struct workload_result result;
	struct error err = { 0 };
	size_t count = 0;
	char *copy = arena_strdup(arena, line);

	assert_non_null(workload);
	for (char *word = strtok(copy, " "); word != NULL;
	     word = strtok(NULL, " "))
		if (workload_parse_setting(
			workload, word, arena, &settings[count++], &err) == -1)
			fail_msg("%s", err.text);
	if (workload_bind(workload, settings, count, arena, &keys, &err) == -1)
		fail_msg("%s", err.text);
	job.keys = keys;
	if (workload_execute(&job, arena, &result, &err) == -1)
		fail_msg("%s", err.text);
	return result;
}

static struct workload_result
run_well(const char *name, const char *line)
{
	struct workload_result result = run(name, line);

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

static struct tree_summary
folder(const char *name)
{
	struct tree_summary summary;
	struct error err = { 0 };

	if (tree_digest(in_box(name), &summary, arena, &err) == -1)
		fail_msg("%s", err.text);
	return summary;
}

static void
test_untar_copy_read_remove(void **state)
{
	const struct tree_summary *whole = tree_summary(tree);
	struct workload_result result;

	(void)state;
	result = run_well("untar", "");
	assert_true(value_of(&result, "elapsed") > 0);
	assert_true(folder("untar").digest == whole->digest);
	result = run_well("copytree", "");
	assert_true(folder("copytree").digest == whole->digest);
	result = run_well("readtree", "cache=both passes=3");
	assert_true(value_of(&result, "entries") == (double)whole->entries);
	assert_true(value_of(&result, "elapsed_warm") > 0);
	assert_true(value_of(&result, "throughput") > 0);
	result = run_well("remove", "");
	assert_true(value_of(&result, "entries") == (double)whole->entries);
	assert_int_equal(folder("untar").entries, 0);
}

/* A copy into the tree's own folder does not copy itself. */
static void
test_copytree_within(void **state)
{
	struct workload_result result;
	const struct workload *workload = workload_find("copytree");
	struct workload_job job = { .workload = workload,
		.directory = in_box("untar") };
	struct workload_keys *keys;
	struct error err = { 0 };

	(void)state;
	(void)run_well("untar", "");
	assert_int_equal(
	    workload_bind(workload, NULL, 0, arena, &keys, &err), 0);
	job.keys = keys;
	assert_int_equal(workload_execute(&job, arena, &result, &err), 0);
	assert_string_equal(result.reason, "");
	assert_true(
	    folder("untar/copytree").digest == tree_summary(tree)->digest);
}

static void
test_create(void **state)
{
	struct workload_result result;
	struct tree_summary summary;

	(void)state;
	result =
	    run_well("create", "files=1000 size=700 directories=7 threads=3");
	summary = folder("create");
	assert_int_equal(summary.files, 1000);
	assert_int_equal(summary.directories, 7);
	assert_int_equal(summary.bytes, 700000);
	assert_true(value_of(&result, "rate") > 0);
	assert_true(value_of(&result, "throughput") > 0);
	result = run("create", "files=10");
	assert_int_equal(result.verdict, VERDICT_FAILED);
	assert_non_null(strstr(result.reason, "folder 'create': File exists"));
}

static void
test_stream(void **state)
{
	struct workload_result result;
	struct stat status;
	double value;

	(void)state;
	result = run_well("stream", "bytes=3000001 block=64K passes=3");
	assert_int_equal(stat(in_box("stream"), &status), 0);
	assert_int_equal(status.st_size, 3000001);
	assert_true(value_of(&result, "write_rate") > 0);
	assert_false(workload_result_value(&result, "read_rate", &value));
	assert_int_equal(result.sample_count, 8);
	result = run_well("stream", "bytes=1M block=64K mode=both");
	assert_true(value_of(&result, "read_rate") > 0);
}

static double
curve_sum(const struct workload_result *result, const char *name, size_t column)
{
	const struct trial_curve *curve = workload_result_curve(result, name);
	double sum = 0;

	assert_non_null(curve);
	assert_true(column < curve->column_count);
	for (size_t i = 0; i < curve->row_count; i++)
		sum += curve->values[i * curve->column_count + column];
	return sum;
}

static void
test_fileio(void **state)
{
	static const char *const modes[] = { "seqrd", "seqwr", "seqrewr",
		"rndrd", "rndwr", "rndrw" };
	struct workload_result result;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		result = run_well("fileio",
		    arena_printf(arena,
			"mode=%s total=1M files=4 block=4096,1000 "
			"requests=1000 passes=2 threads=%zu verify=true",
			modes[i], i % 2 + 1));
		assert_true(value_of(&result, "iops") > 0);
		assert_true(value_of(&result, "iops@1000") > 0);
		assert_true(value_of(&result, "latency_95@4K") > 0);
		/* two sizes, two passes, every event in the histogram */
		assert_true(curve_sum(&result, "latency", 3) == 4000);
	}
}

/* What comes back wrong is damage, not a figure. */
static void
test_fileio_notices_damage(void **state)
{
	struct workload_result result;
	char *path = in_box("test_file.2");

	(void)state;
	result = run_well(
	    "fileio", "total=64K files=4 mode=rndrd requests=10 block=4K");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("test_file.1", path), 0);
	result = run("fileio",
	    "total=64K files=4 mode=rndrd requests=1000 block=4K verify=true");
	assert_int_equal(result.verdict, VERDICT_CORRUPT);
	assert_non_null(strstr(result.reason, "has wrong data"));
}

static void
test_blogbench(void **state)
{
	struct workload_result result = run_well("blogbench",
	    "interval=150ms iterations=4 readers=4 writers=2 commenters=2");
	const struct trial_curve *curve =
	    workload_result_curve(&result, "blogbench");
	const char *report =
	    workload_find("blogbench")->classic_report(&result, arena);
	struct tree_summary summary = folder(".");

	(void)state;
	assert_non_null(curve);
	assert_int_equal(curve->row_count, 4);
	assert_int_equal(curve->column_count, 8);
	/* blogs are a running total, the others are per interval */
	assert_true(curve->values[24] == value_of(&result, "writes"));
	assert_true(
	    curve_sum(&result, "blogbench", 7) == value_of(&result, "reads"));
	/* what is on disk is at least what was counted */
	assert_true(summary.files > 0);
	assert_true((double)summary.directories >= value_of(&result, "writes"));
	assert_non_null(strstr(report, "Final score for reads :"));
}

/* The filesystem's refusal is the trial's reason, with the file's name. */
static void
test_refused_writes_are_data(void **state)
{
	static const struct {
		const char *name;
		const char *line;
		const char *words;
	} cases[] = {
		{ "untar", "", "cannot write 'untar/a/b/f" },
		{ "create", "files=3 size=10000", "cannot write 'd0/f0'" },
		{ "stream", "bytes=1M", "cannot write 'stream'" },
		{ "fileio", "total=1M files=2", "cannot prepare the files" },
		{ "blogbench", "interval=100ms iterations=20 readers=1",
		    "cannot write a blog" },
		{ "postmark", "size=9000", "cannot create '1'" },
	};
	struct rlimit limit = { 8000, 8000 };
	struct rlimit former;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &former), 0);
	limit.rlim_max = former.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct workload_result result =
		    run(cases[i].name, cases[i].line);

		assert_int_equal(result.verdict, VERDICT_FAILED);
		if (strstr(result.reason, cases[i].words) == NULL ||
		    strstr(result.reason, "File too large") == NULL)
			fail_msg(
			    "'%s' lacks '%s'", result.reason, cases[i].words);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &former), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_untar_copy_read_remove),
		TEST(test_copytree_within),
		TEST(test_create),
		TEST(test_stream),
		TEST(test_fileio),
		TEST(test_fileio_notices_damage),
		TEST(test_blogbench),
		TEST(test_refused_writes_are_data),
	};

	return cmocka_run_group_tests_name("file workloads", tests, NULL, NULL);
}
