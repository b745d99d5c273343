#include "trial/trial_begin.h"

#include <string.h>

#include "base/clock.h"
#include "trial/trial.h"

static int
find_target(struct night_state *state, struct trial *trial, struct error *err)
{
	size_t count = state->night->plan->target_count;

	for (size_t i = 0; i < count; i++)
		if (strcmp(state->targets[i].target->title,
			trial->cell->target) == 0) {
			trial->target = &state->targets[i];
			return target_prepare(state, trial->target, err);
		}
	return error_set(err,
	    "cell '%s' is on target '%s', which is not in the plan",
	    trial->cell->key, trial->cell->target);
}

static int
find_tree(struct night_state *state, struct trial *trial, struct error *err)
{
	const struct night *night = state->night;

	if (trial->spec->tree == NULL)
		return 0;
	for (size_t i = 0; i < night->plan->tree_count; i++)
		if (strcmp(night->plan->trees[i].title, trial->spec->tree) ==
		    0) {
			trial->tree_spec = &night->plan->trees[i];
			trial->tree =
			    night->trees != NULL ? night->trees[i] : NULL;
		}
	if (trial->tree == NULL)
		return error_set(err, "workload '%s': tree '%s' was not loaded",
		    trial->spec->title, trial->spec->tree);
	return 0;
}

static int
find_workload(struct night_state *state, struct trial *trial, struct error *err)
{
	const struct plan *plan = state->night->plan;

	trial->spec = &plan->workloads[trial->planned->workload];
	trial->workload = workload_find(trial->spec->type);
	if (trial->workload == NULL)
		return error_set(err,
		    "workload '%s': no type '%s' in this build",
		    trial->spec->title, trial->spec->type);
	if (trial->workload->writes &&
	    trial->target->target->kind == TARGET_MOUNTPOINT)
		return error_set_kind(err, ERROR_USAGE,
		    "workload '%s' writes, and target '%s' is to stay as it is: only workloads that read run there",
		    trial->spec->title, trial->cell->target);
	if (workload_bind(trial->workload, trial->spec->settings,
		trial->spec->setting_count, trial->arena, &trial->keys,
		err) == -1)
		return -1;
	return find_tree(state, trial, err);
}

int
trial_begin_try(struct night_state *state, const struct planned_trial *planned,
    struct arena *arena, struct trial *trial, struct error *err)
{
	*trial = (struct trial){
		.state = state,
		.planned = planned,
		.cell = &state->night->plan->cells[planned->cell],
		.arena = arena,
		.outcome = outcome_new(arena, planned->index),
		.device = "",
		.unit = "",
		.attachment.fd = -1,
		.mountpoint = state->mountpoint,
		.elapsed_s = -1,
		.began_ns = clock_now_ns(),
	};
	trial->driver = fs_driver_find(trial->cell->driver);
	if (trial->driver == NULL)
		return error_set(err, "cell '%s': no driver '%s' in this build",
		    trial->cell->key, trial->cell->driver);
	return find_target(state, trial, err);
}

int
trial_begin(struct night_state *state, const struct planned_trial *planned,
    struct arena *arena, struct trial *trial, struct error *err)
{
	if (trial_begin_try(state, planned, arena, trial, err) == -1)
		return -1;
	return find_workload(state, trial, err);
}
