/*
 * Option effects of one family: what each option and each pair does on
 * average.
 *
 * Internal to analysis/: rank_fill_effects puts it together.
 */
#ifndef MM_ANALYSIS_EFFECTS_H
#define MM_ANALYSIS_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/design.h"
#include "analysis/family.h"
#include "model/ranking.h"

/* Effects with what later steps need. */
struct effect_list {
	struct effect *effects;
	unsigned *sets;   /* of each effect */
	double *variance; /* of each, s2 included; NAN single runs */
	size_t count;
	struct factor_test *tests;
	size_t test_count;
	double s, df;
};

/* A complete, connected 2^p: contrasts of the fitted cells. */
struct effect_list *effects_full(
    const struct family *family, const struct fit *fit, struct arena *arena);

/* Anything else: regression on factors and their products. */
struct effect_list *effects_regression(
    const struct family *family, size_t order, struct arena *arena);

/* Every main effect in every setting of the other options. */
void effects_add_settings(struct effect_list *list, const struct family *family,
    const struct fit *fit, struct arena *arena);

/* The second table; says why when there is none. */
void effects_by_options(struct by_options *by_options,
    const struct effect_list *list, const struct family *family,
    const struct fit *fit, const struct night *night, struct arena *arena);

#endif
