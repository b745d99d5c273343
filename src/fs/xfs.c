/*
 * xfs.  Most of its mount options are ignored, with status 0, on a remount.
 * Barriers are no option since Linux 4.19: nobarrier is kept so that the
 * kernel itself can say no.  mkfs.xfs of 6.1 refuses less than 300 MB.
 */
#include <stdlib.h>
#include <string.h>

#include "fs/driver.h"
#include "fs/linux_options.h"
#include "fs/readback.h"
#include "fs/rows.h"

/* What mkfs.xfs makes is on or off by a 0 or 1 of the same name. */
#define FEATURE(name, flag, text, value, other, usual_effect)                  \
	{                                                                      \
		ROW_MAKE(name "=" value, text, flag " " name "=" value),       \
		    .off = flag " " name "=" other, .group = (name),           \
		    .effect = (usual_effect), .risk = RISK_FUNC                \
	}

static const struct option options[] = {
	LINUX_ATIME_OPTIONS,
	LINUX_LAZYTIME_OPTION,
	LINUX_SYNC_OPTIONS("dirsync wsync"),
	{
	    ROW_MOUNT("wsync", "changes of directories wait for the log"),
	    .risk = RISK_SAFE_PLUS,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("nobarrier", "no cache flushes (gone since Linux 4.19)"),
	    .risk = RISK_FLUSH,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("barrier", "cache flushes (no option since 4.19)"),
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_SILENT("delaylog", "changes gather in memory (always so now)"),
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MOUNT("logbufs=*", "log buffers in memory, 2 to 8"),
	    .group = "logbufs",
	    .risk = RISK_WINDOW,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("logbufs=8", "log buffers in memory; the default"),
	    .group = "logbufs",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("logbsize=*", "size of a log buffer, 16k to 256k"),
	    .group = "logbsize",
	    .risk = RISK_WINDOW,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("logbsize=32k", "size of a log buffer; the default"),
	    .group = "logbsize",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("allocsize=*", "space preallocated past the file's end"),
	    .group = "allocsize",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("largeio", "stat tells the stripe as the best I/O size"),
	    .off = "nolargeio",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("swalloc", "allocations are rounded to the stripe width"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("noalign", "data is not aligned to stripes"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("filestreams", "files of one folder stay together"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("discard", "tell the device at once what is free (TRIM)"),
	    .off = "nodiscard",
	    .group = "discard",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    .token = "nodiscard",
	    .summary = "never tell it; the default",
	    .stage = STAGE_MOUNT,
	    .on = "nodiscard",
	    .group = "discard",
	    .readback = "!discard",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("inode32", "inodes only where numbers fit 32 bits"),
	    .off = "inode64",
	    .group = "inode",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_MOUNT("inode64", "inodes anywhere; the default"),
	    .group = "inode",
	    .effect = "",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_OK,
	},
	{
	    ROW_SILENT("attr2", "attributes inline; always so with crc=1"),
	    .group = "attr",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_SILENT("noattr2", "deprecated; without effect with crc=1"),
	    .group = "attr",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_SILENT("ikeep", "empty inode chunks are kept; deprecated"),
	    .off = "noikeep",
	    .group = "ikeep",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_SILENT("noikeep", "empty inode chunks are freed; the default"),
	    .group = "ikeep",
	    .effect = "",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_IGNORED,
	},
	{
	    ROW_MOUNT("grpid", "new files get their folder's group"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	},
	{
	    ROW_MOUNT("nouuid", "another filesystem may have the same UUID"),
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_UNKNOWN,
	},
	{
	    ROW_MOUNT("dax=never", "files always go through the page cache"),
	    .group = "dax",
	    .risk = RISK_SAFE,
	    .remount = REMOUNT_UNKNOWN,
	},
	{
	    ROW_MOUNT("dax=always",
		"files mapped from the device; dax=never if it cannot"),
	    .group = "dax",
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_UNKNOWN,
	},
	{
	    ROW_SILENT("norecovery", "the log is not replayed"),
	    .risk = RISK_WRECK,
	    .remount = REMOUNT_REFUSED,
	    .untried = "only a read-only mount takes it",
	},
	{
	    ROW_MOUNT("quota", "space of users is counted and limited"),
	    .risk = RISK_FUNC,
	    .remount = REMOUNT_REFUSED,
	},
	{
	    ROW_MAKE("crc=0", "the format without checksums (V4)", "-m crc=0"),
	    .off = "-m crc=1",
	    .group = "crc",
	    .conflicts = "finobt=1 reflink=1 rmapbt=1 bigtime=1 inobtcount=1",
	    .risk = RISK_FUNC,
	},
	/* off says nothing: kernels refuse what would be made then */
	{
	    ROW_MAKE("crc=1", "the format with checksums (V5); the default",
		"-m crc=1"),
	    .group = "crc",
	    .effect = "",
	    .risk = RISK_SAFE,
	},
	FEATURE("finobt", "-m", "no tree of free inodes", "0", "1", NULL),
	FEATURE(
	    "finobt", "-m", "a tree of free inodes; the default", "1", "0", ""),
	FEATURE("reflink", "-m", "files cannot share blocks", "0", "1", NULL),
	FEATURE("reflink", "-m", "files may share blocks; the default", "1",
	    "0", ""),
	FEATURE(
	    "rmapbt", "-m", "a tree of who owns each block", "1", "0", NULL),
	FEATURE("rmapbt", "-m", "no such tree; the default", "0", "1", ""),
	FEATURE("bigtime", "-m", "times end in 2038", "0", "1", NULL),
	FEATURE(
	    "bigtime", "-m", "times end in 2486; the default", "1", "0", ""),
	FEATURE(
	    "inobtcount", "-m", "no counts of the inode trees", "0", "1", NULL),
	FEATURE("inobtcount", "-m", "counts of the inode trees; the default",
	    "1", "0", ""),
	FEATURE("nrext64", "-i", "files may have 2^47 extents", "1", "0", NULL),
	FEATURE("nrext64", "-i", "files may have 2^31 extents; the default",
	    "0", "1", ""),
	FEATURE("sparse", "-i", "inodes in whole chunks only", "0", "1", NULL),
	FEATURE("sparse", "-i", "inodes in parts of chunks; the default", "1",
	    "0", ""),
	{
	    ROW_MAKE(
		"log_size=*", "size of the log, 64m at least", "-l size=*"),
	    .group = "log_size",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("agcount=*", "allocation groups: how much is parallel",
		"-d agcount=*"),
	    .group = "agcount",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("block_size=*", "block size in bytes", "-b size=*"),
	    .group = "block_size",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("inode_size=*", "inode size in bytes", "-i size=*"),
	    .group = "inode_size",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("dir_block_size=*", "directory block size in bytes",
		"-n size=*"),
	    .group = "dir_block_size",
	    .risk = RISK_FUNC,
	},
	{
	    ROW_MAKE("sector_size=*", "sector size in bytes", "-s size=*"),
	    .group = "sector_size",
	    .risk = RISK_FUNC,
	},
	{ .token = NULL },
};

/* The value of "name=" after "from", as a number; -1 when there is none. */
static long
number(const char *from, const char *name)
{
	size_t length = strlen(name);
	const char *at = from;

	while (at != NULL && (at = strstr(at, name)) != NULL) {
		if (at == from || strchr(" \t,=\n", at[-1]) != NULL)
			return strtol(at + length, NULL, 10);
		at += length;
	}
	return -1;
}

static void
add(struct words *words, const char *section, const char *name,
    const char *token)
{
	long value = section == NULL ? -1 : number(section, name);

	if (value >= 0)
		words_addf(words, "%s=%ld", token, value);
}

/*
 * xfs_info prints sections (meta-data, data, naming, log) whose names repeat:
 * bsize is a file's block, a directory's, the log's.
 */
static char *
parse_info(const char *text, const char *mountpoint, struct arena *arena)
{
	static const char *const features[] = { "crc", "finobt", "sparse",
		"rmapbt", "reflink", "bigtime", "inobtcount", "nrext64" };
	const char *log = strstr(text, "\nlog ");
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
		add(&words, text, arena_printf(arena, "%s=", features[i]),
		    features[i]);
	add(&words, text, "isize=", "inode_size");
	add(&words, text, "agcount=", "agcount");
	add(&words, text, "sectsz=", "sector_size");
	add(&words, strstr(text, "\ndata "), "bsize=", "block_size");
	add(&words, strstr(text, "\nnaming "), "bsize=", "dir_block_size");
	if (log != NULL && number(log, "blocks=") > 0)
		words_addf(&words, "log_size=%ld",
		    number(log, "blocks=") * number(log, "bsize="));
	return words_text(&words);
}

static const struct recipe recipes[] = {
	{
	    .systems = "linux",
	    .make = "mkfs.xfs -q -f -K -L %l %o %d",
	    .mount = "mount -t xfs -o %o %d %m",
	    .check = "xfs_repair -n %d",
	},
	{ .systems = NULL },
};

static const struct readback readbacks[] = {
	{ .command = "xfs_info %m", .parse = parse_info },
	{ .command = NULL },
};

const struct driver driver_xfs = {
	.name = "xfs",
	.summary = "SGI's filesystem of allocation groups and a metadata log",
	.systems = "linux",
	.type = "xfs",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_MOUNTPOINT),
	.minimum_bytes = 300LL << 20,
	.recipes = recipes,
	.options = options,
	.readbacks = readbacks,
};
