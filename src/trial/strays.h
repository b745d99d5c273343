/*
 * Devices and files that a cell's commands name besides its target: a second
 * disk among the arguments of mkfs, an external log in a mount option.  The
 * maker would write to them, so the guard has to be asked about each of them
 * as well.
 *
 * Words are cut where options and shells cut them, and a piece that leads to
 * a disk is one, a bare "sdb" as some makers take it, and "-j/dev/sdb", too;
 * so is a UUID=, LABEL= or TYPE= that only the maker could resolve, and a
 * character device that is not known to be harmless.  A path that leads there
 * by a link which somebody could turn is given as it is, and refused as such.
 * Of files only those count that have something in them and are no programs. It
 * only looks, and never writes; what a program that is run finds for itself it
 * cannot know.
 */
#ifndef MM_TRIAL_STRAYS_H
#define MM_TRIAL_STRAYS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/device.h"

struct stray_list {
	const char **paths;
	size_t count;
	size_t capacity;
};

/*
 * Appends what the NULL-ended command names and "known" does not hold; each
 * device once.  Texts live in the arena.  -1 when a device cannot be looked at.
 */
int strays_find(const char *const *argv, const struct device_info *known,
    size_t known_count, struct arena *arena, struct stray_list *list,
    struct error *err);

#endif
