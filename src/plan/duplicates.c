/* Cells that come to the same thing: A/A controls. */
#include <stdlib.h>
#include <string.h>

#include "plan/expand.h"

/* As strcmp; NULL is before all. */
static int
compare_texts(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* Cells of one driver with one effect stand together, the first first. */
static int
compare_effects(const void *a, const void *b)
{
	const struct cell *const *one = a, *const *two = b;
	int order = compare_texts((*one)->driver, (*two)->driver);

	if (order == 0)
		order = strcmp((*one)->expected, (*two)->expected);
	if (order != 0)
		return order;
	return (*one)->index < (*two)->index ? -1 : 1;
}

static bool
has_same_commands(const struct cell *a, const struct cell *b)
{
	if (a->command_count != b->command_count)
		return false;
	for (size_t i = 0; i < a->command_count; i++) {
		const char *const *x = a->commands[i].argv;
		const char *const *y = b->commands[i].argv;

		while (*x != NULL && *y != NULL && strcmp(*x, *y) == 0) {
			x++;
			y++;
		}
		if (*x != NULL || *y != NULL)
			return false;
	}
	return true;
}

/*
 * The same thing twice: in one section the effect of the options decides; of
 * two sections, which may make and mount differently, every command line
 * must be the same, and the target.
 */
static bool
is_same_thing(const struct cell *a, const struct cell *b)
{
	if (compare_texts(a->driver, b->driver) != 0 ||
	    strcmp(a->expected, b->expected) != 0)
		return false;
	if (strcmp(a->filesystem, b->filesystem) == 0)
		return true;
	return compare_texts(a->target, b->target) == 0 &&
	       has_same_commands(a, b);
}

void
expand_duplicates(struct plan *plan, struct arena *arena)
{
	struct cell **sorted =
	    arena_array(arena, plan->cell_count + 1, sizeof(struct cell *));
	size_t count = 0, run = 0;

	for (size_t i = 0; i < plan->cell_count; i++) {
		struct cell *cell = &plan->cells[i];

		cell->duplicate_of = NO_CELL;
		if (cell->status == CELL_DUPLICATE)
			cell->status = CELL_OK;
		if (cell->status == CELL_OK && cell->expected != NULL)
			sorted[count++] = cell;
	}
	qsort(sorted, count, sizeof(struct cell *), compare_effects);
	for (size_t i = 1; i < count; i++) {
		if (compare_texts(sorted[i]->driver, sorted[run]->driver) !=
			0 ||
		    strcmp(sorted[i]->expected, sorted[run]->expected) != 0)
			run = i;
		for (size_t j = run; j < i; j++) {
			if (sorted[j]->status == CELL_DUPLICATE ||
			    !is_same_thing(sorted[j], sorted[i]))
				continue;
			sorted[i]->status = CELL_DUPLICATE;
			sorted[i]->duplicate_of = sorted[j]->index;
			break;
		}
	}
}
