#include "platform/counters.h"

#include <sys/stat.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"

/* Base names of the devices of a node, or of what holds the path. */
static void
names_of(struct arena *arena, const char *path, const struct stat *status,
    struct name_list *names)
{
	struct mount_list mounts;
	const struct mount_entry *entry;

	*names = (struct name_list){ 0 };
	if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode)) {
		name_list_add(arena, names,
		    bsd_device_name(arena, path, status->st_rdev,
			S_ISBLK(status->st_mode)));
		return;
	}
	entry = bsd_mount_of(arena, path, &mounts);
	if (entry != NULL)
		(void)bsd_mount_devices(arena, entry, names);
}

/* Only whole disks are counted: a partition's counters are its disk's. */
int
platform_counters(
    const char *path, struct device_counters *counters, struct error *err)
{
	struct arena *arena;
	struct name_list names;
	struct stat status;
	int rc = PLATFORM_ABSENT;

	if (stat(path, &status) == -1)
		return error_errno(err, "cannot find the device of '%s'", path);
	arena = arena_new();
	names_of(arena, path, &status, &names);
	for (size_t i = 0; i < names.count && rc != 0; i++) {
		struct name_list below;

		/* a label has none, the disk that it names has */
		bsd_disk_ancestors(arena, names.names[i], &below);
		for (size_t k = 0; k < below.count && rc != 0; k++)
			if (bsd_disk_counters(arena,
				disk_of_name(arena, below.names[k]), counters))
				rc = 0;
	}
	arena_free(arena);
	return rc;
}
