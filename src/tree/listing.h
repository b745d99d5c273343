/* The sorted names in a folder. */
#ifndef MM_TREE_LISTING_H
#define MM_TREE_LISTING_H

#include <stdbool.h>

#include "base/arena.h"

struct listing {
	struct arena *arena; /* of its own */
	const char **names;
	size_t count;
	size_t capacity;
};

/*
 * Reads an open folder from its start.  At the top of a tree lost+found is
 * passed over: the filesystem has it there.  -1 with errno; the arena is there
 * in any case, to be freed by the caller.
 */
int listing_read(struct listing *listing, int folder, bool is_top);

#endif
