/*
 * btrfs.  Of nodatacow and a compression the later in the list wins and the
 * other vanishes with status 0; here nodatacow stands last, so it wins.
 * Levels that are too high are clamped.  Discarding is on by default where
 * the device can, hence -K at mkfs and a token to turn it off.
 */
#include <ctype.h>
#include <string.h>

#include "fs/driver.h"
#include "fs/linux_options.h"
#include "fs/readback.h"
#include "fs/rows.h"

#define TWO_DEVICES "needs a target of two devices"

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_LAZYTIME_OPTION,
	LINUX_SYNC_OPTIONS("dirsync"),
	{
	    ROW_SILENT("compress=no", "data is not compressed; the default"),
	    .group = "compress",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "compress",
	    .summary = "data that gains by it is compressed by zlib",
	    .stage = STAGE_MOUNT,
	    .on = "compress",
	    .off = "compress=no",
	    .group = "compress",
	    .readback = "compress=zlib*",
	    .effect = "compress=zlib",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "compress=zlib",
	    .summary = "the same by name",
	    .stage = STAGE_MOUNT,
	    .on = "compress=zlib",
	    .off = "compress=no",
	    .group = "compress",
	    .readback = "compress=zlib*",
	    .effect = "compress=zlib",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "compress=lzo",
	    .summary = "by lzo: quick",
	    .stage = STAGE_MOUNT,
	    .on = "compress=lzo",
	    .off = "compress=no",
	    .group = "compress",
	    .readback = "compress=lzo",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "compress=zstd",
	    .summary = "by zstd, level 3",
	    .stage = STAGE_MOUNT,
	    .on = "compress=zstd",
	    .off = "compress=no",
	    .group = "compress",
	    .readback = "compress=zstd*",
	    .effect = "compress=zstd:3",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("compress=*", "by that method and level (zstd:1 to 15)"),
	    .off = "compress=no",
	    .group = "compress",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "compress-force",
	    .summary = "compressed even where nothing is gained, by zlib",
	    .stage = STAGE_MOUNT,
	    .on = "compress-force",
	    .off = "compress=no",
	    .group = "compress",
	    .readback = "compress-force=zlib*",
	    .effect = "compress-force=zlib",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "compress-force=zstd",
	    .summary = "the same by zstd, level 3",
	    .stage = STAGE_MOUNT,
	    .on = "compress-force=zstd",
	    .off = "compress=no",
	    .group = "compress",
	    .readback = "compress-force=zstd*",
	    .effect = "compress-force=zstd:3",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("compress-force=*", "the same by that method and level"),
	    .off = "compress=no",
	    .group = "compress",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "nodatacow",
	    .summary = "data is overwritten in place, without checksums",
	    .stage = STAGE_MOUNT,
	    .on = "nodatacow",
	    .off = "datacow",
	    .group = "datacow",
	    .implies = "nodatasum",
	    .voids = "nodatasum compress compress=* compress-force "
		     "compress-force=*",
	    .readback = "nodatacow",
	    .risk = RISK_STALE,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "datacow",
	    .summary = "changed data goes elsewhere; the default",
	    .stage = STAGE_MOUNT,
	    .on = "datacow",
	    .group = "datacow",
	    .readback = "!nodatacow",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "datasum",
	    .summary = "data with checksums; the default",
	    .stage = STAGE_MOUNT,
	    .on = "datasum",
	    .group = "datasum",
	    .conflicts = "nodatacow",
	    .readback = "!nodatasum",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("nodatasum", "data without checksums"),
	    .off = "datasum",
	    .group = "datasum",
	    .risk = RISK_STALE,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("autodefrag", "small random writes are gathered later"),
	    .off = "noautodefrag",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("ssd", "allocation for devices without seeks"),
	    .off = "nossd",
	    .group = "ssd",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("ssd_spread", "allocation in large free areas only"),
	    .off = "nossd",
	    .group = "ssd",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("nossd", "allocation for disks that seek"),
	    .group = "ssd",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("max_inline=*", "files up to that size live in the tree"),
	    .group = "max_inline",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_SILENT("thread_pool=*", "worker threads"),
	    .group = "thread_pool",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("metadata_ratio=*",
		"a metadata chunk after so many data chunks"),
	    .group = "metadata_ratio",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "discard",
	    .summary = "tell the device at once what is free (TRIM)",
	    .stage = STAGE_MOUNT,
	    .on = "discard",
	    .off = "nodiscard",
	    .group = "discard",
	    .readback = "discard",
	    .effect = "discard=sync",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "discard=sync",
	    .summary = "the same by name",
	    .stage = STAGE_MOUNT,
	    .on = "discard=sync",
	    .off = "nodiscard",
	    .group = "discard",
	    .readback = "discard",
	    .effect = "discard=sync",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("discard=async",
		"tell it later, in batches; the default where it can"),
	    .off = "nodiscard",
	    .group = "discard",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "nodiscard",
	    .summary = "never tell it",
	    .stage = STAGE_MOUNT,
	    .on = "nodiscard",
	    .group = "discard",
	    .readback = "!discard !discard=async",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "commit=30",
	    .summary = "a transaction every 30 s; the default, not shown",
	    .stage = STAGE_MOUNT,
	    .on = "commit=30",
	    .group = "commit",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("commit=*", "a transaction every so many seconds"),
	    .group = "commit",
	    .risk = RISK_WINDOW,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("notreelog", "fsync writes a whole transaction"),
	    .off = "treelog",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("flushoncommit", "a transaction waits for its data"),
	    .off = "noflushoncommit",
	    .risk = RISK_SAFE_PLUS,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("nobarrier", "no cache flushes: writes may be reordered"),
	    .off = "barrier",
	    .group = "barrier",
	    .risk = RISK_FLUSH,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "barrier",
	    .summary = "cache flushes where order matters; the default",
	    .stage = STAGE_MOUNT,
	    .on = "barrier",
	    .group = "barrier",
	    .readback = "!nobarrier",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    .token = "space_cache=v1",
	    .summary = "free space is kept in files, as before 5.15",
	    .stage = STAGE_MOUNT,
	    .on = "space_cache=v1",
	    .group = "space_cache",
	    .readback = "space_cache",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    .token = "space_cache=v1",
	    .stage = STAGE_MAKE,
	    .on = "-R ^free-space-tree",
	},
	{
	    ROW_MOUNT("space_cache=v2", "free space in a tree; the default"),
	    .group = "space_cache",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("nospace_cache", "free space is found anew"),
	    .group = "space_cache",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    .token = "nospace_cache",
	    .stage = STAGE_MAKE,
	    .on = "-R ^free-space-tree",
	},
	{
	    ROW_MOUNT("noacl", "no access control lists"),
	    .off = "acl",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("inode_cache", "numbers of inodes are used again (gone)"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("check_int", "every write is checked (gone)"),
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("recovery", "older tree roots are tried (gone)"),
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("alloc_start=*", "where allocation starts (gone)"),
	    .group = "alloc_start",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MAKE(
		"metadata=single", "one copy of the metadata", "-m single"),
	    .off = "-m dup",
	    .group = "metadata",
	    .risk = RISK_WINDOW,
	},
	{
	    ROW_MAKE("metadata=dup",
		"two copies of the metadata; the default "
		"on one device",
		"-m dup"),
	    .group = "metadata",
	    .effect = "",
	    .risk = RISK_SAFE,
	},
	{
	    ROW_MAKE(
		"metadata=raid1", "a copy on each of two devices", "-m raid1"),
	    .group = "metadata",
	    .risk = RISK_SAFE,
	    .untried = TWO_DEVICES,
	},
	{
	    ROW_MAKE("metadata=raid0", "spread over the devices", "-m raid0"),
	    .group = "metadata",
	    .risk = RISK_WINDOW,
	    .untried = TWO_DEVICES,
	},
	{
	    ROW_MAKE("data=single", "one copy of the data; the default",
		"-d single"),
	    .group = "data",
	    .effect = "",
	    .risk = RISK_SAFE,
	},
	{
	    ROW_MAKE("data=dup", "two copies of the data", "-d dup"),
	    .off = "-d single",
	    .group = "data",
	    .risk = RISK_SAFE_PLUS,
	},
	{
	    ROW_MAKE("data=raid0", "data spread over the devices", "-d raid0"),
	    .group = "data",
	    .risk = RISK_FUNC,
	    .untried = TWO_DEVICES,
	},
	{
	    ROW_MAKE("data=raid1", "a copy on each of two devices", "-d raid1"),
	    .group = "data",
	    .risk = RISK_SAFE_PLUS,
	    .untried = TWO_DEVICES,
	},
	{
	    ROW_MAKE("mixed", "data and metadata in the same chunks", "-M"),
	    .group = "node_size",
	    .conflicts = "metadata=single metadata=dup data=dup data=single",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("node_size=*", "size of a tree node in bytes", "-n *"),
	    .group = "node_size",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("csum=*", "checksum: crc32c, xxhash, sha256 or blake2",
		"--csum *"),
	    .group = "csum",
	    .risk = RISK_FUNC,
	},
	{
	    .token = "quota",
	    .summary = "space of subvolumes is counted",
	    .stage = STAGE_MAKE,
	    .on = "-R quota",
	    .off = "-R ^quota",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("explicit_holes", "holes in files are written down",
		"-O ^no-holes"),
	    .off = "-O no-holes",
	    .risk = RISK_FUNC,
	},
	{ .token = NULL },
};

