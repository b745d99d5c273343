/*
 * PostMark 1.53 as a workload: its operations and its system calls, timed in
 * nanoseconds instead of whole seconds.  Its own integer figures are only a
 * view ("--style postmark"): today they say nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "workload/postmark_files.h"
#include "workload/postmark_report.h"
#include "workload/run.h"

enum {
	ELAPSED,
	TRANSACTIONS,
	CREATED_ALONE,
	CREATED,
	READ,
	APPENDED,
	DELETED,
	DELETED_ALONE,
	READ_RATE,
	WRITE_RATE,
	METRICS,
};

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "creation, transactions and deletion" },
	[TRANSACTIONS] = { "transactions", "1/s", HIGHER_IS_BETTER,
	    "over the time of transactions" },
	[CREATED_ALONE] = { "created_alone", "files/s", HIGHER_IS_BETTER,
	    "before the transactions" },
	[CREATED] = { "created", "files/s", HIGHER_IS_BETTER,
	    "during transactions" },
	[READ] = { "read", "files/s", HIGHER_IS_BETTER, "during transactions" },
	[APPENDED] = { "appended", "files/s", HIGHER_IS_BETTER,
	    "during transactions" },
	[DELETED] = { "deleted", "files/s", HIGHER_IS_BETTER,
	    "during transactions" },
	[DELETED_ALONE] = { "deleted_alone", "files/s", HIGHER_IS_BETTER,
	    "after the transactions" },
	[READ_RATE] = { "read_rate", "MiB/s", HIGHER_IS_BETTER,
	    "over the whole time" },
	[WRITE_RATE] = { "write_rate", "MiB/s", HIGHER_IS_BETTER,
	    "over the whole time" },
	[METRICS] = { .name = NULL },
};

static const struct workload_key keys[] = {
	{ "number", KEY_INTEGER, "500", 1, 1e8, NULL, 1, "files at the start" },
	{ "size", KEY_SIZE, "500,10000", 1, 1e9, NULL, 2,
	    "smallest and largest file; one value is both" },
	{ "transactions", KEY_INTEGER, "500", 0, 1e9, NULL, 1,
	    "each a read or append, and a create or delete" },
	{ "subdirectories", KEY_INTEGER, "0", 0, 1e6, NULL, 1,
	    "in each location; used from 2 on" },
	{ "read", KEY_SIZE, "512", 1, 1e9, NULL, 1, "block size of reads" },
	{ "write", KEY_SIZE, "512", 1, 1e9, NULL, 1, "block size of writes" },
	{ "bias_read", KEY_INTEGER, "5", -1, 10, NULL, 1,
	    "of 10, reads against appends; -1 for neither" },
	{ "bias_create", KEY_INTEGER, "5", -1, 10, NULL, 1,
	    "of 10, creates against deletes; -1 for neither" },
	{ "buffering", KEY_BOOLEAN, "true", 0, 0, NULL, 1,
	    "calls of 4096 bytes as stdio makes them, else blocks" },
	{ "whole", KEY_BOOLEAN, "false", 0, 0, NULL, 1,
	    "one call a file: not PostMark any more" },
	{ "seed", KEY_INTEGER, "42", 1, 4294967295.0, NULL, 1,
	    "of the choices" },
	{ "locations", KEY_TEXT, NULL, 0, 0, NULL, 64,
	    "folders to spread over, each \"PATH WEIGHT\"" },
	KEY_PASSES,
	KEY_ONE_THREAD,
	KEY_BY_COUNT,
	{ .name = NULL },
};

/* --- settings ------------------------------------------------------------ */

/* "A 2" in path and weight, which may be left out. */
static int
split_location(const char *text, struct arena *arena, const char **path,
    int64_t *weight, struct error *err)
{
	const char *blank = strrchr(text, ' ');

	*weight = 1;
	*path = text;
	if (blank != NULL) {
		*path = arena_strndup(arena, text, (size_t)(blank - text));
		if (units_parse_integer(blank + 1, weight, err) == -1)
			return error_wrap(err, "key 'locations'");
	}
	if (*weight < 1 || *weight > 1000)
		return error_set(err,
		    "key 'locations': weight '%lld' is out of range (1 to 1000)",
		    (long long)*weight);
	if ((*path)[0] == '/' || (*path)[0] == '\0' ||
	    strstr(*path, "..") != NULL || strlen(*path) > 1000)
		return error_set(err,
		    "key 'locations': '%s' must be a path within the folder",
		    *path);
	return 0;
}

