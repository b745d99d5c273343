#include "fs/build.h"

#include <string.h>

#include "base/units.h"
#include "fs/builder.h"
#include "fs/readback.h"
#include "fs/risks.h"
#include "system/system.h"

/* True where the target is made anew in every trial. */
static bool
is_made(const struct builder *build)
{
	return build->target->kind == TARGET_IMAGE ||
	       build->target->kind == TARGET_DEVICE ||
	       build->target->kind == TARGET_MEMORY;
}

static bool
is_mounted(const struct builder *build)
{
	return build->target->kind != TARGET_DIRECTORY &&
	       build->recipe != NULL && build->recipe->mount != NULL;
}

static const char *
kind_name(enum target_kind kind)
{
	static const char *const names[] = {
		[TARGET_IMAGE] = "an image",
		[TARGET_DEVICE] = "a device",
		[TARGET_DIRECTORY] = "a directory",
		[TARGET_MEMORY] = "memory",
		[TARGET_MOUNTPOINT] = "a mount point",
	};

	return names[kind];
}

static int
add_attach(struct builder *build, bool detach, struct error *err)
{
	const struct system *system;
	const struct system_attach *attach;
	const char *ignored;
	struct argv words;

	if (build->target->kind != TARGET_IMAGE)
		return 0;
	if (system_find(build->system, &system, &ignored, err) == -1)
		return -1;
	attach = system_attach_of(system, build->version);
	if (attach == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "target '%s': %s %s cannot attach an image file",
		    build->target->title, build->system, build->version);
	if (detach)
		return builder_add_line(
		    build, RUNG_DETACH, attach->detach, NULL, err);
	if (builder_stage_words(build, STAGE_ATTACH, &words, err) == -1)
		return -1;
	if (build->target->sector_size > 0) {
		if (attach->sector == NULL)
			return error_set_kind(err, ERROR_USAGE,
			    "target '%s': %s has no sector size for images",
			    build->target->title, build->system);
		argv_push(&words, arena_strndup(build->arena, attach->sector,
				      strcspn(attach->sector, " ")));
		argv_pushf(
		    &words, "%lld", (long long)build->target->sector_size);
	}
	if (words.count == 0)
		return builder_add_line(
		    build, RUNG_ATTACH, attach->attach, NULL, err);
	/* behind the program's name: an image's flag stands before it */
	return builder_add_line(build, RUNG_ATTACH,
	    arena_printf(build->arena, "%.*s %%o%s",
		(int)strcspn(attach->attach, " "), attach->attach,
		attach->attach + strcspn(attach->attach, " ")),
	    &words, err);
}

/* The recipe's make command with the other devices behind the first. */
static const char *
make_lines(struct builder *build)
{
	const struct target *target = build->target;
	const char *lines = build->recipe->make;
	const char *mark;

	for (size_t i = target->more_device_count; i > 0; i--) {
		mark = strstr(lines, "%d");
		if (mark == NULL)
			break;
		lines = arena_printf(build->arena, "%.*s%%d %s%s",
		    (int)(mark - lines), lines,
		    argv_quote_word(build->arena, target->more_devices[i - 1]),
		    mark + 2);
	}
	return lines;
}

static int
add_make(struct builder *build, struct error *err)
{
	const struct filesystem *filesystem = build->filesystem;
	struct argv words;

	if (!is_made(build) || build->recipe == NULL ||
	    build->recipe->make == NULL)
		return 0;
	if (builder_stage_words(build, STAGE_MAKE, &words, err) == -1)
		return -1;
	for (size_t i = 0; i < filesystem->make_argument_count; i++)
		argv_push(&words, filesystem->make_arguments[i]);
	return builder_add_lines(
	    build, RUNG_MAKE, make_lines(build), &words, err);
}