/* "Metadata, DUP: total=..." gives "metadata=dup". */
static char *
parse_df(const char *text, const char *mountpoint, struct arena *arena)
{
	static const struct {
		const char *line;
		const char *key;
	} lines[] = { { "Data,", "data" }, { "Metadata,", "metadata" } };
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		const char *value = text_value(text, lines[i].line);
		char *word;

		if (value == NULL)
			continue;
		word = arena_strndup(arena, value, strcspn(value, ":\n"));
		for (char *c = word; *c != '\0'; c++)
			*c = (char)tolower((unsigned char)*c);
		words_addf(&words, "%s=%s", lines[i].key, word);
	}
	if (text_value(text, "Data+Metadata,") != NULL)
		words_add(&words, "mixed");
	return words_text(&words);
}

/* "dump-super": node size, checksum, and features by their flags' names. */
static char *
parse_super(const char *text, const char *mountpoint, struct arena *arena)
{
	const char *node = text_value(text, "nodesize");
	const char *sum = text_value(text, "csum_type");
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	if (node != NULL)
		words_addf(&words, "node_size=%.*s",
		    (int)strspn(node, "0123456789"), node);
	if (sum != NULL && strchr(sum, '(') != NULL) {
		const char *name = strchr(sum, '(') + 1;
		size_t size = strcspn(name, ")\n");

		/* mkfs's words: xxhash for xxhash64, blake2 for blake2b */
		if (strncmp(name, "xxhash64", size) == 0)
			size -= 2;
		if (strncmp(name, "blake2b", size) == 0)
			size -= 1;
		words_addf(&words, "csum=%.*s", (int)size, name);
	}
	if (strstr(text, "incompat_flags") != NULL &&
	    strstr(text, "NO_HOLES") == NULL)
		words_add(&words, "explicit_holes");
	return words_text(&words);
}

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = "mkfs.btrfs -q -f -K -L %l %o %d",
	    .mount = "mount -t btrfs -o %o %d %m",
	    .check = "btrfs check --readonly %d",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "btrfs filesystem df %m", .parse = parse_df },
	{ .command = "btrfs inspect-internal dump-super %d",
	    .parse = parse_super },
	{ .command = NULL },
};

const struct driver driver_btrfs = {
	.name = "btrfs",
	.summary = "copy on write, checksums, compression",
	.systems = "linux",
	.type = "btrfs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_MOUNTPOINT),
	.minimum_bytes = 109LL << 20,
	.takes_more_devices = true,
	.places = "subvolid=* subvol=*",
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
