/* ext2: no journal at all.  A crash leaves everything to fsck. */
#include "fs/driver.h"
#include "fs/ext_options.h"
#include "fs/linux_options.h"

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_LAZYTIME_OPTION,
	LINUX_SYNC_OPTIONS("dirsync"),
	EXT_MOUNT_OPTIONS,
	EXT_MAKE_OPTIONS,
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = EXT_MAKE("ext2"),
	    .mount = "mount -t ext2 -o %o %d %m",
	    .check = EXT_CHECK,
	    .joined = EXT_JOINED,
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "dumpe2fs -h %d", .parse = ext_parse_dumpe2fs },
	{ .command = NULL },
};

const struct driver driver_ext2 = {
	.name = "ext2",
	.summary = "the Linux filesystem of 1993, without a journal",
	.systems = "linux",
	.type = "ext2",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_MOUNTPOINT),
	.minimum_bytes = 1 << 20,
	.risk = RISK_WRECK,
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
