/* mountmatrix resume: goes on after a stop, a crash or a reboot. */
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/facts.h"
#include "cli/prepare.h"
#include "cli/reporting.h"
#include "cli/session.h"
#include "cli/targets.h"
#include "model/results.h"
#include "platform/host.h"
#include "store/store.h"

static const struct cli_option options[] = {
	{ "destroy", 0, "DEVICE", "this device may be overwritten" },
	{ "label", 0, "TEXT", "a name for this session (a kernel)" },
	{ "accept-changes", 0, NULL,
	    "go on though the host, a tool or a tree has changed" },
	{ "keep", 0, NULL, "leave the first failed trial mounted" },
	{ "quiet", 'q', NULL, "no line per trial" },
	{ NULL, 0, NULL, NULL },
};

/* What was stored, for going on. */
struct stored {
	struct plan *plan;
	struct session *sessions;
	size_t session_count;
	struct store_progress progress;
};

static int
read_stored(struct store *store, struct stored *stored, struct arena *arena,
    struct error *err)
{
	struct store_summary summary;

	/* else the cell that downed the machine twice would have a third try */
	if (store_judge_crashes(store, platform_boot_id(arena), err) == -1 ||
	    store_load_plan(store, arena, &stored->plan, err) == -1 ||
	    store_summarise(store, arena, &summary, err) == -1 ||
	    store_sessions(store, arena, &stored->sessions,
		&stored->session_count, err) == -1 ||
	    store_progress(store, arena, &stored->progress, err) == -1)
		return -1;
	if (summary.is_imported)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' was imported: there is nothing to go on with",
		    store_path(store));
	return 0;
}

/* Facts that change by themselves from day to day. */
static bool
is_moving(const char *name)
{
	static const char moving[] =
	    "boot_id uptime load background swap governor";

	return option_list_has(moving, name);
}

static size_t
compare_facts(const struct fact_list *before, const struct fact_list *now,
    const char *what)
{
	size_t changes = 0;

	for (size_t i = 0; i < now->count; i++) {
		const struct fact *fact = &now->items[i];
		const char *old = fact_list_get(before, fact->name);

		/* one that was not known may be a newer version's */
		if (is_moving(fact->name) || old == NULL ||
		    strcmp(old, fact->value) == 0)
			continue;
		cli_say("changed: %s %s was '%s' and is '%s'", what, fact->name,
		    old, fact->value);
		changes++;
	}
	return changes;
}

/* Tools of cells that are no longer run are missed by nobody. */
static size_t
missing_tools(const struct fact_list *before, const struct plan *plan,
    struct arena *arena)
{
	const char *missing = facts_missing_tool(plan, arena);
	const char *old =
	    missing != NULL ? fact_list_get(before, missing) : NULL;

	if (old == NULL)
		return 0;
	cli_say("changed: tool %s was '%s' and is gone", missing, old);
	return 1;
}

static size_t
compare_sessions(const struct session *last, const struct session *now)
{
	size_t changes = compare_facts(&last->host, &now->host, "host") +
			 compare_facts(&last->tools, &now->tools, "tool");

	if (strcmp(last->program, now->program) == 0)
		return changes;
	cli_say("changed: the program was '%s' and is '%s'", last->program,
	    now->program);
	return changes + 1;
}

static size_t
compare_trees(const struct plan *plan, const struct tree_facts *before)
{
	size_t changes = 0;

	for (size_t i = 0; i < plan->tree_count; i++) {
		if (before[i].digest == plan->tree_facts[i].digest)
			continue;
		cli_say("changed: tree '%s' (%s) had %lld entries of digest "
			"%016llx and has %lld of %016llx",
		    plan->trees[i].title, plan->trees[i].archive,
		    (long long)before[i].entries,
		    (unsigned long long)before[i].digest,
		    (long long)plan->tree_facts[i].entries,
		    (unsigned long long)plan->tree_facts[i].digest);
		changes++;
	}
	return changes;
}

/* A night must not go on with another tree, tool or machine unnoticed. */
static int
check_changes(const struct cli_args *args, const struct stored *stored,
    const struct tree_facts *before, struct error *err)
{
	struct session now;
	size_t changes = compare_trees(stored->plan, before);

	session_describe(&now, stored->plan, args->words[0], NULL, args->arena);
	if (stored->session_count > 0) {
		const struct session *last =
		    &stored->sessions[stored->session_count - 1];

		changes += compare_sessions(last, &now);
		changes +=
		    missing_tools(&last->tools, stored->plan, args->arena);
	}
	if (changes == 0 || cli_has(args, "accept-changes"))
		return 0;
	return error_set_kind(err, ERROR_HOST,
	    "%zu thing%s changed since the last session (see above); to go on "
	    "all the same, say --accept-changes",
	    changes, changes == 1 ? "" : "s");
}

