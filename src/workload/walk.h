/*
 * A walk over a tree of folders: the engine of traverse and readtree.
 *
 * Never follows links, never leaves through "..".  With one thread the order
 * is find's (pre-order, as the folder gives its entries) or breadth first.
 */
#ifndef MM_WORKLOAD_WALK_H
#define MM_WORKLOAD_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct walk_options {
	bool stat;    /* lstat each entry */
	bool content; /* read each file to its end */
	bool breadth;
	int threads;
	/* called for each entry, when not NULL; one thread only */
	void (*visit)(void *context, const char *folder, const char *name);
	void *context;
};

struct walk_result {
	int64_t entries; /* without the root */
	int64_t folders;
	int64_t files_read;
	int64_t bytes_read;
	int64_t unreadable; /* no permission, or gone meanwhile: passed over */
	char unreadable_path[1024]; /* the first of them */
	int errno_value;            /* 0, or what ended the walk */
	char path[1024];            /* where it ended */
};

/* Walks it; false when it could not be finished (errno_value says why). */
bool walk_tree(const char *root, const struct walk_options *options,
    struct walk_result *result);

#endif
