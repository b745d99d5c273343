/*
 * Everything that a cell would write to, and the guard's word on each: the
 * devices of its target, whether made anew or only mounted, and those that its
 * commands name besides.  "run"
 * asks so before every make, "check" once and without writing; the words are
 * the same because the function is.
 */
#ifndef MM_TRIAL_GUARD_LIST_H
#define MM_TRIAL_GUARD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "trial/guard.h"

struct guard_case {
	const struct target *target;
	const char *device; /* the target's; "" while it has none */
	const char *const *more_devices; /* canonical, as many as it has */
	bool is_made;                    /* the cell has a maker */
	int64_t minimum_bytes;
	/* the words that would be run, each NULL-ended */
	const char *const *const *commands;
	size_t command_count;
	/* as in guard_request */
	const char *const *destroy;
	size_t destroy_count;
	const char *results_path;
	const char *program_path;
};

/* One device to ask about.  Size and serial number of a target are those of
 * its first device. */
struct guard_subject {
	struct guard_request request; /* of the target below */
	struct target target;
	bool is_stray; /* named by a command only */
};

struct guard_subjects {
	struct guard_subject **items;
	size_t count;
	size_t stray_count; /* these come first */
};

/* -1 when a device cannot be looked at. */
int guard_list(const struct guard_case *asked, struct arena *arena,
    struct guard_subjects *list, struct error *err);

/*
 * guard_check, patiently: somebody who looks at every device (udev, losetup)
 * has it open for a moment, which is no reason to give a cell up.
 */
int guard_ask(const struct guard_subject *subject, struct arena *arena,
    struct guard_report *report, int *fd, struct error *err);

#endif
