#include "platform/mounts.h"

#include <sys/param.h>

#include <sys/mount.h>
#include <sys/stat.h>

#include "platform/bsd/bsd.h"
#include "platform/filesystem.h"
#include "platform/text.h"

/* "ro" is among the words already. */
static const char *
options_of(struct arena *arena, const char *words, bool is_read_only)
{
	if (is_read_only)
		return words;
	return words[0] == '\0' ? "rw" : arena_printf(arena, "rw,%s", words);
}

void
bsd_mount_add(struct arena *arena, struct mount_list *list, const char *source,
    const char *mountpoint, const char *type, uint64_t flags)
{
	const char *words = flags_in_words(arena, bsd_flag_words, flags);
	bool is_read_only = (flags & MNT_RDONLY) != 0;
	struct mount_entry entry = {
		.source = arena_strdup(arena, source),
		.mountpoint = arena_strdup(arena, mountpoint),
		.type = arena_strdup(arena, type),
		.root = "/",
		.options = options_of(arena, words, is_read_only),
		.super_options = "",
		.read_only = is_read_only,
	};
	struct stat status;

	if (stat(mountpoint, &status) == 0)
		entry.device = status.st_dev;
	list->items =
	    arena_append(arena, list->items, list->count, sizeof *list->items);
	list->items[list->count++] = entry;
}

int
platform_mounts(struct arena *arena, struct mount_list *list, struct error *err)
{
	*list = (struct mount_list){ .is_complete = true };
	if (bsd_mount_table(arena, list) <= 0)
		return error_errno(err, "cannot read the mount table");
	return 0;
}

int
platform_mounts_all_namespaces(
    struct arena *arena, struct mount_list *list, struct error *err)
{
	return platform_mounts(arena, list, err);
}

int
platform_flags(const char *path, struct arena *arena, const char **words,
    uint64_t *raw, struct error *err)
{
	uint64_t flags;

	if (bsd_mount_flags(path, &flags) == -1)
		return error_errno(
		    err, "cannot ask for the flags of '%s'", path);
	*words = flags_in_words(arena, bsd_flag_words, flags);
	if (raw != NULL)
		*raw = flags;
	return 0;
}

/* The mount table has it all here. */
char *
platform_mount_report(struct arena *arena, const struct mount_entry *entry)
{
	(void)arena;
	(void)entry;
	return NULL;
}
