/* Contents of files, kept in memory while there is room: afterwards a tree is
 * streamed from its archive again. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/units.h"
#include "tree/digest.h"
#include "tree/loader.h"
#include "tree/name.h"

enum { MADE_UP_BLOCK = 256 * 1024 };

static int
charge_bytes(struct loader *loader, int64_t bytes)
{
	if (bytes < 0)
		return loader_refuse(loader, "has a negative size");
	if (bytes > loader->limits.content_bytes - loader->bytes)
		return error_set_kind(loader->err, ERROR_USAGE,
		    "archive '%s': entry '%s' brings the tree over the limit of %s",
		    loader->tree->path, name_show(loader->arena, loader->name),
		    units_format_size(
			loader->arena, loader->limits.content_bytes));
	loader->bytes += bytes;
	return 0;
}

static void
keep_bytes(struct loader *loader, struct content *content, const void *bytes,
    size_t size, int64_t offset)
{
	struct tree *tree = loader->tree;
	struct run *last;
	const unsigned char *data;

	if (tree->summary.is_streamed)
		return;
	if ((int64_t)size > loader->limits.memory_bytes - tree->stored_bytes) {
		tree->summary.is_streamed = true;
		tree_drop_store(tree);
		return;
	}
	data = tree_store(tree, bytes, size);
	last = content->run_count == 0 ? NULL
				       : &content->runs[content->run_count - 1];
	if (last != NULL && last->offset + (int64_t)last->size == offset &&
	    last->data + last->size == data) {
		last->size += size;
		return;
	}
	content->runs = arena_grow(tree->arena, content->runs,
	    content->run_count, &content->run_capacity, sizeof *content->runs);
	content->runs[content->run_count++] =
	    (struct run){ .offset = offset, .size = size, .data = data };
}

/* Reads the entry's data.  Its size may be unknown before. */
static int
read_content(struct loader *loader, struct content *content)
{
	struct archive_entry *entry = loader->reader.entry;
	int64_t declared =
	    archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
	struct hash hash;
	const void *bytes;
	size_t size;
	int64_t offset;
	int code;

	hash_init(&hash);
	if (charge_bytes(loader, declared) == -1)
		return -1;
	while ((code = reader_block(&loader->reader, &bytes, &size, &offset,
		    loader->err)) == 1) {
		if (offset < content->size)
			return loader_refuse(loader, "has data out of order");
		if (size == 0)
			continue;
		if (offset > INT64_MAX / 2)
			return loader_refuse(loader, "is too large");
		if (offset + (int64_t)size > declared) {
			if (charge_bytes(loader,
				offset + (int64_t)size - declared) == -1)
				return -1;
			declared = offset + (int64_t)size;
		}
		digest_zeros(&hash, offset - content->size);
		hash_update(&hash, bytes, size);
		keep_bytes(loader, content, bytes, size, offset);
		content->size = offset + (int64_t)size;
	}
	digest_zeros(&hash, declared - content->size);
	content->size = declared;
	content->digest = hash_final(&hash);
	return code;
}

/* A manifest says how large a file is; the bytes are made from its name. */
static int
make_up_content(struct loader *loader, struct content *content)
{
	int64_t size = archive_entry_size_is_set(loader->reader.entry)
			   ? archive_entry_size(loader->reader.entry)
			   : 0;
	unsigned char *bytes;
	struct hash hash;
	struct rng rng;

	if (charge_bytes(loader, size) == -1)
		return -1;
	content->seed = digest_seed(loader->name);
	rng_seed(&rng, content->seed);
	hash_init(&hash);
	bytes = malloc(MADE_UP_BLOCK);
	if (bytes == NULL)
		abort();
	while (content->size < size) {
		size_t part = size - content->size < MADE_UP_BLOCK
				  ? (size_t)(size - content->size)
				  : MADE_UP_BLOCK;

		rng_fill(&rng, bytes, part);
		hash_update(&hash, bytes, part);
		keep_bytes(loader, content, bytes, part, content->size);
		content->size += (int64_t)part;
	}
	free(bytes);
	content->digest = hash_final(&hash);
	return 0;
}

int
loader_content(struct loader *loader, size_t index)
{
	struct content *content = &loader->tree->contents[index];

	content->ordinal = loader->reader.ordinal;
	return loader->tree->summary.is_manifest
		   ? make_up_content(loader, content)
		   : read_content(loader, content);
}
