#include "trial/night.h"

#include <string.h>

#include "base/clock.h"
#include "trial/cell_state.h"
#include "trial/ladder.h"
#include "trial/night_state.h"
#include "trial/trial.h"
#include "trial/trial_begin.h"

static const char *const ends[] = {
	[NIGHT_COMPLETE] = "complete",
	[NIGHT_CANCELLED] = "stopped by a signal",
	[NIGHT_BUDGET] = "the budget is used up",
	[NIGHT_STUCK] = "stuck",
	[NIGHT_ENOUGH] = "enough is known",
	[NIGHT_KEPT] = "a failed trial was kept",
};

/* What an iteration of the night says about going on. */
enum { GO_ON = 0, END_HERE = 1 };

const char *
night_end_name(enum night_end end)
{
	return ends[end];
}

static int
end_night(struct night *night, enum night_end end, const char *reason)
{
	night->end = end;
	night->end_reason = reason;
	return END_HERE;
}

/* --- after a trial ------------------------------------------------------- */

/* Trying the same again helps only what may have been chance. */
static bool
is_worth_a_retry(const struct night_state *state, const struct trial *trial)
{
	const struct planned_trial *planned = trial->planned;
	const struct plan *plan = state->night->plan;
	enum verdict verdict = trial->outcome->verdict;

	if (planned->is_retry || planned->is_warm_up ||
	    !cell_status_runs(trial->cell->status))
		return false;
	if (verdict != VERDICT_FAILED && verdict != VERDICT_TIMEOUT &&
	    verdict != VERDICT_VOID)
		return false;
	for (size_t i = 0; i < plan->trial_count; i++)
		if (plan->trials[i].is_retry &&
		    plan->trials[i].block == planned->block &&
		    plan->trials[i].cell == planned->cell &&
		    plan->trials[i].workload == planned->workload)
			return false;
	return true;
}

static int
last_position(const struct plan *plan, int block)
{
	int last = 0;

	for (size_t i = 0; i < plan->trial_count; i++)
		if (plan->trials[i].block == block &&
		    plan->trials[i].position > last)
			last = plan->trials[i].position;
	return last;
}

static int
add_retry(struct night_state *state, const struct planned_trial *failed,
    struct error *err)
{
	struct night *night = state->night;
	struct plan *plan = night->plan;
	struct planned_trial *longer =
	    arena_array(state->arena, plan->trial_count + 1, sizeof *longer);
	struct planned_trial *retry = &longer[plan->trial_count];

	memcpy(longer, plan->trials, plan->trial_count * sizeof *longer);
	*retry = *failed;
	retry->index = plan->trial_count;
	retry->position = last_position(plan, failed->block) + 1;
	retry->is_retry = true;
	plan->trials = longer;
	plan->trial_count++;
	if (night->hooks->add_trial == NULL)
		return 0;
	return night->hooks->add_trial(night->hooks->context, retry, err);
}

/* The system, or the guard, said no at the first try: so it will every time. */
static int
judge_cell(struct night_state *state, struct trial *trial, struct error *err)
{
	const struct outcome *outcome = trial->outcome;
	bool was_mounted = state->mounted_once[trial->cell->index];

	if (outcome->cell_rejected)
		return cell_end(
		    state, trial->cell, CELL_REJECTED, outcome->reason, err);
	if (trial->is_unsafe && (!was_mounted || trial->planned->is_retry))
		return cell_end(
		    state, trial->cell, CELL_UNSAFE, outcome->reason, err);
	return 0;
}

static int
finish(struct night_state *state, struct trial *trial, struct error *err)
{
	struct night *night = state->night;
	const struct night_hooks *hooks = night->hooks;
	struct planned_trial planned = *trial->planned;
	struct night_event event = {
		.kind = NIGHT_TRIAL_ENDS,
		.trial = &planned,
		.cell = trial->cell,
		.workload = trial->spec,
		.outcome = trial->outcome,
	};

	if (judge_cell(state, trial, err) == -1)
		return -1;
	if (hooks->finish_trial != NULL &&
	    hooks->finish_trial(
		hooks->context, &planned, trial->outcome, err) == -1)
		return -1;
	state->finished++;
	state->trial_ns += clock_now_ns() - trial->began_ns;
	if (trial->outcome->verdict == VERDICT_OK)
		night->trials_ok++;
	else
		night->trials_not_ok++;
	event.is_tried_again = is_worth_a_retry(state, trial);
	if (event.is_tried_again && add_retry(state, &planned, err) == -1)
		return -1;
	return night_tell(state, &event, err);
}

/* --- a trial, a block, a night ------------------------------------------- */

static int
climb_one(struct night_state *state, size_t index, struct arena *arena,
    bool *kept, struct error *err)
{
	struct night *night = state->night;
	const struct night_hooks *hooks = night->hooks;
	const struct planned_trial planned = night->plan->trials[index];
	struct trial trial;

	if (trial_begin(state, &planned, arena, &trial, err) == -1)
		return -1;
	if (hooks->begin_trial != NULL &&
	    hooks->begin_trial(hooks->context, &planned, err) == -1)
		return -1;
	if (night_tell(state,
		&(struct night_event){
		    .kind = NIGHT_TRIAL_BEGINS,
		    .trial = &planned,
		    .cell = trial.cell,
		    .workload = trial.spec,
		},
		err) == -1)
		return -1;
	if (ladder_climb(&trial, false, night->options->keep, kept, err) == -1)
		return -1;
	if (*kept)
		night->kept = arena_strdup(state->arena, trial.mountpoint);
	return finish(state, &trial, err);
}

