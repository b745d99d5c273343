#include "tree/loader.h"

#include "tree/name.h"

int
loader_refuse(struct loader *loader, const char *why)
{
	return error_set_kind(loader->err, ERROR_USAGE,
	    "archive '%s': entry '%s' %s", loader->tree->path,
	    name_show(loader->arena, loader->name), why);
}
