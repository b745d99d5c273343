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

#include <stddef.h>

#include "base/arena.h"
#include "model/cell.h"
#include "system/system.h"

struct driver;

/*
 * What stands against changing to the cell's options in place, as a person
 * would say it ("option 'data=writeback': refused"); NULL for nothing.  Only
 * mount options of remount class ok can be; where an update adds to what is
 * in force, only those that can be taken back by name; and of options that
 * no table knows those that are in force anyway.
 */
const char *inplace_obstacle(const struct cell *cell, const char *in_force,
    const struct system *system, struct arena *arena);

/* The word that takes a mount option back where it stays mounted: its OFF
 * form, or the default of its group; NULL when there is none. */
const char *inplace_off_form(
    const struct driver *driver, const struct option *row, const char *system);

/* The list with the off form of a row that can be changed in place, and those
 * of what it brings along: nodatacow that is taken back leaves nodatasum. */
const char *inplace_add_off_forms(const char *forms,
    const struct driver *driver, const struct option *row, const char *system,
    struct arena *arena);

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
