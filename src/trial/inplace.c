#include "trial/inplace.h"

#include <string.h>

#include "base/buffer.h"

static const char *const atimes[] = { "noatime", "relatime", "strictatime",
	"atime", NULL };

/* What mount tables show and no mount command takes. */
static const char *const shown_only[] = { "local", "soft-updates",
	"softupdates", "suj", "journaled", "gjournal", "exported", "NFS",
	"rootfs", "with", "quotas", NULL };

static bool
is_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
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

bool
inplace_is_possible(const struct cell *cell)
{
	for (size_t i = 0; i < cell->on_count; i++)
		if (cell->on[i]->stage != STAGE_MOUNT ||
		    cell->on[i]->remount != REMOUNT_OK)
			return false;
	for (size_t i = 0; i < cell->command_count; i++)
		if (cell->commands[i].rung == RUNG_MAKE ||
		    cell->commands[i].rung == RUNG_TUNE ||
		    cell->commands[i].rung == RUNG_PROP)
			return false;
	return true;
}

static void
add_items(struct buffer *text, const char *list, const char *newer,
    struct arena *arena)
{
	char *item;

	while ((item = next_item(&list, arena)) != NULL)
		if (!is_one_of(item, shown_only) &&
		    !is_replaced(item, newer, arena))
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