/* The plan's command lines will be run: nobody else may have written them. */
static int
check_owner(const char *path, struct error *err)
{
	struct stat status;

	if (stat(path, &status) == -1) {
		error_errno(err, "cannot open '%s'", path);
		err->kind = ERROR_USAGE;
		return -1;
	}
	if (status.st_uid == geteuid() && (status.st_mode & 0002) == 0)
		return 0;
	return error_set_kind(err, ERROR_HOST,
	    "'%s' %s, and the commands in it would be run; to go on with it make it your own (chown, chmod 600)",
	    path,
	    status.st_uid != geteuid() ? "belongs to another user"
				       : "can be written to by everybody");
}

/* Reads the file; the store is closed again: the inner process opens it. */
static int
load(const struct cli_args *args, struct stored *stored, struct error *err)
{
	struct store *store;
	int rc;

	if (store_open(&store, args->words[0], STORE_WRITE, err) == -1)
		return -1;
	rc = store_check_integrity(store, err);
	if (rc == 0)
		rc = read_stored(store, stored, args->arena, err);
	store_close(store);
	return rc;
}

/* Once begun, a trial on a target that is unsafe has failed for good. */
static int
check_targets(
    const struct session_job *job, struct arena *arena, struct error *err)
{
	struct targets_case asked = {
		.plan = job->plan,
		.destroy = job->destroy,
		.destroy_count = job->destroy_count,
		.results_path = job->results,
		.image_folder = dirname(arena_strdup(arena, job->results)),
		.arena = arena,
	};

	return targets_refuse(&asked, err);
}

static int
go_on(const struct cli_args *args, struct stored *stored, struct error *err)
{
	struct plan *plan = stored->plan;
	struct tree_facts *before =
	    arena_array(args->arena, plan->tree_count + 1, sizeof *before);
	struct session_job job = {
		.results = args->words[0],
		.plan = plan,
		.done = stored->progress.done,
		.panicked = stored->progress.panicked,
		.label = cli_value(args, "label"),
		.keep = cli_has(args, "keep"),
		.quiet = cli_has(args, "quiet"),
		.spent_ns = stored->progress.spent_ns,
	};
	const char **destroy;
	int status;

	if (plan->tree_count > 0)
		memcpy(before, plan->tree_facts,
		    plan->tree_count * sizeof *before);
	if (prepare_trees(plan, &job.trees, args->arena, err) == -1)
		return -1;
	job.destroy_count = cli_values(args, "destroy", &destroy);
	job.destroy = destroy;
	status = check_changes(args, stored, before, err);
	if (status == 0)
		status = check_targets(&job, args->arena, err);
	if (status == 0)
		status = session_run(&job, args->arena);
	prepare_free_trees(plan, job.trees);
	return status;
}

/* Of a night that is finished: no session is begun for nothing. */
static int
print_report(const struct cli_args *args, struct error *err)
{
	struct reporting_options how = { .is_own = true };
	bool cells_ok;

	if (reporting_print(
		args->words[0], &how, args->arena, &cells_ok, err) == -1)
		return -1;
	return cells_ok ? EXIT_ALL_OK : EXIT_CELLS;
}

static int
exec(const struct cli_args *args)
{
	struct stored stored = { 0 };
	struct error err = { 0 };
	int status;
	int lock;

	if (check_owner(args->words[0], &err) == -1)
		return cli_fail(&err);
	lock = session_lock(args->arena, args->words[0], &err);
	if (lock == -1)
		return cli_fail(&err);
	if (session_clean(args->arena, &err) == -1 ||
	    load(args, &stored, &err) != 0) {
		(void)close(lock);
		return cli_fail(&err);
	}
	if (!cli_has(args, "quiet"))
		(void)fprintf(stderr, "%zu of %zu trials to go%s\n",
		    stored.progress.pending, stored.plan->trial_count,
		    stored.progress.pending == 0 ? ": it is finished" : "");
	status = stored.progress.pending > 0 ? go_on(args, &stored, &err)
					     : print_report(args, &err);
	(void)close(lock);
	return status == -1 ? cli_fail(&err) : status;
}

const struct cli_command command_resume = {
	.name = "resume",
	.arguments = "RESULTS",
	.summary = "Goes on with a run that was stopped, killed or cut off.",
	.help =
	    "Works from the plan in the results file, never from the matrix "
	    "file.  No finished\ntrial is repeated or lost.  A device target "
	    "needs --destroy again.  A file that\nanother user owns, or that "
	    "everybody can write to, is refused.",
	.options = options,
	.words_least = 1,
	.words_most = 1,
	.exec = exec,
};
