/*
 * LFS of NetBSD: all writes go to a log, and a cleaner daemon makes room in
 * the background.  -n keeps the daemon away, since its work would fall into
 * the measured time of whoever comes next.
 */
#include "fs/bsd_options.h"
#include "fs/bsd_rows.h"
#include "fs/driver.h"
#include "fs/rows.h"

static const struct option options[] = {
	{
	    ROW_MOUNT("noatime", "reading never writes access times"),
	    .group = "atime",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "cleaner",
	    .summary = "its cleaner works in the background, as by default",
	    .stage = STAGE_MOUNT,
	    .on = "",
	    .group = "cleaner",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "segment_size=*",
	    .summary = "size of a segment of the log in bytes",
	    .stage = STAGE_MAKE,
	    .on = "-B *",
	    .group = "segment_size",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "block_size=*",
	    .summary = "block size in bytes",
	    .stage = STAGE_MAKE,
	    .on = "-b *",
	    .group = "block_size",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "frag_size=*",
	    .summary = "fragment size in bytes",
	    .stage = STAGE_MAKE,
	    .on = "-f *",
	    .group = "frag_size",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "minfree=*",
	    .summary = "percent of space kept free",
	    .stage = STAGE_MAKE,
	    .on = "-m *",
	    .group = "minfree",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "netbsd",
	    .token = "cleaner",
	    .make = "newfs_lfs %o %r",
	    .mount = "mount_lfs -o %o %d %m",
	    .check = "fsck_lfs -y %r",
	},
	{
	    .systems = "netbsd",
	    .make = "newfs_lfs %o %r",
	    .mount = "mount_lfs -n -o %o %d %m",
	    .check = "fsck_lfs -y %r",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "mount", .parse = bsd_parse_mount },
	{ .command = NULL },
};

const struct driver driver_lfs = {
	.name = "lfs",
	.summary = "NetBSD's log-structured filesystem, without its cleaner",
	.systems = "netbsd",
	.type = "lfs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE),
	.minimum_bytes = 32LL << 20,
	.risk = RISK_WINDOW,
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
