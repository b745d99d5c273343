#include "platform/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "platform/text.h"

int
platform_cache_drop_file(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd == -1)
		return error_errno(err, "cannot open '%s'", path);
	/* dirty pages would stay */
	rc = fdatasync(fd) == -1 ? errno
				 : posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	(void)close(fd);
	if (rc == 0)
		return 0;
	errno = rc;
	return error_errno(err, "cannot drop the cached pages of '%s'", path);
}
