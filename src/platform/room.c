#include <sys/statvfs.h>

#include "platform/filesystem.h"

int
platform_room(const char *path, struct filesystem_room *room, struct error *err)
{
	struct statvfs status;
	int64_t block;

	if (statvfs(path, &status) == -1)
		return error_errno(
		    err, "cannot ask for the room on '%s'", path);
	block =
	    (int64_t)(status.f_frsize != 0 ? status.f_frsize : status.f_bsize);
	room->size_bytes = (int64_t)status.f_blocks * block;
	room->free_bytes = (int64_t)status.f_bavail * block;
	room->inodes = (int64_t)status.f_files;
	room->free_inodes = (int64_t)status.f_favail;
	return 0;
}
