/*
 * overlay: an upper folder over a lower one, both in memory here, so what is
 * measured is overlay's own cost.  A volatile mount leaves a mark in the work
 * folder and cannot be mounted again; with everything in memory it would not
 * be cold anyway, so an overlay cell is never unmounted within a trial.
 */
#include "fs/driver.h"
#include "fs/linux_options.h"
#include "fs/rows.h"

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_SYNC_OPTIONS("dirsync"),
	{
	    .token = "volatile",
	    .summary = "the upper folder is never synced",
	    .stage = STAGE_MOUNT,
	    .on = "volatile",
	    .readback = "fsync=volatile",
	    .risk = RISK_FLUSH,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("metacopy=on", "a change of mode copies no data up"),
	    .off = "metacopy=off",
	    .group = "metacopy",
	    .implies = "redirect_dir=on",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    .token = "metacopy=off",
	    .summary = "a change of mode copies the data too; the default",
	    .stage = STAGE_MOUNT,
	    .on = "metacopy=off",
	    .group = "metacopy",
	    .readback = "!metacopy=on",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("index=on", "hard links survive copying up"),
	    .off = "index=off",
	    .group = "index",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    .token = "index=off",
	    .summary = "copying up breaks hard links; the default",
	    .stage = STAGE_MOUNT,
	    .on = "index=off",
	    .group = "index",
	    .readback = "!index=on",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("xino=on", "inode numbers tell the layer"),
	    .group = "xino",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("xino=off", "inode numbers of the layers as they are"),
	    .group = "xino",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("xino=auto", "inode numbers tell the layer if they can"),
	    .group = "xino",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("redirect_dir=on", "folders are renamed, not copied"),
	    .off = "redirect_dir=off",
	    .group = "redirect_dir",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("redirect_dir=nofollow", "renames of folders are not "
					       "even followed"),
	    .off = "redirect_dir=off",
	    .group = "redirect_dir",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    .token = "redirect_dir=off",
	    .summary = "renaming a folder of the lower layer fails or copies",
	    .stage = STAGE_MOUNT,
	    .on = "redirect_dir=off",
	    .group = "redirect_dir",
	    .readback = "!redirect_dir=on",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("nfs_export=on", "file handles work; needs index=on"),
	    .off = "nfs_export=off",
	    .implies = "index=on",
	    .conflicts = "metacopy=on",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("userxattr", "marks in the user's attributes"),
	    .implies = "redirect_dir=nofollow",
	    .conflicts = "metacopy=on redirect_dir=on",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("uuid=off", "the layers' UUIDs are not looked at"),
	    .off = "uuid=auto",
	    .group = "uuid",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("uuid=null", "the overlay has no UUID"),
	    .off = "uuid=auto",
	    .group = "uuid",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = "mount -t tmpfs -o size=%z %l %b; "
		    "mkdir %b/lower %b/upper %b/work",
	    .mount = "mount -t overlay -o lowerdir=%b/lower,upperdir=%b/upper,"
		     "workdir=%b/work,%o %l %m",
	    .unmount = "umount %m",
	    .detach = "umount %b",
	},
	{ .systems = NULL },
};

const struct driver driver_overlay = {
	.name = "overlay",
	.summary = "a writable layer over another, both in memory",
	.systems = "linux",
	.type = "overlay",
	.targets = TARGET_BIT(TARGET_MEMORY),
	.risk = RISK_VOLATILE,
	.is_volatile = true,
	.places = "lowerdir=* upperdir=* workdir=*",
	.recipes = recipes,
	.options = options,
};
