#include "trial/words.h"

#include <string.h>

#include "base/argv.h"
#include "system/system.h"
#include "trial/guard.h"

static const char *
replace(const char *word, const struct word_values *values)
{
	for (size_t i = 0; i < values->replaced; i++)
		if (strcmp(word, values->from[i]) == 0)
			return values->to[i];
	return word;
}

const char *const *
words_fill(const char *const *argv, const struct word_values *values,
    struct arena *arena, const char **line)
{
	const struct argv_substitution all[] = {
		{ 'd', values->device },
		{ 'r', values->raw },
		{ 'm', values->mountpoint },
		{ 'i', values->image },
		{ 'l', GUARD_LABEL },
		{ 'u', values->unit },
		{ 'b', values->beside },
	};
	struct argv_substitution known[sizeof all / sizeof all[0]];
	size_t count = 0;
	struct argv in, out;

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].value != NULL)
			known[count++] = all[i];
	argv_init(&in, arena);
	argv_init(&out, arena);
	for (; *argv != NULL; argv++)
		argv_push(&in, replace(*argv, values));
	argv_substitute(&out, &in, known, count);
	if (line != NULL)
		*line = argv_quote(&out);
	return out.items;
}

const char *
words_raw_name(const char *system_name, const char *device, struct arena *arena)
{
	struct error ignored = { 0 };
	const struct system *system;
	const char *version;

	if (system_find(system_name, &system, &version, &ignored) == -1)
		return device;
	return system_raw_name(system, device, arena);
}
