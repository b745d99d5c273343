/* Image files and old signatures: what POSIX does alike everywhere. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/attach.h"
#include "platform/device.h"
#include "platform/filesystem.h"
#include "platform/text.h"

static const int64_t MIB = INT64_C(1024) * 1024;
static const int64_t COPY_BYTES = INT64_C(64) * 1024;

static int
write_zeros(int fd, int64_t from, int64_t to, struct error *err)
{
	static const char zeros[64 * 1024];

	while (from < to) {
		int64_t left = to - from;
		size_t size =
		    left < (int64_t)sizeof zeros ? (size_t)left : sizeof zeros;
		ssize_t written = pwrite(fd, zeros, size, (off_t)from);

		if (written == -1 && errno == EINTR)
			continue;
		if (written <= 0)
			return error_errno(err,
			    "cannot zero bytes %lld to %lld", (long long)from,
			    (long long)to);
		from += written;
	}
	return 0;
}

/*
 * Besides both ends: second copies that a filesystem of another kind leaves
 * whole (btrfs at 64 MiB, HAMMER2 at 2, 4 and 6 GiB: a HAMMER2 still mounted
 * after newfs over it).
 */
int
platform_erase_signatures(int fd, struct error *err)
{
	static const int64_t copies_mib[] = { 64, 2048, 4096, 6144 };
	int64_t size = platform_descriptor_size(fd);
	int64_t end = size < MIB ? size : MIB;

	if (size < 0)
		return error_errno(err, "cannot find out the size");
	if (write_zeros(fd, 0, end, err) == -1 ||
	    write_zeros(fd, size - end, size, err) == -1)
		return -1;
	for (size_t i = 0; i < sizeof copies_mib / sizeof copies_mib[0]; i++) {
		int64_t at = copies_mib[i] * MIB;

		if (at + COPY_BYTES <= size &&
		    write_zeros(fd, at, at + COPY_BYTES, err) == -1)
			return -1;
	}
	if (fsync(fd) == -1)
		return error_errno(err, "cannot write back zeroed signatures");
	return 0;
}

/* Allocates; a filesystem that cannot is written to instead. */
static int
allocate(int fd, int64_t size, struct error *err)
{
	int rc = platform_allocate(fd, size);

	if (rc == 0)
		return 0;
	if (rc == EINVAL || rc == EOPNOTSUPP)
		return write_zeros(fd, 0, size, err);
	errno = rc;
	return error_errno(err, "no room for %lld bytes", (long long)size);
}

int
platform_image_create(const char *path, int64_t size_bytes, struct error *err)
{
	struct filesystem_room room = { 0 };
	struct error ignored = { 0 };
	int fd = open(
	    path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc;

	if (fd == -1)
		return error_errno(err, "cannot create image '%s'", path);
	rc = allocate(fd, size_bytes, err);
	if (rc == 0 && fsync(fd) == -1)
		rc = error_errno(err, "cannot write back");
	if (rc == -1) {
		if (ftruncate(fd, 0) == 0 &&
		    platform_room(path, &room, &ignored) == 0)
			(void)error_wrap(err,
			    "cannot create image '%s' (%lld bytes are free)",
			    path, (long long)room.free_bytes);
		(void)unlink(path);
	}
	(void)close(fd);
	return rc;
}

int
platform_image_reserve(
    const char *path, int64_t size_bytes, int *errno_value, struct error *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;

	*errno_value = fd == -1 ? errno : 0;
	if (fd != -1 && fstat(fd, &status) == 0 &&
	    (int64_t)status.st_blocks * 512 < size_bytes)
		*errno_value = platform_allocate(fd, size_bytes);
	if (fd != -1)
		(void)close(fd);
	if (*errno_value == EINVAL || *errno_value == EOPNOTSUPP)
		*errno_value = 0;
	if (*errno_value == 0)
		return 0;
	errno = *errno_value;
	return error_errno(err, "cannot keep the room of the image '%s'", path);
}
