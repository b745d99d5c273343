#include <string.h>

#include "base/argv.h"
#include "fs/build.h"
#include "fs/picked.h"
#include "fs/readback.h"

/* The row a level stands for: "factor=level" before "level", a toggle by its
 * own name. */
static const struct option *
row_of_level(const struct driver *driver, const struct cell_level *level,
    const char *system, const char *version, struct arena *arena)
{
	const struct option *row;

	if (level->is_toggle)
		return fs_option_find(
		    driver, level->factor, system, version, arena);
	row = fs_option_find(driver,
	    arena_printf(arena, "%s=%s", level->factor, level->level), system,
	    version, arena);
	if (row != NULL)
		return row;
	return fs_option_find(driver, level->level, system, version, arena);
}

void
fs_bind_cell(struct cell *cell, const char *system, const char *version,
    struct arena *arena)
{
	const struct driver *driver = fs_driver_find(cell->driver);

	if (driver == NULL)
		return;
	cell->on = arena_array(arena, cell->level_count + 1, sizeof(void *));
	cell->off = arena_array(arena, cell->level_count + 1, sizeof(void *));
	cell->on_count = 0;
	cell->off_count = 0;
	for (size_t i = 0; i < cell->level_count; i++) {
		const struct cell_level *level = &cell->levels[i];
		const struct option *row =
		    row_of_level(driver, level, system, version, arena);

		if (row == NULL)
			continue;
		if (level->is_toggle && strcmp(level->level, "off") == 0)
			cell->off[cell->off_count++] = row;
		else
			cell->on[cell->on_count++] = row;
	}
}

const char *
fs_durability(const struct cell *cell, const char *system, const char *version,
    struct arena *arena)
{
	const struct driver *driver =
	    cell->driver == NULL ? NULL : fs_driver_find(cell->driver);
	const struct recipe *recipe;
	const char *worst = NULL;
	struct picked_list list;

	if (driver == NULL)
		return NULL;
	list = pick_rows(cell, driver, system, version, arena);
	recipe = picked_recipe(&list, driver, system, version);
	if (recipe == NULL || recipe->durability == NULL)
		return NULL;
	for (size_t i = 0; i < list.count; i++) {
		const struct option *row = list.items[i].row;

		if (list.items[i].is_on && row->durability != NULL &&
		    !picked_is_void(&list, row) &&
		    (worst == NULL || strcmp(row->durability, worst) < 0))
			worst = row->durability;
	}
	return worst != NULL ? worst : recipe->durability;
}

const char *const *
fs_programs(const struct cell *cell, const char *system, const char *version,
    struct arena *arena)
{
	const struct driver *driver = fs_driver_find(cell->driver);
	const struct readback **list = NULL;
	size_t count =
	    driver == NULL || cell->command_count == 0
		? 0
		: fs_readbacks(driver, system, version, &list, arena);
	struct words names;
	struct argv argv;

	words_init(&names, arena);
	for (size_t i = 0; i < cell->command_count; i++)
		words_add(&names, cell->commands[i].argv[0]);
	for (size_t i = 0; i < count; i++)
		words_add(&names, arena_strndup(arena, list[i]->command,
				      strcspn(list[i]->command, " ")));
	argv_init(&argv, arena);
	for (size_t i = 0; i < names.count; i++)
		argv_push(&argv, names.items[i]);
	return argv.items;
}
