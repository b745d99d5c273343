/*
 * What a cell's options come to: which are on, which are explicitly off, what
 * should be in force, what is given up, and whether they go together.
 */
#ifndef MM_PLAN_EFFECT_H
#define MM_PLAN_EFFECT_H

#include "base/arena.h"
#include "model/cell.h"
#include "model/matrix.h"

/*
 * Fills on, off, asked, expected, risk, status and reason of the cell from
 * the level chosen for each factor.
 *
 * "expected" is the canonical effect, sorted, commas between: an option that
 * another one voids is not in it, an implied one is, and one whose effect is
 * the default's adds nothing; "default" when nothing is left.
 */
void effect_apply(const struct filesystem *filesystem,
    const struct level *const *chosen, struct arena *arena, struct cell *cell);

#endif
