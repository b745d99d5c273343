/*
 * Which keys and sections a matrix file may have, and where.
 *
 * One table serves the reading of the words, libconfuse's option arrays and
 * the nearest right word in complaints.  What a value may be is not said
 * here: all leaves are lists of texts until they are bound.
 */
#ifndef MM_CONFIG_GRAMMAR_H
#define MM_CONFIG_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A key, or a section with a title and what may be inside it.  Tables end
 * with a row whose name is NULL. */
struct grammar {
	const char *name;
	const struct grammar *inside; /* NULL: a key */
	/* the name libconfuse is told, where a key has the section's name;
	 * NULL: the same */
	const char *alias;
};

/* The top of a matrix file.  The keys of all workloads are taken in, so it is
 * made in the arena. */
const struct grammar *grammar_make(struct arena *arena);

/* The row of a key or a section; NULL when the table has none. */
const struct grammar *grammar_find(
    const struct grammar *table, const char *name, bool is_section);

/* The nearest name in the table, or NULL. */
const char *grammar_nearest(const struct grammar *table, const char *name);

/* Keys of every workload that are read here and have no row in the
 * workloads' own tables; ends with NULL. */
extern const char *const grammar_workload_keys[];

#endif
