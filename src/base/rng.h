/*
 * Repeatable random numbers: xoshiro256** seeded by splitmix64 (Blackman and
 * Vigna, public domain algorithms).  For orders, offsets and data; the
 * classics that fix their own generator (PostMark) have it in their file.
 */
#ifndef MM_BASE_RNG_H
#define MM_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state[4];
};

/* The same seed gives the same sequence on every system. */
void rng_seed(struct rng *rng, uint64_t seed);

uint64_t rng_next(struct rng *rng);

/* Uniform in 0..limit-1 by rejection, so without bias; needs limit > 0. */
uint64_t rng_below(struct rng *rng, uint64_t limit);

/* Uniform in [0, 1) with 53 random bits. */
double rng_uniform(struct rng *rng);

/* Fills with random bytes: data that does not compress. */
void rng_fill(struct rng *rng, void *bytes, size_t size);

#endif
