#include "platform/linux/sysfs.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "platform/text.h"

static char *
real_folder(struct arena *arena, const char *path)
{
	char *real = realpath(path, NULL);
	char *copy = arena_strdup(arena, real);

	free(real);
	return copy;
}

char *
sysfs_folder(struct arena *arena, dev_t id)
{
	return real_folder(arena,
	    arena_printf(arena, "/sys/dev/block/%u:%u", major(id), minor(id)));
}

char *
sysfs_folder_of_name(struct arena *arena, const char *name)
{
	return real_folder(
	    arena, arena_printf(arena, "/sys/class/block/%s", name));
}

const char *
sysfs_name(const char *folder)
{
	const char *slash = strrchr(folder, '/');

	return slash != NULL ? slash + 1 : folder;
}

dev_t
sysfs_device(struct arena *arena, const char *folder)
{
	const char *text = text_first_line(arena, "%s/dev", folder);
	uint64_t number[2];

	if (text_numbers(text, number, 2) != 2)
		return 0;
	return makedev((unsigned int)number[0], (unsigned int)number[1]);
}

bool
sysfs_is_partition(const char *folder)
{
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/partition", folder);
	return access(path, F_OK) == 0;
}

char *
sysfs_disk(struct arena *arena, const char *folder)
{
	char *disk = arena_strdup(arena, folder);
	char *slash = strrchr(disk, '/');

	if (sysfs_is_partition(folder) && slash != NULL)
		*slash = '\0';
	return disk;
}

void
sysfs_partitions(
    struct arena *arena, const char *folder, struct name_list *list)
{
	struct name_list all;

	*list = (struct name_list){ 0 };
	name_list_folder(arena, &all, folder);
	for (size_t i = 0; i < all.count; i++)
		if (sysfs_is_partition(
			arena_printf(arena, "%s/%s", folder, all.names[i])))
			name_list_add(arena, list, all.names[i]);
}

/* The ioctl sees through mount namespaces; the name in /sys need not lead to
 * the same file here. */
static bool
backing_by_ioctl(
    struct arena *arena, const char *name, struct loop_backing *backing)
{
	const char *path = arena_printf(arena, "/dev/%s", name);
	struct loop_info64 info = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool known;

	if (fd == -1)
		return false;
	known = ioctl(fd, LOOP_GET_STATUS64, &info) == 0;
	(void)close(fd);
	if (known) {
		backing->device = (dev_t)info.lo_device;
		backing->inode = (ino_t)info.lo_inode;
		backing->block = (dev_t)info.lo_rdevice;
	}
	return known;
}

bool
sysfs_loop_backing(
    struct arena *arena, const char *name, struct loop_backing *backing)
{
	char *path = text_first_line(
	    arena, "/sys/class/block/%s/loop/backing_file", name);
	struct stat status;

	if (path[0] == '\0')
		return false;
	*backing = (struct loop_backing){ .path = path };
	if (backing_by_ioctl(arena, name, backing))
		return true;
	if (stat(path, &status) == 0) {
		backing->device = status.st_dev;
		backing->inode = status.st_ino;
		if (S_ISBLK(status.st_mode))
			backing->block = status.st_rdev;
	}
	return true;
}

void
sysfs_loops(struct arena *arena, struct name_list *list)
{
	struct name_list all;
	struct loop_backing backing;

	*list = (struct name_list){ 0 };
	name_list_folder(arena, &all, "/sys/class/block");
	for (size_t i = 0; i < all.count; i++)
		if (strncmp(all.names[i], "loop", 4) == 0 &&
		    sysfs_loop_backing(arena, all.names[i], &backing))
			name_list_add(arena, list, all.names[i]);
}
