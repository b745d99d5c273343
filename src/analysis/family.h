/*
 * The cells of one filesystem section as a factorial design.
 *
 * Internal to analysis/.  Factors are those that really vary among the cells
 * that have values; two cells with the same levels are one combination (that
 * is what a control is).  A factor of two levels is coded -1 and +1: "off" and
 * "on" for a toggle, the first and second level seen for an axis.
 */
#ifndef MM_ANALYSIS_FAMILY_H
#define MM_ANALYSIS_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/night.h"

/* A set of factors is a word of bits; more options than this are not looked
 * at. */
enum { FAMILY_MAX_FACTORS = 31 };

struct family_factor {
	const char *name;    /* of the factor */
	const char *option;  /* of two levels: "noatime", "data=writeback" */
	const char *with;    /* "with noatime", "with data=writeback" */
	const char *without; /* "without noatime", "with data=ordered" */
	const char **levels;
	size_t level_count;
	size_t source; /* index among the cells' factors */
};

struct family {
	const char *name;
	struct family_factor *factors;
	size_t factor_count;
	size_t *levels; /* combinations x factors: level of each */
	size_t combination_count;
	size_t *combination_of; /* cells of the table, or SERIES_NONE */
	bool is_complete;       /* all of 2^p combinations, no other factors */

	/* its runs, by combination and by its own dense blocks */
	struct fit_run *runs;
	size_t run_count;
	size_t block_count;
	double clock_variance; /* of one run, by the clock's steps alone */
};

/* All families in which something varies. */
struct family *family_list(
    const struct night *night, size_t *count, struct arena *arena);

/* -1 or +1 of a two-level factor. */
int family_sign(const struct family *family, size_t combination, size_t factor);

/* Product of the signs of the factors in the set (bit f = factor f). */
int family_product(
    const struct family *family, size_t combination, unsigned set);

#endif
