#include "base/hash.h"

#include <string.h>

static const uint64_t OFFSET = 0xcbf29ce484222325u;
static const uint64_t PRIME = 0x100000001b3u;

void
hash_init(struct hash *hash)
{
	*hash = (struct hash){ .state = OFFSET };
}

/* Eight bytes as a little-endian word, whatever the host is. */
static uint64_t
load_word(const unsigned char *at)
{
	uint64_t word = 0;

	for (int i = 7; i >= 0; i--)
		word = word << 8 | at[i];
	return word;
}

static void
mix_word(struct hash *hash, const unsigned char *at)
{
	hash->state = (hash->state ^ load_word(at)) * PRIME;
	hash->state ^= hash->state >> 32;
}

void
hash_update(struct hash *hash, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	hash->length += size;
	if (hash->tail_size > 0) {
		size_t part = sizeof hash->tail - hash->tail_size;

		if (part > size)
			part = size;
		memcpy(hash->tail + hash->tail_size, at, part);
		hash->tail_size += part;
		at += part;
		size -= part;
		if (hash->tail_size < sizeof hash->tail)
			return;
		mix_word(hash, hash->tail);
		hash->tail_size = 0;
	}
	for (; size >= 8; at += 8, size -= 8)
		mix_word(hash, at);
	if (size > 0)
		memcpy(hash->tail, at, size);
	hash->tail_size = size;
}

uint64_t
hash_final(const struct hash *hash)
{
	struct hash last = *hash;
	uint64_t z;

	memset(
	    last.tail + last.tail_size, 0, sizeof last.tail - last.tail_size);
	mix_word(&last, last.tail);
	z = last.state ^ last.length * PRIME;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}
