#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/proc_child.h"

const char PROC_STANDARD_PATH[] =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const char *
proc_search_path(void)
{
	const char *path = getenv("PATH");

	return path != NULL && path[0] != '\0' ? path : PROC_STANDARD_PATH;
}

static char *
find_in(struct arena *arena, const char *directories, const char *program)
{
	while (*directories != '\0') {
		size_t length = strcspn(directories, ":");
		char *path = arena_printf(
		    arena, "%.*s/%s", (int)length, directories, program);

		if (length > 0 && access(path, X_OK) == 0)
			return path;
		directories += length;
		directories += *directories == ':';
	}
	return NULL;
}

char *
proc_find(struct arena *arena, const char *program)
{
	char *path;

	if (strchr(program, '/') != NULL)
		return access(program, X_OK) == 0 ? arena_strdup(arena, program)
						  : NULL;
	path = find_in(arena, proc_search_path(), program);
	return path != NULL ? path
			    : find_in(arena, PROC_STANDARD_PATH, program);
}
