/* Facts about the machine that ran something: an ordered list of texts. */
#ifndef MM_MODEL_HOST_H
#define MM_MODEL_HOST_H

#include <stddef.h>

struct fact {
	const char *name; /* "kernel", "cpu", "memory", "boot id" */
	const char *value;
};

struct facts {
	struct fact *items;
	size_t count;
	size_t capacity;
};

struct arena;

/* Appends copies of both texts. */
void facts_add(struct facts *facts, struct arena *arena, const char *name,
    const char *value);

/* The first value with the name, or NULL. */
const char *facts_get(const struct facts *facts, const char *name);

#endif
