/*
 * Least squares on given columns, in the order given.
 *
 * Columns are made orthogonal one after the other (Gram-Schmidt, twice); one
 * that the earlier ones already span is dropped and its coefficient is NAN, so
 * an effect that cannot be told from earlier ones is never reported.
 */
#ifndef MM_ANALYSIS_REGRESS_H
#define MM_ANALYSIS_REGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct regression {
	size_t column_count;
	bool *is_dropped;
	double *coefficient;
	double *covariance; /* columns x columns, in units of s2 */
	double *square;     /* sequential sum of squares of each column */
	double rss;
	double df, s2; /* s2 is NAN when df is 0, 0 when only rounding */
};

/* "columns" is one array of "rows" values per column. */
struct regression *regress(double *const *columns, size_t column_count,
    const double *y, size_t rows, struct arena *arena);

/* Variance of sum w_j b_j in units of s2. */
double regress_variance(const struct regression *regression, const double *w);

/*
 * The probability of an estimate this far from 0 if it were 0.  Without any
 * noise what is more than rounding is certain (0), the rest is 0 (1); NAN for
 * single runs.
 */
double regress_p(double estimate, double variance, double df);

/* F test that these coefficients are all 0, dropped ones left out; "used"
 * gets how many were tested.  Without any noise it is 0 or infinite. */
double regress_f(const struct regression *regression, const size_t *columns,
    size_t count, size_t *used, struct arena *arena);

#endif
