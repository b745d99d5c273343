/*
 * A memory limit for children, so that the cache overflows as it would on a
 * full machine.  Linux: a control group of whichever hierarchy (v1 or v2)
 * owns memory.  The group outlives a crash: register its removal first.
 */
#ifndef MM_PLATFORM_MEMORY_H
#define MM_PLATFORM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/platform.h"

struct memory_limit {
	const char *path; /* the group's folder */
	int64_t bytes;
	bool is_unified; /* v2 */
};

/* Makes a group "mountmatrix-NAME" of this many bytes.  PLATFORM_ABSENT, with
 * the reason in err, where the system cannot. */
int platform_memory_limit_create(const char *name, int64_t bytes,
    struct arena *arena, struct memory_limit *limit, struct error *err);

/* For proc_job.setup: puts the calling process in.  The context is a
 * struct memory_limit. */
int platform_memory_limit_join(void *limit);

/* Processes killed for want of memory in it so far; -1 unknown. */
int64_t platform_memory_limit_kills(const struct memory_limit *limit);

/* Removes the group (empty by now) by its path; one that is gone is done. */
int platform_memory_limit_remove(const char *path, struct error *err);

#endif
