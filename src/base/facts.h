/*
 * Facts of a machine or a run: an ordered list of named texts, all in one
 * arena.
 */
#ifndef MM_BASE_FACTS_H
#define MM_BASE_FACTS_H

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

#endif
