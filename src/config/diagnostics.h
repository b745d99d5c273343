/*
 * Complaints about a matrix file, gathered so that one reading shows all.
 *
 * They live in the arena given at the start.  Nothing here prints.
 */
#ifndef MM_CONFIG_DIAGNOSTICS_H
#define MM_CONFIG_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/matrix.h"

struct diagnostic {
	struct position at;
	const char *text; /* without the position; one line */
};

struct diagnostics {
	struct arena *arena;
	struct diagnostic *items;
	size_t count;
	size_t capacity;
	size_t dropped; /* beyond the number that is kept */
};

/* None yet. */
void diagnostics_init(struct diagnostics *diagnostics, struct arena *arena);

/* Adds one; control characters in it are shown as '?'.  Always returns -1. */
int diagnostics_add(struct diagnostics *diagnostics, struct position at,
    const char *format, ...) MM_PRINTF(3, 4);

/* By line within each file; files in the order of "main_file" first, then by
 * name.  What was added first stays first within a line. */
void diagnostics_sort(struct diagnostics *diagnostics, const char *main_file);

/* "file:line: text" of one, in the arena; without ":line" when that is 0. */
char *diagnostic_format(
    const struct diagnostic *diagnostic, struct arena *arena);

#endif
