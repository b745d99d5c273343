#include <string.h>

#include "base/argv.h"
#include "fs/build.h"
#include "fs/readback.h"

static bool
is_sysctl(const struct command *command)
{
	return strcmp(command->argv[0], "sysctl") == 0 &&
	       command->argv[1] != NULL &&
	       strchr(command->argv[1], '=') != NULL;
}

const char *const *
fs_sysctl_query(const struct command *command, struct arena *arena)
{
	struct argv argv;

	if (!is_sysctl(command))
		return NULL;
	argv_init(&argv, arena);
	argv_push(&argv, "sysctl");
	argv_push(&argv, "-n");
	argv_pushf(&argv, "%.*s", (int)strcspn(command->argv[1], "="),
	    command->argv[1]);
	return argv.items;
}

const char *const *
fs_sysctl_restore(
    const struct command *command, const char *printed, struct arena *arena)
{
	struct argv argv;

	if (!is_sysctl(command))
		return NULL;
	argv_init(&argv, arena);
	argv_push(&argv, "sysctl");
	argv_pushf(&argv, "%.*s=%s", (int)strcspn(command->argv[1], "="),
	    command->argv[1], text_line(arena, printed));
	return argv.items;
}
