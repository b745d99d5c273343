#include "platform/device.h"

#include <stdlib.h>

const char *
device_resolve(const char *path, struct arena *arena)
{
	char *real = realpath(path, NULL);
	const char *copy = arena_strdup(arena, real != NULL ? real : path);

	free(real);
	return copy;
}

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "platform/text.h"

enum { IMAGE_SECTOR_BYTES = 512 };

bool
device_is_same(const struct device_info *a, const struct device_info *b)
{
	if (a->kind != b->kind || a->kind == DEVICE_ABSENT || a->id != b->id)
		return false;
	/* two nodes of one device have one number but two inodes */
	return a->kind == DEVICE_DISK || a->inode == b->inode;
}

const char *
device_identity(const struct device_info *info, struct arena *arena)
{
	if (info->serial[0] != '\0')
		return arena_printf(arena, "serial %s, %lld bytes",
		    info->serial, (long long)info->size_bytes);
	if (info->backing_file[0] != '\0')
		return arena_printf(arena, "file %s, %lld bytes",
		    info->backing_file, (long long)info->size_bytes);
	return arena_printf(arena, "number %llx, sequence %s, %lld bytes",
	    (unsigned long long)info->id, info->sequence,
	    (long long)info->size_bytes);
}

static void
describe_file(const struct stat *status, struct device_info *info)
{
	info->id = status->st_dev;
	if (S_ISREG(status->st_mode)) {
		info->kind = DEVICE_IMAGE;
		info->size_bytes = status->st_size;
		info->sector_bytes = IMAGE_SECTOR_BYTES;
	} else {
		info->kind =
		    S_ISDIR(status->st_mode) ? DEVICE_DIRECTORY : DEVICE_OTHER;
	}
}

int
platform_device_describe(const char *path, struct arena *arena,
    struct device_info *info, struct error *err)
{
	char *real = realpath(path, NULL);
	struct stat status;

	*info = (struct device_info){ .kind = DEVICE_ABSENT,
		.path = arena_strdup(arena, real != NULL ? real : path),
		.name = "",
		.size_bytes = -1,
		.sector_bytes = -1,
		.physical_sector_bytes = -1,
		.start_bytes = 0,
		.disk = "",
		.model = "",
		.serial = "",
		.sequence = "",
		.write_cache = "",
		.scheduler = "",
		.backing_file = "",
		.is_rotational = -1 };
	free(real);
	if (stat(info->path, &status) == -1) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		return error_errno(err, "cannot look at '%s'", path);
	}
	info->inode = status.st_ino;
	if (platform_is_disk_node(status.st_mode))
		return platform_describe_disk(&status, arena, info, err);
	describe_file(&status, info);
	return 0;
}
