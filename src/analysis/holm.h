/* Many tests at once: Holm's step-down correction. */
#ifndef MM_ANALYSIS_HOLM_H
#define MM_ANALYSIS_HOLM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Marks the tests that hold when all of them together may be wrong with a
 * chance of "alpha" (S. Holm, 1979): the smallest p against alpha/m, the next
 * against alpha/(m-1), until one does not hold.  NaN is a test that was not
 * made and does not count.
 */
void holm_mark(const double *p, bool *is_significant, size_t count,
    double alpha, struct arena *arena);

#endif
