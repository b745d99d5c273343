#include "tree/node.h"

#include <stdlib.h>
#include <string.h>

#include "tree/digest.h"

enum { BLOCK_SIZE = 4 << 20, FIRST_BUCKETS = 1024 };

/* As in base/arena.h: nobody has a better answer to no memory. */
static void *
grow(void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	*capacity = *capacity < 64 ? 64 : *capacity * 2;
	items = *capacity <= SIZE_MAX / size ? realloc(items, *capacity * size)
					     : NULL;
	if (items == NULL)
		abort();
	return items;
}

static size_t
bucket_of(
    const struct tree *tree, size_t parent, const char *name, size_t length)
{
	uint64_t h = 0xcbf29ce484222325u ^ parent * 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32) & (tree->bucket_count - 1);
}

/* Doubles the table when chains would get long. */
static void
rehash(struct tree *tree)
{
	size_t count =
	    tree->bucket_count == 0 ? FIRST_BUCKETS : tree->bucket_count * 2;

	if (tree->bucket_count > tree->node_count)
		return;
	free(tree->buckets);
	tree->buckets = malloc(count * sizeof *tree->buckets);
	if (tree->buckets == NULL)
		abort();
	tree->bucket_count = count;
	for (size_t i = 0; i < count; i++)
		tree->buckets[i] = NO_NODE;
	for (size_t i = 1; i < tree->node_count; i++) {
		struct node *node = &tree->nodes[i];
		size_t bucket = bucket_of(
		    tree, node->parent, node->name, strlen(node->name));

		node->next_in_bucket = tree->buckets[bucket];
		tree->buckets[bucket] = i;
	}
}

struct tree *
nodes_new(const char *path)
{
	struct tree *tree = calloc(1, sizeof *tree);

	if (tree == NULL)
		abort();
	tree->arena = arena_new();
	tree->path = arena_strdup(tree->arena, path);
	tree->summary.format = "";
	tree->nodes = grow(NULL, 0, &tree->node_capacity, sizeof *tree->nodes);
	tree->nodes[0] = (struct node){ .parent = NO_NODE, .name = "" };
	tree->node_count = 1;
	rehash(tree);
	return tree;
}

void
tree_free(struct tree *tree)
{
	if (tree == NULL)
		return;
	tree_drop_store(tree);
	free(tree->nodes);
	free(tree->contents);
	free(tree->buckets);
	free(tree->order);
	free(tree->sorted);
	arena_free(tree->arena);
	free(tree);
}

size_t
node_find(
    const struct tree *tree, size_t parent, const char *name, size_t length)
{
	size_t i = tree->buckets[bucket_of(tree, parent, name, length)];

	for (; i != NO_NODE; i = tree->nodes[i].next_in_bucket) {
		const struct node *node = &tree->nodes[i];

		if (node->parent == parent && !node->is_dead &&
		    strncmp(node->name, name, length) == 0 &&
		    node->name[length] == '\0')
			return i;
	}
	return NO_NODE;
}

size_t
node_add(struct tree *tree, size_t parent, const char *name, size_t length,
    enum node_kind kind)
{
	size_t index = tree->node_count;
	size_t bucket;

	rehash(tree);
	tree->nodes =
	    grow(tree->nodes, index, &tree->node_capacity, sizeof *tree->nodes);
	bucket = bucket_of(tree, parent, name, length);
	tree->nodes[index] = (struct node){
		.parent = parent,
		.name = arena_strndup(tree->arena, name, length),
		.kind = kind,
		.content = NO_NODE,
		.depth = tree->nodes[parent].depth + 1,
		.next_in_bucket = tree->buckets[bucket],
	};
	tree->buckets[bucket] = index;
	tree->nodes[parent].child_count++;
	tree->node_count++;
	return index;
}

void
node_kill(struct tree *tree, size_t node)
{
	tree->nodes[node].is_dead = true;
	tree->nodes[tree->nodes[node].parent].child_count--;
}

size_t
content_add(struct tree *tree)
{
	tree->contents = grow(tree->contents, tree->content_count,
	    &tree->content_capacity, sizeof *tree->contents);
	tree->contents[tree->content_count] =
	    (struct content){ .creator = NO_NODE };
	return tree->content_count++;
}

const unsigned char *
tree_store(struct tree *tree, const void *bytes, size_t size)
{
	struct block *block = tree->blocks;
	unsigned char *at;

	if (block == NULL || block->size - block->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = malloc(sizeof *block + room);
		if (block == NULL)
			abort();
		*block = (struct block){ .next = tree->blocks, .size = room };
		tree->blocks = block;
	}
	at = block->data + block->used;
	memcpy(at, bytes, size);
	block->used += size;
	tree->stored_bytes += (int64_t)size;
	return at;
}

