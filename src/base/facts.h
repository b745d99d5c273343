/*
 * Facts of a machine or a run: an ordered list of named texts, all in one
 * arena.
 */
#ifndef MM_BASE_FACTS_H
#define MM_BASE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct fact {
	const char *name; /* "kernel", "cpu", "memory", "scheduler" */
	const char *value;
};

/* Zero-initialise; it owns nothing. */
struct fact_list {
	struct fact *items;
	size_t count;
	size_t capacity;
};

/* Appends copies of both texts; NULL and "" values are left out. */
void fact_list_add(struct arena *arena, struct fact_list *facts,
    const char *name, const char *value);

/* The first value of that name, or NULL. */
const char *fact_list_get(const struct fact_list *facts, const char *name);

/*
 * Was the host at work before it was asked to do anything?  By its facts
 * "load" (load averages, the one of the last minute first) and "cpus": more
 * than half of the processors had something to do.  False when not known.
 */
bool fact_list_is_busy(const struct fact_list *facts);

#endif
