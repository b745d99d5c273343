/* Each file of a tree read to its end, in the order a walk meets them. */
#include "workload/walking.h"

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
	KEY_CACHE("the first reading, later ones, or one and then the others"),
	KEY_PASSES,
	KEY_THREADS,
	KEY_BY_COUNT,
	{ .name = NULL },
};

static int
run_readtree(struct workload_run *run, struct error *err)
{
	struct walk_options options = { .content = true };
	struct walking walking;
	double mib;

	(void)err;
	if (walking_run(run, &options, &metrics[ELAPSED],
		&metrics[ELAPSED_WARM], "read", &walking) == 1)
		return 1;
	mib = (double)walking.result.bytes_read / 1048576;
	if (walking.cold_s > 0)
		run_sample(run, &metrics[THROUGHPUT], 0, mib / walking.cold_s);
	if (walking.warm_s > 0)
		run_sample(
		    run, &metrics[THROUGHPUT_WARM], 0, mib / walking.warm_s);
	run_sample(run, &metrics[ENTRIES], 0, (double)walking.result.entries);
	return 0;
}

const struct workload workload_readtree = {
	.name = "readtree",
	.summary = "read every file of the tree to its end",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_OPTIONAL,
	.check = walking_check,
	.run = run_readtree,
};
