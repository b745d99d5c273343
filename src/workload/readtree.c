/* Each file of a tree read to its end, in the order a walk meets them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "workload/run.h"
#include "workload/walk.h"

enum { ELAPSED, ELAPSED_WARM, THROUGHPUT, THROUGHPUT_WARM, ENTRIES };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "the first reading after the mount" },
	[ELAPSED_WARM] = { "elapsed_warm", "s", LOWER_IS_BETTER,
	    "reading what was read before" },
	[THROUGHPUT] = { "throughput", "MiB/s", HIGHER_IS_BETTER,
	    "of the first reading" },
	[THROUGHPUT_WARM] = { "throughput_warm", "MiB/s", HIGHER_IS_BETTER,
	    "of the others" },
	[ENTRIES] = { "entries", "entries", HIGHER_IS_BETTER,
	    "how many were met" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "cache", KEY_WORD, "cold", 0, 0, "cold warm both", 1,
	    "the first reading, later ones, or one and then the others" },
	KEY_PASSES,
	KEY_THREADS,
	KEY_BY_COUNT,
	{ .name = NULL },
};

static int
check(const struct workload_keys *bound, struct error *err)
{
	if (strcmp(keys_text(bound, "cache"), "cold") == 0 &&
	    keys_integer(bound, "passes") > 1)
		return error_set(err,
		    "'passes' above 1 needs 'cache' warm or both: only the first reading of a mount is cold");
	return 0;
}

/* Reads all of it "count" times and reports from the given metric on. */
static int
read_passes(struct workload_run *run, size_t count, int first, int metric,
    struct walk_result *result)
{
	struct walk_options options = {
		.content = true,
		.threads = (int)keys_integer(run->keys, "threads"),
	};
	double *values = malloc(count * sizeof *values);
	bool ok = true;

	if (values == NULL)
		abort();
	for (size_t i = 0; ok && i < count; i++) {
		int64_t start_ns = clock_now_ns();

		ok = walk_tree(run->tree_directory, &options, result);
		values[i] = run_seconds(start_ns, clock_now_ns());
	}
	if (ok && metric >= 0) {
		run_passes(run, &metrics[metric], first, values, count);
		run_sample(run,
		    &metrics[metric == ELAPSED ? THROUGHPUT : THROUGHPUT_WARM],
		    0,
		    (double)result->bytes_read / 1048576 /
			run_median(values, count));
	}
	free(values);
	if (ok)
		return 0;
	errno = result->errno_value;
	return run_fail_errno(run, "cannot read '%s'", result->path);
}

static int
run_readtree(struct workload_run *run, struct error *err)
{
	const char *cache = keys_text(run->keys, "cache");
	size_t passes = (size_t)keys_integer(run->keys, "passes");
	bool warm = strcmp(cache, "cold") != 0;
	int first = strcmp(cache, "warm") == 0 ? -1 : ELAPSED;
	struct walk_result result;

	(void)err;
	if (read_passes(run, 1, 1, first, &result) == 1 ||
	    (warm && read_passes(run, passes, 2, ELAPSED_WARM, &result) == 1))
		return 1;
	run_sample(run, &metrics[ENTRIES], 0, (double)result.entries);
	if (result.unreadable > 0)
		run_note(run,
		    "%lld folders or files could not be read, the first '%s'",
		    (long long)result.unreadable, result.unreadable_path);
	return 0;
}

const struct workload workload_readtree = {
	.name = "readtree",
	.summary = "read every file of the tree to its end",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_OPTIONAL,
	.check = check,
	.run = run_readtree,
};
