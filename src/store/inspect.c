/*
 * A look at a file and at what lies beside it before SQLite opens it: what
 * SQLite would do on its own with a file from somebody else cannot be taken
 * back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"

enum { PATH_LIMIT = 4200 };

/* Opens a regular file; errno is ENOENT when there is none. */
static int
open_regular(const char *path, int flags, struct stat *about, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);

	if (fd != -1 && fstat(fd, about) == 0 && S_ISREG(about->st_mode))
		return fd;
	if (fd == -1) {
		bool is_denied = errno == EACCES;
		int saved = errno;

		(void)error_errno(err, "cannot open '%s'", path);
		if (is_denied)
			err->kind = ERROR_HOST;
		errno = saved;
		return -1;
	}
	close(fd);
	errno = 0;
	return error_set(err, "'%s' is not a regular file", path);
}

/*
 * A file of another kind is not touched, and one whose header asks for a
 * write-ahead log, which no results file has, does not get companions made
 * beside it.
 */
static int
check_header(const char *path, struct error *err)
{
	enum { WRITE_VERSION = 18, READ_VERSION = 19, HEADER_SIZE = 100 };
	static const char magic[] = "SQLite format 3";
	unsigned char header[HEADER_SIZE] = { 0 };
	struct stat about;
	int fd = open_regular(path, 0, &about, err);
	ssize_t got;

	if (fd == -1)
		return -1;
	got = read(fd, header, sizeof header);
	close(fd);
	if (got != sizeof header || memcmp(header, magic, sizeof magic) != 0)
		return error_set(err, "'%s' is not a results file", path);
	if (header[WRITE_VERSION] != 1 || header[READ_VERSION] != 1)
		return error_set(err,
		    "'%s' is not a results file as this program makes it: its"
		    " journal mode is not DELETE",
		    path);
	return 0;
}

static uint64_t
big_endian(const unsigned char *bytes)
{
	return (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 |
	       (uint64_t)bytes[2] << 8 | bytes[3];
}

/*
 * A journal that a killed run left is rolled back by whoever opens the file
 * next.  Two things in it would reach beyond the file, and no journal of ours
 * has them: at its end the name of a super-journal, which SQLite removes when
 * it is done, whatever file that is; and at its start a size to which it makes
 * the database grow.
 */
static int
check_journal(const char *path, const char *database, struct error *err)
{
	enum { PAGES_AT = 16, PAGE_SIZE_AT = 24, HEADER_SIZE = 28 };
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20,
		0xa1, 0x63, 0xd7 };
	unsigned char header[HEADER_SIZE] = { 0 };
	unsigned char end[sizeof magic] = { 0 };
	struct stat about, other;
	int fd = open_regular(path, O_NOFOLLOW, &about, err);

	if (fd == -1)
		return errno == ENOENT ? 0 : -1;
	if (pread(fd, header, sizeof header, 0) == -1 ||
	    (about.st_size >= (off_t)sizeof end &&
		pread(fd, end, sizeof end, about.st_size - (off_t)sizeof end) ==
		    -1)) {
		error_errno(err, "cannot read '%s'", path);
		close(fd);
		return -1;
	}
	close(fd);
	/* only now: a run that goes on makes it longer, never shorter */
	if (stat(database, &other) == -1)
		return error_errno(err, "cannot open '%s'", database);
	if (about.st_size > HEADER_SIZE &&
	    memcmp(end, magic, sizeof magic) == 0)
		return error_set(err,
		    "'%s' is no journal of a results file: it names another"
		    " file",
		    path);
	if (memcmp(header, magic, sizeof magic) == 0 &&
	    big_endian(header + PAGES_AT) * big_endian(header + PAGE_SIZE_AT) >
		(uint64_t)other.st_size + (uint64_t)about.st_size)
		return error_set(err,
		    "'%s' is no journal of a results file: it would make it"
		    " grow",
		    path);
	return 0;
}

/* A write-ahead log would be read whatever the header says. */
static int
check_log(const char *path, struct error *err)
{
	struct stat about;

	if (lstat(path, &about) == -1 && errno == ENOENT)
		return 0;
	return error_set(
	    err, "'%s' is in the way: no results file has one", path);
}

int
file_inspect(const char *path, struct error *err)
{
	char name[PATH_LIMIT], *real;
	int rc = check_header(path, err);

	if (rc == -1)
		return -1;
	/* SQLite follows links, and looks beside what they lead to */
	real = realpath(path, NULL);
	if (real == NULL)
		return error_errno(err, "cannot open '%s'", path);
	(void)snprintf(name, sizeof name, "%s-journal", real);
	rc = check_journal(name, real, err);
	(void)snprintf(name, sizeof name, "%s-wal", real);
	if (rc == 0)
		rc = check_log(name, err);
	free(real);
	return rc;
}
