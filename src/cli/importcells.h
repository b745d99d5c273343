/*
 * What the option tables know of imported cells: their driver, their risk,
 * and which of them are the same thing.
 *
 * Nothing is said of a cell that the tables do not know in all its parts, so
 * that a foreign name never passes for a filesystem's default.
 */
#ifndef MM_CLI_IMPORTCELLS_H
#define MM_CLI_IMPORTCELLS_H

#include "base/arena.h"
#include "base/error.h"
#include "import/import.h"

/*
 * Looks up every cell: by its levels or, where a table only names its cells
 * ("ufs+su", "hammer2"), by the parts of the name, the first of which may be
 * the filesystem.  "driver" (may be NULL) is that of cells which name none;
 * without "platform" nothing is looked up.  What a report must say of a
 * driver joins the warnings.  -1 for a driver or system that there is not.
 */
int importcells_look_up(struct imported *imported, const char *driver,
    const char *platform, struct arena *arena, struct error *err);

/* Keeps the warnings with the results: each as a fact of every session. */
void importcells_keep_warnings(struct imported *imported, struct arena *arena);

#endif
