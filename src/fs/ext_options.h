/*
 * Rows that ext2, ext3 and ext4 share; all three are the kernel's ext4 code,
 * which refuses some of its options under the older names.  What follows was
 * seen on Linux 6.18: /proc/fs/ext4/DEV/options shows every one of the mount
 * options, also those the mount table hides because they are defaults.
 */
#ifndef MM_FS_EXT_OPTIONS_H
#define MM_FS_EXT_OPTIONS_H

#include "fs/driver.h"

/* "dumpe2fs -h": features, block size, inode size, journal size as tokens. */
char *ext_parse_dumpe2fs(
    const char *text, const char *mountpoint, struct arena *arena);

/* mke2fs joins nothing itself: the last -O or -E would win. */
#define EXT_JOINED "-O -E -J"

#define EXT_MAKE(type)                                                         \
	"mkfs." type " -q -F -L %l -E nodiscard,lazy_itable_init=0,"           \
	"lazy_journal_init=0 %o %d"

/* -n answers no to everything: after a clean unmount nothing may be wrong */
#define EXT_CHECK "e2fsck -f -n %d"

/* Accepted by all three. */
#define EXT_MOUNT_OPTIONS                                                      \
	{ .token = "nobarrier",                                                \
		.summary = "no cache flushes: the device may reorder writes",  \
		.stage = STAGE_MOUNT,                                          \
		.on = "nobarrier",                                             \
		.off = "barrier",                                              \
		.group = "barrier",                                            \
		.readback = "nobarrier",                                       \
		.risk = RISK_FLUSH,                                            \
		.remount = REMOUNT_OK },                                       \
	    { .token = "barrier",                                              \
		    .summary =                                                 \
			"cache flushes where order matters; the default",      \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "barrier",                                           \
		    .group = "barrier",                                        \
		    .readback = "barrier",                                     \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "discard",                                              \
		    .summary = "tell the device at once what is free (TRIM)",  \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "discard",                                           \
		    .off = "nodiscard",                                        \
		    .group = "discard",                                        \
		    .readback = "discard",                                     \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "nodiscard",                                            \
		    .summary = "never tell it; the default",                   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "nodiscard",                                         \
		    .group = "discard",                                        \
		    .readback = "!discard",                                    \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "noauto_da_alloc",                                      \
		    .summary =                                                 \
			"a replaced file's data need not be out before it",    \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "noauto_da_alloc",                                   \
		    .off = "auto_da_alloc",                                    \
		    .group = "auto_da_alloc",                                  \
		    .readback = "noauto_da_alloc",                             \
		    .risk = RISK_STALE,                                        \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "auto_da_alloc",                                        \
		    .summary =                                                 \
			"a replaced file's data is out first; the default",    \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "auto_da_alloc",                                     \
		    .group = "auto_da_alloc",                                  \
		    .readback = "!noauto_da_alloc",                            \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "noblock_validity",                                     \
		    .summary =                                                 \
			"do not check that data blocks hide no metadata",      \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "noblock_validity",                                  \
		    .off = "block_validity",                                   \
		    .readback = "noblock_validity",                            \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "inode_readahead_blks=*",                               \
		    .summary = "inode table blocks read ahead (power of 2)",   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "inode_readahead_blks=*",                            \
		    .group = "inode_readahead_blks",                           \
		    .readback = "inode_readahead_blks=*",                      \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "stripe=*",                                             \
		    .summary = "blocks of a RAID stripe, for the allocator",   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "stripe=*",                                          \
		    .group = "stripe",                                         \
		    .readback = "stripe=*",                                    \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "max_batch_time=*",                                     \
		    .summary =                                                 \
			"microseconds a synchronous write waits for others",   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "max_batch_time=*",                                  \
		    .group = "max_batch_time",                                 \
		    .readback = "max_batch_time=*",                            \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "min_batch_time=*",                                     \
		    .summary = "microseconds it waits at least",               \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "min_batch_time=*",                                  \
		    .group = "min_batch_time",                                 \
		    .readback = "min_batch_time=*",                            \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "nombcache",                                            \
		    .summary = "no cache of equal extended attributes",        \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "nombcache",                                         \
		    .readback = "nombcache",                                   \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "no_prefetch_block_bitmaps",                            \
		    .summary = "do not read block bitmaps ahead at mount",     \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "no_prefetch_block_bitmaps",                         \
		    .readback = "no_prefetch_block_bitmaps",                   \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "noinit_itable",                                        \
		    .summary =                                                 \
			"never initialise inode tables in the background",     \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "noinit_itable",                                     \
		    .readback = "noinit_itable",                               \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "iversion",                                             \
		    .summary =                                                 \
			"a counter of changes in each inode; always so now",   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "iversion",                                          \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_UNKNOWN },                              \
	    { .token = "prefetch_block_bitmaps",                               \
		    .summary =                                                 \
			"read block bitmaps ahead at mount; the default",      \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "prefetch_block_bitmaps",                            \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_UNKNOWN },                              \
	    { .token = "orlov",                                                \
		    .summary =                                                 \
			"folders spread over the groups; always so now",       \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "orlov",                                             \
		    .group = "spread",                                         \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_UNKNOWN },                              \
	    { .token = "oldalloc",                                             \
		    .summary = "accepted; the allocator of old is gone",       \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "oldalloc",                                          \
		    .group = "spread",                                         \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_UNKNOWN },                              \
	    { .token = "bh",                                                   \
		    .summary = "accepted; without effect",                     \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "bh",                                                \
		    .group = "bh",                                             \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_UNKNOWN },                              \
	    { .token = "nobh",                                                 \
		    .summary = "accepted; without effect",                     \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "nobh",                                              \
		    .group = "bh",                                             \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_UNKNOWN },                              \
	    { .token = "nouser_xattr",                                         \
		    .summary = "no attributes of users (an option no more)",   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "nouser_xattr",                                      \
		    .readback = "nouser_xattr",                                \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_REFUSED },                              \
	    { .token = "noacl",                                                \
		    .summary = "no access control lists (an option no more)",  \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "noacl",                                             \
		    .readback = "noacl",                                       \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_REFUSED },                              \
	{                                                                      \
		.token = "max_dir_size_kb=*",                                  \
		.summary = "largest directory in KiB", .stage = STAGE_MOUNT,   \
		.on = "max_dir_size_kb=*", .group = "max_dir_size_kb",         \
		.readback = "max_dir_size_kb=*", .risk = RISK_FUNC,            \
		.remount = REMOUNT_OK                                          \
	}

