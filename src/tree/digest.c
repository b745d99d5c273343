#include "tree/digest.h"

#include <stdio.h>
#include <string.h>

void
digest_add(struct hash *hash, const struct digest_item *item)
{
	static const char kinds[] = {
		[NODE_DIRECTORY] = 'd', [NODE_FILE] = 'f', [NODE_SYMLINK] = 'l'
	};
	char text[96];
	int length = snprintf(text, sizeof text, "%zu %c %lld %llx",
	    item->depth, kinds[item->kind], (long long)item->size,
	    (unsigned long long)item->content);

	hash_update(hash, item->name, strlen(item->name) + 1);
	hash_update(hash, text, (size_t)length + 1);
	if (item->kind == NODE_SYMLINK)
		hash_update(hash, item->target, strlen(item->target) + 1);
}

void
digest_zeros(struct hash *hash, int64_t size)
{
	static const unsigned char zeros[65536];

	while (size > 0) {
		size_t part =
		    size < (int64_t)sizeof zeros ? (size_t)size : sizeof zeros;

		hash_update(hash, zeros, part);
		size -= (int64_t)part;
	}
}

uint64_t
digest_seed(const char *path)
{
	struct hash hash;

	hash_init(&hash);
	hash_update(&hash, path, strlen(path));
	return hash_final(&hash);
}
