/*
 * How each kind of recorded thing is undone: look whether it is still there
 * and still the one that was recorded, then undo it, gently.
 */
#ifndef MM_TRIAL_UNDO_ACTION_H
#define MM_TRIAL_UNDO_ACTION_H

#include <stdint.h>

#include "base/arena.h"
#include "trial/undo.h"

struct undo_entry {
	uint64_t number;
	enum undo_kind kind;
	const char *subject;
	const char *detail;
	const char *identity; /* "" until known */
	int64_t wall_ns;      /* when it was recorded */
};

enum undo_result {
	UNDO_DONE, /* it was there and was undone */
	UNDO_GONE, /* it was not there, or is not ours any more */
	UNDO_LEFT, /* it is still there */
};

/* Undoes one; "*text" says what was done, "" for nothing worth saying. */
enum undo_result undo_act(
    const struct undo_entry *entry, struct arena *arena, const char **text);

/* "device:inode" of what the path names, links not followed; "" for none. */
const char *undo_identity_of(struct arena *arena, const char *path);

#endif
