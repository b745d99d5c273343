/*
 * Plain figures of one or two samples.
 *
 * Two-pass sums, exact quantiles; nothing is rounded.  Arrays are in any
 * order and are not changed.
 */
#ifndef MM_ANALYSIS_SUMMARY_H
#define MM_ANALYSIS_SUMMARY_H

#include <stddef.h>

#include "base/arena.h"

struct interval {
	double lo, hi;
};

/* Need count > 0. */
double summary_mean(const double *values, size_t count);
double summary_minimum(const double *values, size_t count);
double summary_maximum(const double *values, size_t count);

/* The middle value, or the mean of the middle two. */
double summary_median(const double *values, size_t count, struct arena *arena);

/* With count - 1; NAN under two values. */
double summary_deviation(const double *values, size_t count);

/* Natural logarithms. */
double *summary_logs(const double *values, size_t count, struct arena *arena);

/* Interval of the mean by Student's t, for example level 0.95; needs two. */
struct interval summary_mean_interval(
    const double *values, size_t count, double level);

/*
 * Interval of the median from order statistics: the k-th from either end,
 * with the largest k that covers at least "level".  "coverage" gets the exact
 * level.  NAN when even k = 1 does not (under six values for 0.95).
 */
struct interval summary_median_interval(const double *values, size_t count,
    double level, double *coverage, struct arena *arena);

/* The order statistic used above; 0 for none. */
size_t summary_median_order(size_t count, double level);

/* Student's two-sample comparison with pooled variance: b against a. */
struct two_samples {
	double difference; /* mean(b) - mean(a) */
	double s, df;      /* pooled */
	double error;      /* of the difference */
	double half_width; /* of the 95 % interval */
	double t, p;
};

struct two_samples summary_compare(
    const double *a, size_t a_count, const double *b, size_t b_count);

/* One sample against 0, as after pairing. */
struct two_samples summary_against_zero(const double *values, size_t count);

/* Raises the error to "least" where it is below, and what follows from it. */
void summary_raise_error(struct two_samples *samples, double least);

/* Two-sided sign test: wins out of wins + losses. */
double summary_sign_p(size_t wins, size_t losses);

/*
 * Mean over blocks of each item's rank in its block, ties sharing their mean
 * rank; "values" is blocks x items, smaller is rank 1.
 */
double *summary_mean_ranks(const double *values, size_t block_count,
    size_t item_count, struct arena *arena);

#endif
