#include "base/io.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* What no system refuses at once. */
enum { LARGEST = 1 << 30 };

static size_t
piece(size_t size)
{
	return size < LARGEST ? size : LARGEST;
}

/* What one call came to: true when the rest may be tried; "*moved" is how
 * much is done.  Nothing at all stands for the error given. */
static bool
went_on(ssize_t got, int error_of_nothing, size_t *moved)
{
	*moved = got > 0 ? (size_t)got : 0;
	if (got == 0)
		errno = error_of_nothing;
	return got > 0 || (got == -1 && errno == EINTR);
}

int
io_write(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	size_t moved;

	for (; size > 0; at += moved, size -= moved)
		if (!went_on(write(fd, at, piece(size)), ENOSPC, &moved))
			return 1;
	return 0;
}

int
io_write_at(int fd, const void *bytes, size_t size, int64_t offset)
{
	const char *at = bytes;
	size_t moved;

	for (; size > 0; at += moved, size -= moved, offset += (int64_t)moved)
		if (!went_on(pwrite(fd, at, piece(size), (off_t)offset), ENOSPC,
			&moved))
			return 1;
	return 0;
}

int
io_read(int fd, void *bytes, size_t size)
{
	char *at = bytes;
	size_t moved;

	for (; size > 0; at += moved, size -= moved)
		if (!went_on(read(fd, at, piece(size)), EIO, &moved))
			return 1;
	return 0;
}

int
io_read_at(int fd, void *bytes, size_t size, int64_t offset)
{
	char *at = bytes;
	size_t moved;

	for (; size > 0; at += moved, size -= moved, offset += (int64_t)moved)
		if (!went_on(
			pread(fd, at, piece(size), (off_t)offset), EIO, &moved))
			return 1;
	return 0;
}
