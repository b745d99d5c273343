/*
 * Rows that the BSDs' fast filesystems share: what newfs takes everywhere,
 * and the flags every mount has.  "systems" is where.
 */
#ifndef MM_FS_BSD_ROWS_H
#define MM_FS_BSD_ROWS_H

#define NOT_RUN_HERE "needs a running BSD kernel"

/*
 * newfs of every BSD takes space for the preference, whatever was said, below
 * the percentage "enough"; and no fragment is smaller than an eighth of its
 * block, which the largest block shows whatever the release's usual fragment.
 */
#define BSD_NEWFS_OPTIONS(enough)                                              \
	{ .token = "block_size=*",                                             \
		.summary = "block size in bytes",                              \
		.stage = STAGE_MAKE,                                           \
		.on = "-b *",                                                  \
		.group = "block_size",                                         \
		.readback = "block_size=*",                                    \
		.risk = RISK_FUNC,                                             \
		.untried = NOT_RUN_HERE },                                     \
	    { .token = "block_size=65536",                                     \
		    .summary =                                                 \
			"the largest block, of fragments of 8192 bytes",       \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-b 65536",                                          \
		    .group = "block_size",                                     \
		    .implies = "frag_size=8192",                               \
		    .readback = "block_size=65536",                            \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "frag_size=*",                                          \
		    .summary = "fragment size in bytes",                       \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-f *",                                              \
		    .group = "frag_size",                                      \
		    .readback = "frag_size=*",                                 \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "minfree=*",                                            \
		    .summary =                                                 \
			"percent of space kept free; little of it costs time", \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-m *",                                              \
		    .group = "minfree",                                        \
		    .implies = "optimize=space",                               \
		    .voids = "optimize=time",                                  \
		    .below = (enough),                                         \
		    .readback = "minfree=*",                                   \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "optimize=space",                                       \
		    .summary = "the allocator saves space rather than time",   \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-o space",                                          \
		    .off = "-o time",                                          \
		    .group = "optimize",                                       \
		    .readback = "optimize=space",                              \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "optimize=time",                                        \
		    .summary = "the allocator saves time; the default",        \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-o time",                                           \
		    .group = "optimize",                                       \
		    .readback = "optimize=time",                               \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "inode_ratio=*",                                        \
		    .summary = "bytes of space for each inode",                \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-i *",                                              \
		    .group = "inode_ratio",                                    \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "avgfilesize=*",                                        \
		    .summary = "expected size of a file in bytes",             \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-g *",                                              \
		    .group = "avgfilesize",                                    \
		    .readback = "avgfilesize=*",                               \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	    { .token = "avgfpdir=*",                                           \
		    .summary = "expected files in a directory",                \
		    .stage = STAGE_MAKE,                                       \
		    .on = "-h *",                                              \
		    .group = "avgfpdir",                                       \
		    .readback = "avgfpdir=*",                                  \
		    .risk = RISK_FUNC,                                         \
		    .untried = NOT_RUN_HERE },                                 \
	{                                                                      \
		.token = "maxbpg=*",                                           \
		.summary = "most blocks of one file in a cylinder group",      \
		.stage = STAGE_MAKE, .on = "-e *", .group = "maxbpg",          \
		.readback = "maxbpg=*", .risk = RISK_FUNC,                     \
		.untried = NOT_RUN_HERE                                        \
	}

#define BSD_SYNC_OPTION                                                        \
	{                                                                      \
		.token = "sync",                                               \
		.summary = "every write waits for the device",                 \
		.stage = STAGE_MOUNT, .on = "sync", .group = "writes",         \
		.readback = "sync", .risk = RISK_SAFE_PLUS,                    \
		.remount = REMOUNT_OK, .untried = NOT_RUN_HERE                 \
	}

#endif
