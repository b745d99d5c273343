/*
 * DragonFly: vn(4) over a file.  The host caches such a file (IO_DIRECT is
 * deliberately not used there), so image targets say "warm backing".
 */
#include "system/system.h"

static const struct system_attach attaches[] = {
	{
	    .systems = "dragonfly",
	    .attach = "vnconfig -c vn%u %i",
	    .detach = "vnconfig -u vn%u",
	    .device = "/dev/vn%u",
	},
	{ .attach = NULL },
};

const struct system system_dragonfly = {
	.name = "dragonfly",
	.summary = "DragonFly BSD; image files by vn",
	.newest = "6",
	.attaches = attaches,
	.update = "mount -u -o %o %m",
};
