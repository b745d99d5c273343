#include "platform/filesystem.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "platform/flags.h"

/*
 * The kernel also sets bit 0x20 (ST_VALID), which glibc hides in statvfs.
 * "nosuid", "nodev" and "noexec" are of the mount, the rest of both.
 */
static const struct flag_word flags[] = {
	{ ST_RDONLY, "ro" },
	{ ST_SYNCHRONOUS, "sync" },
	{ ST_NOATIME, "noatime" },
	{ ST_NODIRATIME, "nodiratime" },
	{ ST_RELATIME, "relatime" },
	{ ST_MANDLOCK, "mand" },
	{ ST_NOSUID, "nosuid" },
	{ ST_NODEV, "nodev" },
	{ ST_NOEXEC, "noexec" },
	{ 0, NULL },
};

int
platform_flags(const char *path, struct arena *arena, const char **words,
    uint64_t *raw, struct error *err)
{
	struct statvfs status;

	if (statvfs(path, &status) == -1)
		return error_errno(
		    err, "cannot ask for the flags of '%s'", path);
	*words = flags_in_words(arena, flags, status.f_flag);
	if (raw != NULL)
		*raw = status.f_flag;
	return 0;
}

int
platform_sync(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd == -1)
		return error_errno(err, "cannot open '%s' to sync it", path);
	rc = syncfs(fd);
	if (rc == -1)
		(void)error_errno(
		    err, "cannot sync the filesystem of '%s'", path);
	(void)close(fd);
	return rc;
}

int
platform_data_sync(int fd)
{
	return fdatasync(fd);
}
