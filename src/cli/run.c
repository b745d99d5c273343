/* mountmatrix run: the night. */
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/facts.h"
#include "cli/output.h"
#include "cli/planprint.h"
#include "cli/prepare.h"
#include "cli/session.h"
#include "cli/targets.h"
#include "platform/isolate.h"
#include "store/store.h"

static const struct cli_option options[] = {
	{ "rounds", 'r', "N", "complete blocks" },
	{ "budget", 'b', "TIME", "stop at a block's end before this, as 8h" },
	{ "seed", 's', "N", "the order of the trials; printed and stored" },
	{ "baseline", 0, "CELL", "ratios to this cell" },
	{ "only", 0, "CELL", "only cells that match; may be repeated" },
	{ "shard", 0, "I/N", "only part I of N, for several hosts" },
	{ "destroy", 0, "DEVICE", "this device may be overwritten" },
	{ "output", 'o', "FILE", "the results file" },
	{ "label", 0, "TEXT", "a name for this session (a kernel)" },
	{ "keep", 0, NULL, "leave the first failed trial mounted" },
	{ "yes", 0, NULL, "also more than 10000 cells" },
	{ "quiet", 'q', NULL, "no line per trial" },
	{ NULL, 0, NULL, NULL },
};

/* "results/find-usr-2001-20260131-220000.db" */
static char *
default_path(struct arena *arena, const char *matrix)
{
	const char *slash = strrchr(matrix, '/');
	const char *name = slash != NULL ? slash + 1 : matrix;
	size_t length = strcspn(name, ".");
	time_t now = time(NULL);
	struct tm parts;
	char stamp[32] = "now";

	if (localtime_r(&now, &parts) != NULL)
		(void)strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
	return arena_printf(
	    arena, "results/%.*s-%s.db", (int)length, name, stamp);
}

static int
make_results(const char *path, const struct prepared *prepared,
    struct arena *arena, struct error *err)
{
	struct store *store;
	struct stat about;

	/* mostly that of a run that was stopped */
	if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' exists and is never overwritten; name another file, "
		    "or go on with it: mountmatrix resume %s",
		    path, path);
	if (output_make_folder(path, arena, err) == -1 ||
	    store_create(&store, path, &prepared->plan, err) == -1)
		return -1;
	store_close(store);
	return 0;
}

/* The guard is asked before there is a results file that holds nothing. */
static int
check_targets(
    const struct session_job *job, struct arena *arena, struct error *err)
{
	const char *folder = dirname(arena_strdup(arena, job->results));
	struct targets_case asked = {
		.plan = job->plan,
		.destroy = job->destroy,
		.destroy_count = job->destroy_count,
		.results_path = access(folder, F_OK) == 0 ? folder : ".",
		.image_folder = access(folder, F_OK) == 0 ? folder : ".",
		.arena = arena,
	};

	return targets_refuse(&asked, err);
}

/* A night of nothing is refused; "plan" and "check" show such matrices. */
static int
check_any_runs(const struct plan *plan, struct error *err)
{
	const struct cell *cell = plan->cells;

	for (size_t i = 0; i < plan->cell_count; i++)
		if (cell_status_runs(plan->cells[i].status))
			return 0;
	if (plan->cell_count == 0)
		return error_set_kind(err, ERROR_USAGE, "there is no cell");
	return error_set_kind(err, ERROR_HOST,
	    "none of the %zu cells can run on %s ('%s' is %s%s%s); for another "
	    "system see 'mountmatrix plan --platform'",
	    plan->cell_count, plan->system, cell->key,
	    cell_status_name(cell->status),
	    cell->reason != NULL && cell->reason[0] != '\0' ? ": " : "",
	    cell->reason != NULL ? cell->reason : "");
}

/* Root is needed for what the plan mounts, tools for what it runs. */
static int
check_host(
    const struct prepared *prepared, struct arena *arena, struct error *err)
{
	const struct plan *plan = &prepared->plan;
	struct isolation isolation;
	const char *missing = facts_missing_tool(plan, arena);

	if (check_any_runs(plan, err) == -1)
		return -1;
	if (missing != NULL)
		return error_set_kind(err, ERROR_HOST,
		    "the program '%s' is not on this host; install it, or "
		    "leave its cells out with --only",
		    missing);
	platform_isolation(arena, &isolation);
	for (size_t i = 0; i < plan->target_count; i++) {
		const struct target *target = &plan->targets[i];

		if (prepare_may_use(target, &isolation))
			continue;
		return error_set_kind(err, ERROR_HOST,
		    "target '%s' needs root: only directories%s can be used "
		    "without",
		    target->title, isolation.has_mounts ? " and memory" : "");
	}
	return 0;
}

static void
announce(const struct cli_args *args, const struct plan *plan,
    const char *results, struct arena *arena)
{
	/* of a name that nobody gave, quiet is no silence */
	if (cli_has(args, "quiet")) {
		if (!cli_has(args, "output"))
			cli_say("results in %s", results);
		return;
	}
	(void)fprintf(stderr, "%s; seed %llu; results in %s\n",
	    planprint_size(plan, arena), (unsigned long long)plan->seed,
	    results);
}

static int
exec(const struct cli_args *args)
{
	struct prepared prepared = { 0 };
	struct session_job job = { 0 };
	struct error err = { 0 };
	const char **destroy;
	int status;
	int lock;

	job.destroy_count = cli_values(args, "destroy", &destroy);
	job.destroy = destroy;
	job.plan = &prepared.plan;
	job.results = cli_value(args, "output");
	if (job.results == NULL)
		job.results = default_path(args->arena, args->words[0]);
	if (prepare_plan(args, args->words[0], &prepared, &err) == -1 ||
	    check_host(&prepared, args->arena, &err) == -1 ||
	    session_clean(args->arena, &err) == -1 ||
	    check_targets(&job, args->arena, &err) == -1 ||
	    prepare_trees(&prepared.plan, &prepared.trees, args->arena, &err) ==
		-1)
		return prepare_fail(&err);
	job.trees = prepared.trees;
	job.label = cli_value(args, "label");
	job.keep = cli_has(args, "keep");
	job.quiet = cli_has(args, "quiet");
	lock = -1;
	if (make_results(job.results, &prepared, args->arena, &err) == 0)
		lock = session_lock(args->arena, job.results, &err);
	if (lock == -1) {
		prepare_free_trees(&prepared.plan, prepared.trees);
		return cli_fail(&err);
	}
	announce(args, &prepared.plan, job.results, args->arena);
	status = session_run(&job, args->arena);
	(void)close(lock);
	prepare_free_trees(&prepared.plan, prepared.trees);
	return status;
}

const struct cli_command command_run = {
	.name = "run",
	.arguments = "FILE",
	.summary = "Runs the matrix: the night; prints the ranking at its end.",
	.help =
	    "Nothing is destroyed that was not named twice: a device in the "
	    "matrix file needs\n--destroy with the same device.  A stopped "
	    "run goes on with 'mountmatrix resume'.",
	.options = options,
	.words_least = 1,
	.words_most = 1,
	.exec = exec,
};
