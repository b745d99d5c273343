/*
 * The order of trials: randomised complete blocks, so that what drifts during
 * the night hits all cells alike.
 *
 * Per block a fresh Fisher-Yates shuffle of every cell with every workload.
 * With three cells or more no cell runs last in one block and first in the
 * next; with two the blocks alternate AB, BA for each workload (a swap at the
 * border would make all blocks alike).
 *
 * A block's shuffle depends on the seed and the number of the block only, so
 * shards on several hosts draw the same blocks.  order_block takes the cells
 * that still take part, so that a race can leave some out.
 */
#ifndef MM_PLAN_ORDER_H
#define MM_PLAN_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/plan.h"

struct order {
	uint64_t seed;
	size_t last_cell; /* of the block before; NO_CELL */
	int blocks_done;  /* for the alternation of two cells */
};

void order_start(struct order *order, uint64_t seed);

/*
 * Writes one block's cell_count * workload_count trials to "trials": block,
 * position, cell and workload; their index is the caller's.
 */
void order_block(struct order *order, int block, const size_t *cells,
    size_t cell_count, size_t workload_count, struct planned_trial *trials);

/*
 * Fills plan->trials: block 0 has one warm-up for each target (its first cell
 * that runs), then the blocks 1 to plan->rounds, of which shard I of N has
 * every Nth from I.  Only cells that run take part.
 */
void order_plan(
    struct plan *plan, int shard, int shard_count, struct arena *arena);

#endif
