/*
 * Rows that every Linux filesystem has, since the kernel's own layer has
 * them: access times and synchronous writing.
 *
 * A toggle that is off asks for relatime by name: it is the default, and a
 * superblock or a helper may say otherwise.  strictatime and async leave no
 * trace in the mount table; the absence of the others is their proof, and
 * the atime probe.
 *
 * mount(8) adds a remount's words to those in force, and relatime beside
 * noatime does nothing; told to ignore those in force it takes relatime.
 */
#ifndef MM_FS_LINUX_OPTIONS_H
#define MM_FS_LINUX_OPTIONS_H

#define LINUX_ATIME_OPTIONS                                                    \
	{ .token = "noatime",                                                  \
		.summary = "reading never writes access times",                \
		.stage = STAGE_MOUNT,                                          \
		.on = "noatime",                                               \
		.off = "relatime",                                             \
		.group = "atime",                                              \
		.voids = "nodiratime",                                         \
		.readback = "noatime",                                         \
		.risk = RISK_FUNC,                                             \
		.remount = REMOUNT_OK,                                         \
		.systems = "linux" },                                          \
	    { .token = "strictatime",                                          \
		    .summary = "every read writes the access time",            \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "strictatime",                                       \
		    .off = "relatime",                                         \
		    .group = "atime",                                          \
		    .readback = "!noatime !relatime",                          \
		    .risk = RISK_FUNC,                                         \
		    .remount = REMOUNT_OK,                                     \
		    .systems = "linux" },                                      \
	    { .token = "relatime",                                             \
		    .summary = "access times once a day, or after a change",   \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "relatime",                                          \
		    .group = "atime",                                          \
		    .readback = "relatime",                                    \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK,                                     \
		    .systems = "linux" },                                      \
	{                                                                      \
		.token = "nodiratime",                                         \
		.summary = "no access times for directories",                  \
		.stage = STAGE_MOUNT, .on = "nodiratime", .off = "diratime",   \
		.readback = "nodiratime", .risk = RISK_FUNC,                   \
		.remount = REMOUNT_OK, .systems = "linux"                      \
	}

#define LINUX_SYNC_OPTIONS(implied)                                            \
	{ .token = "sync",                                                     \
		.summary = "every write waits for the device",                 \
		.stage = STAGE_MOUNT,                                          \
		.on = "sync",                                                  \
		.off = "async",                                                \
		.group = "writes",                                             \
		.implies = implied,                                            \
		.voids = implied,                                              \
		.readback = "sync",                                            \
		.risk = RISK_SAFE_PLUS,                                        \
		.remount = REMOUNT_OK,                                         \
		.systems = "linux" },                                          \
	    { .token = "async",                                                \
		    .summary = "writes do not wait; the default of Linux",     \
		    .stage = STAGE_MOUNT,                                      \
		    .on = "async",                                             \
		    .group = "writes",                                         \
		    .readback = "!sync",                                       \
		    .effect = "",                                              \
		    .risk = RISK_SAFE,                                         \
		    .remount = REMOUNT_OK,                                     \
		    .systems = "linux" },                                      \
	{                                                                      \
		.token = "dirsync",                                            \
		.summary = "changes of directories wait for the device",       \
		.stage = STAGE_MOUNT, .on = "dirsync", .readback = "dirsync",  \
		.risk = RISK_SAFE_PLUS, .remount = REMOUNT_IGNORED,            \
		.systems = "linux"                                             \
	}

#define LINUX_LAZYTIME_OPTION                                                  \
	{                                                                      \
		.token = "lazytime",                                           \
		.summary = "times are kept in memory up to a day",             \
		.stage = STAGE_MOUNT, .on = "lazytime", .off = "nolazytime",   \
		.readback = "lazytime", .risk = RISK_WINDOW,                   \
		.remount = REMOUNT_OK, .systems = "linux"                      \
	}

#endif
