/*
 * zfs-fuse: ZFS (pool version 23) by a program in user space, which must be
 * running already.  It knows no sync and no relatime property, no lz4 and no
 * zstd, and no record of more than 128 KiB.
 */
#include <string.h>

#include "fs/driver.h"
#include "fs/readback.h"
#include "fs/zfs_rows.h"

static const struct option options[] = {
	ZFS_COMMON_OPTIONS(
	    "its daemon must run in the namespaces of the trial"),
	{
	    .token = "ashift=*",
	    .summary = "sectors of 2 to that power bytes",
	    .stage = STAGE_MAKE,
	    .on = "-o ashift=*",
	    .group = "ashift",
	    .risk = RISK_FUNC,
	    .untried = "its zpool does not tell it back",
	},
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
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
	{ .command = NULL },
};

char *
zfs_parse_get(const char *text, const char *mountpoint, struct arena *arena)
{
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	for (const char *line = text; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		size_t name = strcspn(line, "\t ");
		size_t gap;

		if (name < length) {
			gap = strspn(line + name, "\t ");
			words_addf(&words, "%.*s=%.*s", (int)name, line,
			    (int)strcspn(line + name + gap, "\t \n"),
			    line + name + gap);
		}
		line += length;
		line += *line == '\n' ? 1 : 0;
	}
	return words_text(&words);
}

const struct driver driver_zfs_fuse = {
	.name = "zfs-fuse",
	.summary = "ZFS of 2010 by a program in user space",
	.systems = "linux",
	.type = "fuse.zfs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE),
	.minimum_bytes = 64LL << 20,
	.takes_more_devices = true,
	.is_user_space = true,
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
