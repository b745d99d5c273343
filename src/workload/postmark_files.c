#include "workload/postmark_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STDIO_BLOCK = 4096, NAME_SIZE = 64 };

/* Decimal digits, quicker than printf: a name is made for each operation. */
static char *
put_number(char *to, int64_t number)
{
	char digits[24];
	size_t count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (count > 0)
		*to++ = digits[--count];
	*to = '\0';
	return to;
}

/* Its name in its location: "17" or "s3/17". */
static int
file_name(const struct postmark_files *files, const struct postmark_file *file,
    char name[NAME_SIZE])
{
	char *to = name;

	if (file->subdirectory >= 0) {
		*to++ = 's';
		to = put_number(to, file->subdirectory);
		*to++ = '/';
	}
	(void)put_number(to, file->number);
	return files->locations[file->location];
}

static int
write_all(int fd, const char *bytes, size_t size)
{
	do {
		ssize_t wrote = write(fd, bytes, size);

		if (wrote == -1 && errno == EINTR)
			continue;
		if (wrote == -1)
			return 1;
		if (wrote == 0 && size > 0) {
			errno = ENOSPC;
			return 1;
		}
		bytes += wrote;
		size -= (size_t)wrote;
	} while (size > 0);
	return 0;
}

/* stdio with a block above its buffer hands on the whole buffers of the
 * first one at once. */
static size_t
first_chunk(const struct postmark_files *files)
{
	return files->write_block > STDIO_BLOCK
		   ? files->write_block - files->write_block % STDIO_BLOCK
		   : STDIO_BLOCK;
}

static int
write_data(const struct postmark_files *files, int fd, int64_t size)
{
	const char *bytes = files->source;
	size_t left = (size_t)size;
	size_t chunk =
	    files->buffering ? first_chunk(files) : files->write_block;

	if (files->whole)
		return write_all(fd, bytes, left);
	while (left > chunk || (!files->buffering && left == chunk)) {
		if (write_all(fd, bytes, chunk) == 1)
			return 1;
		bytes += chunk;
		left -= chunk;
		if (files->buffering)
			chunk = STDIO_BLOCK;
	}
	return write_all(fd, bytes, left);
}

static int
read_data(const struct postmark_files *files, int fd, int64_t size)
{
	size_t left = (size_t)size;
	size_t chunk = files->buffering ? STDIO_BLOCK : files->read_block;

	if (files->whole)
		chunk = files->sink_size;
	for (;;) {
		size_t part = files->buffering || files->whole || left > chunk
				  ? chunk
				  : left;
		ssize_t got = read(fd, files->sink, part);

		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return 1;
		if ((size_t)got >= left || got == 0)
			break;
		left -= (size_t)got;
	}
	/* the call for a rest of nothing */
	if (!files->buffering && !files->whole && size > 0 &&
	    (size_t)size % chunk == 0)
		return read(fd, files->sink, 0) == -1 ? 1 : 0;
	return 0;
}

/* --- the four operations ------------------------------------------------- */

static int
finish(int fd, int code)
{
	int former = errno;

	if (close(fd) == -1 && code == 0)
		return 1;
	errno = former;
	return code;
}

static int
create(void *context, const struct postmark_file *file)
{
	const struct postmark_files *files = context;
	char name[NAME_SIZE];
	int folder = file_name(files, file, name);
	int fd = files->buffering
		     ? openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC, 0666)
		     : openat(folder, name, O_RDWR | O_CREAT, 0644);

	if (fd == -1)
		return 1;
	return finish(fd, write_data(files, fd, file->size));
}

static int
read_back(void *context, const struct postmark_file *file)
{
	const struct postmark_files *files = context;
	char name[NAME_SIZE];
	int folder = file_name(files, file, name);
	int fd = openat(folder, name, O_RDONLY);

	if (fd == -1)
		return 1;
	return finish(fd, read_data(files, fd, file->size));
}

