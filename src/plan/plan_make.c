#include "plan/plan_make.h"

#include "plan/expand.h"
#include "plan/order.h"
#include "plan/select.h"

static void
copy_settings(const struct matrix *matrix, const struct plan_options *options,
    struct plan *plan)
{
	*plan = (struct plan){ .title = matrix->title,
		.matrix_path = matrix->path,
		.matrix_text = matrix->text,
		.system = options->system == NULL ? "" : options->system,
		.system_version = options->system_version == NULL
				      ? ""
				      : options->system_version,
		.seed = options->seed != 0 ? options->seed : matrix->seed,
		.rounds =
		    options->rounds != 0 ? options->rounds : matrix->rounds,
		.budget_ns = options->budget_ns != 0 ? options->budget_ns
						     : matrix->budget_ns,
		.memory_limit_bytes = matrix->memory_limit_bytes,
		.only = options->only,
		.only_count = options->only_count,
		.shard = options->shard,
		.shard_count = options->shard_count,
		.targets = matrix->targets,
		.target_count = matrix->target_count,
		.trees = matrix->trees,
		.tree_count = matrix->tree_count,
		.workloads = matrix->workloads,
		.workload_count = matrix->workload_count };
}

static int
check_options(const struct plan_options *options, const struct plan *plan,
    struct error *err)
{
	if (plan->seed == 0)
		return error_set(err, "no seed was drawn for the plan");
	if (plan->rounds < 1 || plan->rounds > 1000000)
		return error_set_kind(
		    err, ERROR_USAGE, "rounds: expected 1 to 1000000");
	if (options->shard_count == 0)
		return 0;
	if (options->shard < 1 || options->shard > options->shard_count)
		return error_set_kind(err, ERROR_USAGE,
		    "shard %d of %d: expected 1 to %d", options->shard,
		    options->shard_count, options->shard_count);
	if (options->shard > plan->rounds)
		return error_set_kind(err, ERROR_USAGE,
		    "shard %d of %d has no block to run: there are %lld rounds",
		    options->shard, options->shard_count,
		    (long long)plan->rounds);
	return 0;
}

/* Cells there must be, and no more trials than a store can be asked to
 * hold. */
static int
check_cells(const struct plan *plan, struct error *err)
{
	int64_t per_block = (int64_t)(plan->cell_count * plan->workload_count);

	if (plan->cell_count == 0)
		return error_set_kind(
		    err, ERROR_USAGE, "%s: no cell is left", plan->matrix_path);
	if (per_block > 0 && plan->rounds > PLAN_MOST_TRIALS / per_block)
		return error_set_kind(err, ERROR_USAGE,
		    "%s: %lld rounds of %lld trials are more than %d; take "
		    "fewer rounds, or name cells with --only",
		    plan->matrix_path, (long long)plan->rounds,
		    (long long)per_block, PLAN_MOST_TRIALS);
	return 0;
}

void
plan_refresh(
    struct plan *plan, const struct plan_options *options, struct arena *arena)
{
	expand_duplicates(plan, arena);
	plan->trial_count = 0;
	order_plan(plan, options == NULL ? 0 : options->shard,
	    options == NULL ? 0 : options->shard_count, arena);
}

int
plan_make(const struct matrix *matrix, const struct plan_options *options,
    struct arena *arena, struct plan *plan, struct error *err)
{
	static const struct plan_options none = { 0 };
	const struct plan_options *o = options == NULL ? &none : options;

	copy_settings(matrix, o, plan);
	if (check_options(o, plan, err) == -1 ||
	    expand_cells(matrix, o->allow_many, arena, plan, err) == -1 ||
	    select_baseline(matrix,
		o->baseline != NULL ? o->baseline : matrix->baseline, arena,
		plan, err) == -1 ||
	    select_only(plan, o->only, o->only_count, arena, err) == -1 ||
	    check_cells(plan, err) == -1)
		return -1;
	plan->tree_facts =
	    arena_array(arena, plan->tree_count + 1, sizeof *plan->tree_facts);
	for (size_t i = 0; i < plan->tree_count; i++)
		plan->tree_facts[i].title = plan->trees[i].title;
	plan_refresh(plan, o, arena);
	return 0;
}
