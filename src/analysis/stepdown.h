/*
 * Who is different from whom, over all pairs at once.
 *
 * The step-down (sequential rejection) form of Tukey's test: pairs found
 * different split the items into clusters, and the next, smaller critical
 * value only covers ranges inside clusters (Al Mohamad, Goeman and van Zwet,
 * simultaneous confidence intervals for ranks).  The chance of even one false
 * claim is alpha; the rank ranges hold jointly.
 */
#ifndef MM_ANALYSIS_STEPDOWN_H
#define MM_ANALYSIS_STEPDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct stepdown {
	size_t count;
	bool *different; /* count x count */
	int *rank_lo;    /* each item's rank range, from 1 */
	int *rank_hi;
	double *q; /* critical value of each step, not increasing */
	size_t step_count;
};

/*
 * "value" is smaller for the better; "error" holds the standard error of each
 * difference, count x count.
 */
struct stepdown *stepdown_tukey(const double *value, const double *error,
    size_t count, double df, double alpha, struct arena *arena);

/* Rank ranges from what is known to be different. */
void stepdown_ranges(struct stepdown *stepdown, const double *value);

/* True when another item has the same rank_lo. */
bool stepdown_is_tied(const struct stepdown *stepdown, size_t item);

/*
 * Letters such that two items share one when they are not told apart; "order"
 * has the items best first.  NULL when more than 52 letters are needed.
 */
const char **stepdown_letters(
    const struct stepdown *stepdown, const size_t *order, struct arena *arena);

#endif
