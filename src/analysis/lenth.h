/*
 * Lenth's method: which effects of a matrix that ran once stand out.
 *
 * Most effects are assumed to be nothing but noise; their median tells how
 * much.  Critical values are by simulation (10^6 draws), not Lenth's t with
 * m/3 df, which is too wide.
 */
#ifndef MM_ANALYSIS_LENTH_H
#define MM_ANALYSIS_LENTH_H

#include <stddef.h>

#include "base/arena.h"
#include "model/ranking.h"

/* Smallest number of effects that says anything. */
enum { LENTH_MIN_EFFECTS = 3 };

/* "least": no effect is known better than to this, by the clock's steps. */
struct lenth *lenth_make(
    const double *effects, size_t count, double least, struct arena *arena);

/* Critical values for one effect, and for all at once. */
void lenth_critical(size_t count, double *one, double *all);

#endif
