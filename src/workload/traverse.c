/*
 * What "time find DIR" measures: the names of a tree, and nothing else.
 *
 * The first pass of a fresh mount is the cold one and the only cold one; a
 * trial sees to the mount.  Under relatime that pass is also the only one
 * that writes access times, so cold and warm are two metrics, never mixed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "workload/run.h"
#include "workload/walk.h"

enum { ELAPSED, ELAPSED_WARM, RATE, ENTRIES };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "the first walk after the mount" },
	[ELAPSED_WARM] = { "elapsed_warm", "s", LOWER_IS_BETTER,
	    "a walk over what was walked before" },
	[RATE] = { "rate", "entries/s", HIGHER_IS_BETTER,
	    "entries over the time that ranks" },
	[ENTRIES] = { "entries", "entries", HIGHER_IS_BETTER,
	    "how many were met" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "cache", KEY_WORD, "cold", 0, 0, "cold warm both", 1,
	    "the first walk, later ones, or one and then the others" },
	{ "stat", KEY_BOOLEAN, "false", 0, 0, NULL, 1, "lstat each entry" },
	{ "content", KEY_BOOLEAN, "false", 0, 0, NULL, 1, "read each file" },
	{ "order", KEY_WORD, "depth", 0, 0, "depth breadth", 1,
	    "depth first, as find walks, or breadth first" },
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
		    "'passes' above 1 needs 'cache' warm or both: only the first walk of a mount is cold");
	return 0;
}

static int
walk_once(struct workload_run *run, const struct walk_options *options,
    struct walk_result *result, double *seconds)
{
	int64_t start_ns = clock_now_ns();
	bool ok = walk_tree(run->tree_directory, options, result);

	*seconds = run_seconds(start_ns, clock_now_ns());
	if (ok)
		return 0;
	errno = result->errno_value;
	return run_fail_errno(run, "cannot walk '%s'", result->path);
}

static void
report(
    struct workload_run *run, const struct walk_result *result, double seconds)
{
	run_sample(run, &metrics[RATE], 0, (double)result->entries / seconds);
	run_sample(run, &metrics[ENTRIES], 0, (double)result->entries);
	if (result->unreadable > 0)
		run_note(run,
		    "%lld folders or files could not be read, the first '%s'",
		    (long long)result->unreadable, result->unreadable_path);
}

static int
walk_warm(struct workload_run *run, const struct walk_options *options,
    struct walk_result *result, double *seconds)
{
	size_t count = (size_t)keys_integer(run->keys, "passes");
	double *values = malloc(count * sizeof *values);
	int code = 0;

	if (values == NULL)
		abort();
	for (size_t i = 0; code == 0 && i < count; i++)
		code = walk_once(run, options, result, &values[i]);
	if (code == 0) {
		run_passes(run, &metrics[ELAPSED_WARM], 2, values, count);
		*seconds = run_median(values, count);
	}
	free(values);
	return code;
}

static int
run_traverse(struct workload_run *run, struct error *err)
{
	const char *cache = keys_text(run->keys, "cache");
	struct walk_options options = {
		.stat = keys_boolean(run->keys, "stat"),
		.content = keys_boolean(run->keys, "content"),
		.breadth =
		    strcmp(keys_text(run->keys, "order"), "breadth") == 0,
		.threads = (int)keys_integer(run->keys, "threads"),
	};
	struct walk_result result;
	double seconds;
	double warm = 0;

	(void)err;
	/* with "warm" this one fills the cache and does not count */
	if (walk_once(run, &options, &result, &seconds) == 1)
		return 1;
	if (strcmp(cache, "warm") != 0)
		run_passes(run, &metrics[ELAPSED], 1, &seconds, 1);
	if (strcmp(cache, "cold") != 0 &&
	    walk_warm(run, &options, &result, &warm) == 1)
		return 1;
	report(run, &result, strcmp(cache, "warm") == 0 ? warm : seconds);
	return 0;
}

const struct workload workload_traverse = {
	.name = "traverse",
	.summary = "walk over all names of a tree, as find does",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_OPTIONAL,
	.is_classic = true,
	.check = check,
	.run = run_traverse,
};
