#include "model/host.h"

#include <string.h>

#include "base/arena.h"

void
facts_add(struct facts *facts, struct arena *arena, const char *name,
    const char *value)
{
	if (facts->count == facts->capacity)
		facts->items = arena_grow(arena, facts->items, facts->count,
		    &facts->capacity, sizeof *facts->items);
	facts->items[facts->count++] = (struct fact){
		.name = arena_strdup(arena, name),
		.value = arena_strdup(arena, value),
	};
}

const char *
facts_get(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].name, name) == 0)
			return facts->items[i].value;
	return NULL;
}
