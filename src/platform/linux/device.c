#include "platform/device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/linux/sysfs.h"
#include "platform/text.h"

enum { SECTOR_BYTES = 512 }; /* the unit of sysfs, whatever the device's */

static char *
device_serial(struct arena *arena, const char *disk)
{
	static const char *const names[] = { "serial", "device/serial",
		"device/wwid", "wwid", "dm/uuid" };
	const char *page;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *text = text_first_line(arena, "%s/%s", disk, names[i]);

		if (text[0] != '\0')
			return text;
	}
	/* SCSI: four bytes of header, then the number */
	page = text_file(arena, "%s/device/vpd_pg80", disk);
	if (page != NULL && page[0] == '\0')
		return text_trim(arena, page + 4);
	return arena_strdup(arena, "");
}

static char *
device_scheduler(struct arena *arena, const char *disk)
{
	char *text = text_first_line(arena, "%s/queue/scheduler", disk);
	char *open = strchr(text, '[');
	char *end = open != NULL ? strchr(open, ']') : NULL;

	if (end == NULL)
		return text;
	return arena_strndup(arena, open + 1, (size_t)(end - open - 1));
}

static void
describe_queue(struct arena *arena, const char *disk, struct device_info *info)
{
	info->sector_bytes = text_number(
	    text_first_line(arena, "%s/queue/logical_block_size", disk), -1);
	info->physical_sector_bytes = text_number(
	    text_first_line(arena, "%s/queue/physical_block_size", disk), -1);
	info->is_rotational = (int)text_number(
	    text_first_line(arena, "%s/queue/rotational", disk), -1);
	info->write_cache =
	    text_first_line(arena, "%s/queue/write_cache", disk);
	info->scheduler = device_scheduler(arena, disk);
	info->model = text_first_line(arena, "%s/device/model", disk);
	info->serial = device_serial(arena, disk);
	/* Linux 5.15; it changes with each attaching */
	info->sequence = text_first_line(arena, "%s/diskseq", disk);
	info->disk = sysfs_name(disk);
}

static void
describe_family(
    struct arena *arena, const char *folder, struct device_info *info)
{
	struct name_list parents;
	struct name_list children;
	struct name_list holders;

	name_list_folder(
	    arena, &parents, arena_printf(arena, "%s/slaves", folder));
	if (info->is_partition)
		name_list_add(arena, &parents, info->disk);
	sysfs_partitions(arena, folder, &children);
	name_list_folder(
	    arena, &holders, arena_printf(arena, "%s/holders", folder));
	for (size_t i = 0; i < holders.count; i++)
		name_list_add(arena, &children, holders.names[i]);
	info->parents = parents.names;
	info->parent_count = parents.count;
	info->children = children.names;
	info->child_count = children.count;
}

bool
platform_is_disk_node(mode_t mode)
{
	return S_ISBLK(mode);
}

int
platform_describe_disk(const struct stat *status, struct arena *arena,
    struct device_info *info, struct error *err)
{
	const char *folder = sysfs_folder(arena, status->st_rdev);
	struct loop_backing backing;
	const char *start;
	int64_t sectors;

	info->id = status->st_rdev;
	if (folder == NULL)
		return error_set_kind(err, ERROR_HOST,
		    "/sys does not know the block device '%s'", info->path);
	info->kind = DEVICE_DISK;
	info->name = sysfs_name(folder);
	info->is_partition = sysfs_is_partition(folder);
	sectors = text_number(text_first_line(arena, "%s/size", folder), -1);
	info->size_bytes = sectors < 0 ? -1 : sectors * SECTOR_BYTES;
	start = text_first_line(arena, "%s/start", folder);
	info->start_bytes = text_number(start, 0) * SECTOR_BYTES;
	info->is_read_only =
	    text_number(text_first_line(arena, "%s/ro", folder), 0) != 0;
	describe_queue(arena, sysfs_disk(arena, folder), info);
	if (sysfs_loop_backing(arena, info->disk, &backing)) {
		info->is_loop = true;
		info->backing_file = backing.path;
	} else {
		info->is_loop = strncmp(info->disk, "loop", 4) == 0;
	}
	describe_family(arena, folder, info);
	return 0;
}

int64_t
platform_descriptor_size(int fd)
{
	struct stat status;
	uint64_t size;

	if (fstat(fd, &status) == -1)
		return -1;
	if (S_ISREG(status.st_mode))
		return status.st_size;
	if (!S_ISBLK(status.st_mode) || ioctl(fd, BLKGETSIZE64, &size) == -1)
		return -1;
	return (int64_t)size;
}

static int
refuse_open(int fd, const char *path, const char *why, struct error *err)
{
	(void)close(fd);
	return error_set_kind(err, ERROR_HOST, "'%s' %s", path, why);
}

int
platform_open_exclusive(const char *path, struct error *err)
{
	/* O_EXCL without O_CREAT: a block device that anybody has mounted,
	 * swaps to or holds in the same way gives EBUSY, in any namespace */
	int fd = open(path, O_RDWR | O_EXCL | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd == -1 && errno == EBUSY)
		return error_set_kind(err, ERROR_HOST,
		    "'%s' is in use (mounted, swap, or held by a program)",
		    path);
	if (fd == -1) {
		(void)error_errno(err, "cannot open '%s' for writing", path);
		err->kind = ERROR_HOST;
		return -1;
	}
	if (fstat(fd, &status) == -1)
		return refuse_open(fd, path, "cannot be looked at", err);
	if (S_ISBLK(status.st_mode))
		return fd;
	if (!S_ISREG(status.st_mode))
		return refuse_open(
		    fd, path, "is neither a block device nor a file", err);
	if (flock(fd, LOCK_EX | LOCK_NB) == -1)
		return refuse_open(fd, path, "is locked by a program", err);
	return fd;
}
