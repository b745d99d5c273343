/* The lock on what a target is made of, against other runs. */
#ifndef MM_TRIAL_TARGET_H
#define MM_TRIAL_TARGET_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Locks a device, image or folder of the target with this title, by device
 * number where there is one, so that no other name of the same device gets
 * past it.  "owner" is told to whoever wants it meanwhile.  A descriptor to
 * close, or -1; ERROR_HOST when another run has it.
 */
int target_lock(const char *path, const char *title, const char *owner,
    struct arena *arena, struct error *err);

#endif
