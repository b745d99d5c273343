/*
 * The studentized range, over one or several clusters, and its one-sided
 * relative.
 *
 * A cluster is a set of cells not yet told apart; the statistic is the largest
 * range in any cluster, in units of one common standard error with df degrees
 * of freedom.  One cluster gives Tukey's HSD.  Sizes below 2 do not count.
 *
 * Integrals are trapezium sums of analytic functions (errors near 1e-12).
 * With few df R's qtukey is off by as much as 24 %; these are not.
 */
#ifndef MM_ANALYSIS_TUKEY_H
#define MM_ANALYSIS_TUKEY_H

#include <stddef.h>

/* P(largest range < q). */
double tukey_lower(double q, const size_t *sizes, size_t size_count, double df);

/* The q with P(largest range < q) = p; 0 when no size is above 1. */
double tukey_quantile(
    double p, const size_t *sizes, size_t size_count, double df);

/* The same for one cluster. */
double tukey_range_quantile(double p, size_t cells, double df);

/*
 * One-sided Dunnett (Gupta's subset of the best), "others" comparisons with
 * equal numbers of runs, on the scale of t.
 */
double dunnett_quantile(double p, size_t others, double df);

#endif
