#include "platform/device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/magic.h"
#include "platform/text.h"

dev_t
platform_make_device(unsigned int major, unsigned int minor)
{
	return makedev(major, minor);
}

char *
bsd_device_name(struct arena *arena, const char *path, dev_t id, bool is_block)
{
	const char *name = devname(id, is_block ? S_IFBLK : S_IFCHR);

	/* "??" and "#C:1:2" are for numbers without a name */
	if (name == NULL || name[0] == '?' || name[0] == '#')
		name = path;
	return disk_base_name(arena, name, bsd_naming);
}

/* Raw or not. */
bool
platform_is_disk_node(mode_t mode)
{
	return S_ISBLK(mode) || S_ISCHR(mode);
}

/* The number of the raw node, which is the same by whichever name the
 * device was given. */
static dev_t
raw_device(struct arena *arena, const char *name, const struct stat *given)
{
	struct stat status;

	if (bsd_naming == NAMING_LETTERS &&
	    stat(arena_printf(arena, "/dev/r%s", name), &status) == 0 &&
	    S_ISCHR(status.st_mode))
		return status.st_rdev;
	return given->st_rdev;
}

int
platform_describe_disk(const struct stat *status, struct arena *arena,
    struct device_info *info, struct error *err)
{
	struct file_disk_list files;
	const char *disk;
	int fd = open(info->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	(void)err;
	info->kind = DEVICE_OTHER;
	info->name = bsd_device_name(
	    arena, info->path, status->st_rdev, S_ISBLK(status->st_mode));
	info->id = raw_device(arena, info->name, status);
	if (fd != -1) {
		if (bsd_disk_size(fd, &info->size_bytes, &info->sector_bytes))
			info->kind = DEVICE_DISK;
		(void)close(fd);
	} else if (errno == EBUSY || errno == EPERM || errno == EACCES) {
		/* NetBSD's block node of a mounted disk */
		info->kind = DEVICE_DISK;
	}
	disk = disk_of_name(arena, info->name);
	info->disk = disk;
	info->is_partition = strcmp(disk, info->name) != 0;
	bsd_file_disks(arena, &files);
	for (size_t i = 0; i < files.count; i++)
		if (strcmp(files.items[i].name, disk) == 0) {
			info->is_loop = true;
			info->backing_file = files.items[i].file;
		}
	if (strncmp(disk, "md", 2) == 0 || strncmp(disk, "vn", 2) == 0)
		info->is_loop = true;
	bsd_disk_details(arena, info);
	return 0;
}

int64_t
platform_descriptor_size(int fd)
{
	struct stat status;
	int64_t size;
	int64_t sector;

	if (fstat(fd, &status) == -1)
		return -1;
	if (S_ISREG(status.st_mode))
		return status.st_size;
	return bsd_disk_size(fd, &size, &sector) ? size : -1;
}

int
platform_open_exclusive(const char *path, struct error *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	/* FreeBSD answers EPERM for a disk that is mounted writable, the
	 * others EBUSY; none protects a read-only mount or swap */
	if (fd == -1 && (errno == EBUSY || errno == EPERM))
		return error_set_kind(
		    err, ERROR_HOST, "'%s' is in use (mounted)", path);
	if (fd == -1) {
		(void)error_errno(err, "cannot open '%s' for writing", path);
		err->kind = ERROR_HOST;
		return -1;
	}
	if (fstat(fd, &status) == 0 &&
	    (platform_is_disk_node(status.st_mode) ||
		S_ISREG(status.st_mode)) &&
	    (platform_is_disk_node(status.st_mode) ||
		flock(fd, LOCK_EX | LOCK_NB) == 0))
		return fd;
	(void)close(fd);
	return error_set_kind(
	    err, ERROR_HOST, "'%s' is no disk and no file that is free", path);
}

int
platform_signatures(const struct device_info *info, int fd, struct arena *arena,
    struct signature_list *list, struct error *err)
{
	int rc;

	*list = (struct signature_list){ 0 };
	if (fd != -1)
		return magic_read(fd, info->path, arena, list, err);
	fd = open(info->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd == -1) {
		(void)error_errno(err, "cannot read '%s'", info->path);
		err->kind = ERROR_HOST;
		return -1;
	}
	rc = magic_read(fd, info->path, arena, list, err);
	(void)close(fd);
	return rc;
}
