/*
 * A cell's command lines: what a trial will run and what a plan prints.
 *
 * Pure: tables and texts in, argument vectors out, in the arena.  Every word
 * that differs from trial to trial is a placeholder of model/command.h.
 */
#ifndef MM_FS_BUILD_H
#define MM_FS_BUILD_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "fs/driver.h"
#include "model/cell.h"
#include "model/matrix.h"

/*
 * Fills cell->commands, asked and risk, and expected where it is NULL.
 *
 * Commands stand in the order in which they are run; several may have the
 * same rung.  RUNG_COOL has none: a trial cools by its RUNG_UNMOUNT and
 * RUNG_MOUNT commands (a driver that is_volatile is never cooled).  An image
 * target has RUNG_ATTACH and RUNG_DETACH; a mountpoint target only mounts and
 * unmounts; a directory target has no command at all.  RUNG_RESTORE sets
 * system-wide values back to what the tables know as the default: a trial
 * that has read the former value puts that back instead.
 *
 * Mount options: the section's own first, then the cell's in table order, ON
 * and explicit OFF forms alike; an OFF form is left out where another option
 * of the group is asked for, or one that implies or excludes it.
 *
 * A cell whose options exclude each other becomes CELL_UNSAFE, one that needs
 * mkfs on a target that is never made CELL_INAPPLICABLE, with the reason.
 * Only a cell that was ok is touched so.
 *
 * -1 (ERROR_USAGE) when the driver is not on that system, does not take that
 * kind of target, or the target is smaller than the least it can be; the
 * message names the section by title and line.
 */
int fs_build_commands(struct cell *cell, const struct filesystem *filesystem,
    const char *system, const char *version, struct arena *arena,
    struct error *err);

/*
 * Gives a cell read back from a store its rows again: cell->on and off, by
 * the names of its levels.  Tokens that only the matrix file declared are not
 * in any table and are left out.
 */
void fs_bind_cell(struct cell *cell, const char *system, const char *version,
    struct arena *arena);

/*
 * Of 5 fsynced files how many a power cut left, in tests of such a cell on
 * that system ("5 of 5"): for systems whose devices do not tell whether an
 * fsync reached the medium.  NULL where that was not tested.
 */
const char *fs_durability(const struct cell *cell, const char *system,
    const char *version, struct arena *arena);

/*
 * The programs that the cell's commands and its driver's readback need, each
 * once, in a NULL-ended list.
 */
const char *const *fs_programs(const struct cell *cell, const char *system,
    const char *version, struct arena *arena);

#endif
