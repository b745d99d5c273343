#include "plan/order.h"

#include <string.h>

#include "base/rng.h"

void
order_start(struct order *order, uint64_t seed)
{
	*order = (struct order){ .seed = seed, .last_cell = NO_CELL };
}

/* A generator for one block; 0 is for what is drawn once per plan. */
static void
seed_block(struct rng *rng, uint64_t seed, int block)
{
	struct rng mixer;

	rng_seed(&mixer, seed);
	rng_seed(rng, rng_next(&mixer) + (uint64_t)block);
}

static void
swap(struct planned_trial *a, struct planned_trial *b)
{
	struct planned_trial t = *a;

	*a = *b;
	*b = t;
}

static void
shuffle(struct planned_trial *trials, size_t count, struct rng *rng)
{
	for (size_t i = count; i > 1; i--)
		swap(&trials[i - 1], &trials[rng_below(rng, i)]);
}

/* Puts a trial of another cell first: one drawn from all that qualify. */
static void
part_border(struct planned_trial *trials, size_t count, size_t last_cell,
    struct rng *rng)
{
	size_t others = 0, pick;

	if (trials[0].cell != last_cell)
		return;
	for (size_t i = 1; i < count; i++)
		if (trials[i].cell != last_cell)
			others++;
	if (others == 0)
		return;
	pick = (size_t)rng_below(rng, others);
	for (size_t i = 1; i < count; i++)
		if (trials[i].cell != last_cell && pick-- == 0) {
			swap(&trials[0], &trials[i]);
			return;
		}
}

/* With two cells: AB in one block, BA in the next, for each workload; which
 * comes first in block 1 is drawn. */
static void
alternate(const struct order *order, struct planned_trial *trials, size_t count,
    size_t first_cell)
{
	for (size_t i = 0; i < count; i++) {
		struct rng rng;
		size_t mate = i + 1;
		bool is_turned;

		while (
		    mate < count && trials[mate].workload != trials[i].workload)
			mate++;
		if (mate == count)
			continue;
		seed_block(&rng, order->seed + 1, (int)trials[i].workload);
		is_turned = (rng_below(&rng, 2) ^
				(uint64_t)(order->blocks_done & 1)) != 0;
		if ((trials[i].cell == first_cell) == is_turned) {
			size_t cell = trials[i].cell;

			trials[i].cell = trials[mate].cell;
			trials[mate].cell = cell;
		}
	}
}

void
order_block(struct order *order, int block, const size_t *cells,
    size_t cell_count, size_t workload_count, struct planned_trial *trials)
{
	size_t count = cell_count * workload_count;
	struct rng rng;

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		trials[i] = (struct planned_trial){ .block = block,
			.cell = cells[i % cell_count],
			.workload = i / cell_count };
	seed_block(&rng, order->seed, block);
	shuffle(trials, count, &rng);
	if (cell_count == 2)
		alternate(order, trials, count, cells[0]);
	else
		part_border(trials, count, order->last_cell, &rng);
	for (size_t i = 0; i < count; i++)
		trials[i].position = (int)i + 1;
	order->last_cell = trials[count - 1].cell;
	order->blocks_done++;
}

/* The first trial on a new image is an outlier: it is run before, on the
 * target's first cell. */
static void
add_warm_ups(
    struct plan *plan, const size_t *cells, size_t count, struct arena *arena)
{
	bool *is_warm =
	    arena_array(arena, plan->target_count + 1, sizeof(bool));

	for (size_t i = 0; i < count; i++)
		for (size_t t = 0; t < plan->target_count; t++) {
			if (is_warm[t] ||
			    strcmp(plan->targets[t].title,
				plan->cells[cells[i]].target) != 0)
				continue;
			is_warm[t] = true;
			plan->trials[plan->trial_count] =
			    (struct planned_trial){ .cell = cells[i],
				    .position = (int)plan->trial_count + 1,
				    .is_warm_up = true };
			plan->trial_count++;
		}
}

void
order_plan(struct plan *plan, int shard, int shard_count, struct arena *arena)
{
	int64_t step = shard_count > 0 ? shard_count : 1;
	int64_t first = shard_count > 0 ? shard : 1;
	size_t *cells = arena_array(arena, plan->cell_count + 1, sizeof *cells);
	size_t count = 0, per_block, blocks;
	struct order order;

	for (size_t i = 0; i < plan->cell_count; i++)
		if (cell_status_runs(plan->cells[i].status))
			cells[count++] = i;
	per_block = count * plan->workload_count;
	blocks = first > plan->rounds
		     ? 0
		     : (size_t)((plan->rounds - first) / step) + 1;
	plan->trials = arena_array(arena,
	    blocks * per_block + plan->target_count + 1, sizeof *plan->trials);
	if (per_block > 0 && blocks > 0)
		add_warm_ups(plan, cells, count, arena);
	order_start(&order, plan->seed);
	for (int64_t block = first; block <= plan->rounds; block += step) {
		order_block(&order, (int)block, cells, count,
		    plan->workload_count, &plan->trials[plan->trial_count]);
		plan->trial_count += per_block;
	}
	for (size_t i = 0; i < plan->trial_count; i++)
		plan->trials[i].index = i;
}
