/* The cells of "check": the kernel is asked, and as root each is tried. */
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/proc.h"
#include "cli/checkup.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "fs/driver.h"
#include "platform/host.h"
#include "platform/isolate.h"
#include "platform/probe.h"
#include "trial/night.h"

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

int
checkup_cells(struct checkup *checkup, struct error *err)
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
