/* Did the night drift: blocks, the place in a block, neighbours in time. */
#ifndef MM_ANALYSIS_DRIFT_H
#define MM_ANALYSIS_DRIFT_H

#include <stddef.h>

#include "base/arena.h"

struct slope {
	double slope, t, p;
	double df;
};

/* The line through (x, y), and Student's t of its slope; NANs when x does not
 * vary or there are fewer than three points. */
struct slope drift_slope(const double *x, const double *y, size_t count);

/* Correlation of each value with the next, t and p of it (df = count - 3). */
struct slope drift_lag1(const double *y, size_t count);

#endif