static int
read_locations(const struct workload_keys *bound, struct arena *arena,
    struct postmark_files *files, struct postmark_settings *settings,
    struct error *err)
{
	size_t count = keys_count(bound, "locations");
	const char **paths = arena_array(arena, count + 1, sizeof *paths);
	int64_t *weights = arena_array(arena, count + 1, sizeof *weights);

	for (size_t i = 0; i < count; i++)
		if (split_location(keys_text_at(bound, "locations", i), arena,
			&paths[i], &weights[i], err) == -1)
			return -1;
	files->paths = paths;
	files->location_count = count;
	settings->weights = weights;
	settings->location_count = count;
	return 0;
}

static int
check(const struct workload_keys *bound, struct error *err)
{
	struct arena *arena = arena_new();
	struct postmark_files files;
	struct postmark_settings settings;
	int code = read_locations(bound, arena, &files, &settings, err);

	arena_free(arena);
	return code;
}

static int
read_settings(const struct workload_keys *bound, struct arena *arena,
    struct postmark_files *files, struct postmark_settings *settings,
    struct error *err)
{
	int64_t low = keys_integer_at(bound, "size", 0);
	int64_t high = keys_count(bound, "size") > 1
			   ? keys_integer_at(bound, "size", 1)
			   : low;

	*files = (struct postmark_files){
		.buffering = keys_boolean(bound, "buffering"),
		.whole = keys_boolean(bound, "whole"),
		.read_block = (size_t)keys_integer(bound, "read"),
		.write_block = (size_t)keys_integer(bound, "write"),
	};
	*settings = (struct postmark_settings){
		.number = keys_integer(bound, "number"),
		.size_low = low,
		.size_high = high > low ? high : low,
		.transactions = keys_integer(bound, "transactions"),
		.subdirectories = keys_integer(bound, "subdirectories"),
		.bias_read = keys_integer(bound, "bias_read"),
		.bias_create = keys_integer(bound, "bias_create"),
		.seed = (uint32_t)keys_integer(bound, "seed"),
	};
	return read_locations(bound, arena, files, settings, err);
}

/* --- figures ------------------------------------------------------------- */

/* Of postmark_report.h, in its order. */
static const char column_names[] =
    "creation_s transaction_s deletion_s total_s initial transactions "
    "created read appended deleted deleted_alone bytes_read bytes_written "
    "bytes_read_f32 bytes_written_f32";

static void
fill_row(const struct postmark *postmark, double row[POSTMARK_COLUMNS])
{
	const struct postmark_counts *counts = &postmark->counts;
	const int64_t *at = counts->times_ns;

	row[CREATION_S] = run_seconds(at[0], at[1]);
	row[TRANSACTION_S] = run_seconds(at[1], at[2]);
	row[DELETION_S] = run_seconds(at[2], at[3]);
	row[TOTAL_S] = run_seconds(at[0], at[3]);
	row[N_INITIAL] = (double)postmark->settings.number;
	row[N_TRANSACTIONS] = (double)counts->transactions;
	row[N_CREATED] = (double)counts->created;
	row[N_READ] = (double)counts->read;
	row[N_APPENDED] = (double)counts->appended;
	row[N_DELETED] = (double)counts->deleted;
	row[N_DELETED_ALONE] = (double)counts->deleted_alone;
	row[BYTES_READ] = (double)counts->bytes_read;
	row[BYTES_WRITTEN] = (double)counts->bytes_written;
	row[BYTES_READ_F32] = (double)counts->bytes_read_f32;
	row[BYTES_WRITTEN_F32] = (double)counts->bytes_written_f32;
}