static int
append(void *context, const struct postmark_file *file, int64_t size)
{
	const struct postmark_files *files = context;
	char name[NAME_SIZE];
	int folder = file_name(files, file, name);
	int fd = files->buffering
		     ? openat(folder, name, O_WRONLY | O_APPEND | O_CREAT, 0666)
		     : openat(folder, name, O_RDWR | O_APPEND);

	if (fd == -1)
		return 1;
	return finish(fd, write_data(files, fd, size));
}

static int delete (void *context, const struct postmark_file *file)
{
	const struct postmark_files *files = context;
	char name[NAME_SIZE];
	int folder = file_name(files, file, name);

	return unlinkat(folder, name, 0) == -1 ? 1 : 0;
}

struct postmark_io
postmark_files_io(struct postmark_files *files)
{
	return (struct postmark_io){
		.create = create,
		.read = read_back,
		.append = append,
		.remove = delete,
		.context = files,
	};
}

/* --- folders ------------------------------------------------------------- */

/* Makes each part of a relative path; what is there is used. */
static int
make_path(int root, const char *path)
{
	char copy[4096];

	(void)snprintf(copy, sizeof copy, "%s", path);
	for (char *at = copy; at != NULL;) {
		char *slash = strchr(at, '/');

		if (slash != NULL)
			*slash = '\0';
		if (copy[0] != '\0' && mkdirat(root, copy, 0700) == -1 &&
		    errno != EEXIST)
			return 1;
		if (slash != NULL)
			*slash = '/';
		at = slash != NULL ? slash + 1 : NULL;
	}
	return 0;
}

static int
make_subdirectories(int location, int64_t count)
{
	char name[NAME_SIZE] = "s";

	for (int64_t i = 0; count > 1 && i < count; i++) {
		(void)put_number(name + 1, i);
		if (mkdirat(location, name, 0700) == -1)
			return 1;
	}
	return 0;
}

int
postmark_files_open(struct postmark_files *files, const char *directory,
    const struct postmark_settings *settings)
{
	size_t count = files->location_count > 0 ? files->location_count : 1;
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	files->sink_size = (size_t)settings->size_high * 2 + STDIO_BLOCK;
	if (files->sink_size < files->read_block)
		files->sink_size = files->read_block;
	files->sink = malloc(files->sink_size);
	files->locations = calloc(count, sizeof *files->locations);
	if (files->sink == NULL || files->locations == NULL)
		abort();
	for (size_t i = 0; i < count; i++)
		files->locations[i] = -1;
	files->root = open(directory, flags);
	if (files->root == -1)
		return 1;
	for (size_t i = 0; i < count; i++) {
		const char *path =
		    files->location_count > 0 ? files->paths[i] : ".";

		if (make_path(files->root, path) == 1)
			return 1;
		files->locations[i] = openat(files->root, path, flags);
		if (files->locations[i] == -1 ||
		    make_subdirectories(
			files->locations[i], settings->subdirectories) == 1)
			return 1;
	}
	return 0;
}

void
postmark_files_close(
    struct postmark_files *files, const struct postmark_settings *settings)
{
	size_t count = files->location_count > 0 ? files->location_count : 1;
	char name[NAME_SIZE] = "s";

	for (size_t i = 0; i < count; i++) {
		for (int64_t d = 0; d < settings->subdirectories; d++) {
			(void)put_number(name + 1, d);
			(void)unlinkat(files->locations[i], name, AT_REMOVEDIR);
		}
		if (files->locations[i] != -1)
			(void)close(files->locations[i]);
		if (files->location_count > 0)
			(void)unlinkat(
			    files->root, files->paths[i], AT_REMOVEDIR);
	}
	if (files->root != -1)
		(void)close(files->root);
	free(files->locations);
	free(files->sink);
}

void
postmark_files_name(const struct postmark_files *files,
    const struct postmark_file *file, char *name, size_t size)
{
	char local[NAME_SIZE];

	(void)file_name(files, file, local);
	(void)snprintf(name, size, "%s%s%s",
	    files->location_count > 0 ? files->paths[file->location] : "",
	    files->location_count > 0 ? "/" : "", local);
}
