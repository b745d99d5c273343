/*
 * What the kernel said meanwhile: a cursor on its log.
 *
 * Lines come without priority and time stamp, each ended by a newline.
 * Without permission the log is not available, which is no error.
 */
#ifndef MM_PLATFORM_KERNEL_LOG_H
#define MM_PLATFORM_KERNEL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct kernel_log {
	int fd; /* -1: none */
	/* the whole log as it was, on systems that show it as one text */
	char *seen;
	size_t seen_size;
	bool is_available;
	char reason[128]; /* why not */
};

/* A cursor at the log's end. */
void platform_kernel_log_open(struct kernel_log *log);

/* What came since the last call (or the opening), at most "limit" bytes: the
 * first ones, with a last line that says how much was cut.  "" for nothing. */
char *platform_kernel_log_since(
    struct kernel_log *log, struct arena *arena, size_t limit);

void platform_kernel_log_close(struct kernel_log *log);

/* The text of one /dev/kmsg record, or NULL when it is none: without prefix,
 * escapes (\x0a) undone, continuation lines dropped. */
char *kmsg_clean(struct arena *arena, const char *record, size_t size);

#endif
