#include <string.h>
#include <unistd.h>

#include "config/bind.h"

const char *
bind_full_path(struct binder *binder, const char *path)
{
	char folder[4096];

	if (path[0] == '/' || getcwd(folder, sizeof folder) == NULL)
		return path;
	return arena_printf(binder->arena, "%s/%s", folder, path);
}

const char *
bind_beside(struct binder *binder, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	const char *beside;

	if (name[0] == '/' || slash == NULL)
		return name;
	beside = arena_printf(
	    binder->arena, "%.*s/%s", (int)(slash - file), file, name);
	return access(beside, F_OK) == 0 ? beside : name;
}
