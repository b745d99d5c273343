#include "cli/importcells.h"

#include <stdio.h>
#include <string.h>

#include "fs/build.h"
#include "fs/driver.h"
#include "plan/effect.h"
#include "plan/expand.h"
#include "system/system.h"

struct lookup {
	struct imported *imported;
	struct arena *arena;
	const struct driver *driver; /* of cells that name none; or NULL */
	const char *system;
	const char *version;
};

static void
warn(struct lookup *lookup, const char *text)
{
	struct imported *imported = lookup->imported;
	const char **warnings;

	for (size_t i = 0; i < imported->warning_count; i++)
		if (strcmp(imported->warnings[i], text) == 0)
			return;
	warnings = arena_array(
	    lookup->arena, imported->warning_count + 1, sizeof *warnings);
	for (size_t i = 0; i < imported->warning_count; i++)
		warnings[i] = imported->warnings[i];
	warnings[imported->warning_count++] = text;
	imported->warnings = warnings;
}

/* The driver of that name on this system, or NULL. */
static const struct driver *
driver_here(const struct lookup *lookup, const char *name)
{
	const struct driver *driver = fs_driver_find(name);

	return driver != NULL &&
		       fs_driver_on(driver, lookup->system, lookup->version)
		   ? driver
		   : NULL;
}

/* Is the cell known by its name alone?  So it is without factors, and where
 * one factor's words are the names. */
static bool
is_named(const struct cell *cell)
{
	const char *colon = strchr(cell->key, ':');
	const char *name = colon == NULL ? cell->key : colon + 1;

	return cell->level_count == 0 ||
	       (cell->level_count == 1 && !cell->levels[0].is_toggle &&
		   strcmp(cell->levels[0].level, name) == 0);
}

/* The tokens of "ufs+su", without the filesystem, as toggles that are on. */
static const struct driver *
levels_of_name(const struct lookup *lookup, struct cell *cell)
{
	struct arena *arena = lookup->arena;
	const struct driver *driver = lookup->driver;
	const char *colon = strchr(cell->key, ':');
	char *save = NULL;
	char *word =
	    strtok_r(arena_strdup(arena, colon == NULL ? cell->key : colon + 1),
		"+", &save);

	cell->levels =
	    arena_array(arena, strlen(cell->key) + 1, sizeof *cell->levels);
	cell->level_count = 0;
	if (colon != NULL && driver_here(lookup, cell->filesystem) != NULL)
		driver = driver_here(lookup, cell->filesystem);
	if (word != NULL && driver_here(lookup, word) != NULL) {
		driver = driver_here(lookup, word);
		word = strtok_r(NULL, "+", &save);
	}
	for (; word != NULL; word = strtok_r(NULL, "+", &save))
		if (strcmp(word, "default") != 0)
			cell->levels[cell->level_count++] = (struct cell_level){
				.factor = word, .level = "on", .is_toggle = true
			};
	return driver;
}

/* Does the driver's table have a row for everything that is on? */
static bool
is_known(const struct cell *cell)
{
	size_t on = 0;

	for (size_t i = 0; i < cell->level_count; i++)
		on += cell->levels[i].is_toggle &&
			      strcmp(cell->levels[i].level, "off") == 0
			  ? 0
			  : 1;
	return on == cell->on_count;
}

/* The rows of a cell's levels, for effect_apply: what is on has its row. */
static void
apply_rows(struct cell *cell, const struct driver *driver, struct arena *arena)
{
	struct filesystem filesystem = { .title = cell->filesystem,
		.driver = cell->driver,
		.risk = risk_worse(driver->risk, RISK_SAFE),
		.factor_count = cell->on_count };
	struct level *levels =
	    arena_array(arena, cell->on_count + 1, sizeof *levels);
	struct factor *factors =
	    arena_array(arena, cell->on_count + 1, sizeof *factors);
	const struct level **chosen =
	    arena_array(arena, cell->on_count + 1, sizeof *chosen);

	for (size_t i = 0; i < cell->on_count; i++) {
		levels[i] = (struct level){ .name = "on",
			.token = cell->on[i]->token,
			.option = cell->on[i],
			.order = (int)i };
		chosen[i] = &levels[i];
		factors[i] = (struct factor){ .name = cell->on[i]->token,
			.levels = &levels[i],
			.level_count = 1 };
	}
	filesystem.factors = factors;
	cell->on_count = cell->off_count = 0;
	effect_apply(&filesystem, chosen, arena, cell);
}

static void
look_up_cell(struct lookup *lookup, struct cell *cell)
{
	struct cell_level *levels = cell->levels;
	size_t level_count = cell->level_count;
	const struct driver *driver = lookup->driver;
	const char *kept;
	struct cell bound;

	if (is_named(cell))
		driver = levels_of_name(lookup, cell);
	else if (driver_here(lookup, cell->filesystem) != NULL)
		driver = driver_here(lookup, cell->filesystem);
	cell->driver = driver == NULL ? NULL : driver->name;
	fs_bind_cell(cell, lookup->system, lookup->version, lookup->arena);
	bound = *cell;
	if (driver != NULL && is_known(cell)) {
		apply_rows(cell, driver, lookup->arena);
		kept = fs_durability(
		    &bound, lookup->system, lookup->version, lookup->arena);
		if (kept != NULL)
			cell->durability_probe = arena_printf(lookup->arena,
			    "kept %s files at a power cut", kept);
		if (driver->remark != NULL)
			warn(lookup, driver->remark);
	} else {
		cell->driver = NULL;
		if (driver != NULL)
			warn(lookup,
			    arena_printf(lookup->arena,
				"'%s' is not in the tables of %s, so no risk "
				"stands beside it",
				cell->key, driver->name));
	}
	cell->levels = levels;
	cell->level_count = level_count;
}

int
importcells_look_up(struct imported *imported, const char *driver,
    const char *platform, struct arena *arena, struct error *err)
{
	struct lookup lookup = { .imported = imported, .arena = arena };
	const struct system *system;
	struct plan *plan = imported->plan;

	if (driver != NULL) {
		lookup.driver = fs_driver_find(driver);
		if (lookup.driver == NULL)
			return error_set_kind(err, ERROR_USAGE,
			    "--driver: there is no filesystem '%s'", driver);
	}
	if (platform == NULL) {
		if (driver != NULL)
			warn(&lookup,
			    "without --platform the options were not looked "
			    "up, so no risk stands beside the cells");
		return 0;
	}
	if (system_find(platform, &system, &lookup.version, err) == -1)
		return error_wrap(err, "--platform");
	lookup.system = system->name;
	for (size_t i = 0; i < plan->cell_count; i++)
		look_up_cell(&lookup, &plan->cells[i]);
	expand_duplicates(plan, arena);
	return 0;
}

void
importcells_keep_warnings(struct imported *imported, struct arena *arena)
{
	for (size_t i = 0; i < imported->session_count; i++)
		for (size_t j = 0; j < imported->warning_count; j++)
			fact_list_add(arena, &imported->sessions[i].host,
			    j == 0 ? "note"
				   : arena_printf(arena, "note %zu", j + 1),
			    imported->warnings[j]);
}
