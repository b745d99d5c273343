/* A night's own things: folders, journal, targets.  Private to src/trial/. */
#ifndef MM_TRIAL_NIGHT_STATE_H
#define MM_TRIAL_NIGHT_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct night;
struct night_state;

/* Opens the journal and makes the folders; targets are made ready when their
 * first trial comes. */
int night_state_open(struct night_state *state, struct night *night,
    struct arena *arena, struct error *err);

/* Is the trial still to be run, as far as is known now? */
bool night_is_pending(const struct night_state *state, size_t index);

/* Undoes all and lets go; how much could not be undone. */
size_t night_state_close(struct night_state *state);

/* Leaves what is mounted to the caller's pin and to "clean". */
int night_keep(struct night_state *state, struct error *err);

#endif
