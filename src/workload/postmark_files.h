/*
 * PostMark's files on a real filesystem, with the sizes of system calls that
 * the tool has: 4096 bytes a call through stdio ("buffering"), else its block
 * size with a last, possibly empty, call for the rest.
 */
#ifndef MM_WORKLOAD_POSTMARK_FILES_H
#define MM_WORKLOAD_POSTMARK_FILES_H

#include "workload/postmark_stream.h"

struct postmark_files {
	int root;
	int *locations; /* a descriptor each */
	size_t location_count;
	const char *const *paths; /* of the locations, from the root */
	bool buffering;
	bool whole; /* one call a file: quick, and no PostMark any more */
	size_t read_block;
	size_t write_block;
	const char *source;
	char *sink;
	size_t sink_size;
};

/* The four functions on these files. */
struct postmark_io postmark_files_io(struct postmark_files *files);

/* Makes locations and subdirectories; 0, or 1 with errno. */
int postmark_files_open(struct postmark_files *files, const char *directory,
    const struct postmark_settings *settings);

/* Removes the subdirectories and the locations that are empty, and closes. */
void postmark_files_close(
    struct postmark_files *files, const struct postmark_settings *settings);

/* "A/s3/17" of a file, for messages. */
void postmark_files_name(const struct postmark_files *files,
    const struct postmark_file *file, char *name, size_t size);

#endif
