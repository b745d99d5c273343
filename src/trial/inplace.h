/*
 * Changing the options of a mounted filesystem where it is, for one that
 * cannot be unmounted (/usr): every flag in force is restated, since on the
 * BSDs an update drops what is not named, "ro" included.
 *
 * Only for options that the tables know to change so (remount class ok).
 * Nothing is cold afterwards.  Pure; private to src/trial/.
 */
#ifndef MM_TRIAL_INPLACE_H
#define MM_TRIAL_INPLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "model/cell.h"

/* True when every option that the cell asks for can be changed in place. */
bool inplace_is_possible(const struct cell *cell);

/*
 * The options in force with those asked for in their place: "rw,nosuid,
 * relatime" and "noatime" give "rw,nosuid,noatime".  "plain_atime" is the
 * word to add when none of the list says what happens to access times; NULL
 * for none.
 */
char *inplace_restate(const char *in_force, const char *asked,
    const char *plain_atime, struct arena *arena);

/* The fragments that take back what the cells may have changed, before what
 * was in force: for putting it back in place. */
char *inplace_restore(const char *in_force, const char *off_forms,
    const char *plain_atime, struct arena *arena);

#endif
