/*
 * tmpfs: memory, and swap behind it.  Unmounting loses everything, so a
 * tmpfs cell is never cold.
 */
#include "fs/driver.h"
#include "fs/linux_options.h"

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_SYNC_OPTIONS("dirsync"),
	{
	    .token = "huge=always",
	    .summary = "huge pages for every file",
	    .stage = STAGE_MOUNT,
	    .on = "huge=always",
	    .off = "huge=never",
	    .group = "huge",
	    .readback = "huge=always",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "huge=within_size",
	    .summary = "huge pages where the file fills them",
	    .stage = STAGE_MOUNT,
	    .on = "huge=within_size",
	    .off = "huge=never",
	    .group = "huge",
	    .readback = "huge=within_size",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "huge=advise",
	    .summary = "huge pages where the program asks for them",
	    .stage = STAGE_MOUNT,
	    .on = "huge=advise",
	    .off = "huge=never",
	    .group = "huge",
	    .readback = "huge=advise",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "huge=never",
	    .summary = "small pages only; the default",
	    .stage = STAGE_MOUNT,
	    .on = "huge=never",
	    .group = "huge",
	    .readback = "!huge=always !huge=within_size !huge=advise",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "noswap",
	    .summary = "its pages never go to swap",
	    .stage = STAGE_MOUNT,
	    .on = "noswap",
	    .readback = "noswap",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    .token = "nr_inodes=*",
	    .summary = "most inodes",
	    .stage = STAGE_MOUNT,
	    .on = "nr_inodes=*",
	    .group = "nr_inodes",
	    .readback = "nr_inodes=*",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "mpol=*",
	    .summary = "which memory nodes hold the pages",
	    .stage = STAGE_MOUNT,
	    .on = "mpol=*",
	    .group = "mpol",
	    .readback = "mpol=*",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "inode32",
	    .summary = "inode numbers of 32 bits",
	    .stage = STAGE_MOUNT,
	    .on = "inode32",
	    .off = "inode64",
	    .group = "inode",
	    .readback = "!inode64",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	},
	{
	    .token = "inode64",
	    .summary = "inode numbers of 64 bits",
	    .stage = STAGE_MOUNT,
	    .on = "inode64",
	    .group = "inode",
	    .readback = "!inode32",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .mount = "mount -t tmpfs -o size=%z,%o %l %m",
	},
	{ .systems = NULL },
};

const struct driver driver_tmpfs = {
	.name = "tmpfs",
	.summary = "memory: the floor under every disk filesystem's figures",
	.systems = "linux",
	.type = "tmpfs",
	.targets = TARGET_BIT(TARGET_MEMORY),
	.risk = RISK_VOLATILE,
	.is_volatile = true,
	.recipes = recipes,
	.options = options,
};