/* What a journal brings. */
#define EXT_JOURNAL_OPTIONS                                                    \
	{ .token = "data=ordered",                                             \
		.summary =                                                     \
		    "data is written before the metadata that shows it",       \
		.stage = STAGE_MOUNT,                                          \
		.on = "data=ordered",                                          \
		.group = "data",                                               \
		.conflicts = "nojournal journal_async_commit",                 \
		.readback = "data=ordered",                                    \
		.effect = "",                                                  \
		.risk = RISK_SAFE,                                             \
		.remount = REMOUNT_OK },                                       \
	    { .token = "data=writeback",                                       \
		    .summary = "only metadata is journaled, data whenever",    \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "data=writeback",                                    \
		    .off = "data=ordered",                                     \
		    .group = "data",                                           \
		    .conflicts = "nojournal",                                  \
		    .readback = "data=writeback",                              \
		    .risk = RISK_STALE,                                        \
		    .remount = REMOUNT_REFUSED },                              \
	    { .token = "data=journal",                                         \
		    .summary =                                                 \
			"data goes through the journal too, written twice",    \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "data=journal",                                      \
		    .off = "data=ordered",                                     \
		    .group = "data",                                           \
		    .conflicts = "nojournal delalloc",                         \
		    .implies = "nodelalloc nodioread_nolock",                  \
		    .voids = "nodelalloc nodioread_nolock dioread_nolock",     \
		    .readback = "data=journal",                                \
		    .risk = RISK_SAFE_PLUS,                                    \
		    .remount = REMOUNT_REFUSED },                              \
	    { .token = "data_err=abort",                                       \
		    .summary = "an error in a data block aborts the journal",  \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "data_err=abort",                                    \
		    .conflicts = "nojournal",                                  \
		    .readback = "data_err=abort",                              \
		    .risk = RISK_SAFE_PLUS,                                    \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "commit=5",                                             \
		    .summary =                                                 \
			"the journal is committed every 5 s; the default",     \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "commit=5",                                          \
		    .group = "commit",                                         \
		    .readback = "commit=5",                                    \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "commit=0",                                             \
		    .summary = "0 stands for the default of 5 s",              \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "commit=0",                                          \
		    .group = "commit",                                         \
		    .readback = "commit=5",                                    \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "commit=*",                                             \
		    .summary =                                                 \
			"the journal is committed every so many seconds",      \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "commit=*",                                          \
		    .group = "commit",                                         \
		    .readback = "commit=*",                                    \
		    .risk = RISK_WINDOW,                                       \
		    .remount = REMOUNT_OK },                                   \
	    { .token = "journal_ioprio=*",                                     \
		    .summary = "I/O priority of the journal, 0 to 7",          \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "journal_ioprio=*",                                  \
		    .group = "journal_ioprio",                                 \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK },                                   \
	{                                                                      \
		.token = "journal_size=*", .summary = "journal size in MiB",   \
		.stage = STAGE_MAKE, .on = "-J size=*",                        \
		.group = "journal_size", .conflicts = "nojournal",             \
		.readback = "journal_size=*", .risk = RISK_SAFE                \
	}

