#include "cli/output.h"

#include <errno.h>
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

int
output_make_folder(const char *path, struct arena *arena, struct error *err)
{
	const char *folder = dirname(arena_strdup(arena, path));

	if (mkdir(folder, 0700) == 0) {
		/* the usual one is expected; another may be a slip */
		if (strcmp(folder, "results") != 0)
			cli_say("made the folder '%s'", folder);
		return 0;
	}
	if (errno == EEXIST)
		return 0;
	return error_set_kind(err, ERROR_USAGE,
	    "cannot make the folder '%s' for the results file '%s': %s", folder,
	    path, strerror(errno));
}
