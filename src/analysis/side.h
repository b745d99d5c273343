/*
 * One side of a comparison: the runs of one session or one results file, and
 * how much they vary, blocks included.
 *
 * Internal to analysis/.  Between sessions the blocks do not cancel, so a
 * cell's mean varies with both: the variance here is of one run about its
 * cell's mean, its degrees of freedom by Satterthwaite.
 */
#ifndef MM_ANALYSIS_SIDE_H
#define MM_ANALYSIS_SIDE_H

#include <stddef.h>

#include "analysis/night.h"

struct side {
	const char *label;
	const struct series_table *table;
	struct night *night;
	double *mean;     /* y of each cell of the table; NAN without runs */
	double *count;    /* its runs */
	double *variance; /* its own; NAN under two runs */
	bool *is_tried;   /* it ran, whatever became of it */
	/* pooled over cells: squares from blocks and from the rest */
	double block_square, block_df;
	double rest_square, rest_df;
};

/* "skip" marks the runs of the table that are of other sides. */
void side_make(struct side *side, const struct series_table *table,
    const char *label, const bool *skip, struct arena *arena);

/* Variance of one run and its degrees of freedom, pooled over the sides; 0 df
 * when no cell ran twice. */
void side_pool(
    const struct side *sides, size_t count, double *variance, double *df);

/* Were the sides' blocks run in turn, not one side after the other? */
bool side_are_interleaved(
    const struct side *sides, size_t count, struct arena *arena);

#endif
