/*
 * mountmatrix check: what a run would meet, changing nothing but a scratch
 * image of its own.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/proc.h"
#include "base/units.h"
#include "cli/checkup.h"
#include "cli/cli.h"
#include "cli/facts.h"
#include "cli/prepare.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "fs/driver.h"
#include "platform/filesystem.h"
#include "platform/host.h"
#include "platform/isolate.h"
#include "platform/lock.h"
#include "platform/probe.h"
#include "trial/guard.h"
#include "trial/night.h"

static const struct cli_option options[] = {
	{ "platform", 'p', "SYSTEM", "check for another system's tables" },
	{ "destroy", 0, "DEVICE", "this device may be overwritten" },
	{ "only", 0, "CELL", "only cells that match; may be repeated" },
	{ "no-try", 0, NULL, "make no scratch image, ask the kernel only" },
	{ "json", 0, NULL, "for a program" },
	{ "yes", 0, NULL, "also more than 10000 cells" },
	{ NULL, 0, NULL, NULL },
};

void
checkup_say(struct checkup *checkup, const char *what, const char *subject,
    const char *verdict, const char *text)
{
	struct arena *arena = checkup->args->arena;

	if (checkup->is_json) {
		(void)printf("%s\n  { \"check\": %s, \"subject\": %s, "
			     "\"verdict\": %s, \"text\": %s }",
		    checkup->findings > 0 ? "," : "",
		    cli_json_string(arena, what),
		    cli_json_string(arena, subject),
		    cli_json_string(arena, verdict),
		    cli_json_string(arena, text));
	} else
		(void)printf("%-7s %-34s %s%s%s\n", what, subject, verdict,
		    text[0] != '\0' ? ": " : "", text);
	/* a cell takes a second: whoever reads a pipe sees each as it comes */
	(void)fflush(stdout);
	checkup->findings++;
}

/* --- cells ---------------------------------------------------------------- */

/* Did the kernel say why it refused at least one of them? */
static bool
has_words(const struct probe_result *result)
{
	for (size_t i = 0; i < result->refusal_count; i++)
		if (result->refusals[i].has_words)
			return true;
	return false;
}

/*
 * Asks the kernel about the cell's mount options; true when it refused.  What
 * it refused without a word is left to a mount, where one can be tried: only
 * then the kernel's log says what was wrong with the value.
 */
static bool
ask_kernel(struct checkup *checkup, struct cell *cell, bool is_tried)
{
	struct arena *arena = checkup->args->arena;
	const struct driver *driver = fs_driver_find(cell->driver);
	struct probe_result result = { 0 };
	struct buffer text;
	struct error err;
	const char **items;
	size_t count;

	if (cell->asked == NULL || driver == NULL || driver->type == NULL ||
	    driver->type[0] == '\0' || driver->is_user_space)
		return false;
	count = cli_split_commas(arena, cell->asked, &items);
	if (platform_probe_options(
		driver->type, items, count, arena, &result, &err) != 0 ||
	    !result.was_asked)
		return false;
	if (!result.is_known) {
		cell->status = CELL_REJECTED;
		cell->reason = arena_printf(
		    arena, "this kernel has no filesystem '%s'", driver->type);
		return true;
	}
	if (result.refusal_count == 0 || (is_tried && !has_words(&result)))
		return false;
	buffer_init(&text);
	for (size_t i = 0; i < result.refusal_count; i++)
		buffer_printf(&text, "%s%s: %s", i > 0 ? "; " : "",
		    result.refusals[i].option, result.refusals[i].words);
	cell->status = CELL_REJECTED;
	cell->reason = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return true;
}

static void
try_cell(struct checkup *checkup, struct night *night, size_t index)
{
	struct arena *arena = checkup->args->arena;
	struct cell *cell = &checkup->prepared.plan.cells[index];
	struct outcome *outcome;
	struct error err = { 0 };

	if (night_try_cell(night, index, arena, &outcome, &err) == -1) {
		cell->status = CELL_UNSAFE;
		cell->reason = arena_strdup(arena, err.text);
	} else if (outcome->verdict != VERDICT_OK &&
		   cell_status_runs(cell->status)) {
		cell->status = CELL_REJECTED;
		cell->reason = arena_strdup(arena, outcome->reason);
	}
}

/* Why the cell is not tried though others are, or NULL. */
static const char *
why_untried(struct checkup *checkup, const struct cell *cell)
{
	const struct target *target =
	    plan_target(&checkup->prepared.plan, cell->target);

	if (target != NULL && target->kind == TARGET_MOUNTPOINT)
		return "not tried: the filesystem there stays as it is";
	if (checkup_names_more(checkup, cell))
		return "not tried: it takes more than one device";
	return NULL;
}