#define EXT_MAKE_OPTIONS                                                       \
	{ .token = "block_size=*",                                             \
		.summary = "block size in bytes",                              \
		.stage = STAGE_MAKE,                                           \
		.on = "-b *",                                                  \
		.group = "block_size",                                         \
		.readback = "block_size=*",                                    \
		.risk = RISK_FUNC },                                           \
	    { .token = "inode_size=*",                                         \
		    .summary = "inode size in bytes",                          \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-I *",                                              \
		    .group = "inode_size",                                     \
		    .readback = "inode_size=*",                                \
		    .risk = RISK_FUNC },                                       \
	    { .token = "inode_ratio=*",                                        \
		    .summary = "bytes of space for each inode",                \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-i *",                                              \
		    .group = "inode_ratio",                                    \
		    .risk = RISK_FUNC },                                       \
	    { .token = "reserved=*",                                           \
		    .summary = "percent kept for root",                        \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-m *",                                              \
		    .group = "reserved",                                       \
		    .readback = "reserved=*",                                  \
		    .risk = RISK_FUNC },                                       \
	    { .token = "nodir_index",                                          \
		    .summary = "directories are searched from end to end",     \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-O ^dir_index",                                     \
		    .off = "-O dir_index",                                     \
		    .readback = "nodir_index",                                 \
		    .risk = RISK_FUNC },                                       \
	    { .token = "lazyinit",                                             \
		    .summary = "inode tables are initialised later",           \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-E lazy_itable_init=1,lazy_journal_init=1",         \
		    .risk = RISK_FUNC,                                         \
		    .untried =                                                 \
			"its proof is background writing, which depends on "   \
			"size and time" },                                     \
	{                                                                      \
		.token = "makediscard",                                        \
		.summary = "mkfs discards: the image becomes sparse",          \
		.stage = STAGE_MAKE, .on = "-E discard", .risk = RISK_FUNC,    \
		.untried = "leaves no trace in the filesystem"                 \
	}

#endif
