/*
 * custom: a filesystem the tables do not know.  The matrix file gives the
 * command lines; its tokens are declared there with "option".
 */
#include "fs/driver.h"

static const struct option options[] = {
	{ .token = NULL },
};

static const struct recipe recipes[] = {
	{ .systems = NULL },
};

const struct driver driver_custom = {
	.name = "custom",
	.summary = "command lines from the matrix file, with %d %m %o",
	.type = "",
	.targets = TARGET_BIT(TARGET_IMAGE) | TARGET_BIT(TARGET_DEVICE) |
		   TARGET_BIT(TARGET_DIRECTORY) | TARGET_BIT(TARGET_MEMORY),
	.recipes = recipes,
	.options = options,
};
