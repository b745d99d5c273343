/*
 * HAMMER of DragonFly.
 *
 * fsync is a matter of a system-wide sysctl, and its default (3) does not
 * reach the medium: files fsynced less than five seconds before the power
 * went were all lost, where UFS kept them all.  Hence the risk beside every
 * cell that does not choose another mode.  Access times are off unless the
 * loader says otherwise, so asking for them shows as changed.  The source in
 * the mount table is the label.
 *
 * The maker reserves 512 MB for undo and fails on 300 MB; with undo_size=16m
 * 128 MB are enough.
 */
#include <string.h>

#include "fs/bsd_options.h"
#include "fs/bsd_rows.h"
#include "fs/driver.h"
#include "fs/readback.h"
#include "fs/rows.h"

#define FSYNC_MODE(number, text)                                               \
	.token = "fsync_mode=" number, .summary = (text),                      \
	.stage = STAGE_SYSCTL, .on = "sysctl vfs.hammer.fsync_mode=" number,   \
	.off = "sysctl vfs.hammer.fsync_mode=3", .group = "fsync",             \
	.readback = "fsync_mode=" number

static const struct option options[] = {
	{
	    ROW_MOUNT("noatime",
		"no access times; always so unless the loader says no"),
	    .group = "atime",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "atime",
	    .summary = "accepted, but access times stay off",
	    .stage = STAGE_MOUNT,
	    .on = "atime",
	    .group = "atime",
	    .readback = "!noatime",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("nohistory", "old versions of files are not kept"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("nomirror", "no bookkeeping for mirroring"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "master=*",
	    .summary = "number of this master, 0 to 15",
	    .stage = STAGE_MOUNT,
	    .on = "master=*",
	    .group = "master",
	    .readback = "master",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("noclusterr", "reads are not gathered into clusters"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    ROW_MOUNT("noclusterw", "writes are not gathered into clusters"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "undo_size=*",
	    .summary = "size of the undo area (16m); 512 MB by default",
	    .stage = STAGE_MAKE,
	    .on = "-u *",
	    .group = "undo_size",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    FSYNC_MODE("0", "fsync writes and flushes the device"),
	    .durability = "4 of 5",
	    .risk = RISK_WINDOW,
	    .untried = NOT_RUN_HERE,
	},
	{
	    FSYNC_MODE("1", "fsync writes later, without a flush"),
	    .durability = "0 of 5",
	    .risk = RISK_FLUSH,
	    .untried = NOT_RUN_HERE,
	},
	{
	    FSYNC_MODE("2", "fsync flushes, by the redo log"),
	    .durability = "4 of 5",
	    .risk = RISK_WINDOW,
	    .untried = NOT_RUN_HERE,
	},
	{
	    FSYNC_MODE("3", "fsync writes later, by the redo log; the default"),
	    .effect = "",
	    .durability = "0 of 5",
	    .risk = RISK_FLUSH,
	    .untried = NOT_RUN_HERE,
	},
	{
	    FSYNC_MODE("4", "fsync does nothing"),
	    .durability = "0 of 5",
	    .risk = RISK_FLUSH,
	    .untried = NOT_RUN_HERE,
	},
	{ .token = NULL },
};

/* "vfs.hammer.fsync_mode: 3" */
static char *
parse_sysctl(const char *text, const char *mountpoint, struct arena *arena)
{
	const char *value = text_value(text, "vfs.hammer.fsync_mode:");

	(void)mountpoint;
	return value == NULL ? arena_strdup(arena, "")
			     : arena_printf(arena, "fsync_mode=%s",
				   text_line(arena, value));
}

static const struct recipe recipes[] = {
	{
	    .systems = "dragonfly",
	    .durability = "0 of 5",
	    .make = "newfs_hammer -f -L %l %o %d",
	    .mount = "mount -t hammer -o %o %d %m",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "mount", .parse = bsd_parse_mount },
	{ .command = "sysctl vfs.hammer.fsync_mode", .parse = parse_sysctl },
	{ .command = NULL },
};

const struct driver driver_hammer = {
	.name = "hammer",
	.summary = "DragonFly's filesystem of 2008, with history",
	.systems = "dragonfly",
	.type = "hammer",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE),
	.minimum_bytes = 128LL << 20,
	.risk = RISK_FLUSH,
	.risk_group = "fsync",
	.remark = "HAMMER's fsync of the default mode is not durable: 0 of 5 "
		  "fsynced files survived a power cut within 5 s",
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
