/*
 * A night's runs made ready for fitting: who takes part, as logarithms.
 *
 * Cells and blocks that take part get dense numbers; a block is one block of
 * one session, and runs that were not made in blocks are all in one.  Cells
 * that timed out, stalled, or failed too often do not take part; the tallies
 * say why.
 */
#ifndef MM_ANALYSIS_NIGHT_H
#define MM_ANALYSIS_NIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/fit.h"
#include "base/arena.h"
#include "model/ranking.h"
#include "model/series.h"

/* What became of one cell of the table. */
struct tally {
	enum standing standing; /* STANDING_VALUES when it takes part */
	size_t values, stalled, zero, failed, timed_out;
	size_t blocks, failed_blocks;
	int last_block;
	double limit; /* NAN unless timed out */
};

struct night {
	const struct series_table *table;
	bool is_rate;
	bool has_blocks;

	struct fit_run *runs;
	size_t *run_index; /* of each, in the table */
	size_t run_count;
	size_t *cells; /* of each dense cell, in the table */
	size_t cell_count;
	size_t *dense; /* of each cell of the table, or SERIES_NONE */
	int *block_labels;
	size_t block_count;
	struct tally *tallies; /* cells of the table */
};

/* "skip" (or NULL) marks runs of the table to leave out. */
struct night *night_prepare(
    const struct series_table *table, const bool *skip, struct arena *arena);

/* y of a value and back: ln(value), for a rate -ln(value). */
double night_y(const struct night *night, double value);
double night_value(const struct night *night, double y);

/* The values used of one cell of the table; count gets how many. */
double *night_values(
    const struct night *night, size_t cell, size_t *count, struct arena *arena);

/* Variance that the clock's steps alone put on a y. */
double night_clock_variance(const struct night *night, double y);

/* The fit of all runs; NULL without any.  Spreads are raised to what the
 * clock's step alone would give. */
struct fit *night_fit(const struct night *night, struct arena *arena);

#endif