static int
add_tune(struct builder *build, struct error *err)
{
	struct argv words;

	if (!is_made(build) || build->recipe == NULL)
		return 0;
	if (builder_stage_words(build, STAGE_TUNE, &words, err) == -1)
		return -1;
	if (words.count == 0)
		return 0;
	if (build->recipe->tune == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "filesystem '%s': driver '%s' has no command for options "
		    "of the stage 'tune'",
		    build->filesystem->title, build->driver->name);
	return builder_add_lines(
	    build, RUNG_TUNE, build->recipe->tune, &words, err);
}

/* Whole command lines: properties and system-wide values. */
static int
add_settings(
    struct builder *build, enum stage stage, enum rung rung, struct error *err)
{
	if (!is_mounted(build) && stage == STAGE_PROP)
		return 0;
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];
		const char *line = builder_fragment(build, item);

		if (item->row->stage == stage && line != NULL &&
		    builder_add_line(build, rung, line, NULL, err) == -1)
			return -1;
	}
	return 0;
}

/* What sets system-wide values back. */
static int
add_restore(struct builder *build, struct error *err)
{
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];

		if (item->is_on && item->row->stage == STAGE_SYSCTL &&
		    item->row->off != NULL &&
		    builder_add_line(
			build, RUNG_RESTORE, item->row->off, NULL, err) == -1)
			return -1;
	}
	return 0;
}

static int
add_mount(struct builder *build, struct error *err)
{
	if (!is_mounted(build))
		return 0;
	return builder_add_lines(
	    build, RUNG_MOUNT, build->recipe->mount, NULL, err);
}

/* Unmount, check, restore, detach. */
static int
add_endings(struct builder *build, struct error *err)
{
	const struct recipe *recipe = build->recipe;

	if (is_mounted(build) &&
	    builder_add_lines(build, RUNG_UNMOUNT,
		recipe->unmount == NULL ? "umount %m" : recipe->unmount, NULL,
		err) == -1)
		return -1;
	if (is_made(build) && recipe != NULL &&
	    builder_add_lines(build, RUNG_CHECK, recipe->check, NULL, err) ==
		-1)
		return -1;
	if (add_restore(build, err) == -1)
		return -1;
	if (is_made(build) && recipe != NULL &&
	    builder_add_lines(build, RUNG_DETACH, recipe->detach, NULL, err) ==
		-1)
		return -1;
	return add_attach(build, true, err);
}

static int
add_all(struct builder *build, struct error *err)
{
	if (add_attach(build, false, err) == -1 || add_make(build, err) == -1 ||
	    add_tune(build, err) == -1)
		return -1;
	if (add_mount(build, err) == -1 ||
	    add_settings(build, STAGE_PROP, RUNG_PROP, err) == -1 ||
	    add_settings(build, STAGE_SYSCTL, RUNG_SYSCTL, err) == -1)
		return -1;
	return add_endings(build, err);
}

/* The recipe of a token that is on, the ordinary one, or the file's own. */
static const struct recipe *
choose_recipe(const struct builder *build)
{
	const struct filesystem *own = build->filesystem;
	const struct recipe *found = picked_recipe(
	    &build->picked, build->driver, build->system, build->version);
	struct recipe *recipe;

	if (found != NULL)
		return found;
	if (own->custom_make == NULL && own->custom_mount == NULL)
		return NULL;
	recipe = arena_alloc(build->arena, sizeof *recipe);
	recipe->make = own->custom_make;
	recipe->mount = own->custom_mount;
	recipe->unmount = own->custom_unmount;
	recipe->check = own->custom_check;
	return recipe;
}

