/*
 * HAMMER2 of DragonFly.
 *
 * noatime is accepted and shown, and changes nothing: an access time is the
 * modification time here.  Every mount prints two lines about a cluster
 * controller on standard error, with status 0.  Compression and checksum are
 * set on the mounted root and hold for what is written after that.  The
 * source in the mount table is "/dev/X@LABEL".
 */
#include <string.h>

#include "fs/bsd_options.h"
#include "fs/bsd_rows.h"
#include "fs/driver.h"
#include "fs/readback.h"
#include "fs/rows.h"

#define PROPERTY(name, value, command, usual, text)                            \
	.token = name "=" value, .summary = (text), .stage = STAGE_PROP,       \
	.on = "hammer2 " command " " value " %m",                              \
	.off = "hammer2 " command " " usual " %m", .group = (name),            \
	.readback = name "=" value

static const struct option options[] = {
	{
	    ROW_MOUNT("noatime", "shown, without effect: there are no access "
				 "times"),
	    .group = "atime",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "atime",
	    .summary = "accepted; there are no access times",
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
	    ROW_SILENT("local", "not part of a cluster"),
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
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
	    PROPERTY("comp", "lz4", "setcomp", "lz4",
		"compressed by lz4; the default"),
	    .effect = "",
	    .risk = RISK_SAFE,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY("comp", "none", "setcomp", "lz4", "not compressed"),
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY("comp", "autozero", "setcomp", "lz4",
		"only blocks of zeros are compressed"),
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY("comp", "zlib", "setcomp", "lz4", "compressed by zlib"),
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    .token = "comp=zlib:*",
	    .summary = "compressed by zlib of that level",
	    .stage = STAGE_PROP,
	    .on = "hammer2 setcomp zlib:* %m",
	    .off = "hammer2 setcomp lz4 %m",
	    .group = "comp",
	    .readback = "comp=zlib",
	    .risk = RISK_FUNC,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY("check", "xxhash64", "setcheck", "xxhash64",
		"checksums by xxhash64; the default"),
	    .effect = "",
	    .risk = RISK_SAFE,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY(
		"check", "crc32", "setcheck", "default", "checksums by crc32"),
	    .risk = RISK_SAFE,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY("check", "sha192", "setcheck", "default",
		"checksums by sha192"),
	    .risk = RISK_SAFE,
	    .untried = NOT_RUN_HERE,
	},
	{
	    PROPERTY("check", "disabled", "setcheck", "default",
		"no checksums; with comp=none data is overwritten in place"),
	    .risk = RISK_STALE,
	    .untried = NOT_RUN_HERE,
	},
	{ .token = NULL },
};

/* "/mnt 0 0.00B 0 comp=lz4:default check=xxhash64" */
static char *
parse_stat(const char *text, const char *mountpoint, struct arena *arena)
{
	static const char *const keys[] = { "comp=", "check=" };
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const char *at = strstr(text, keys[i]);

		if (at != NULL)
			words_addf(
			    &words, "%.*s", (int)strcspn(at, ": \t\n"), at);
	}
	return words_text(&words);
}

static const struct recipe recipes[] = {
	{
	    .systems = "dragonfly",
	    .durability = "0 of 5",
	    .make = "newfs_hammer2 -L %l %o %d",
	    .mount = "mount -t hammer2 -o %o %d@%l %m",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "mount", .parse = bsd_parse_mount },
	{ .command = "hammer2 stat %m", .parse = parse_stat },
	{ .command = NULL },
};

const struct driver driver_hammer2 = {
	.name = "hammer2",
	.summary = "DragonFly's copy-on-write filesystem",
	.systems = "dragonfly",
	.type = "hammer2",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE),
	.minimum_bytes = 24LL << 20,
	.risk = RISK_FLUSH,
	.remark = "HAMMER2's fsync is not durable at once: 0 of 5 fsynced "
		  "files survived a power cut within 1 s, 5 of 5 after 2 s",
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
