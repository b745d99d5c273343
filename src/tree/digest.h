/*
 * One digest for a tree in memory and the same tree on disk.
 *
 * Entries are added folder by folder, children by name (strcmp), each folder
 * directly followed by what is in it; "depth" keeps the shape.  Times, owners
 * and modes are not part of it: not every filesystem keeps them.
 */
#ifndef MM_TREE_DIGEST_H
#define MM_TREE_DIGEST_H

#include "base/hash.h"
#include "tree/node.h"

struct digest_item {
	const char *name;
	enum node_kind kind;
	size_t depth;
	int64_t size;       /* files */
	uint64_t content;   /* files: digest of the bytes, holes as zeros */
	const char *target; /* symbolic links */
};

void digest_add(struct hash *hash, const struct digest_item *item);

/* Adds "size" zero bytes. */
void digest_zeros(struct hash *hash, int64_t size);

/* The seed of the made-up content of a manifest's file. */
uint64_t digest_seed(const char *path);

#endif
