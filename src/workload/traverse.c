/*
 * What "time find DIR" measures: the names of a tree, and nothing else.
 *
 * The first pass of a fresh mount is the cold one and the only cold one; a
 * trial sees to the mount.  Under relatime that pass is also the only one
 * that writes access times, so cold and warm are two metrics, never mixed.
 */
#include <string.h>

#include "workload/walking.h"

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
	KEY_CACHE("the first walk, later ones, or one and then the others"),
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
run_traverse(struct workload_run *run, struct error *err)
{
	struct walk_options options = {
		.stat = keys_boolean(run->keys, "stat"),
		.content = keys_boolean(run->keys, "content"),
		.breadth =
		    strcmp(keys_text(run->keys, "order"), "breadth") == 0,
	};
	struct walking walking;
	double ranked_s;

	(void)err;
	if (walking_run(run, &options, &metrics[ELAPSED],
		&metrics[ELAPSED_WARM], "walk", &walking) == 1)
		return 1;
	ranked_s = walking.cold_s > 0 ? walking.cold_s : walking.warm_s;
	run_sample(
	    run, &metrics[RATE], 0, (double)walking.result.entries / ranked_s);
	run_sample(run, &metrics[ENTRIES], 0, (double)walking.result.entries);
	return 0;
}

const struct workload workload_traverse = {
	.name = "traverse",
	.summary = "walk over all names of a tree, as find does",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_OPTIONAL,
	.is_classic = true,
	.check = walking_check,
	.run = run_traverse,
};
