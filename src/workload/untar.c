/*
 * Unpacking: the tree written once more into a new folder, from memory, so
 * that neither decompression nor an archiver's own habits are measured.
 */
#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "workload/files.h"
#include "workload/run.h"

enum { ELAPSED, RATE, THROUGHPUT };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "until the last entry is written" },
	[RATE] = { "rate", "entries/s", HIGHER_IS_BETTER, "entries written" },
	[THROUGHPUT] = { "throughput", "MiB/s", HIGHER_IS_BETTER,
	    "bytes written" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	KEYS_ONCE,
	{ .name = NULL },
};

static int
run_untar(struct workload_run *run, struct error *err)
{
	struct populate_options options = {
		.copies = run->job->copies,
		.age_ns = run->job->age_ns,
	};
	struct populate_result result;
	struct arena *arena;
	char *path;
	int folder = files_new_folder(run, "untar");
	int64_t start_ns;
	double seconds;

	if (folder == -1)
		return run_fail_errno(run, "cannot make folder 'untar'");
	(void)close(folder);
	if (tree_summary(run->job->tree)->is_streamed)
		run_note(run,
		    "the tree is too large for memory: decompression is in the time");
	arena = arena_new();
	path = arena_printf(arena, "%s/untar", run->directory);
	start_ns = clock_now_ns();
	if (tree_populate(
		run->job->tree, path, &options, arena, &result, err) == -1) {
		arena_free(arena);
		return -1;
	}
	seconds = run_seconds(start_ns, clock_now_ns());
	if (result.errno_value != 0) {
		errno = result.errno_value;
		(void)run_fail_errno(
		    run, "cannot %s 'untar/%s'", result.action, result.path);
		arena_free(arena);
		return 1;
	}
	arena_free(arena);
	run_passes(run, &metrics[ELAPSED], 1, &seconds, 1);
	run_sample(run, &metrics[RATE], 0, (double)result.entries / seconds);
	run_sample(run, &metrics[THROUGHPUT], 0,
	    (double)result.bytes / 1048576 / seconds);
	return 0;
}

const struct workload workload_untar = {
	.name = "untar",
	.summary = "write the tree again into a new folder",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_LOADED,
	.writes = true,
	.run = run_untar,
};
