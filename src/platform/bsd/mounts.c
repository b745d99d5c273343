#include "platform/mounts.h"

#include <sys/stat.h>

#include "platform/bsd/bsd.h"
#include "platform/text.h"

void
bsd_mount_finish(struct arena *arena, struct mount_entry *entry,
    const char *words, bool is_read_only)
{
	struct stat status;

	entry->root = "/";
	entry->super_options = "";
	entry->read_only = is_read_only;
	/* "ro" is among the words already */
	entry->options = is_read_only ? words
			 : words[0] == '\0'
			     ? "rw"
			     : arena_printf(arena, "rw,%s", words);
	if (stat(entry->mountpoint, &status) == 0)
		entry->device = status.st_dev;
}

void
bsd_mount_add(struct arena *arena, struct mount_list *list,
    const struct mount_entry *entry)
{
	list->items =
	    list_room(arena, list->items, list->count, sizeof *list->items);
	list->items[list->count++] = *entry;
}

int
platform_mounts_all_namespaces(
    struct arena *arena, struct mount_list *list, struct error *err)
{
	return platform_mounts(arena, list, err);
}

/* The mount table has it all here. */
char *
platform_mount_report(struct arena *arena, const struct mount_entry *entry)
{
	(void)arena;
	(void)entry;
	return NULL;
}
