/*
 * Devices that a cell's commands name besides its target: a second disk among
 * the arguments of mkfs, an external log in a mount option.  The maker would
 * write to them, so the guard has to be asked about each of them as well.
 *
 * Words are cut at '=', ',' and ':', and a piece that leads to a disk is one,
 * a bare "sdb" as some makers take it, too; so is a UUID= or LABEL= that only
 * the maker could resolve.  It only looks, and never writes.
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
