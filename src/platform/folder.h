/*
 * Reading folders a buffer at a time, as the kernel gives them.
 *
 * readdir costs two more calls a folder and a lock an entry, which a measured
 * walk over a cached tree would show.
 */
#ifndef MM_PLATFORM_FOLDER_H
#define MM_PLATFORM_FOLDER_H

#include <stddef.h>
#include <stdint.h>

enum folder_type {
	FOLDER_UNKNOWN, /* this filesystem does not say: examine it */
	FOLDER_DIRECTORY,
	FOLDER_FILE,
	FOLDER_SYMLINK,
	FOLDER_SPECIAL,
};

struct folder_entry {
	const char *name; /* in the buffer */
	uint64_t inode;
	enum folder_type type;
};

/* Fills the buffer (aligned as malloc does, 64 KiB or more) with records;
 * returns how many bytes, 0 at the folder's end, -1 with errno. */
long platform_folder_read(int fd, void *buffer, size_t size);

/* The record at the offset; returns the offset of the next one, which may be
 * the number of bytes that were read.  A removed entry has the name "". */
size_t platform_folder_next(
    const void *buffer, size_t offset, struct folder_entry *entry);

#endif
