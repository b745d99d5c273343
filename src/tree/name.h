/* Which names and link targets of an archive are fit to be written. */
#ifndef MM_TREE_NAME_H
#define MM_TREE_NAME_H

#include <stddef.h>

#include "base/arena.h"

/* NULL when the name may be used, else why not ("is absolute").  "." and
 * "./" name the root and are fine. */
const char *name_trouble(const char *name);

/* The next component behind "*at", its length in "*length"; NULL at the end.
 * Empty ones and "." are passed over. */
const char *name_next(const char **at, size_t *length);

/* A name as it may stand in a message: control characters as "\012", and the
 * end of a very long one left out. */
char *name_show(struct arena *arena, const char *name);

/*
 * For a symbolic link in a folder "depth" levels below the root: NULL when
 * the target surely stays inside the tree, else a copy that does.  A ".."
 * is trusted only before the first name: behind one it may leave by another
 * link, so it is dropped, as are a leading "/" and each ".." too many.
 */
char *name_tame_target(struct arena *arena, const char *target, size_t depth);

#endif
