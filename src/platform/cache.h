/* Letting go of cached data. */
#ifndef MM_PLATFORM_CACHE_H
#define MM_PLATFORM_CACHE_H

#include "base/error.h"
#include "platform/platform.h"

/* Writes back and drops the cached pages of one file (an image before it is
 * attached, else a "cold" read comes from memory).  PLATFORM_ABSENT where the
 * system cannot. */
int platform_cache_drop_file(const char *path, struct error *err);

#endif
