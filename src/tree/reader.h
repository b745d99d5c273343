/*
 * The one door to libarchive: an archive's entries, one after the other.
 *
 * Only tree/ includes this.  Formats are recognised by their bytes.  Filters
 * are those that libarchive decodes itself; none starts a program here.
 */
#ifndef MM_TREE_READER_H
#define MM_TREE_READER_H

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct reader {
	const char *path;
	struct archive *archive;
	struct archive_entry *entry; /* the current one */
	size_t ordinal;              /* its number, from 1 */
	int64_t size;                /* of the archive file */
	int64_t mtime_s;
	int fd;
	char *former_locale; /* the program's: names are read as UTF-8 */
};

/* Opens a regular file as an archive. */
int reader_open(struct reader *reader, const char *path, struct error *err);

void reader_close(struct reader *reader);

/* 1: the next entry is current; 0: the archive ended well; -1: it did not. */
int reader_next(struct reader *reader, struct error *err);

/* 1: "size" bytes (0 for a hole up to "offset"); 0: no more in this entry. */
int reader_block(struct reader *reader, const void **bytes, size_t *size,
    int64_t *offset, struct error *err);

bool reader_is_manifest(const struct reader *reader);

#endif
