/*
 * From a matrix to a plan: cells out of factors and rules, trials in an order
 * that drift cannot favour.
 *
 * Pure: the same matrix, options and seed give the same plan on every system.
 * The cells have no command lines yet; fs/ writes those into them.
 */
#ifndef MM_PLAN_PLAN_MAKE_H
#define MM_PLAN_PLAN_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/matrix.h"
#include "model/plan.h"

/* Zero fields mean "as the matrix says". */
struct plan_options {
	const char *system; /* stored in the plan; NULL: "" */
	const char *system_version;
	int64_t rounds;
	int64_t budget_ns;
	uint64_t seed; /* taken when the matrix has none, and wins over it */
	const char *baseline;
	const char *const *only; /* patterns of cell keys, see plan/select.h */
	size_t only_count;
	int shard; /* of shard_count, from 1; 0: all of it */
	int shard_count;
	bool allow_many; /* more than PLAN_MOST_CELLS */
};

enum { PLAN_MOST_CELLS = 10000, PLAN_MOST_TRIALS = 1000000 };

/*
 * Makes the plan in the arena.  The matrix must outlive it.  -1 (ERROR_USAGE)
 * for a baseline or pattern that names no cell (the nearest one is said), too
 * many cells, or when no cell is left.  A seed of 0 in both is an error: the
 * caller draws one.
 */
int plan_make(const struct matrix *matrix, const struct plan_options *options,
    struct arena *arena, struct plan *plan, struct error *err);

/*
 * Names the duplicates and draws the order again, after the status of a cell
 * was changed by who wrote its command lines or asked the system about its
 * options.  "options" are those of plan_make, for the shard.
 */
void plan_refresh(
    struct plan *plan, const struct plan_options *options, struct arena *arena);

#endif
