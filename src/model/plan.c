#include "model/plan.h"

#include <string.h>

const struct target *
plan_target(const struct plan *plan, const char *title)
{
	for (size_t i = 0; i < plan->target_count; i++)
		if (strcmp(plan->targets[i].title, title) == 0)
			return &plan->targets[i];
	return NULL;
}

size_t
plan_find_cell(const struct plan *plan, const char *key)
{
	for (size_t i = 0; i < plan->cell_count; i++)
		if (strcmp(plan->cells[i].key, key) == 0)
			return i;
	return NO_CELL;
}
