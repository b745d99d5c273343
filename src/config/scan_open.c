#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/scan.h"

/* "include "x": " before what is wrong with it, for an included file. */
static int
refuse(const struct scan_source *source, struct position at,
    struct diagnostics *diagnostics, const char *why)
{
	if (source->includer == NULL)
		return diagnostics_add(diagnostics, at, "%s", why);
	return diagnostics_add(
	    diagnostics, at, "included file '%s': %s", source->path, why);
}

static const char *
unfit_kind(mode_t mode)
{
	if (S_ISDIR(mode))
		return "this is a folder, not a file";
	return S_ISREG(mode) ? NULL : "this is not a regular file";
}

/* Opening a device can do something by itself, so it is looked at first. */
static const char *
open_regular(const char *path, int *fd)
{
	struct stat status;
	const char *trouble;

	if (stat(path, &status) == -1)
		return strerror(errno);
	trouble = unfit_kind(status.st_mode);
	if (trouble != NULL)
		return trouble;
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return *fd == -1 ? strerror(errno) : NULL;
}

/* What the open descriptor is, before any of it is read. */
static const char *
unfit(struct scan_source *source, int fd, off_t *size)
{
	struct stat status;

	if (fstat(fd, &status) == -1)
		return strerror(errno);
	if (unfit_kind(status.st_mode) != NULL)
		return unfit_kind(status.st_mode);
	if (status.st_size > SOURCE_MOST_BYTES)
		return "larger than 1 MiB: this is no matrix file";
	*size = status.st_size;
	source->device = status.st_dev;
	source->inode = status.st_ino;
	for (const struct scan_source *s = source->includer; s != NULL;
	     s = s->includer)
		if (s->device == source->device && s->inode == source->inode)
			return "it includes itself";
	return NULL;
}

static const char *
read_all(struct scan_source *source, int fd, off_t size, struct arena *arena)
{
	char *text = arena_alloc(arena, (size_t)size + 1);
	size_t length = 0;

	while (length < (size_t)size) {
		ssize_t got = read(fd, text + length, (size_t)size - length);

		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return strerror(errno);
		if (got == 0)
			break;
		length += (size_t)got;
	}
	source->text = text;
	source->length = length;
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		source->text += 3;
		source->length -= 3;
	}
	return NULL;
}

static int
check_bytes(const struct scan_source *source, struct diagnostics *diagnostics)
{
	/* with the NUL that SQLite puts there */
	static const char database[] = "SQLite format 3";
	struct position at = { source->path, 1 };

	if (source->length >= 2 &&
	    (memcmp(source->text, "\xff\xfe", 2) == 0 ||
		memcmp(source->text, "\xfe\xff", 2) == 0))
		return diagnostics_add(diagnostics, at,
		    "this is UTF-16; a matrix file is plain text or UTF-8");
	if (source->length >= sizeof database &&
	    memcmp(source->text, database, sizeof database) == 0)
		return diagnostics_add(diagnostics, at,
		    "this is a results file, for 'report' and 'resume'; here a "
		    "matrix file is wanted");
	for (size_t i = 0; i < source->length; i++) {
		if (source->text[i] == '\0')
			return diagnostics_add(diagnostics, at,
			    "a NUL byte: this is not a text file");
		if (source->text[i] == '\n')
			at.line++;
	}
	return 0;
}

int
scan_open(struct scan_source *source, const char *path,
    const struct scan_source *includer, struct position at,
    struct diagnostics *diagnostics)
{
	const char *trouble;
	off_t size = 0;
	int fd = -1;

	*source = (struct scan_source){ .path = path,
		.line = 1,
		.last_line = 1,
		.includer = includer,
		.depth = includer == NULL ? 0 : includer->depth + 1 };
	if (source->depth > SOURCE_MOST_DEPTH)
		return refuse(
		    source, at, diagnostics, "includes go more than 8 deep");
	trouble = open_regular(path, &fd);
	if (trouble != NULL)
		return refuse(source, at, diagnostics, trouble);
	trouble = unfit(source, fd, &size);
	if (trouble == NULL)
		trouble = read_all(source, fd, size, diagnostics->arena);
	close(fd);
	if (trouble != NULL)
		return refuse(source, at, diagnostics, trouble);
	return check_bytes(source, diagnostics);
}
