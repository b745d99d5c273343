/*
 * mountmatrix check: what a run would meet, changing nothing but a scratch
 * image of its own.
 */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/checkup.h"
#include "cli/cli.h"
#include "cli/facts.h"
#include "cli/prepare.h"
#include "platform/host.h"
#include "platform/lock.h"

static const struct cli_option options[] = {
	{ "platform", 'p', "SYSTEM", "check for another system's tables" },
	{ "destroy", 0, "DEVICE", "this device may be overwritten" },
	{ "only", 0, "CELL", "only cells that match; may be repeated" },
	{ "no-try", 0, NULL, "make no scratch image, ask the kernel only" },
	{ "json", 0, NULL, "for a program" },
	{ "yes", 0, NULL, "also more than 10000 cells" },
	{ NULL, 0, NULL, NULL },
};

/* --- tools, room, noise --------------------------------------------------- */

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
		text = arena_printf(arena, "%lld %s, %s, %s%s%s",
		    (long long)plan->tree_facts[i].entries,
		    plan->tree_facts[i].entries == 1 ? "entry" : "entries",
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

/* What it comes to, last, where it is seen. */
static void
summarise(const struct checkup *checkup)
{
	const char *words[] = {
		checkup->unsafe_targets > 0 ? "a target is unsafe" : NULL,
		checkup->problems > 0 ? "a file or this host lacks something"
				      : NULL,
		checkup->bad_cells > 0 ? "some cells cannot run" : NULL,
	};
	const char *before = "not all ok: ";

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i] != NULL) {
			(void)printf("%s%s", before, words[i]);
			before = ", ";
		}
	(void)puts(strcmp(before, ", ") == 0 ? "" : "all ok");
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
	if (!checkup->is_json)
		summarise(checkup);
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
	/* what this host is and has says nothing of a night elsewhere */
	if (strcmp(checkup.prepared.plan.system,
		platform_system(args->arena)) == 0)
		check_host(&checkup);
	if (checkup_cells(&checkup, &err) == -1)
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
