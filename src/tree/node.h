/*
 * The inside of a tree: nodes, contents, and the orders they are used in.
 *
 * Only tree/ includes this.  A node is a name in a folder; node 0 is the
 * root.  Files point at a content, which several nodes may share (hard
 * links).  Indexes stay valid while a tree grows, pointers do not.
 */
#ifndef MM_TREE_NODE_H
#define MM_TREE_NODE_H

#include <sys/types.h>

#include "tree/tree.h"

static const size_t NO_NODE = (size_t)-1;

enum node_kind { NODE_DIRECTORY, NODE_FILE, NODE_SYMLINK };

struct node {
	size_t parent;
	const char *name;
	enum node_kind kind;
	bool is_dead;   /* a later entry of the same name won */
	bool has_mtime; /* false: as the system sets it */
	mode_t mode;    /* permission bits only */
	uid_t uid;
	gid_t gid;
	int64_t mtime_s;
	long mtime_ns;
	size_t content;     /* files */
	const char *target; /* symbolic links */
	size_t ordinal;     /* of the archive's entry that made it */
	size_t child_count;
	size_t depth; /* of a name below the root: 1 */
	size_t next_in_bucket;
	size_t first_child; /* into sorted[]; set by nodes_finish */
};

/* Bytes that lie together in a file; what lies between runs is a hole. */
struct run {
	int64_t offset;
	size_t size;
	const unsigned char *data;
};

struct content {
	int64_t size;
	uint64_t digest;
	size_t ordinal; /* the entry that carries the data */
	uint64_t seed;  /* of a manifest's made-up bytes */
	struct run *runs;
	size_t run_count;
	size_t run_capacity;
	size_t creator;  /* first node in writing order; NO_NODE: none */
	bool is_counted; /* its bytes are in the summary */
};

/* Storage for file contents: blocks of a few MiB, freed with the tree. */
struct block {
	struct block *next;
	size_t size;
	size_t used;
	unsigned char data[];
};

struct tree {
	struct arena *arena;
	char *path;
	int64_t archive_size; /* of the file, to notice that it changed */
	int64_t archive_mtime_s;
	struct node *nodes;
	size_t node_count;
	size_t node_capacity;
	struct content *contents;
	size_t content_count;
	size_t content_capacity;
	size_t *buckets; /* first node of each chain, by parent and name */
	size_t bucket_count;
	struct block *blocks;
	int64_t stored_bytes;
	size_t *order; /* living nodes but the root, as they are written */
	size_t order_count;
	size_t *sorted; /* the children of each folder together, by name */
	struct tree_summary summary;
};

/* An empty tree with its root. */
struct tree *nodes_new(const char *path);

/* The living node with that name in a folder, or NO_NODE. */
size_t node_find(
    const struct tree *tree, size_t parent, const char *name, size_t length);

/* Adds a node; there must be none of that name alive. */
size_t node_add(struct tree *tree, size_t parent, const char *name,
    size_t length, enum node_kind kind);

/* Makes way for a later entry of the same name. */
void node_kill(struct tree *tree, size_t node);

/* A new content; index. */
size_t content_add(struct tree *tree);

/* Keeps bytes in the tree's blocks. */
const unsigned char *tree_store(
    struct tree *tree, const void *bytes, size_t size);

/* Lets go of all stored bytes: the tree will be streamed. */
void tree_drop_store(struct tree *tree);

/* Once all nodes are there: orders, counts and the digest. */
void nodes_finish(struct tree *tree);

/* "a/b/c", relative to the root, in the arena. */
char *node_path(const struct tree *tree, size_t node, struct arena *arena);

#endif
