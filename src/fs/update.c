#include <string.h>

#include "base/argv.h"
#include "fs/build.h"
#include "fs/readback.h"

static bool
is_sysctl(const struct command *command)
{
	return strcmp(command->argv[0], "sysctl") == 0 &&
	       command->argv[1] != NULL &&
	       strchr(command->argv[1], '=') != NULL;
}

const char *const *
fs_sysctl_query(const struct command *command, struct arena *arena)
{
	struct argv argv;

	if (!is_sysctl(command))
		return NULL;
	argv_init(&argv, arena);
	argv_push(&argv, "sysctl");
	argv_push(&argv, "-n");
	argv_pushf(&argv, "%.*s", (int)strcspn(command->argv[1], "="),
	    command->argv[1]);
	return argv.items;
}

const char *const *
fs_sysctl_restore(
    const struct command *command, const char *printed, struct arena *arena)
{
	struct argv argv;

	if (!is_sysctl(command))
		return NULL;
	argv_init(&argv, arena);
	argv_push(&argv, "sysctl");
	argv_pushf(&argv, "%.*s=%s", (int)strcspn(command->argv[1], "="),
	    command->argv[1], text_line(arena, printed));
	return argv.items;
}

static bool
is_linux(const char *system)
{
	return strcmp(system, "linux") == 0;
}

/* Is the flag one that the cell's options decide? */
static bool
is_decided(const struct cell *cell, const char *flag)
{
	for (size_t i = 0; i < cell->on_count; i++)
		if (option_list_has(cell->on[i]->readback, flag) ||
		    (cell->on[i]->on != NULL &&
			strcmp(cell->on[i]->on, flag) == 0))
			return true;
	for (size_t i = 0; i < cell->off_count; i++)
		if (option_list_has(cell->off[i]->readback, flag))
			return true;
	return false;
}

/* What a mount can be told: not what the filesystem is made with, nor what
 * the kernel only reports. */
static bool
is_restatable(const char *flag)
{
	static const char *const reported[] = { "local", "softupdates", "suj",
		"gjournal", "automounted", "untrusted", "0x" };

	for (size_t i = 0; i < sizeof reported / sizeof reported[0]; i++)
		if (strncmp(flag, reported[i], strlen(reported[i])) == 0)
			return false;
	return true;
}

static const char *const *
update_argv(const char *system, const struct words *list, struct arena *arena)
{
	struct argv argv;

	argv_init(&argv, arena);
	argv_push(&argv, "mount");
	if (!is_linux(system))
		argv_push(&argv, "-u");
	argv_push(&argv, "-o");
	argv_push(&argv, words_text(list));
	argv_push(&argv, "%m");
	return argv.items;
}

/* The flags that stay, "ro" or "rw" first: an update that does not say "ro"
 * makes a BSD's read-only mount writable. */
static void
add_kept(struct words *list, const struct words *flags, const struct cell *cell)
{
	words_add(list, words_have(flags, "ro") ? "ro" : "rw");
	for (size_t i = 0; i < flags->count; i++)
		if (strcmp(flags->items[i], "ro") != 0 &&
		    strcmp(flags->items[i], "rw") != 0 &&
		    is_restatable(flags->items[i]) &&
		    (cell == NULL || !is_decided(cell, flags->items[i])))
			words_add(list, flags->items[i]);
}

int
fs_update_command(const struct cell *cell, const char *system,
    const char *flags, struct arena *arena, const char *const **argv,
    struct error *err)
{
	struct words list, in_force;

	for (size_t i = 0; i < cell->on_count; i++)
		if (cell->on[i]->stage != STAGE_MOUNT ||
		    cell->on[i]->remount != REMOUNT_OK)
			return error_set_kind(err, ERROR_USAGE,
			    "option '%s' cannot be changed on a mounted "
			    "filesystem (%s)",
			    cell->on[i]->token,
			    cell->on[i]->stage == STAGE_MOUNT
				? remount_name(cell->on[i]->remount)
				: stage_name(cell->on[i]->stage));
	words_init(&list, arena);
	words_init(&in_force, arena);
	words_add_list(&in_force, flags);
	if (is_linux(system)) {
		words_add(&list, "remount");
		if (strstr(cell->asked, "relatime") != NULL)
			words_add(&list, "atime");
	} else {
		add_kept(&list, &in_force, cell);
	}
	words_add_list(&list, cell->asked);
	*argv = update_argv(system, &list, arena);
	return 0;
}

const char *const *
fs_restore_flags_command(
    const char *system, const char *flags, struct arena *arena)
{
	struct words list, former;

	words_init(&list, arena);
	words_init(&former, arena);
	words_add_list(&former, flags);
	if (is_linux(system)) {
		words_add(&list, "remount");
		if (words_have(&former, "relatime"))
			words_add(&list, "atime");
		else if (!words_have(&former, "noatime"))
			words_add(&list, "strictatime");
	}
	add_kept(&list, &former, NULL);
	return update_argv(system, &list, arena);
}
