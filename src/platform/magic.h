/*
 * Signatures of filesystems, partition tables and RAID members, by their
 * magic numbers: for systems without libblkid, and for what that does not know
 * (BSD labels, HAMMER).  Inside platform/ only.
 */
#ifndef MM_PLATFORM_MAGIC_H
#define MM_PLATFORM_MAGIC_H

#include <stddef.h>

#include "base/arena.h"
#include "platform/device.h"

/*
 * What the first "head_size" bytes (a MiB is enough for all that is known)
 * and the last "tail_size" bytes of a device hold.  Everything that is found
 * is listed, so a stale one beside a living one shows as well.
 */
void magic_signatures(const unsigned char *head, size_t head_size,
    const unsigned char *tail, size_t tail_size, struct arena *arena,
    struct signature_list *list);

/* The same, read from a device or image; "name" is for the error. */
int magic_read(int fd, const char *name, struct arena *arena,
    struct signature_list *list, struct error *err);

#endif
