/*
 * Unmounting, patiently and never by force.
 *
 * A busy filesystem is tried again for a while (an indexer or a late child
 * may let go); then its holders are named and it stays as it is.  The root
 * of the running system is never tried.
 */
#ifndef MM_TRIAL_UNMOUNT_H
#define MM_TRIAL_UNMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/proc.h"

struct unmount_result {
	bool is_gone;             /* nothing is mounted there any more */
	struct proc_result first; /* of the first attempt: the timed one */
	struct proc_result last;
	int attempts;
	const char *holders; /* "pid 12 (sh): current folder; ..."; "" */
};

struct unmount_job {
	const char *mountpoint;
	const char *const *argv; /* NULL: "umount MOUNTPOINT" */
	int64_t patience_ns;     /* how long it is tried again */
	int64_t timeout_ns;      /* of one attempt; 0: ten minutes */
};

/* Runs the command, again while the path is still mounted.  Fails only for
 * the harness's own reasons. */
int unmount_path(const struct unmount_job *job, struct arena *arena,
    struct unmount_result *result, struct error *err);

/* The source of what is mounted at exactly this path, or NULL. */
const char *unmount_source_at(struct arena *arena, const char *mountpoint);

/* Who uses the filesystem at the path, as one text; "" when nobody is seen. */
const char *unmount_holders(struct arena *arena, const char *mountpoint);

#endif
