/*
 * plain: a folder as it is.  Nothing is made, mounted or unmounted, so that
 * a workload can be tried without root and on any filesystem there is.
 */
#include "fs/driver.h"

static const struct option options[] = {
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{ .systems = NULL },
};

const struct driver driver_plain = {
	.name = "plain",
	.summary = "a folder of whatever filesystem holds it; nothing is made",
	.type = "",
	.targets = TARGET_BIT(TARGET_DIRECTORY),
	.recipes = recipes,
	.options = options,
};