static void
check_cell(struct checkup *checkup, struct night *night, size_t index)
{
	struct plan *plan = &checkup->prepared.plan;
	struct cell *cell = &plan->cells[index];
	struct arena *arena = checkup->args->arena;
	const char *text = cell->reason != NULL ? cell->reason : "";
	const char *untried = NULL;
	bool is_asked;

	if (cell_status_runs(cell->status) &&
	    strcmp(plan->system, platform_system(arena)) != 0 &&
	    cli_has(checkup->args, "platform")) {
		if (cell->status == CELL_DUPLICATE &&
		    cell->duplicate_of != NO_CELL)
			text = plan->cells[cell->duplicate_of].key;
		checkup_say(checkup, "cell", cell->key,
		    cell_status_name(cell->status), text);
		return;
	}
	if (night != NULL)
		untried = why_untried(checkup, cell);
	is_asked = cell_status_runs(cell->status) &&
		   !ask_kernel(checkup, cell, night != NULL && untried == NULL);
	if (is_asked && night != NULL && untried == NULL)
		try_cell(checkup, night, index);
	if (proc_is_cancelled())
		return;
	text = cell->reason != NULL ? cell->reason : "";
	if (cell->status == CELL_DUPLICATE && cell->duplicate_of != NO_CELL)
		text = plan->cells[cell->duplicate_of].key;
	else if (is_asked && untried != NULL && text[0] == '\0')
		text = untried;
	else if (cell->status == CELL_OK && cell->in_force != NULL)
		text = arena_printf(arena, "in force: %s", cell->in_force);
	checkup_say(
	    checkup, "cell", cell->key, cell_status_name(cell->status), text);
	if (!cell_status_runs(cell->status))
		checkup->bad_cells++;
}

/* Runs in a mount namespace of its own where there is one. */
static int
check_cells(void *context)
{
	struct checkup *checkup = context;
	struct plan *plan = &checkup->prepared.plan;
	struct night_options night_options = {
		.state_directory = checkup->state,
		.image_directory = checkup->scratch,
	};
	struct night_hooks hooks = { 0 };
	struct night night = {
		.plan = plan,
		.options = &night_options,
		.hooks = &hooks,
	};

	for (size_t i = 0; i < plan->cell_count && !proc_is_cancelled(); i++)
		check_cell(checkup, checkup->can_try ? &night : NULL, i);
	(void)fflush(stdout);
	return checkup->bad_cells > 0 ? EXIT_CELLS : EXIT_ALL_OK;
}

/* --- tools, room, noise ----------------------------------------------------
 */

static int64_t
smallest_target(const struct plan *plan)
{
	int64_t least = -1;

	for (size_t i = 0; i < plan->target_count; i++)
		if (plan->targets[i].size_bytes > 0 &&
		    (least == -1 || plan->targets[i].size_bytes < least))
			least = plan->targets[i].size_bytes;
	return least;
}

static void
check_trees(struct checkup *checkup)
{
	struct plan *plan = &checkup->prepared.plan;
	struct arena *arena = checkup->args->arena;
	int64_t room = smallest_target(plan);
	struct error *errors =
	    arena_array(arena, plan->tree_count + 1, sizeof *errors);

	(void)prepare_each_tree(plan, &checkup->prepared.trees, errors, arena);
	for (size_t i = 0; i < plan->tree_count; i++) {
		const struct tree *tree = checkup->prepared.trees[i];
		struct error why = { 0 };
		char *text;

		if (tree == NULL && errors[i].text[0] == '\0')
			continue;
		if (tree == NULL) {
			checkup->problems++;
			checkup_say(checkup, "tree", plan->trees[i].title,
			    "bad", errors[i].text);
			continue;
		}
		text = arena_printf(arena, "%lld entries, %s, %s%s%s",
		    (long long)plan->tree_facts[i].entries,
		    units_format_size(arena, plan->tree_facts[i].bytes),
		    plan->trees[i].copies == 1
			? "1 copy"
			: arena_printf(arena, "%lld copies",
			      (long long)plan->trees[i].copies),
		    tree_remarks(tree, arena)[0] != '\0' ? "; " : "",
		    tree_remarks(tree, arena));
		/* a tenth is the filesystem's own */
		if (room > 0 && tree_check_room(tree, plan->trees[i].copies,
				    room / 10 * 9, 0, &why) == -1) {
			checkup->problems++;
			checkup_say(checkup, "tree", plan->trees[i].title,
			    "too big", why.text);
		} else
			checkup_say(
			    checkup, "tree", plan->trees[i].title, "ok", text);
	}
}

/* The programs of "command" workloads, as far as they are known before. */
static void
check_commands(struct checkup *checkup)
{
	const struct plan *plan = &checkup->prepared.plan;

	if (cli_has(checkup->args, "platform"))
		return;
	for (size_t i = 0; i < plan->workload_count; i++) {
		const char *program = facts_missing_command(
		    &plan->workloads[i], checkup->args->arena);

		if (program == NULL)
			continue;
		checkup->problems++;
		checkup_say(checkup, "tool", program, "missing",
		    arena_printf(checkup->args->arena,
			"workload '%s' runs it, and it is not on this host",
			plan->workloads[i].title));
	}
}

