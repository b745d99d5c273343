/*
 * What a night learns about its cells, told to the store as it is learnt.
 * Private to src/trial/.
 */
#ifndef MM_TRIAL_CELL_STATE_H
#define MM_TRIAL_CELL_STATE_H

#include "base/error.h"
#include "model/cell.h"

struct night_state;

/* A plan that was read back from a store has no rows: finds them again by
 * the levels' words. */
void cell_bind_rows(struct night_state *state, struct cell *cell);

/* Takes over status, risk, reason and in_force of what was found, and the
 * probes' words, where they are new, and tells cell_changed. */
int cell_found(struct night_state *state, struct cell *cell,
    const struct cell *found, struct error *err);

/* Sets a status that ends the cell's runs, and tells. */
int cell_end(struct night_state *state, struct cell *cell,
    enum cell_status status, const char *reason, struct error *err);

#endif
