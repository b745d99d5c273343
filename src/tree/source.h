/*
 * Where the bytes of a file come from when a tree is written: memory, the
 * archive read once more, or a manifest's generator.  Only tree/ includes
 * this.
 */
#ifndef MM_TREE_SOURCE_H
#define MM_TREE_SOURCE_H

#include "tree/node.h"
#include "tree/reader.h"

struct source {
	const struct tree *tree;
	struct reader reader; /* streamed trees */
	bool is_open;
};

/* Begins at the first entry.  Fails when a streamed archive is gone or is
 * not the one that was loaded. */
int source_open(
    struct source *source, const struct tree *tree, struct error *err);

void source_close(struct source *source);

/*
 * Writes a content to a new, empty file.  Contents must be asked for in the
 * order of tree->order.  0: done; 1: a call failed, errno says how; -1: the
 * archive itself failed.
 */
int source_write(struct source *source, const struct content *content, int fd,
    struct error *err);

#endif
