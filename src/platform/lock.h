/*
 * The folder for what must outlive a crash, and locks that die with their
 * owner.
 */
#ifndef MM_PLATFORM_LOCK_H
#define MM_PLATFORM_LOCK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * /var/lib/mountmatrix for root, else $XDG_STATE_HOME/mountmatrix, else
 * ~/.local/state/mountmatrix; made with mode 0700 when missing, and refused
 * when it belongs to another user.
 */
int platform_state_directory(
    struct arena *arena, const char **path, struct error *err);

/* What is locked, and by whom. */
struct lock_request {
	const char *key;   /* a canonical path, "device-701" */
	const char *name;  /* as a person calls it; NULL: the key */
	const char *owner; /* one line for whoever wants it meanwhile: whom to
			    * ask; NULL: this process, by its host's number */
};

/*
 * Locks the key against other runs of this user, by a file in the state
 * folder: a descriptor to keep open and to close, or -1; kind ERROR_HOST and
 * the owner's line when another run has it.  The kernel lets go when the
 * owner and its children are gone.
 */
int platform_lock(
    struct arena *arena, const struct lock_request *request, struct error *err);

/*
 * Does another run of this user hold that key?  Looks only, and makes nothing;
 * false where it cannot be told.
 */
bool platform_lock_is_held(struct arena *arena, const char *key);

#endif
