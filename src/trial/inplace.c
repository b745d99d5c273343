#include "trial/inplace.h"

#include <string.h>

#include "base/buffer.h"
#include "fs/driver.h"

static const char *const atimes[] = { "noatime", "relatime", "strictatime",
	"atime", NULL };

/* What mount tables show and no mount command takes. */
static const char *const shown_only[] = { "local", "soft-updates",
	"softupdates", "suj", "journaled", "gjournal", "exported", "NFS",
	"rootfs", "with", "quotas", "automounted", NULL };

static bool
is_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* Bits without a name are shown as numbers. */
static bool
is_shown_only(const char *word)
{
	return strncmp(word, "0x", 2) == 0 || is_one_of(word, shown_only);
}

/* The next item of a comma-separated list, in the arena; NULL at its end. */
static char *
next_item(const char **list, struct arena *arena)
{
	const char *start = *list + strspn(*list, ",");
	size_t length = strcspn(start, ",");

	*list = start + length;
	return length == 0 ? NULL : arena_strndup(arena, start, length);
}

static bool
has_item(const char *list, const char *word, struct arena *arena)
{
	char *item;

	while ((item = next_item(&list, arena)) != NULL)
		if (strcmp(item, word) == 0)
			return true;
	return false;
}

/* Does the one word take the other's place? */
static bool
replaces(const char *newer, const char *older)
{
	size_t key = strcspn(newer, "=");

	if (is_one_of(newer, atimes) && is_one_of(older, atimes))
		return true;
	if (newer[key] == '=' && strncmp(newer, older, key + 1) == 0)
		return true;
	if (strcmp(newer, older) == 0)
		return true;
	if (strncmp(newer, "no", 2) == 0 && strcmp(newer + 2, older) == 0)
		return true;
	if ((strcmp(newer, "sync") == 0 && strcmp(older, "async") == 0) ||
	    (strcmp(newer, "async") == 0 && strcmp(older, "sync") == 0) ||
	    (strcmp(newer, "ro") == 0 && strcmp(older, "rw") == 0) ||
	    (strcmp(newer, "rw") == 0 && strcmp(older, "ro") == 0))
		return true;
	return strncmp(older, "no", 2) == 0 && strcmp(older + 2, newer) == 0;
}

static bool
is_replaced(const char *word, const char *newer, struct arena *arena)
{
	char *item;

	while ((item = next_item(&newer, arena)) != NULL)
		if (replaces(item, word))
			return true;
	return false;
}

const char *
inplace_off_form(
    const struct driver *driver, const struct option *row, const char *system)
{
	if (row->off != NULL)
		return row->off;
	if (option_is_default(row))
		return row->on;
	for (const struct option *other = driver->options;
	     other->token != NULL && row->group != NULL; other++)
		if (other->group != NULL && other->stage == STAGE_MOUNT &&
		    strcmp(other->group, row->group) == 0 &&
		    option_is_default(other) &&
		    system_matches(other->systems, system, ""))
			return other->on;
	return NULL;
}

static const char *
add_off_form(const char *forms, const struct driver *driver,
    const struct option *row, const char *system, struct arena *arena)
{
	const char *form = row == NULL || row->stage != STAGE_MOUNT ||
				   row->remount != REMOUNT_OK
			       ? NULL
			       : inplace_off_form(driver, row, system);

	return form == NULL ? forms : arena_printf(arena, "%s,%s", forms, form);
}

const char *
inplace_add_off_forms(const char *forms, const struct driver *driver,
    const struct option *row, const char *system, struct arena *arena)
{
	const char *at = row->implies == NULL ? "" : row->implies;

	forms = add_off_form(forms, driver, row, system, arena);
	if (row->remount != REMOUNT_OK)
		return forms;
	for (; *at != '\0'; at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		forms = add_off_form(forms, driver,
		    fs_option_find(driver, arena_strndup(arena, at, size),
			system, "", arena),
		    system, arena);
		at += size;
	}
	return forms;
}

