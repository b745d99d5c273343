/* What loading an archive goes by; for load.c and contents.c. */
#ifndef MM_TREE_LOADER_H
#define MM_TREE_LOADER_H

#include "tree/node.h"
#include "tree/reader.h"

struct loader {
	struct tree *tree;
	struct reader reader;
	struct tree_limits limits;
	int64_t bytes;       /* contents so far */
	const char *name;    /* of the current entry */
	struct arena *arena; /* the tree's */
	struct error *err;
};

/* "archive 'x': entry 'y' ...", ERROR_USAGE; always -1. */
int loader_refuse(struct loader *loader, const char *why);

/*
 * Fills a content, which is empty, with the entry's data, or with bytes made
 * from its name where the archive is a manifest.  -1 when it brings the tree
 * over its limits or cannot be read.
 */
int loader_content(struct loader *loader, size_t index);

#endif
