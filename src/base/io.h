/*
 * All of it or why not: reading and writing across signals and short calls.
 *
 * Each returns 0, or 1 with errno; whether that is the subject's failure or
 * the harness's, the caller knows.
 */
#ifndef MM_BASE_IO_H
#define MM_BASE_IO_H

#include <stddef.h>
#include <stdint.h>

/* At the file's own position.  A write that puts nothing is ENOSPC. */
int io_write(int fd, const void *bytes, size_t size);

/* At an offset, which the position does not follow. */
int io_write_at(int fd, const void *bytes, size_t size, int64_t offset);

/* Exactly "size" bytes; an end before that is EIO. */
int io_read(int fd, void *bytes, size_t size);
int io_read_at(int fd, void *bytes, size_t size, int64_t offset);

#endif
