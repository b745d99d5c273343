/*
 * ext3: ext2 with a journal.  The kernel's ext4 code serves it and refuses
 * delayed allocation and asynchronous commits under this name.
 */
#include "fs/driver.h"
#include "fs/ext_options.h"
#include "fs/linux_options.h"

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_LAZYTIME_OPTION,
	LINUX_SYNC_OPTIONS("dirsync"),
	EXT_JOURNAL_OPTIONS,
	EXT_MOUNT_OPTIONS,
	EXT_MAKE_OPTIONS,
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = EXT_MAKE("ext3"),
	    .mount = "mount -t ext3 -o %o %d %m",
	    .check = EXT_CHECK,
	    .joined = EXT_JOINED,
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "dumpe2fs -h %d", .parse = ext_parse_dumpe2fs },
	{ .command = NULL },
};

const struct driver driver_ext3 = {
	.name = "ext3",
	.summary = "ext2 with a journal (the kernel's ext4 code)",
	.systems = "linux",
	.type = "ext3",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_MOUNTPOINT),
	.minimum_bytes = 2 << 20,
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
