/*
 * NetBSD: vnd(4) over a file.  A vnd without a disklabel gets the kernel's
 * default label, whose partition "a" covers it and is of type 4.2BSD ("d" is
 * refused by newfs).  Makers want the raw name, mount the other.  Up to 6 the
 * program's only name is vnconfig.
 */
#include "system/system.h"

static const struct system_attach attaches[] = {
	{
	    .systems = "netbsd:7-",
	    .attach = "vndconfig vnd%u %i",
	    .detach = "vndconfig -u vnd%u",
	    .device = "/dev/vnd%ua",
	},
	{
	    .systems = "netbsd:-6",
	    .attach = "vnconfig vnd%u %i",
	    .detach = "vnconfig -u vnd%u",
	    .device = "/dev/vnd%ua",
	},
	{ .attach = NULL },
};

const struct system system_netbsd = {
	.name = "netbsd",
	.summary = "NetBSD; image files by vnd, makers use raw devices",
	.newest = "10",
	.has_raw_names = true,
	.attaches = attaches,
	.update = "mount -u -o %o %m",
};
