/* The lock on what a target is made of, against other runs. */
#ifndef MM_TRIAL_TARGET_H
#define MM_TRIAL_TARGET_H

#include "base/arena.h"
#include "base/error.h"

struct target_state;

/*
 * Locks a device, image or folder of the target with this title, by device
 * number where there is one, so that no other name of the same device gets
 * past it.  "owner" is told to whoever wants it meanwhile.  A descriptor to
 * close, or -1; ERROR_HOST when another run has it.
 */
int target_lock(const char *path, const char *title, const char *owner,
    struct arena *arena, struct error *err);

/* Of a target of devices the first (0), or one of the others, by its canonical
 * name; and what tells it from another one that comes under that name. */
const char *target_device(const struct target_state *target, size_t index);
const char *target_device_identity(
    const struct target_state *target, size_t index, struct arena *arena);

#endif
