/*
 * Time series inside a trial: phases of one level, stalls, and comparison at
 * the same data-set size.
 *
 * Counts per interval are made even by z = sqrt(x + 3/8); phases come from
 * exact optimal partitioning with a penalty of 4 sigma^2 ln T.  A final score
 * adds all of it up and so cannot tell a stall from a slow disk; these can.
 */
#ifndef MM_ANALYSIS_CURVE_H
#define MM_ANALYSIS_CURVE_H

#include <stddef.h>

#include "base/arena.h"
#include "model/ranking.h"
#include "model/series.h"

/* Noise of z from its steps; at least that of Poisson counts, 0.5. */
double curve_sigma(const double *counts, size_t length, struct arena *arena);

/*
 * First intervals (from 1) of the phases, at least three intervals each;
 * "count" gets how many.  With "merge", neighbours whose medians differ by
 * less than 5 % of the largest are one.
 */
size_t *curve_phases(const double *counts, size_t length, bool merge,
    size_t *count, struct arena *arena);

/* Intervals with less than 1 % of the largest count. */
struct curve_stalls {
	size_t count, longest;
	size_t first; /* from 1; 0 none */
};

struct curve_stalls curve_stalls(const double *counts, size_t length);

/* Value at a data-set size, between the intervals on either side of the first
 * one that reached it; NAN when none did. */
double curve_at_size(
    const double *sizes, const double *values, size_t length, double size);

/* Seconds after which the size was reached; NAN when it never was. */
double curve_time_to_size(
    const double *sizes, size_t length, double interval_s, double size);

/* The first column in that role, or NULL. */
const struct series_column *curve_column(
    const struct series_curve *curve, enum curve_role role);

/* Phases, stalls and comparisons of all curves of the ranking's table. */
void curve_fill(struct ranking *ranking, struct arena *arena);

#endif
