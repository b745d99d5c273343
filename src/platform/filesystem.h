/*
 * What the kernel says of a mounted filesystem: its flags, its room; and
 * making it durable.  Flags are taken by the header's symbols only, since the
 * same bit means other things on other systems.
 */
#ifndef MM_PLATFORM_FILESYSTEM_H
#define MM_PLATFORM_FILESYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The flags in force at the path, comma-separated in the words of the matrix
 * file: "ro", "noatime", "async", "sync", "softupdates", "suj", "log", ...
 * A bit without a symbol is shown as "0x...".  "" for none.  "*raw" may be
 * NULL.
 */
int platform_flags(const char *path, struct arena *arena, const char **words,
    uint64_t *raw, struct error *err);

struct filesystem_room {
	int64_t size_bytes;
	int64_t free_bytes; /* to an ordinary user */
	int64_t inodes;     /* 0: the filesystem does not count them */
	int64_t free_inodes;
};

int platform_room(
    const char *path, struct filesystem_room *room, struct error *err);

/* Writes back the filesystem that holds the path, and waits.  Without syncfs
 * (the BSDs) writing back all of them is only begun. */
int platform_sync(const char *path, struct error *err);

/* Makes a file's data durable, and of its metadata what is needed to read it
 * back; all of it (fsync) on systems that have no fdatasync.  -1 with errno. */
int platform_data_sync(int fd);

#endif
