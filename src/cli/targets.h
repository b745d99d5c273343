/*
 * The guard's word on every device that a plan would write to, and whether its
 * images have room, asked for the whole plan before anything runs: check tells
 * it, run and resume do not begin on a target that is unsafe.  A trial asks
 * again before its own make.
 */
#ifndef MM_CLI_TARGETS_H
#define MM_CLI_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/plan.h"

struct targets_case {
	const struct plan *plan;
	const char *const *destroy; /* what --destroy named */
	size_t destroy_count;
	const char *results_path; /* the file or its folder, or NULL */
	const char *image_folder; /* of image = "auto": that of the results */
	struct arena *arena;
};

/* Told once for each thing that is to be said of a target. */
struct targets_report {
	void (*say)(void *context, const struct target *target, bool is_safe,
	    const char *text);
	void *context;
};

/* Asks about all devices of one target; how many words were "unsafe". */
size_t targets_ask(const struct targets_case *asked,
    const struct target *target, const struct targets_report *report);

/* Is a directory target a folder that can be written to, a mountpoint target
 * one where something is mounted?  -1 with ERROR_HOST when not; 0 for targets
 * of another kind. */
int targets_folder(const struct targets_case *asked,
    const struct target *target, struct error *err);

/*
 * Is there room for the target's image, together with those of the others on
 * the same filesystem?  "*text" says how much; -1 with ERROR_HOST when not, or
 * when no file can be made there.
 */
int targets_image_room(const struct targets_case *asked,
    const struct target *target, const char **text, struct error *err);

/* -1 with ERROR_HOST when any target is unsafe or an image has no room; each is
 * named on standard error. */
int targets_refuse(const struct targets_case *asked, struct error *err);

/* True when the cell writes to more than one device, so that no scratch image
 * can stand for its target. */
bool targets_names_more(
    const struct targets_case *asked, const struct cell *cell);

#endif
