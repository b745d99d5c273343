/*
 * fuse2fs: ext4 by a program in user space.  An option it does not know is
 * told on standard error with status 0 and nothing is mounted, so only the
 * mount table says whether it worked.  noatime is shown, but the program
 * writes access times all the same: the atime probe tells.  It does not write
 * the journal, and nothing keeps an image from being mounted twice.
 */
#include "fs/driver.h"
#include "fs/ext_options.h"
#include "fs/rows.h"

static const struct option options[] = {
	{
	    ROW_MOUNT("noatime", "shown, but access times are written still"),
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("sync", "every write waits for the device"),
	    .risk = RISK_SAFE_PLUS,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("dirsync", "changes of directories wait"),
	    .risk = RISK_SAFE_PLUS,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("allow_other", "other users may look"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("default_permissions", "the kernel checks modes"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("max_read=*", "largest read request in bytes"),
	    .group = "max_read",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("fakeroot", "as if root did everything"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("minixdf", "df counts metadata too"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("norecovery", "the journal is not replayed"),
	    .risk = RISK_WRECK,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("direct_io", "file contents are not cached"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("kernel_cache", "the cache survives an open"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("auto_cache", "it survives if size and time are equal"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("big_writes", "writes of more than 4 KiB"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("sync_read", "one read at a time"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("async_read", "several reads at a time"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("entry_timeout=*", "seconds a name is believed"),
	    .group = "entry_timeout",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("attr_timeout=*", "seconds a file's facts are believed"),
	    .group = "attr_timeout",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("negative_timeout=*", "seconds an absence is believed"),
	    .group = "negative_timeout",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("max_readahead=*", "read ahead in bytes"),
	    .group = "max_readahead",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = EXT_MAKE("ext4"),
	    .mount = "fuse2fs -o %o %d %m",
	    .unmount = "umount %m",
	    .check = EXT_CHECK,
	    .joined = EXT_JOINED,
	},
	{ .systems = NULL },
};

const struct driver driver_fuse2fs = {
	.name = "fuse2fs",
	.summary = "ext4 by a program in user space",
	.systems = "linux",
	.type = "fuse.ext4",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE),
	.minimum_bytes = 2 << 20,
	.risk = RISK_WRECK,
	.is_user_space = true,
	.recipes = recipes,
	.options = options,
};
