#include "base/facts.h"

#include <stdlib.h>
#include <string.h>

void
fact_list_add(struct arena *arena, struct fact_list *facts, const char *name,
    const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	if (facts->count == facts->capacity)
		facts->items = arena_grow(arena, facts->items, facts->count,
		    &facts->capacity, sizeof *facts->items);
	facts->items[facts->count++] = (struct fact){
		.name = arena_strdup(arena, name),
		.value = arena_strdup(arena, value),
	};
}

const char *
fact_list_get(const struct fact_list *facts, const char *name)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].name, name) == 0)
			return facts->items[i].value;
	return NULL;
}

bool
fact_list_is_busy(const struct fact_list *facts)
{
	const char *load = fact_list_get(facts, "load");
	const char *cpus = fact_list_get(facts, "cpus");

	return load != NULL && cpus != NULL &&
	       strtod(load, NULL) > strtod(cpus, NULL) / 2;
}
