/*
 * OpenZFS on Linux and FreeBSD: a pool of one device, its top dataset being
 * the filesystem.  Unmounting is an export, since nothing less empties ZFS's
 * own cache, and mounting an import.
 *
 * Whether compression and relatime are on by default differs by release, so
 * both are always said: off where nobody asks.
 */
#include "fs/driver.h"
#include "fs/readback.h"
#include "fs/zfs_rows.h"

/* FreeBSD had a ZFS of its own up to 12 */
#define OPENZFS_2 "linux freebsd:13-"

#define NO_OPENZFS "no system with OpenZFS was at hand"

static const struct option options[] = {
	ZFS_COMMON_OPTIONS(NO_OPENZFS),
	{
	    ZFS_VALUE("relatime", "on", "off",
		"access times once a day, or after a change"),
	    .risk = RISK_FUNC,
	    .systems = OPENZFS_2,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_VALUE("relatime", "off", "on", "every read writes the time"),
	    .effect = "",
	    .risk = RISK_SAFE,
	    .systems = OPENZFS_2,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_VALUE("sync", "standard", "standard",
		"fsync reaches the disk; the default"),
	    .effect = "",
	    .risk = RISK_SAFE,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_VALUE(
		"sync", "always", "standard", "every write reaches the disk"),
	    .risk = RISK_SAFE_PLUS,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_VALUE("sync", "disabled", "standard",
		"fsync does nothing: a few seconds are lost at a crash"),
	    .risk = RISK_FLUSH,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_ANY("redundant_metadata", "all, most, some or none"),
	    .risk = RISK_WINDOW,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_ANY("dnodesize", "size of a file's record: legacy, auto"),
	    .risk = RISK_FUNC,
	    .untried = NO_OPENZFS,
	},
	{
	    ZFS_ANY("special_small_blocks", "small blocks go to special "
					    "devices"),
	    .risk = RISK_FUNC,
	    .systems = OPENZFS_2,
	    .untried = NO_OPENZFS,
	},
	{
	    .token = "ashift=*",
	    .summary = "sectors of 2 to that power bytes",
	    .stage = STAGE_MAKE,
	    .on = "-o ashift=*",
	    .group = "ashift",
	    .readback = "ashift=*",
	    .risk = RISK_FUNC,
	    .untried = NO_OPENZFS,
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = OPENZFS_2,
	    .usual = "compression=off relatime=off",
	    .make = "zpool create -f -o cachefile=none -m %m %o %l %d; "
		    "zpool export %l",
	    .mount = "zpool import -d /dev -o cachefile=none %l",
	    .unmount = "zpool export %l",
	},
	{
	    .systems = "freebsd:7-12",
	    .usual = "compression=off",
	    .make = "zpool create -f -o cachefile=none -m %m %o %l %d; "
		    "zpool export %l",
	    .mount = "zpool import -d /dev -o cachefile=none %l",
	    .unmount = "zpool export %l",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "zfs get -Hp -o property,value all %l",
	    .parse = zfs_parse_get },
	{ .command = "zpool get -Hp -o property,value ashift %l",
	    .parse = zfs_parse_get },
	{ .command = NULL },
};

const struct driver driver_zfs = {
	.name = "zfs",
	.summary = "OpenZFS: pool, copy on write, checksums, its own cache",
	.systems = "linux freebsd:7-",
	.type = "zfs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE),
	.minimum_bytes = 64LL << 20,
	.takes_more_devices = true,
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
