/*
 * A 64-bit digest for finding damage, not for keeping secrets: FNV-1a over
 * 8-byte words with a final mix.  Equal bytes in equal order give an equal
 * digest on every system, however they are cut into calls of multiples of 8.
 */
#ifndef MM_BASE_HASH_H
#define MM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash {
	uint64_t state;
	uint64_t length;
	unsigned char tail[8];
	size_t tail_size;
};

void hash_init(struct hash *hash);
void hash_update(struct hash *hash, const void *bytes, size_t size);
uint64_t hash_final(const struct hash *hash);

#endif
