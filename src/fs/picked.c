#include "fs/picked.h"

#include <stdlib.h>
#include <string.h>

#include "system/system.h"

/* Where the token stands in the driver's table; declared ones come last, as
 * they came. */
static size_t
table_order(const struct driver *driver, const struct option *row, size_t came)
{
	size_t i;

	for (i = 0; driver->options[i].token != NULL; i++)
		if (&driver->options[i] == row ||
		    strcmp(driver->options[i].token, row->token) == 0)
			return i;
	for (i = 0; driver->options[i].token != NULL; i++) {
		const char *token = driver->options[i].token;
		size_t length = strlen(token);

		if (token[length - 1] == '*' &&
		    strncmp(token, row->token, length - 1) == 0)
			return i;
	}
	return i + came;
}

static void
add(struct picked_list *list, struct arena *arena, const struct picked *item)
{
	list->items = arena_grow(arena, list->items, list->count,
	    &list->capacity, sizeof *list->items);
	list->items[list->count++] = *item;
}

/* Does the table's token stand for this one? */
static bool
same_token(const char *in_table, const char *token)
{
	size_t length = strlen(in_table);

	return strcmp(in_table, token) == 0 ||
	       (in_table[length - 1] == '*' &&
		   strncmp(in_table, token, length - 1) == 0);
}

/* The row, and the rows of the same token at other stages. */
static void
add_with_companions(struct picked_list *list, const struct driver *driver,
    const struct picked *first, const char *system, const char *version,
    struct arena *arena)
{
	add(list, arena, first);
	for (size_t i = 0; driver->options[i].token != NULL; i++) {
		const struct option *row = &driver->options[i];
		struct picked companion = { row, first->is_on, true, i };

		if (row->stage != first->row->stage && row->summary == NULL &&
		    same_token(row->token, first->row->token) &&
		    system_matches(row->systems, system, version))
			add(list, arena, &companion);
	}
}

static int
compare_order(const void *a, const void *b)
{
	const struct picked *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

struct picked_list
pick_rows(const struct cell *cell, const struct driver *driver,
    const char *system, const char *version, struct arena *arena)
{
	struct picked_list list = { 0 };

	for (size_t i = 0; i < cell->on_count; i++) {
		struct picked item = { cell->on[i], true, false,
			table_order(driver, cell->on[i], list.count) };

		add_with_companions(
		    &list, driver, &item, system, version, arena);
	}
	for (size_t i = 0; i < cell->off_count; i++) {
		struct picked item = { cell->off[i], false, false,
			table_order(driver, cell->off[i], list.count) };

		add_with_companions(
		    &list, driver, &item, system, version, arena);
	}
	if (list.count > 0)
		qsort(
		    list.items, list.count, sizeof *list.items, compare_order);
	return list;
}

const struct recipe *
picked_recipe(const struct picked_list *list, const struct driver *driver,
    const char *system, const char *version)
{
	for (const struct recipe *row = driver->recipes; row->systems != NULL;
	     row++) {
		bool asked = row->token == NULL;

		for (size_t i = 0; i < list->count && !asked; i++)
			asked =
			    list->items[i].is_on &&
			    strcmp(list->items[i].row->token, row->token) == 0;
		if (asked && system_matches(row->systems, system, version))
			return row;
	}
	return NULL;
}

bool
picked_is_void(const struct picked_list *list, const struct option *row)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].is_on && list->items[i].row != row &&
		    option_list_has(list->items[i].row->voids, row->token))
			return true;
	return false;
}

/*
 * The one whose off form is said for a group of which nothing is on.  Of
 * several toggles (an explicit list may have them) the forms contradict each
 * other, "relatime=off" against "relatime=on", or are one value said twice,
 * which mkfs.xfs refuses: the first that leads back to the default counts.
 */
static const struct option *
speaker_of(const struct picked_list *list, const char *group)
{
	const struct option *speaker = NULL;

	for (size_t i = 0; i < list->count; i++) {
		const struct option *row = list->items[i].row;

		if (list->items[i].is_on || row->off == NULL ||
		    row->group == NULL || strcmp(row->group, group) != 0)
			continue;
		if (!option_is_default(row))
			return row;
		if (speaker == NULL)
			speaker = row;
	}
	return speaker;
}

bool
picked_off_is_moot(const struct picked_list *list, const struct option *row)
{
	if (row->group != NULL && speaker_of(list, row->group) != row)
		return true;
	for (size_t i = 0; i < list->count; i++) {
		const struct option *on = list->items[i].row;

		if (!list->items[i].is_on || on == row)
			continue;
		if (on->group != NULL && row->group != NULL &&
		    strcmp(on->group, row->group) == 0)
			return true;
		if (option_list_has(on->implies, row->token) ||
		    option_list_has(on->conflicts, row->token) ||
		    option_list_has(row->conflicts, on->token))
			return true;
	}
	return false;
}
