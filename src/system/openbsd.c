/*
 * OpenBSD: vnd(4) over a file, partition "c" being the whole of it; makers
 * want the raw name.
 */
#include "system/system.h"

static const struct system_attach attaches[] = {
	{
	    .systems = "openbsd",
	    .attach = "vnconfig vnd%u %i",
	    .detach = "vnconfig -u vnd%u",
	    .device = "/dev/vnd%uc",
	},
	{ .attach = NULL },
};

const struct system system_openbsd = {
	.name = "openbsd",
	.summary = "OpenBSD; image files by vnd, makers use raw devices",
	.newest = "7",
	.has_raw_names = true,
	.attaches = attaches,
	.update = "mount -u -o %o %m",
};
