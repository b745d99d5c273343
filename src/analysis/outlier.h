/*
 * Runs that do not fit, by externally studentised residuals.
 *
 * p is corrected for the number of runs.  Under 0.05 a run is flagged; under
 * 0.001 it is set aside, the model fitted again and the search repeated, but
 * never more than a third of a cell's runs (which must be three at least) nor
 * a tenth of all.  Where that limit is met the cell is called erratic and its
 * own spread speaks for it.
 */
#ifndef MM_ANALYSIS_OUTLIER_H
#define MM_ANALYSIS_OUTLIER_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/night.h"

struct outliers {
	struct ranking_outlier *items;
	size_t count;
	size_t set_aside_count;
	double next_p;     /* smallest of the runs that stay */
	bool *skip;        /* runs of the table that were set aside */
	size_t *flagged;   /* of each cell of the table, those kept */
	size_t *set_aside; /* of each cell of the table */
	bool *is_erratic;  /* cells of the table */
};

/* "may_set_aside" false only flags. */
struct outliers *outliers_find(
    const struct series_table *table, bool may_set_aside, struct arena *arena);

#endif
