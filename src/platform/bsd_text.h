/*
 * What the BSDs' own tools print, read: vnconfig -l, fstat -f;
 * and what is new in a message buffer.  Pure; inside platform/.
 */
#ifndef MM_PLATFORM_BSD_TEXT_H
#define MM_PLATFORM_BSD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "platform/process.h"

/* A disk that is a file. */
struct file_disk {
	const char *name; /* "vn0" */
	const char *file; /* its path, or "" where only the next two are told */
	const char *folder; /* NetBSD: the mount point that the file is on */
	ino_t inode;
};

struct file_disk_list {
	struct file_disk *items;
	size_t count;
};

/*
 * Lines of "vnconfig -l":
 *   vn0: covering /w/img on vbd3, inode 3         (DragonFly, OpenBSD)
 *   vnd0: /w (/dev/wd1a) inode 3                  (NetBSD)
 * and "vn1: not in use".
 */
void vnconfig_parse(
    const char *text, struct arena *arena, struct file_disk_list *list);

/* Lines of "fstat -f": USER CMD PID FD ..., one entry a process. */
void fstat_parse(
    const char *text, struct arena *arena, struct process_list *list);

/* What the kernel said of a message buffer's text, as dmesg(8) shows it:
 * without NULs, "<6>" before the lines, and lines that programs wrote to the
 * console or to syslog ("<118>").  "*size" is the old and the new size. */
char *msgbuf_clean(struct arena *arena, const char *text, size_t *size);

/*
 * Where in a message buffer's text what is new begins, given what it was
 * before: old lines fall off the front once the buffer is full.
 */
size_t msgbuf_news(
    const char *before, size_t before_size, const char *now, size_t now_size);

#endif