void
tree_drop_store(struct tree *tree)
{
	struct block *next;

	for (struct block *block = tree->blocks; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	tree->blocks = NULL;
	tree->stored_bytes = 0;
}

char *
node_path(const struct tree *tree, size_t node, struct arena *arena)
{
	size_t length = 0;
	char *path;

	for (size_t i = node; i != 0; i = tree->nodes[i].parent)
		length += strlen(tree->nodes[i].name) + 1;
	path = arena_alloc(arena, length + 1);
	path[length > 0 ? length - 1 : 0] = '\0';
	for (size_t i = node; i != 0; i = tree->nodes[i].parent) {
		size_t size = strlen(tree->nodes[i].name);

		length -= size + 1;
		memcpy(path + length, tree->nodes[i].name, size);
		if (length > 0)
			path[length - 1] = '/';
	}
	return path;
}

/* --- orders, counts, digest, once all is there --------------------------- */

/* When a node is written: at its entry; a file not before its data. */
static size_t
write_key(const struct tree *tree, size_t index)
{
	const struct node *node = &tree->nodes[index];
	const struct content *content;

	if (node->kind != NODE_FILE)
		return node->ordinal;
	content = &tree->contents[node->content];
	if (content->creator == index || content->ordinal > node->ordinal)
		return content->ordinal;
	return node->ordinal;
}

/* qsort has no context; finishing is done by one thread. */
static const struct tree *sorting;

static int
by_write_order(const void *a, const void *b)
{
	size_t left = *(const size_t *)a;
	size_t right = *(const size_t *)b;
	size_t left_key = write_key(sorting, left);
	size_t right_key = write_key(sorting, right);

	if (left_key != right_key)
		return left_key < right_key ? -1 : 1;
	return left < right ? -1 : left > right;
}

static int
by_parent_and_name(const void *a, const void *b)
{
	const struct node *left = &sorting->nodes[*(const size_t *)a];
	const struct node *right = &sorting->nodes[*(const size_t *)b];

	if (left->parent != right->parent)
		return left->parent < right->parent ? -1 : 1;
	return strcmp(left->name, right->name);
}

static void
make_orders(struct tree *tree)
{
	size_t count = 0;

	tree->order = calloc(tree->node_count, sizeof *tree->order);
	tree->sorted = calloc(tree->node_count, sizeof *tree->sorted);
	if (tree->order == NULL || tree->sorted == NULL)
		abort();
	for (size_t i = 1; i < tree->node_count; i++) {
		struct node *node = &tree->nodes[i];

		if (node->is_dead)
			continue;
		if (node->kind == NODE_FILE &&
		    tree->contents[node->content].creator == NO_NODE)
			tree->contents[node->content].creator = i;
		tree->order[count] = i;
		tree->sorted[count++] = i;
	}
	tree->order_count = count;
	sorting = tree;
	qsort(tree->order, count, sizeof *tree->order, by_write_order);
	qsort(tree->sorted, count, sizeof *tree->sorted, by_parent_and_name);
	sorting = NULL;
	for (size_t i = count; i-- > 0;)
		tree->nodes[tree->nodes[tree->sorted[i]].parent].first_child =
		    i;
}

static void
count_node(struct tree *tree, const struct node *node)
{
	struct tree_summary *summary = &tree->summary;
	struct content *content;

	summary->entries++;
	summary->directories += node->kind == NODE_DIRECTORY;
	summary->symlinks += node->kind == NODE_SYMLINK;
	if (node->kind != NODE_FILE)
		return;
	summary->files++;
	content = &tree->contents[node->content];
	summary->hard_links += content->is_counted;
	if (content->is_counted)
		return;
	content->is_counted = true;
	summary->bytes += content->size;
	summary->blocks_4k += (content->size + 4095) / 4096;
}

/* Depth is bounded by name_check, so recursion is too. */
static void
digest_folder(const struct tree *tree, size_t folder, struct hash *hash)
{
	const struct node *node = &tree->nodes[folder];

	for (size_t i = 0; i < node->child_count; i++) {
		size_t index = tree->sorted[node->first_child + i];
		const struct node *child = &tree->nodes[index];
		struct digest_item item = { .name = child->name,
			.kind = child->kind,
			.depth = child->depth };

		if (child->kind == NODE_FILE) {
			item.size = tree->contents[child->content].size;
			item.content = tree->contents[child->content].digest;
		}
		item.target = child->target;
		digest_add(hash, &item);
		if (child->kind == NODE_DIRECTORY)
			digest_folder(tree, index, hash);
	}
}

void
nodes_finish(struct tree *tree)
{
	struct hash hash;

	make_orders(tree);
	for (size_t i = 0; i < tree->order_count; i++)
		count_node(tree, &tree->nodes[tree->order[i]]);
	hash_init(&hash);
	digest_folder(tree, 0, &hash);
	tree->summary.digest = hash_final(&hash);
}