/* Why the option cannot be changed in place; NULL where it can. */
static const char *
obstacle_of(const struct cell *cell, const struct option *row,
    const struct system *system)
{
	const struct driver *driver = fs_driver_find(cell->driver);

	if (row->stage != STAGE_MOUNT)
		return stage_name(row->stage);
	if (row->remount != REMOUNT_OK)
		return remount_name(row->remount);
	if (system->update_adds && driver != NULL &&
	    inplace_off_form(driver, row, system->name) == NULL)
		return "it could not be taken back";
	return NULL;
}

static bool
is_from_row(const struct cell *cell, const char *word)
{
	for (size_t i = 0; i < cell->on_count; i++)
		if (cell->on[i]->on != NULL &&
		    strcmp(cell->on[i]->on, word) == 0)
			return true;
	for (size_t i = 0; i < cell->off_count; i++)
		if (cell->off[i]->off != NULL &&
		    strcmp(cell->off[i]->off, word) == 0)
			return true;
	return false;
}

/* An option that every cell has, from the section's own list: fine where it
 * is in force already, or the tables know that it can be changed. */
static const char *
extra_obstacle(const struct cell *cell, const char *in_force,
    const struct system *system, struct arena *arena)
{
	const struct driver *driver = fs_driver_find(cell->driver);
	const char *list = cell->asked != NULL ? cell->asked : "";
	char *word;

	while ((word = next_item(&list, arena)) != NULL) {
		const struct option *row;

		if (driver == NULL || is_from_row(cell, word) ||
		    has_item(in_force, word, arena))
			continue;
		row = fs_option_find(driver, word, system->name, "", arena);
		if (row == NULL || obstacle_of(cell, row, system) != NULL)
			return word;
	}
	return NULL;
}

const char *
inplace_obstacle(const struct cell *cell, const char *in_force,
    const struct system *system, struct arena *arena)
{
	const char *word;

	if (system == NULL || system->update == NULL)
		return "this system has no command for it";
	for (size_t i = 0; i < cell->on_count; i++) {
		const char *why = obstacle_of(cell, cell->on[i], system);

		if (why != NULL)
			return arena_printf(
			    arena, "option '%s': %s", cell->on[i]->token, why);
	}
	for (size_t i = 0; i < cell->command_count; i++)
		if (cell->commands[i].rung == RUNG_MAKE ||
		    cell->commands[i].rung == RUNG_TUNE ||
		    cell->commands[i].rung == RUNG_PROP)
			return arena_printf(arena, "the cell has a %s command",
			    rung_name(cell->commands[i].rung));
	if (cell->level_count > cell->on_count + cell->off_count)
		return "an option is in no table";
	word = extra_obstacle(cell, in_force, system, arena);
	return word == NULL ? NULL
			    : arena_printf(arena, "option '%s': %s", word,
				  remount_name(REMOUNT_UNKNOWN));
}

static void
add_items(struct buffer *text, const char *list, const char *newer,
    struct arena *arena)
{
	char *item;

	while ((item = next_item(&list, arena)) != NULL)
		if (!is_shown_only(item) && !is_replaced(item, newer, arena))
			buffer_printf(
			    text, "%s%s", text->length > 0 ? "," : "", item);
}

static bool
has_atime(const char *list, struct arena *arena)
{
	return is_replaced("noatime", list, arena);
}

char *
inplace_restate(const char *in_force, const char *asked,
    const char *plain_atime, struct arena *arena)
{
	struct buffer text;
	char *copy;

	buffer_init(&text);
	add_items(&text, in_force, asked, arena);
	add_items(&text, asked, "", arena);
	if (plain_atime != NULL && !has_atime(buffer_text(&text), arena))
		buffer_printf(
		    &text, "%s%s", text.length > 0 ? "," : "", plain_atime);
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}

char *
inplace_restore(const char *in_force, const char *off_forms,
    const char *plain_atime, struct arena *arena)
{
	const char *back = inplace_restate(in_force, "", plain_atime, arena);

	return inplace_restate(off_forms, back, NULL, arena);
}