/* Refuses what cannot be, before any command is written. */
static int
check_target(const struct builder *build, struct error *err)
{
	const struct driver *driver = build->driver;
	const struct target *target = build->target;

	if (!fs_driver_on(driver, build->system, build->version))
		return error_set_kind(err, ERROR_USAGE,
		    "driver '%s' is not available on %s, only on %s",
		    driver->name, build->system, driver->systems);
	if (!fs_driver_takes(driver, target->kind))
		return error_set_kind(err, ERROR_USAGE,
		    "driver '%s' cannot use target '%s', which is %s",
		    driver->name, target->title, kind_name(target->kind));
	if (target->size_bytes > 0 &&
	    target->size_bytes < driver->minimum_bytes)
		return error_set_kind(err, ERROR_USAGE,
		    "target '%s' has %s, %s needs at least %s", target->title,
		    units_format_size(build->arena, target->size_bytes),
		    driver->name,
		    units_format_size(build->arena, driver->minimum_bytes));
	if (target->more_device_count > 0 && !driver->takes_more_devices)
		return error_set_kind(err, ERROR_USAGE,
		    "target '%s' has several devices, driver '%s' takes one",
		    target->title, driver->name);
	if (driver->recipes[0].systems == NULL &&
	    target->kind != TARGET_DIRECTORY && build->recipe == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "driver '%s' needs 'mount' (and 'make') command lines",
		    driver->name);
	return 0;
}

/* Options that exclude each other, or that need what the target lacks. */
static void
check_options(struct builder *build)
{
	struct cell *cell = build->cell;

	for (size_t i = 0; i < cell->on_count && cell->status == CELL_OK; i++) {
		const struct option *row = cell->on[i];

		for (size_t j = 0; j < cell->on_count; j++) {
			if (!option_list_has(
				row->conflicts, cell->on[j]->token))
				continue;
			cell->status = CELL_UNSAFE;
			cell->reason = arena_printf(build->arena,
			    "%s and %s exclude each other", row->token,
			    cell->on[j]->token);
		}
		if (!is_made(build) && row->stage <= STAGE_TUNE &&
		    cell->status == CELL_OK) {
			cell->status = CELL_INAPPLICABLE;
			cell->reason = arena_printf(build->arena,
			    "%s is set when a filesystem is made, and target "
			    "'%s' is not made",
			    row->token, build->target->title);
		}
	}
}

/* What the options that are on and not void give up together. */
static enum risk
risk_of(const struct builder *build)
{
	struct risks risks;

	risks_init(&risks, build->driver);
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];

		if (item->is_on && !item->is_companion &&
		    !picked_is_void(&build->picked, item->row))
			risks_add(&risks, item->row);
	}
	return risks_together(&risks);
}

/* What should be in force: the effects of what is on and not void. */
static char *
expected_of(const struct builder *build)
{
	struct words words;

	words_init(&words, build->arena);
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];
		const struct option *row = item->row;

		if (item->is_on && !item->is_companion &&
		    !picked_is_void(&build->picked, row))
			words_add(&words,
			    row->effect == NULL ? row->token : row->effect);
	}
	return words_text(&words);
}

int
fs_build_commands(struct cell *cell, const struct filesystem *filesystem,
    const char *system, const char *version, struct arena *arena,
    struct error *err)
{
	struct builder build = {
		.cell = cell,
		.filesystem = filesystem,
		.target = filesystem->target,
		.driver = fs_driver_find(filesystem->driver),
		.system = system,
		.version = version,
		.arena = arena,
	};

	if (build.driver == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "filesystem '%s': no driver '%s'", filesystem->title,
		    filesystem->driver);
	build.picked = pick_rows(cell, build.driver, system, version, arena);
	build.recipe = choose_recipe(&build);
	cell->commands = NULL;
	cell->command_count = 0;
	if (check_target(&build, err) == -1)
		return error_wrap(err, "%s:%d: filesystem '%s'",
		    filesystem->at.file == NULL ? "matrix"
						: filesystem->at.file,
		    filesystem->at.line, filesystem->title);
	check_options(&build);
	cell->asked = builder_mount_list(&build);
	cell->risk = risk_of(&build);
	if (cell->expected == NULL)
		cell->expected = expected_of(&build);
	return add_all(&build, err);
}