static int
run_one(struct night_state *state, size_t index, struct error *err)
{
	struct night *night = state->night;
	struct arena *arena = arena_new();
	bool kept = false;
	int result = climb_one(state, index, arena, &kept, err);

	arena_free(arena);
	if (result == -1 && err->kind == ERROR_CANCELLED)
		return end_night(night, NIGHT_CANCELLED, "a signal came");
	if (result == -1)
		return -1;
	if (kept)
		return night_keep(state, err) == -1
			   ? -1
			   : end_night(night, NIGHT_KEPT,
				 "a failed trial was left mounted");
	if (state->is_stuck)
		return end_night(night, NIGHT_STUCK, state->stuck_reason);
	if (proc_is_cancelled())
		return end_night(night, NIGHT_CANCELLED, "a signal came");
	return GO_ON;
}

/* Retries are appended while the block runs and belong to it, so the list
 * is walked to an end that moves. */
static int
run_block(struct night_state *state, int block, size_t *ran, struct error *err)
{
	const struct plan *plan = state->night->plan;

	for (size_t i = 0; i < plan->trial_count; i++) {
		int result;

		if (plan->trials[i].block != block ||
		    !night_is_pending(state, i))
			continue;
		result = run_one(state, i, err);
		if (result != GO_ON)
			return result;
		(*ran)++;
	}
	return GO_ON;
}

static int
last_block(const struct plan *plan)
{
	int last = 0;

	for (size_t i = 0; i < plan->trial_count; i++)
		if (plan->trials[i].block > last)
			last = plan->trials[i].block;
	return last;
}

/* At a block's end: would the next one still fit? */
static bool
is_over_budget(
    const struct night_state *state, int64_t block_ns, bool is_warm_up)
{
	const struct night *night = state->night;
	int64_t budget = night->plan->budget_ns;
	int64_t spent =
	    night->options->spent_ns + (clock_now_ns() - state->started_ns);
	int64_t next = night->options->block_ns;

	if (next == 0 && !is_warm_up)
		next = block_ns;
	return budget > 0 && spent + next > budget;
}

static int
end_block(struct night_state *state, int block, int64_t block_ns, int last,
    struct error *err)
{
	struct night *night = state->night;
	const struct night_hooks *hooks = night->hooks;
	int result = 0;

	if (hooks->block_done != NULL)
		result = hooks->block_done(hooks->context, block, err);
	if (result == -1)
		return -1;
	if (block == last)
		return GO_ON;
	if (result == 1)
		return end_night(
		    night, NIGHT_ENOUGH, "more blocks would not tell more");
	if (is_over_budget(state, block_ns, block == 0))
		return end_night(night, NIGHT_BUDGET,
		    "the next block would not fit in the budget");
	return GO_ON;
}

static int
run_blocks(struct night_state *state, struct error *err)
{
	const struct plan *plan = state->night->plan;
	int last = last_block(plan);

	for (int block = 0; block <= last; block++) {
		int64_t began = clock_now_ns();
		size_t ran = 0;
		int result = run_block(state, block, &ran, err);

		if (result != GO_ON)
			return result;
		if (ran == 0)
			continue;
		result =
		    end_block(state, block, clock_now_ns() - began, last, err);
		if (result != GO_ON)
			return result;
	}
	return GO_ON;
}

int
night_run(struct night *night, struct arena *arena, struct error *err)
{
	struct night_state state;
	int result;

	night->end = NIGHT_COMPLETE;
	night->end_reason = "";
	night->kept = NULL;
	night->trials_ok = night->trials_not_ok = 0;
	if (night_state_open(&state, night, arena, err) == -1)
		return -1;
	result = run_blocks(&state, err);
	if (night_state_close(&state) > 0 && result != -1 &&
	    night->end != NIGHT_STUCK)
		(void)end_night(night, NIGHT_STUCK,
		    "something could not be undone; see 'mountmatrix clean'");
	return result == -1 ? -1 : 0;
}

static int
try_one(struct night_state *state, size_t cell, struct arena *arena,
    struct outcome **outcome, struct error *err)
{
	const struct planned_trial planned = { .cell = cell };
	struct trial trial;
	bool kept;

	if (trial_begin_try(state, &planned, arena, &trial, err) == -1 ||
	    ladder_climb(&trial, true, false, &kept, err) == -1)
		return -1;
	*outcome = trial.outcome;
	return judge_cell(state, &trial, err);
}

int
night_try_cell(struct night *night, size_t cell, struct arena *arena,
    struct outcome **outcome, struct error *err)
{
	struct night_state state;
	int result;

	if (night_state_open(&state, night, arena, err) == -1)
		return -1;
	result = try_one(&state, cell, arena, outcome, err);
	(void)night_state_close(&state);
	return result;
}
