/*
 * FreeBSD: md(4) over a file since 5, vn(4) before.  Writes through md are
 * synchronous and the file is not cached, which is what is wanted; its
 * "async" risks a deadlock and "cache" is unknown in older releases.
 */
#include "system/system.h"

static const struct system_attach attaches[] = {
	{
	    .systems = "freebsd:5-",
	    .attach = "mdconfig -a -t vnode -f %i",
	    .sector = "-S %s",
	    .detach = "mdconfig -d -u %u",
	    .device = "/dev/md%u",
	    .prints = "md",
	},
	{
	    .systems = "freebsd:-4",
	    .attach = "vnconfig -e vn%u %i",
	    .detach = "vnconfig -u vn%u",
	    .device = "/dev/vn%uc",
	},
	{ .attach = NULL },
};

const struct system system_freebsd = {
	.name = "freebsd",
	.summary = "FreeBSD 4 to 14; image files by md (vn before 5)",
	.newest = "14",
	.attaches = attaches,
	.update = "mount -u -o %o %m",
};
