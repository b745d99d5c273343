/*
 * The rows a cell comes to: what is on, what is off, in table order, with the
 * second rows of tokens that act at two stages.  For build.c and readback.c.
 */
#ifndef MM_FS_PICKED_H
#define MM_FS_PICKED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "fs/driver.h"
#include "model/cell.h"

struct picked {
	const struct option *row;
	bool is_on;
	bool is_companion; /* the second row of a token */
	size_t order;
};

struct picked_list {
	struct picked *items;
	size_t count;
	size_t capacity;
};

/* Everything the cell has on or off. */
struct picked_list pick_rows(const struct cell *cell,
    const struct driver *driver, const char *system, const char *version,
    struct arena *arena);

/* The recipe of a token that is on, else the ordinary one; NULL for none. */
const struct recipe *picked_recipe(const struct picked_list *list,
    const struct driver *driver, const char *system, const char *version);

/* True when an option that is on makes the row void. */
bool picked_is_void(const struct picked_list *list, const struct option *row);

/* True when the off form of a row that is off must not be said: another of
 * its group is on or says it, or an option that is on implies or excludes
 * it. */
bool picked_off_is_moot(
    const struct picked_list *list, const struct option *row);

#endif
