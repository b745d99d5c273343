/*
 * sysbench 1.0's fileio: random and sequential requests of one size on a set
 * of files, with its rounds of fsync, and every latency kept.  A list of
 * block sizes is a sweep over the same files.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload/fileio_run.h"
#include "workload/files.h"

enum {
	IOPS,
	THROUGHPUT,
	LATENCY,
	LATENCY_95,
	LATENCY_LOW,
	LATENCY_HIGH,
	ELAPSED,
	METRICS
};

static const struct metric metrics[] = {
	[IOPS] = { "iops", "1/s", HIGHER_IS_BETTER, "reads and writes" },
	[THROUGHPUT] = { "throughput", "MiB/s", HIGHER_IS_BETTER,
	    "bytes read and written" },
	[LATENCY] = { "latency", "ms", LOWER_IS_BETTER,
	    "mean of all events, fsyncs too" },
	[LATENCY_95] = { "latency_95", "ms", LOWER_IS_BETTER,
	    "95 % of the events took no longer" },
	[LATENCY_LOW] = { "latency_min", "ms", LOWER_IS_BETTER,
	    "the shortest" },
	[LATENCY_HIGH] = { "latency_max", "ms", LOWER_IS_BETTER,
	    "the longest" },
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER, "with the last fsyncs" },
	[METRICS] = { .name = NULL },
};

static const struct workload_key keys[] = {
	{ "mode", KEY_WORD, "rndrd", 0, 0,
	    "seqrd seqwr seqrewr rndrd rndwr rndrw", 1,
	    "sequential or random, read, write, rewrite or both" },
	{ "block", KEY_SIZE, "16384", 1, 1073741824.0, NULL, 32,
	    "bytes a request; a list is a sweep" },
	{ "files", KEY_INTEGER, "128", 1, 100000, NULL, 1, "how many" },
	{ "total", KEY_SIZE, "2G", 1, 1e15, NULL, 1, "size of all together" },
	{ "requests", KEY_INTEGER, "10000", 1, 1e12, NULL, 1,
	    "events, fsyncs included; not used with seconds" },
	{ "rw_ratio", KEY_NUMBER, "1.5", 0, 1e6, NULL, 1,
	    "reads for each write of rndrw" },
	{ "direct", KEY_BOOLEAN, "false", 0, 0, NULL, 1,
	    "past the cache (O_DIRECT)" },
	{ "sync", KEY_BOOLEAN, "false", 0, 0, NULL, 1,
	    "each write waits for the medium (O_SYNC)" },
	{ "fsync", KEY_INTEGER, "100", 0, 1e9, NULL, 1,
	    "writes between rounds of fsync over all files; 0 never" },
	{ "fsync_end", KEY_BOOLEAN, "true", 0, 0, NULL, 1,
	    "fsync all files at the end" },
	{ "fdatasync", KEY_BOOLEAN, "false", 0, 0, NULL, 1,
	    "instead of fsync" },
	{ "verify", KEY_BOOLEAN, "false", 0, 0, NULL, 1, "check what is read" },
	{ "compressible", KEY_PERCENT, "0%", 0, 100, NULL, 1,
	    "share of zeros in the data" },
	{ "seed", KEY_INTEGER, "42", 0, 4294967295.0, NULL, 1,
	    "of the offsets" },
	KEY_PASSES,
	KEY_THREADS,
	{ "seconds", KEY_DURATION, "0", 0, 1e15, NULL, 1,
	    "run this long; 0: by requests" },
	{ .name = NULL },
};

static int
check(const struct workload_keys *bound, struct error *err)
{
	int64_t each =
	    keys_integer(bound, "total") / keys_integer(bound, "files");

	if (keys_boolean(bound, "direct") && files_direct_flag() == -1)
		return error_set(err, "this system has no direct I/O");
	for (size_t i = 0; i < keys_count(bound, "block"); i++) {
		int64_t block = keys_integer_at(bound, "block", i);

		if (block > each)
			return error_set(err,
			    "key 'block': '%lld' is more than one file has, %lld",
			    (long long)block, (long long)each);
		if (keys_boolean(bound, "direct") &&
		    (block % 512 != 0 || each % 512 != 0))
			return error_set(err,
			    "'direct' needs blocks and files that are multiples of 512");
	}
	return 0;
}

/* --- figures ------------------------------------------------------------- */

static void
fill_values(const struct fileio_figures *figures, double values[METRICS])
{
	struct histogram *all = calloc(1, sizeof *all);
	int64_t requests = figures->latencies[FILEIO_READ].count +
			   figures->latencies[FILEIO_WRITE].count;
	int64_t bytes =
	    figures->bytes[FILEIO_READ] + figures->bytes[FILEIO_WRITE];

	if (all == NULL)
		abort();
	for (int k = 0; k < FILEIO_KINDS; k++)
		histogram_merge(all, &figures->latencies[k]);
	values[IOPS] = (double)requests / figures->seconds;
	values[THROUGHPUT] = (double)bytes / 1048576 / figures->seconds;
	values[LATENCY] = all->count == 0
			      ? 0
			      : (double)all->sum_ns / (double)all->count / 1e6;
	values[LATENCY_95] = histogram_percentile(all, 95) / 1e6;
	values[LATENCY_LOW] = (double)all->lowest_ns / 1e6;
	values[LATENCY_HIGH] = (double)all->highest_ns / 1e6;
	values[ELAPSED] = figures->seconds;
	free(all);
}