static void
check_host(struct checkup *checkup)
{
	static const char *const told[] = { "debugging", "governor",
		"virtualization", "background" };
	struct arena *arena = checkup->args->arena;
	const char *missing =
	    facts_missing_tool(&checkup->prepared.plan, arena);
	struct fact_list facts = { 0 };
	const char *load;

	if (missing != NULL) {
		checkup->problems++;
		checkup_say(checkup, "tool", missing, "missing",
		    "not on this host; its cells cannot run");
	}
	if (!checkup->isolation.is_root)
		checkup_say(checkup, "host", "root", "no",
		    "only directory and memory targets can run; cells were "
		    "asked of the kernel, not tried");
	platform_host_facts(arena, &facts);
	for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
		const char *value = fact_list_get(&facts, told[i]);

		if (value != NULL)
			checkup_say(checkup, "host", told[i], value, "");
	}
	load = fact_list_get(&facts, "load");
	if (load != NULL)
		checkup_say(checkup, "host", "load",
		    fact_list_is_busy(&facts) ? "busy" : "ok",
		    arena_printf(arena, "%s on %s CPUs%s", load,
			fact_list_get(&facts, "cpus"),
			fact_list_is_busy(&facts)
			    ? "; other work would be in every figure"
			    : ""));
}

/* --- the command ---------------------------------------------------------- */

static int
run_cells(struct checkup *checkup, struct error *err)
{
	struct isolate_job job = {
		.function = check_cells,
		.context = checkup,
		.allow_less = true,
	};
	struct arena *arena = checkup->args->arena;
	struct isolate isolate;
	int code;
	int number;

	(void)fflush(stdout);
	if (!checkup->can_try) {
		(void)check_cells(checkup);
		return 0;
	}
	if (prepare_scratch_targets(&checkup->prepared, arena, err) == -1 ||
	    stop_catch(err) == -1 ||
	    platform_isolate_start(&job, arena, &isolate, err) == -1)
		return -1;
	stop_watch(&isolate);
	if (platform_isolate_wait(&isolate, &code, &number, err) == -1)
		return -1;
	platform_isolate_close(&isolate);
	/* killed by itself it has undone nothing */
	if ((number != 0 || stop_signal() != 0) &&
	    session_clean(arena, err) == -1)
		return -1;
	stop_raise();
	if (number != 0)
		return error_set(err,
		    "the check of the cells was ended by signal %d", number);
	checkup->bad_cells = code == EXIT_CELLS;
	checkup->findings++;
	return 0;
}

/* Where locks and journals are; without it nothing can be run. */
static void
open_state(struct checkup *checkup)
{
	struct error err = { 0 };

	if (cli_has(checkup->args, "platform"))
		return;
	if (platform_state_directory(
		checkup->args->arena, &checkup->state, &err) == -1) {
		checkup->problems++;
		checkup_say(checkup, "host", "state", "no", err.text);
		return;
	}
	checkup->scratch = checkup->state;
	checkup->can_try =
	    checkup->isolation.is_root && !cli_has(checkup->args, "no-try");
}

/* The end of the list, also where the check itself could not go on. */
static int
conclude(struct checkup *checkup, const struct error *err)
{
	const char *complaints = checkup->prepared.complaints;
	int status = EXIT_ALL_OK;

	if (err != NULL && checkup->is_json)
		checkup_say(checkup, "check", checkup->args->words[0], "failed",
		    complaints != NULL ? complaints : err->text);
	if (checkup->is_json)
		(void)puts("\n]");
	prepare_free_trees(&checkup->prepared.plan, checkup->prepared.trees);
	if (err != NULL)
		return prepare_fail(err);
	if (checkup->bad_cells > 0)
		status = EXIT_CELLS;
	if (checkup->unsafe_targets + checkup->problems > 0)
		status = EXIT_HOST;
	return status;
}

static int
exec(const struct cli_args *args)
{
	struct checkup checkup = {
		.args = args, .is_json = cli_has(args, "json"), .scratch = "."
	};
	struct error err = { 0 };

	if (checkup.is_json)
		(void)printf("[");
	if (prepare_plan(args, args->words[0], &checkup.prepared, &err) == -1)
		return conclude(&checkup, &err);
	platform_isolation(args->arena, &checkup.isolation);
	open_state(&checkup);
	checkup_targets(&checkup);
	check_trees(&checkup);
	check_commands(&checkup);
	check_host(&checkup);
	if (run_cells(&checkup, &err) == -1)
		return conclude(&checkup, &err);
	return conclude(&checkup, NULL);
}

const struct cli_command command_check = {
	.name = "check",
	.arguments = "FILE",
	.summary = "Checks a matrix file against this host; changes nothing.",
	.help = "As root every cell is made, mounted, read back and unmounted "
		"on a scratch image;\notherwise the kernel is asked about "
		"each option.",
	.options = options,
	.words_least = 1,
	.words_most = 1,
	.exec = exec,
};
