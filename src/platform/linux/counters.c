#include "platform/counters.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "platform/mounts.h"
#include "platform/text.h"

/* A filesystem of several devices (btrfs) has a number of its own: the
 * mount table names one of its devices. */
static dev_t
device_of_mount(struct arena *arena, dev_t id, const char *path)
{
	struct mount_list list;
	struct error ignored = { 0 };
	const struct mount_entry *entry = NULL;
	struct stat status;

	if (platform_mounts(arena, &list, &ignored) == -1)
		return id;
	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].device == id)
			entry = &list.items[i];
	if (entry == NULL)
		entry = mount_list_holding(&list, path);
	if (entry != NULL && entry->source[0] == '/' &&
	    stat(entry->source, &status) == 0 && S_ISBLK(status.st_mode))
		return status.st_rdev;
	return id;
}

int
platform_counters(
    const char *path, struct device_counters *counters, struct error *err)
{
	struct arena *arena;
	struct stat status;
	const char *text;
	dev_t id;
	int rc = PLATFORM_ABSENT;

	if (stat(path, &status) == -1)
		return error_errno(err, "cannot find the device of '%s'", path);
	arena = arena_new();
	id = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;
	if (major(id) == 0)
		id = device_of_mount(arena, id, path);
	text =
	    text_file(arena, "/sys/dev/block/%u:%u/stat", major(id), minor(id));
	if (text != NULL && counters_parse_sysfs(text, counters) == 0)
		rc = 0;
	arena_free(arena);
	return rc;
}
