/*
 * The columns of a factorial regression: mean, blocks, then factors and their
 * products up to an order.
 *
 * Internal to analysis/.  The column of a set of two-level factors is half the
 * product of their signs, so its coefficient is the effect of the set.  A
 * factor of L levels has L - 1 columns that sum to 0 over its levels.
 */
#ifndef MM_ANALYSIS_DESIGN_H
#define MM_ANALYSIS_DESIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/family.h"
#include "analysis/regress.h"

/* One set of factors and where its columns are. */
struct design_term {
	unsigned set; /* bit f = factor f */
	size_t order; /* how many factors */
	size_t first_column, column_count;
	bool is_effect; /* two-level factors only: one column */
};

struct design {
	const struct family *family;
	double **columns;
	size_t column_count;
	size_t block_columns; /* columns 1..block_columns are blocks */
	struct design_term *terms;
	size_t term_count;
};

/* "only" limits the factors used (all bits set: all of them). */
struct design *design_make(const struct family *family, size_t order,
    unsigned only, struct arena *arena);

/* How many columns it would have, without making it. */
size_t design_size(const struct family *family, size_t order);

/* The options of a set, design_set_size of them. */
const char **design_options(
    const struct family *family, unsigned set, struct arena *arena);

/* "noatime:su" of a set. */
const char *design_name(
    const struct family *family, unsigned set, struct arena *arena);

/* Sets of up to "order" of "count" things, by size, then in their order. */
unsigned *design_sets(
    size_t count, size_t order, size_t *set_count, struct arena *arena);

/* How many are in a set. */
size_t design_set_size(unsigned set);

#endif
