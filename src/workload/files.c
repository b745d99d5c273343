#include "workload/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "workload/run.h"

enum { ALIGNMENT = 4096 };

int
files_new_folder(const struct workload_run *run, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int base = open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = -1;
	int code;

	if (base == -1)
		return -1;
	if (mkdirat(base, name, 0755) == 0)
		fd = openat(base, name, flags);
	code = errno;
	(void)close(base);
	errno = code;
	return fd;
}

void *
files_data(size_t size, uint64_t seed, double compressible)
{
	size_t zeros = (size_t)((double)ALIGNMENT * compressible / 100);
	size_t whole = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	char *data;
	struct rng rng;

	if (whole == 0)
		whole = ALIGNMENT;
	data = aligned_alloc(ALIGNMENT, whole);
	if (data == NULL)
		abort();
	rng_seed(&rng, seed);
	rng_fill(&rng, data, whole);
	for (size_t at = 0; zeros > 0 && at < whole; at += ALIGNMENT)
		memset(data + at, 0, zeros);
	return data;
}

int
files_direct_flag(void)
{
#ifdef O_DIRECT
	return O_DIRECT;
#else
	return -1;
#endif
}

void
files_drop_cache(int fd)
{
#ifdef POSIX_FADV_DONTNEED
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
#else
	(void)fd;
#endif
}
