#include "workload/walking.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

int
walking_check(const struct workload_keys *keys, struct error *err)
{
	if (strcmp(keys_text(keys, "cache"), "cold") == 0 &&
	    keys_integer(keys, "passes") > 1)
		return error_set(err,
		    "'passes' above 1 needs 'cache' warm or both: only the first pass after a mount is cold");
	return 0;
}

static int
walk_once(struct workload_run *run, const struct walk_options *options,
    const char *verb, struct walk_result *result, double *seconds)
{
	int64_t start_ns = clock_now_ns();
	bool ok = walk_tree(run->tree_directory, options, result);

	*seconds = run_seconds(start_ns, clock_now_ns());
	if (ok)
		return 0;
	errno = result->errno_value;
	return run_fail_errno(run, "cannot %s '%s'", verb, result->path);
}

static int
walk_warm(struct workload_run *run, const struct walk_options *options,
    const struct metric *metric, const char *verb, struct walking *walking)
{
	size_t count = (size_t)keys_integer(run->keys, "passes");
	double *values = malloc(count * sizeof *values);
	int code = 0;

	if (values == NULL)
		abort();
	for (size_t i = 0; code == 0 && i < count; i++)
		code =
		    walk_once(run, options, verb, &walking->result, &values[i]);
	if (code == 0) {
		run_passes(run, metric, 2, values, count);
		walking->warm_s = run_median(values, count);
	}
	free(values);
	return code;
}

int
walking_run(struct workload_run *run, struct walk_options *options,
    const struct metric *cold, const struct metric *warm, const char *verb,
    struct walking *walking)
{
	const char *cache = keys_text(run->keys, "cache");
	double first_s;

	options->threads = (int)keys_integer(run->keys, "threads");
	*walking = (struct walking){ .cold_s = 0 };
	/* with "warm" this one fills the cache and does not count */
	if (walk_once(run, options, verb, &walking->result, &first_s) == 1)
		return 1;
	if (strcmp(cache, "warm") != 0) {
		run_passes(run, cold, 1, &first_s, 1);
		walking->cold_s = first_s;
	}
	if (strcmp(cache, "cold") != 0 &&
	    walk_warm(run, options, warm, verb, walking) == 1)
		return 1;
	if (walking->result.unreadable > 0)
		run_note(run,
		    "%lld folders or files could not be read, the first '%s'",
		    (long long)walking->result.unreadable,
		    walking->result.unreadable_path);
	return 0;
}
