/*
 * Properties of ZFS, set when the pool is made ("-O property=value"), so that
 * every file is written under them: a recordsize set later holds for new
 * files only.  What proves them is "zfs get", never the mount's flags, which
 * may lag behind until the next mount.
 */
#ifndef MM_FS_ZFS_ROWS_H
#define MM_FS_ZFS_ROWS_H

#include "base/arena.h"
#include "fs/rows.h"

/* "zfs get -Hp": one property and value a line, as "property=value". */
char *zfs_parse_get(
    const char *text, const char *mountpoint, struct arena *arena);

/* A property with one value.  "other" is what a toggle that is off sets. */
#define ZFS_VALUE(property, value, other, text)                                \
	ROW_MAKE(property "=" value, text, "-O " property "=" value),          \
	    .off = "-O " property "=" other, .group = property

/* A property with any value. */
#define ZFS_ANY(property, text)                                                \
	ROW_MAKE(property "=*", text, "-O " property "=*"), .group = property

#define ZFS_COMMON_OPTIONS(reason)                                             \
	{ .token = "noatime",                                                  \
		.summary = "reading never writes access times (atime=off)",    \
		.stage = STAGE_MAKE,                                           \
		.on = "-O atime=off",                                          \
		.off = "-O atime=on",                                          \
		.group = "atime",                                              \
		.readback = "atime=off",                                       \
		.effect = "atime=off",                                         \
		.risk = RISK_FUNC,                                             \
		.untried = reason },                                           \
	    { ZFS_VALUE("atime", "off", "on", "the same by its property"),     \
		    .effect = "atime=off", .risk = RISK_FUNC,                  \
		    .untried = reason },                                       \
	    { ZFS_VALUE("atime", "on", "off", "every read writes the time"),   \
		    .effect = "", .risk = RISK_SAFE, .untried = reason },      \
	    { ZFS_ANY("recordsize", "largest block of a file"),                \
		    .risk = RISK_FUNC, .untried = reason },                    \
	    { ZFS_VALUE("checksum", "off", "on", "data without checksums"),    \
		    .risk = RISK_STALE, .untried = reason },                   \
	    { ZFS_ANY("checksum", "which checksum"), .risk = RISK_SAFE,        \
		    .untried = reason },                                       \
	    { ZFS_VALUE("compression", "off", "on", "not compressed"),         \
		    .effect = "", .risk = RISK_SAFE, .untried = reason },      \
	    { ZFS_ANY("compression", "on, lz4, zstd-N, gzip-N, zle, "          \
				     "lzjb"),                                  \
		    .risk = RISK_FUNC, .untried = reason },                    \
	    { ZFS_ANY("copies", "copies of each block"),                       \
		    .risk = RISK_SAFE_PLUS, .untried = reason },               \
	    { ZFS_ANY("dedup", "equal blocks are kept once"),                  \
		    .risk = RISK_FUNC, .untried = reason },                    \
	    { ZFS_ANY("xattr", "attributes: on, off or sa"),                   \
		    .risk = RISK_FUNC, .untried = reason },                    \
	    { ZFS_ANY("logbias", "latency or throughput"), .risk = RISK_FUNC,  \
		    .untried = reason },                                       \
	    { ZFS_ANY("primarycache", "in memory: all, metadata or none"),     \
		    .risk = RISK_FUNC, .untried = reason },                    \
	    { ZFS_ANY("secondarycache", "on a cache device: all, metadata "    \
					"or none"),                            \
		    .risk = RISK_FUNC, .untried = reason },                    \
	{                                                                      \
		ZFS_ANY("snapdir", "the folder .zfs: hidden or visible"),      \
		    .risk = RISK_FUNC, .untried = reason                       \
	}

#endif
