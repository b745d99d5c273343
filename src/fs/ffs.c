/*
 * FFS of NetBSD and OpenBSD.
 *
 * Neither has soft updates any more: NetBSD clears softdep and says so on the
 * console, OpenBSD ignores it since 7.4; the token is here so that such a cell
 * shows as changed.  NetBSD's log is cleared in silence on a read-only mount,
 * and with async its first mount panicked the kernel, twice of twice.  After a
 * power cut a log mount had none of five new, fsynced files, a plain one all.
 *
 * The maker and the checker want the raw device, mount the other one.
 */
#include "fs/bsd_options.h"
#include "fs/bsd_rows.h"
#include "fs/driver.h"
#include "fs/rows.h"

static const struct option options[] = {
	{
	    ROW_MOUNT("noatime", "reading never writes access times"),
	    .off = "atime",
	    .group = "atime",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .systems = "netbsd",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("noatime", "access times only when something else "
				 "changes too"),
	    .off = "atime",
	    .group = "atime",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .systems = "openbsd",
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "atime",
	    .summary = "every read writes the access time; the default",
	    .stage = STAGE_MOUNT,
	    .on = "atime",
	    .group = "atime",
	    .readback = "!noatime",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("relatime", "refused (6) or shown without effect (7)"),
	    .group = "atime",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	    .systems = "netbsd",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("log", "a log of metadata (WAPBL)"),
	    .off = "nolog",
	    .group = "journal",
	    .conflicts = "async",
	    .risk = RISK_FLUSH,
	    .durability = "0 of 5",
	    .remount = REMOUNT_OK,
	    .systems = "netbsd",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("softdep", "soft updates: gone, the flag is cleared"),
	    .group = "journal",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_IGNORED,
	    .systems = "netbsd openbsd:7.4-",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("softdep", "soft updates, which ended with 7.3"),
	    .group = "journal",
	    .conflicts = "async",
	    .risk = RISK_WINDOW,
	    .remount = REMOUNT_REFUSED,
	    .systems = "openbsd:-7.3",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("async", "metadata whenever and in any order"),
	    .off = "noasync",
	    .group = "writes",
	    .conflicts = "log",
	    .risk = RISK_WRECK,
	    .durability = "0 of 5",
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	BSD_SYNC_OPTION,
	{
	    ROW_MOUNT("nodevmtime", "no modification times for devices"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .systems = "netbsd",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT(
		"discard", "tell the device what is free (TRIM), if it can"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .systems = "netbsd",
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MAKE("ufs2", "the format with 64-bit blocks", "-O 2"),
	    .group = "format",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MAKE("ufs1", "the format of 4.4BSD", "-O 1"),
	    .group = "format",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MAKE("ufs0", "the layout of 4.3BSD", "-O 0"),
	    .group = "format",
	    .conflicts = "log",
	    .risk = RISK_FUNC,
	    .systems = "netbsd",
	    .untried = NOT_RUN_HERE,
	},
	BSD_NEWFS_OPTIONS(5),
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "netbsd",
	    .durability = "5 of 5",
	    .usual = "ufs2",
	    .make = "newfs %o %r",
	    .tune = "tunefs %o %r",
	    .mount = "mount -t ffs -o %o %d %m",
	    .check = "fsck_ffs -f -y %r",
	},
	{
	    .systems = "openbsd",
	    .usual = "ufs2",
	    /* else the label's type chooses another maker */
	    .make = "newfs -t ffs %o %r",
	    .tune = "tunefs %o %r",
	    .mount = "mount -t ffs -o %o %d %m",
	    .check = "fsck_ffs -f -y %r",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "mount", .parse = bsd_parse_mount },
	{ .systems = "netbsd",
	    .command = "tunefs -N %r",
	    .parse = bsd_parse_tunefs },
	{ .systems = "netbsd",
	    .command = "dumpfs -s %r",
	    .parse = bsd_parse_dumpfs },
	{ .systems = "openbsd",
	    .command = "dumpfs %r",
	    .parse = bsd_parse_dumpfs },
	{ .command = NULL },
};

const struct driver driver_ffs = {
	.name = "ffs",
	.summary = "the fast filesystem of NetBSD and OpenBSD",
	.systems = "netbsd openbsd",
	.type = "ffs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_MOUNTPOINT),
	.minimum_bytes = 1 << 20,
	.remark = "FFS never flushes the device's cache, whatever fsync; "
		  "durability is from power-cut tests",
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
