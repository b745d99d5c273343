/*
 * The parts of a ranking, each filled by one function from the same context.
 *
 * Internal to analysis/: others call analysis_rank.
 */
#ifndef MM_ANALYSIS_RANK_H
#define MM_ANALYSIS_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/analysis.h"
#include "analysis/night.h"
#include "analysis/outlier.h"
#include "analysis/stepdown.h"

struct rank_context {
	const struct series_table *table;
	const struct analysis_options *options;
	struct arena *arena;
	double alpha;

	struct outliers *outliers;
	struct night *night;
	struct fit *fit; /* NULL without any values */
	bool has_noise;  /* the fit has degrees of freedom */
	size_t *ranked;  /* dense cells that get a place */
	size_t ranked_count;
	size_t *ranked_at; /* of each cell of the table, or SERIES_NONE */
	double *value;     /* tau of the ranked */
	double *error;     /* ranked x ranked */
	struct stepdown *stepdown; /* NULL without ranked cells */
	size_t best;               /* index into ranked */

	/* the same with every run put back, when any was set aside */
	struct stepdown *all;
	size_t *all_at; /* of each cell of the table, into "all" */
	double all_s;
};

/* Everything of analysis_rank but the curves, whose own means are ranked in
 * the same way. */
struct ranking *rank_table(const struct series_table *table,
    const struct analysis_options *options, struct arena *arena);

/* Fits, screens and tests; fills everything above. */
void rank_prepare(struct rank_context *context);

/* Half width of the simultaneous interval between two ranked cells. */
double rank_half_width(const struct rank_context *context, size_t a, size_t b);

void rank_fill_rows(struct ranking *ranking, struct rank_context *context);
void rank_fill_noise(struct ranking *ranking, struct rank_context *context);
void rank_fill_controls(struct ranking *ranking, struct rank_context *context);
void rank_fill_drift(struct ranking *ranking, struct rank_context *context);
void rank_fill_effects(struct ranking *ranking, struct rank_context *context);
void rank_fill_warnings(struct ranking *ranking, struct rank_context *context);

#endif
