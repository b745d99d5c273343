/*
 * Cells out of factors: the full product or an explicit list, minus what is
 * skipped; what each comes to, and which come to the same.
 */
#ifndef MM_PLAN_EXPAND_H
#define MM_PLAN_EXPAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/matrix.h"
#include "model/plan.h"

/*
 * Fills plan->cells, factor by factor with the first factor changing fastest,
 * filesystems in the order of the file.  Status is ok, inapplicable or unsafe;
 * duplicates are named by expand_duplicates.  -1 for too many cells.
 */
int expand_cells(const struct matrix *matrix, bool allow_many,
    struct arena *arena, struct plan *plan, struct error *err);

/*
 * Marks anew each cell that comes to the same options as an earlier one of its
 * filesystem, or that another section makes and mounts by the very same
 * commands: it is run all the same, as an A/A control.  Cells of which nothing
 * is "expected" are passed over.
 */
void expand_duplicates(struct plan *plan, struct arena *arena);

#endif