static void
fill_values(const double row[POSTMARK_COLUMNS], double values[METRICS])
{
	double mixed = row[TRANSACTION_S];

	values[ELAPSED] = row[TOTAL_S];
	values[TRANSACTIONS] = row[N_TRANSACTIONS] / mixed;
	values[CREATED_ALONE] = row[N_INITIAL] / row[CREATION_S];
	values[CREATED] = (row[N_CREATED] - row[N_INITIAL]) / mixed;
	values[READ] = row[N_READ] / mixed;
	values[APPENDED] = row[N_APPENDED] / mixed;
	values[DELETED] = (row[N_DELETED] - row[N_DELETED_ALONE]) / mixed;
	values[DELETED_ALONE] = row[N_DELETED_ALONE] / row[DELETION_S];
	values[READ_RATE] = row[BYTES_READ] / 1048576 / row[TOTAL_S];
	values[WRITE_RATE] = row[BYTES_WRITTEN] / 1048576 / row[TOTAL_S];
}

/* Rates of what a configuration never does are no figures. */
static void
report(struct workload_run *run, const double *values, size_t passes)
{
	double *column = calloc(passes + 1, sizeof *column);

	if (column == NULL)
		abort();
	for (int m = 0; m < METRICS; m++) {
		for (size_t pass = 0; pass < passes; pass++)
			column[pass] = values[pass * METRICS + (size_t)m];
		if (isfinite(column[0]) && column[0] > 0)
			run_passes(run, &metrics[m], 1, column, passes);
	}
	free(column);
}

/* --- running ------------------------------------------------------------- */

static int
judge(struct workload_run *run, const struct postmark *postmark,
    const struct postmark_files *files, enum postmark_end end)
{
	char name[1100];

	if (end == POSTMARK_DONE)
		return 0;
	if (end == POSTMARK_OUT_OF_FILES)
		return run_fail(run, VERDICT_FAILED,
		    "out of files after %lld of %lld transactions: more files or another bias_create are needed",
		    (long long)postmark->counts.transactions,
		    (long long)postmark->settings.transactions);
	postmark_files_name(files, &postmark->failed, name, sizeof name);
	return run_fail_errno(
	    run, "cannot %s '%s'", postmark->failed_action, name);
}

static int
run_pass(
    struct workload_run *run, double row[POSTMARK_COLUMNS], struct error *err)
{
	struct arena *arena = arena_new();
	struct postmark_settings settings;
	struct postmark_files files;
	struct postmark_io io = postmark_files_io(&files);
	struct postmark postmark;
	int code = read_settings(run->keys, arena, &files, &settings, err);

	if (code == 0) {
		postmark_init(&postmark, &settings, &io);
		files.source = postmark.source;
		code = postmark_files_open(&files, run->directory, &settings);
		code = code == 1 ? run_fail_errno(run, "cannot make folders")
				 : judge(run, &postmark, &files,
				       postmark_run(&postmark));
		fill_row(&postmark, row);
		postmark_files_close(&files, &settings);
		postmark_reset(&postmark);
	}
	arena_free(arena);
	return code;
}

static int
run_postmark(struct workload_run *run, struct error *err)
{
	size_t passes = (size_t)keys_integer(run->keys, "passes");
	double *values = calloc(passes * METRICS, sizeof *values);
	double row[POSTMARK_COLUMNS] = { 0 };
	int code = 0;

	if (values == NULL)
		abort();
	run_curve(run, "postmark", 0, column_names);
	for (size_t i = 0; code == 0 && i < passes; i++) {
		code = run_pass(run, row, err);
		fill_values(row, &values[i * METRICS]);
		if (code == 0)
			run_curve_row(run, row, POSTMARK_COLUMNS);
	}
	if (code == 0)
		report(run, values, passes);
	free(values);
	return code;
}

static char *
classic_report(const struct workload_result *result, struct arena *arena)
{
	const struct trial_curve *curve =
	    workload_result_curve(result, "postmark");

	return curve != NULL && curve->row_count > 0
		   ? postmark_report(curve->values, arena)
		   : arena_strdup(arena, "");
}

const struct workload workload_postmark = {
	.name = "postmark",
	.summary = "small files as a mail server has them: PostMark 1.53",
	.keys = keys,
	.metrics = metrics,
	.writes = true,
	.is_classic = true,
	.check = check,
	.run = run_postmark,
	.classic_report = classic_report,
};
