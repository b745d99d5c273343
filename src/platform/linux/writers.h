/* Who has a device or a file open for writing; inside platform/linux only. */
#ifndef MM_PLATFORM_LINUX_WRITERS_H
#define MM_PLATFORM_LINUX_WRITERS_H

#include "platform/process.h"

/*
 * Processes, other than this one and those it descends from, that have the
 * block device "id" open for writing; with inode != 0 the file of that inode
 * on the filesystem "id".
 */
void linux_writers(
    struct arena *arena, dev_t id, ino_t inode, struct process_list *list);

#endif
