/*
 * Linux: loop devices.  Direct I/O on the loop, since a buffered one keeps
 * the image's pages and what is called cold is not (a second read of 100 MB
 * read nothing from the disk).
 */
#include "system/system.h"

static const struct system_attach attaches[] = {
	{
	    .systems = "linux",
	    .attach = "losetup -f --show --direct-io=on %i",
	    .sector = "--sector-size %s",
	    .detach = "losetup -d %d",
	    .device = "/dev/loop%u",
	    .prints = "/dev/loop",
	},
	{ .attach = NULL },
};

const struct system system_linux = {
	.name = "linux",
	.summary = "Linux; image files by loop devices with direct I/O",
	.newest = "6",
	.attaches = attaches,
	/* else mount(8) mixes in what is in force, and noatime stays */
	.update = "mount --options-mode ignore -o remount,%o %m",
	.update_adds = true,
	.plain_atime = "strictatime",
};
