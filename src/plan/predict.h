/* How long a plan will take: for "plan", and for stopping before a budget. */
#ifndef MM_PLAN_PREDICT_H
#define MM_PLAN_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/plan.h"

/* Nanoseconds. */
struct prediction {
	int64_t block_ns; /* one complete block */
	int64_t total_ns; /* every trial of the plan, warm-ups included */
	int64_t blocks;   /* complete blocks in the plan */
	/* how many of them end before the budget; all without one */
	int64_t blocks_in_budget;
};

/*
 * "known_ns" has a mean duration for each workload of the plan, taken from
 * earlier trials, 0 where there is none; NULL: none at all.  What is not known
 * is guessed from the kind of workload, its keys, and the tree where that has
 * been loaded (plan->tree_facts): an order of magnitude.
 */
void predict_plan(const struct plan *plan, const int64_t *known_ns,
    struct prediction *prediction);

/* The guess for one trial, with making, mounting and checking. */
int64_t predict_trial_ns(
    const struct plan *plan, const struct workload_spec *workload);

/* Whether nothing tells how long a pass takes, such as that of a command; it
 * is then taken to be 30 seconds. */
bool predict_is_blind(const struct workload_spec *workload);

#endif
