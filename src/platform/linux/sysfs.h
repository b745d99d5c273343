/* Block devices in /sys; inside platform/linux only. */
#ifndef MM_PLATFORM_LINUX_SYSFS_H
#define MM_PLATFORM_LINUX_SYSFS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "platform/attach.h"

/* "/sys/devices/.../block/sda/sda1" of a device number, or NULL. */
char *sysfs_folder(struct arena *arena, dev_t id);

/* The same of a kernel name ("sda1"), or NULL. */
char *sysfs_folder_of_name(struct arena *arena, const char *name);

/* "sda1" from its folder. */
const char *sysfs_name(const char *folder);

/* The device number of a folder; 0 when it has none. */
dev_t sysfs_device(struct arena *arena, const char *folder);

bool sysfs_is_partition(const char *folder);

/* The folder of the whole disk; its own for a disk. */
char *sysfs_disk(struct arena *arena, const char *folder);

/* Names of its partitions. */
void sysfs_partitions(
    struct arena *arena, const char *folder, struct name_list *list);

/* What a loop device is attached to: numbers of its file's filesystem and
 * inode, or of the block device it is. */
struct loop_backing {
	dev_t device; /* of the filesystem that holds the file */
	ino_t inode;
	dev_t block; /* the block device that is the backing, else 0 */
	char *path;
};

/* False when the loop device (kernel name) is free. */
bool sysfs_loop_backing(
    struct arena *arena, const char *name, struct loop_backing *backing);

/* Names of all loop devices that are attached to something. */
void sysfs_loops(struct arena *arena, struct name_list *list);

#endif
