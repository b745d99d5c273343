/*
 * Image files, and the devices made from them.
 *
 * On Linux a loop device is attached by ioctl with autoclear and direct I/O:
 * it goes away by itself when the last user (the descriptor kept here, a
 * mount) lets go, also after SIGKILL.  The other systems attach by a command
 * of the system tables: there platform_attach and platform_detach return
 * PLATFORM_ABSENT and the caller runs that.
 */
#ifndef MM_PLATFORM_ATTACH_H
#define MM_PLATFORM_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/platform.h"

/* Makes a file of this size with its space allocated, mode 0600; refuses an
 * existing one.  No room is an error that says how much was free; the file
 * is then removed again. */
int platform_image_create(
    const char *path, int64_t size_bytes, struct error *err);

/*
 * Allocates again what its user has discarded: the making of a filesystem
 * gives back all room, and would leave the rest of the night to chance.  The
 * contents stay.  Done at once where nothing is missing, or where the
 * filesystem below cannot.  "*errno_value" tells ENOSPC from other trouble.
 */
int platform_image_reserve(
    const char *path, int64_t size_bytes, int *errno_value, struct error *err);

struct attachment {
	const char *device; /* "/dev/loop0" */
	int fd;             /* keeps it; closed by platform_detach */
	dev_t file_device;  /* the file that it was made from, whatever the */
	ino_t file_inode;   /* image's name leads to by now */
	bool direct_io;     /* really on, as the kernel says */
	const char *note;   /* why not, or "" */
};

/* Attaches the image; sector_bytes 0 is the default of 512. */
int platform_attach(const char *image, int64_t sector_bytes,
    struct arena *arena, struct attachment *attachment, struct error *err);

/* Lets go and waits until the device is really free; -1 when somebody still
 * uses it after the time. */
int platform_detach(
    struct attachment *attachment, int64_t timeout_ns, struct error *err);

/* The same for a device found by name after a crash; one that is not
 * attached to anything is done. */
int platform_detach_device(
    const char *device, int64_t timeout_ns, struct error *err);

struct name_list {
	const char **names;
	size_t count;
};

/* The devices that are attached to the image (or block device) now. */
int platform_attached_to(const char *image, struct arena *arena,
    struct name_list *devices, struct error *err);

#endif