/* Columns: block, kind (0 read, 1 write, 2 fsync), latency, count. */
static void
put_latencies(struct workload_run *run, int64_t block,
    const struct fileio_figures *figures)
{
	for (int k = 0; k < FILEIO_KINDS; k++)
		for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
			double row[] = { (double)block, k,
				histogram_value(i) / 1e6,
				(double)figures->latencies[k].bins[i] };

			if (row[3] > 0)
				run_curve_row(run, row, 4);
		}
}

/* "16384" as "16K" */
static void
block_name(int64_t block, char *name, size_t size)
{
	if (block % 1048576 == 0)
		(void)snprintf(
		    name, size, "%lldM", (long long)(block / 1048576));
	else if (block % 1024 == 0)
		(void)snprintf(name, size, "%lldK", (long long)(block / 1024));
	else
		(void)snprintf(name, size, "%lld", (long long)block);
}

/* "iops@16K" beside "iops", which is that of the first block. */
static void
report_sweep(
    struct workload_run *run, int64_t block, const double values[METRICS])
{
	char size[32];
	char name[64];

	block_name(block, size, sizeof size);
	for (int m = 0; m < METRICS; m++) {
		(void)snprintf(
		    name, sizeof name, "%s@%s", metrics[m].name, size);
		run_named_sample(
		    run, name, metrics[m].unit, metrics[m].better, values[m]);
	}
}

/* All passes of one block size; the medians are its values. */
static int
run_passes_of_block(struct workload_run *run, struct fileio_files *files,
    const struct fileio_settings *settings, double medians[METRICS],
    bool is_first)
{
	size_t passes = (size_t)keys_integer(run->keys, "passes");
	double *values = calloc(passes * METRICS, sizeof *values);
	double *column = calloc(passes, sizeof *column);
	int code = 0;

	if (values == NULL || column == NULL)
		abort();
	for (size_t i = 0; code == 0 && i < passes; i++) {
		struct fileio_figures *figures = calloc(1, sizeof *figures);

		if (figures == NULL)
			abort();
		code = fileio_run_block(run, files, settings, figures);
		fill_values(figures, &values[i * METRICS]);
		put_latencies(run, settings->block, figures);
		free(figures);
	}
	for (size_t m = 0; code == 0 && m < METRICS; m++) {
		for (size_t i = 0; i < passes; i++)
			column[i] = values[i * METRICS + m];
		medians[m] = run_median(column, passes);
		if (is_first)
			run_passes(run, &metrics[m], 1, column, passes);
	}
	free(column);
	free(values);
	return code;
}

/* --- the run ------------------------------------------------------------- */

static enum fileio_mode
read_mode(const struct workload_run *run)
{
	static const char *const names[] = { [FILEIO_SEQRD] = "seqrd",
		[FILEIO_SEQWR] = "seqwr",
		[FILEIO_SEQREWR] = "seqrewr",
		[FILEIO_RNDRD] = "rndrd",
		[FILEIO_RNDWR] = "rndwr",
		[FILEIO_RNDRW] = "rndrw" };
	int mode = FILEIO_SEQRD;

	while (strcmp(names[mode], keys_text(run->keys, "mode")) != 0)
		mode++;
	return (enum fileio_mode)mode;
}

static int
run_sweep(struct workload_run *run, struct fileio_files *files)
{
	size_t blocks = keys_count(run->keys, "block");
	struct fileio_settings settings = {
		.mode = read_mode(run),
		.files = files->count,
		.file_size = files->size,
		.requests = keys_integer(run->keys, "seconds") > 0
				? 0
				: keys_integer(run->keys, "requests"),
		.rw_ratio = keys_number(run->keys, "rw_ratio"),
		.fsync_every = keys_integer(run->keys, "fsync"),
	};
	double medians[METRICS];

	if (fileio_files_prepare(files, settings.mode != FILEIO_SEQWR) != 0)
		return run_fail_errno(run, "cannot prepare the files");
	run_curve(run, "latency", 0, "block kind latency_ms count");
	for (size_t i = 0; i < blocks; i++) {
		settings.block = keys_integer_at(run->keys, "block", i);
		if (run_passes_of_block(
			run, files, &settings, medians, i == 0) != 0)
			return 1;
		if (blocks > 1)
			report_sweep(run, settings.block, medians);
	}
	return 0;
}

static int
run_fileio(struct workload_run *run, struct error *err)
{
	struct fileio_files files = {
		.folder =
		    open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.count = keys_integer(run->keys, "files"),
		.fdatasync = keys_boolean(run->keys, "fdatasync"),
		.verify = keys_boolean(run->keys, "verify"),
		.compressible = keys_number(run->keys, "compressible"),
	};
	int code;

	(void)err;
	if (files.folder == -1)
		return run_fail_errno(run, "cannot open '%s'", run->directory);
	files.size = keys_integer(run->keys, "total") / files.count;
	if (keys_boolean(run->keys, "direct"))
		files.flags |= files_direct_flag();
	if (keys_boolean(run->keys, "sync"))
		files.flags |= O_SYNC;
	code = run_sweep(run, &files);
	(void)close(files.folder);
	return code;
}

const struct workload workload_fileio = {
	.name = "fileio",
	.summary =
	    "random and sequential requests on a set of files: sysbench fileio",
	.keys = keys,
	.metrics = metrics,
	.writes = true,
	.is_classic = true,
	.check = check,
	.run = run_fileio,
};
