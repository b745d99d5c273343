#include "base/rng.h"

#include <string.h>

static uint64_t
splitmix64(uint64_t *x)
{
	uint64_t z = (*x += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t
rotate_left(uint64_t x, int bits)
{
	return (x << bits) | (x >> (64 - bits));
}

void
rng_seed(struct rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->state[i] = splitmix64(&seed);
}

uint64_t
rng_next(struct rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t
rng_below(struct rng *rng, uint64_t limit)
{
	uint64_t reject = (UINT64_MAX - limit + 1) % limit;
	uint64_t value;

	do
		value = rng_next(rng);
	while (value < reject);
	return value % limit;
}

double
rng_uniform(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1.0p-53;
}

void
rng_fill(struct rng *rng, void *bytes, size_t size)
{
	char *at = bytes;

	while (size > 0) {
		uint64_t value = rng_next(rng);
		size_t part = size < sizeof value ? size : sizeof value;

		memcpy(at, &value, part);
		at += part;
		size -= part;
	}
}
