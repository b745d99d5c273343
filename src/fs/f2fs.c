/*
 * f2fs, from its documents: no kernel with it was at hand, so every token is
 * untried.  Its fsync of the default mode is weaker than that of ext4.
 */
#include "fs/driver.h"
#include "fs/linux_options.h"
#include "fs/rows.h"

#define NO_KERNEL "the kernel at hand has no f2fs"

/* What a newer kernel does unasked, by name. */
#define USUAL(word, text, other, changing)                                     \
	{                                                                      \
		ROW_MOUNT(word, text), .off = (other), .group = (word),        \
				       .effect = "", .risk = RISK_SAFE,        \
				       .remount = (changing),                  \
				       .untried = NO_KERNEL                    \
	}

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_LAZYTIME_OPTION,
	LINUX_SYNC_OPTIONS("dirsync"),
	{
	    ROW_MOUNT("fsync_mode=posix", "fsync as POSIX asks; the default"),
	    .group = "fsync_mode",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("fsync_mode=strict", "fsync as strong as ext4's"),
	    .off = "fsync_mode=posix",
	    .group = "fsync_mode",
	    .risk = RISK_SAFE_PLUS,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("fsync_mode=nobarrier", "fsync without a cache flush"),
	    .off = "fsync_mode=posix",
	    .group = "fsync_mode",
	    .risk = RISK_FLUSH,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("nobarrier", "no cache flushes: writes may be reordered"),
	    .off = "barrier",
	    .group = "barrier",
	    .risk = RISK_FLUSH,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    .token = "barrier",
	    .summary = "cache flushes where order matters; the default",
	    .stage = STAGE_MOUNT,
	    .on = "barrier",
	    .readback = "!nobarrier",
	    .off = "nobarrier",
	    .group = "barrier",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("fastboot", "checkpoints make the next mount quick"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("flush_merge", "flushes of several fsyncs are one"),
	    .off = "noflush_merge",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("checkpoint=disable",
		"no checkpoints: a crash goes back to the mount"),
	    .off = "checkpoint=enable",
	    .group = "checkpoint",
	    .risk = RISK_WRECK,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("background_gc=*", "cleaning when idle: on, off, sync"),
	    .group = "background_gc",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("active_logs=*", "open logs: 2, 4 or 6"),
	    .group = "active_logs",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("mode=*", "adaptive or lfs: writing in place or never"),
	    .group = "mode",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("alloc_mode=*", "reuse or default"),
	    .group = "alloc_mode",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("discard", "tell the device what is free (TRIM)"),
	    .off = "nodiscard",
	    .group = "discard",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("nodiscard", "never tell it"),
	    .off = "discard",
	    .group = "discard",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("noinline_data", "small files in blocks of their own"),
	    .off = "inline_data",
	    .group = "inline_data",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("noinline_dentry", "small folders in blocks of their "
					 "own"),
	    .off = "inline_dentry",
	    .group = "inline_dentry",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("noinline_xattr", "attributes in blocks of their own"),
	    .off = "inline_xattr",
	    .group = "inline_xattr",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NO_KERNEL,
	},
	{
	    ROW_MOUNT("noextent_cache", "no cache of extents"),
	    .off = "extent_cache",
	    .group = "extent_cache",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NO_KERNEL,
	},
	USUAL("inline_data", "small files live in their inodes; the default",
	    "noinline_data", REMOUNT_OK),
	USUAL("inline_dentry",
	    "small folders live in their inodes; the default",
	    "noinline_dentry", REMOUNT_OK),
	USUAL("inline_xattr", "attributes live in inodes; the default",
	    "noinline_xattr", REMOUNT_REFUSED),
	USUAL("extent_cache", "extents are kept in memory; the default",
	    "noextent_cache", REMOUNT_REFUSED),
	{
	    ROW_MOUNT("compress_algorithm=*", "lzo, lz4, zstd or lzo-rle"),
	    .group = "compress_algorithm",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NO_KERNEL,
	},
	{
	    .token = "compress_algorithm=*",
	    .stage = STAGE_MAKE,
	    .on = "-O extra_attr,compression",
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = "mkfs.f2fs -q -f -t 0 -l %l %o %d",
	    .mount = "mount -t f2fs -o %o %d %m",
	    .check = "fsck.f2fs --dry-run %d",
	    .joined = "-O",
	},
	{ .systems = NULL },
};

const struct driver driver_f2fs = {
	.name = "f2fs",
	.summary = "a log for flash memory",
	.systems = "linux",
	.type = "f2fs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_MOUNTPOINT),
	.minimum_bytes = 64LL << 20,
	.recipes = recipes,
	.options = options,
};
