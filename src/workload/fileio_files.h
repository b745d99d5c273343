/* The files of a fileio run, and single requests on them. */
#ifndef MM_WORKLOAD_FILEIO_FILES_H
#define MM_WORKLOAD_FILEIO_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "workload/fileio_stream.h"

struct fileio_files {
	int folder;
	int64_t count;
	int64_t size; /* of each */
	int *fds;
	int flags; /* O_DIRECT, O_SYNC */
	bool fdatasync;
	bool verify; /* every 4096 bytes written say where they belong */
	double compressible;
};

/* 0, or 1 with errno, all of them. */

/* Makes the files and fills them, off the clock, and leaves them clean and,
 * where the system can, out of the cache. */
int fileio_files_prepare(struct fileio_files *files, bool fill);

/* Opens all; "truncate" empties them first. */
int fileio_files_open(struct fileio_files *files, bool truncate);
void fileio_files_close(struct fileio_files *files);

/* "data" has room for the event's size; for "verify" it is stamped before
 * writing, and compared after reading: EILSEQ when it is not what it was. */
int fileio_files_do(const struct fileio_files *files,
    const struct fileio_event *event, char *data);

void fileio_files_stamp(const struct fileio_event *event, char *data);

int fileio_files_sync(const struct fileio_files *files, int64_t file);

#endif
