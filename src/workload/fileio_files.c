#include "workload/fileio_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "platform/filesystem.h"
#include "workload/files.h"

enum { FILL_BLOCK = 1 << 20, STAMP_EVERY = 4096 };

/* At the start of each 4096 bytes of a file, when they are to be verified. */
struct stamp {
	int64_t file;
	int64_t offset;
};

static int
open_file(const struct fileio_files *files, int64_t number, int flags)
{
	char name[32];

	(void)snprintf(name, sizeof name, "test_file.%lld", (long long)number);
	return openat(files->folder, name, O_CLOEXEC | flags, 0600);
}

void
fileio_files_stamp(const struct fileio_event *event, char *data)
{
	int64_t at =
	    (event->offset + STAMP_EVERY - 1) / STAMP_EVERY * STAMP_EVERY;

	for (;
	     at + (int64_t)sizeof(struct stamp) <= event->offset + event->size;
	     at += STAMP_EVERY) {
		struct stamp stamp = { event->file, at };

		memcpy(data + (at - event->offset), &stamp, sizeof stamp);
	}
}

static int
check_stamps(const struct fileio_event *event, const char *data)
{
	int64_t at =
	    (event->offset + STAMP_EVERY - 1) / STAMP_EVERY * STAMP_EVERY;

	for (;
	     at + (int64_t)sizeof(struct stamp) <= event->offset + event->size;
	     at += STAMP_EVERY) {
		struct stamp stamp;

		memcpy(&stamp, data + (at - event->offset), sizeof stamp);
		if (stamp.file != event->file || stamp.offset != at) {
			errno = EILSEQ;
			return 1;
		}
	}
	return 0;
}

static int
fill_file(const struct fileio_files *files, int64_t number, char *data)
{
	int fd = open_file(files, number, O_WRONLY | O_CREAT | O_TRUNC);
	struct fileio_event event = { .file = number };
	int code = fd == -1;

	while (code == 0 && event.offset < files->size) {
		event.size = files->size - event.offset < FILL_BLOCK
				 ? files->size - event.offset
				 : FILL_BLOCK;
		fileio_files_stamp(&event, data);
		code = io_write(fd, data, (size_t)event.size);
		event.offset += event.size;
	}
	if (code == 0)
		code = fsync(fd) == -1;
	if (code == 0)
		files_drop_cache(fd);
	if (fd != -1 && close(fd) == -1)
		code = 1;
	return code;
}

int
fileio_files_prepare(struct fileio_files *files, bool fill)
{
	char *data = files_data(FILL_BLOCK, 1, files->compressible);
	int code = 0;

	for (int64_t i = 0; fill && code == 0 && i < files->count; i++)
		code = fill_file(files, i, data);
	free(data);
	return code;
}

int
fileio_files_open(struct fileio_files *files, bool truncate)
{
	int flags = O_RDWR | O_CREAT | files->flags;

	files->fds = malloc((size_t)files->count * sizeof *files->fds);
	if (files->fds == NULL)
		abort();
	for (int64_t i = 0; i < files->count; i++)
		files->fds[i] = -1;
	for (int64_t i = 0; i < files->count; i++) {
		files->fds[i] =
		    open_file(files, i, truncate ? flags | O_TRUNC : flags);
		if (files->fds[i] == -1)
			return 1;
	}
	return 0;
}

void
fileio_files_close(struct fileio_files *files)
{
	for (int64_t i = 0; files->fds != NULL && i < files->count; i++)
		if (files->fds[i] != -1)
			(void)close(files->fds[i]);
	free(files->fds);
	files->fds = NULL;
}

int
fileio_files_sync(const struct fileio_files *files, int64_t file)
{
	int fd = files->fds[file];

	return (files->fdatasync ? platform_data_sync(fd) : fsync(fd)) == -1;
}

int
fileio_files_do(const struct fileio_files *files,
    const struct fileio_event *event, char *data)
{
	int fd = files->fds[event->file];
	ssize_t got;

	if (event->kind == FILEIO_FSYNC)
		return fileio_files_sync(files, event->file);
	if (event->kind == FILEIO_WRITE)
		return io_write_at(
		    fd, data, (size_t)event->size, event->offset);
	got = pread(fd, data, (size_t)event->size, (off_t)event->offset);
	if (got == event->size)
		return files->verify ? check_stamps(event, data) : 0;
	if (got >= 0)
		errno = EIO; /* shorter than it was made */
	return 1;
}
