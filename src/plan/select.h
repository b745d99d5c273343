/* Which cells of a plan are meant: baselines and --only. */
#ifndef MM_PLAN_SELECT_H
#define MM_PLAN_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/matrix.h"
#include "model/plan.h"

/*
 * Does a pattern name the key?  "ext4:noatime+nobarrier" does in any order of
 * its tokens, "ext4:*noatime*" as file names match, and "ext4", without a
 * colon, names all cells of that filesystem.
 */
bool select_matches(const char *pattern, const char *key);

/* Index of the cell that a full key names, tokens in any order; NO_CELL. */
size_t select_find(const struct plan *plan, const char *key);

/*
 * Keeps the cells that at least one pattern names and gives them new indices.
 * -1 for a pattern that names none, with the nearest key.
 */
int select_only(struct plan *plan, const char *const *patterns, size_t count,
    struct arena *arena, struct error *err);

/*
 * Marks the baseline: "default" is each filesystem's cell whose toggles are
 * off and whose axes stand at the level that changes nothing (else the
 * first); a full key is one cell for all.  -1 when it names none.
 */
int select_baseline(const struct matrix *matrix, const char *baseline,
    struct arena *arena, struct plan *plan, struct error *err);

#endif
