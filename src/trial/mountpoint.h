/*
 * An existing filesystem as a target: unmounted and mounted fresh with each
 * option set, and as it was again at the end, after a signal and by "clean".
 *
 * Nothing is written to it, nothing is forced: a busy one is reported with
 * its holders.  Private to src/trial/.
 */
#ifndef MM_TRIAL_MOUNTPOINT_H
#define MM_TRIAL_MOUNTPOINT_H

#include "base/error.h"

struct night_state;
struct target_state;
struct trial;

/* Looks at what is mounted there and records, durably, how to mount it as it
 * was.  Kind ERROR_HOST when it is not a mount point, or is shown elsewhere
 * too (a second mount of it would share the old options). */
int mountpoint_prepare(
    struct night_state *state, struct target_state *target, struct error *err);

/* Unmounts whatever is there before a cell's own mount.  One that is in use
 * gets its options changed in place where that is possible: then the trial
 * is mounted already (is_in_place). */
int mountpoint_vacate(struct trial *trial, struct error *err);

#endif
