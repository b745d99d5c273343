/*
 * What traverse and readtree share: a tree that is there, gone over once cold,
 * then warm, or one of the two.
 *
 * The first walk after the mount is "elapsed"; "passes" further ones, of which
 * the median counts, are "elapsed_warm".
 */
#ifndef MM_WORKLOAD_WALKING_H
#define MM_WORKLOAD_WALKING_H

#include "workload/run.h"
#include "workload/walk.h"

/* Rows for both tables, "cache" with its own words behind. */
#define KEY_CACHE(help)                                                        \
	{                                                                      \
		"cache", KEY_WORD, "cold", 0, 0, "cold warm both", 1, help     \
	}

/* How long the walks took; 0 for one that was not asked for. */
struct walking {
	double cold_s;
	double warm_s; /* the median */
	struct walk_result result;
};

/* Only the first walk of a mount is cold, so "passes" need a warm cache. */
int walking_check(const struct workload_keys *keys, struct error *err);

/*
 * Walks as the keys "cache", "passes" and "threads" say and hands in the
 * samples of both metrics; notes what could not be read.  Returns 1 when a
 * walk failed: "cannot VERB 'PATH'".
 */
int walking_run(struct workload_run *run, struct walk_options *options,
    const struct metric *cold, const struct metric *warm, const char *verb,
    struct walking *walking);

#endif
