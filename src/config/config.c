#include "config/config.h"

#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>

#include "config/bind.h"
#include "config/outline.h"
#include "config/parse.h"

static const char *
running_system(struct arena *arena)
{
	struct utsname names;
	char *name;

	if (uname(&names) == -1)
		return "linux";
	name = arena_strdup(arena, names.sysname);
	for (char *c = name; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

static int
conclude(struct diagnostics *diagnostics, const char *path, struct error *err)
{
	size_t count = diagnostics->count + diagnostics->dropped;

	if (count == 0)
		return 0;
	diagnostics_sort(diagnostics, path);
	return error_set_kind(err, ERROR_USAGE, "%s: %zu error%s", path, count,
	    count == 1 ? "" : "s");
}

int
config_load(const char *path, const struct config_options *options,
    struct arena *arena, struct matrix *matrix, struct diagnostics *diagnostics,
    struct error *err)
{
	struct binder binder = { .arena = arena,
		.diagnostics = diagnostics,
		.version = "",
		.matrix = matrix };
	struct outline outline = { 0 };

	*matrix = (struct matrix){ .path = arena_strdup(arena, path) };
	diagnostics_init(diagnostics, arena);
	if (options != NULL && options->system != NULL) {
		binder.system = options->system;
		if (options->version != NULL)
			binder.version = options->version;
	} else {
		binder.system = running_system(arena);
	}
	if (outline_read(&outline, matrix->path, arena, diagnostics) == 0 &&
	    parse_outline(&outline) == 0) {
		matrix->text = arena_strdup(arena, buffer_text(&outline.text));
		bind_file(&binder, &outline);
	}
	outline_reset(&outline);
	return conclude(diagnostics, matrix->path, err);
}
