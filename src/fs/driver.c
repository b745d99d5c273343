#include "fs/driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/suggest.h"
#include "system/system.h"

#define DRIVER(name) extern const struct driver driver_##name;
#include "fs/drivers.def"
#undef DRIVER

static const struct driver *const drivers[] = {
#define DRIVER(name) &driver_##name,
#include "fs/drivers.def"
#undef DRIVER
	NULL,
};

enum { DRIVER_COUNT = sizeof drivers / sizeof drivers[0] - 1 };

/* One idea, one token: what other systems and papers call it. */
static const struct {
	const char *other;
	const char *token;
} aliases[] = {
	{ "su", "softupdates" },
	{ "soft-updates", "softupdates" },
	{ "soft_updates", "softupdates" },
	{ "nosu", "nosoftupdates" },
	{ "su+j", "suj" },
	{ "trim", "discard" },
	{ "barrier=0", "nobarrier" },
	{ "barrier=none", "nobarrier" },
	{ "barrier=1", "barrier" },
	{ "wapbl", "log" },
	{ "^has_journal", "nojournal" },
	{ "dioread_lock", "nodioread_nolock" },
	{ "auto_da_alloc=0", "noauto_da_alloc" },
	{ "ffsv1", "ufs1" },
	{ "ffsv2", "ufs2" },
	{ "asynchronous", "async" },
	{ "synchronous", "sync" },
	{ NULL, NULL },
};

const struct driver *
fs_driver_at(size_t index)
{
	return index < DRIVER_COUNT ? drivers[index] : NULL;
}

const struct driver *
fs_driver_find(const char *name)
{
	for (size_t i = 0; i < DRIVER_COUNT; i++)
		if (strcmp(drivers[i]->name, name) == 0)
			return drivers[i];
	return NULL;
}

const char *
fs_driver_nearest(const char *name)
{
	const char *names[DRIVER_COUNT];

	for (size_t i = 0; i < DRIVER_COUNT; i++)
		names[i] = drivers[i]->name;
	return suggest_nearest(name, names, DRIVER_COUNT);
}

bool
fs_driver_on(
    const struct driver *driver, const char *system, const char *version)
{
	return system_matches(driver->systems, system, version);
}

bool
fs_driver_takes(const struct driver *driver, enum target_kind kind)
{
	return (driver->targets & TARGET_BIT(kind)) != 0;
}

const char *
fs_token_name(const char *token)
{
	for (size_t i = 0; aliases[i].other != NULL; i++)
		if (strcmp(aliases[i].other, token) == 0)
			return aliases[i].token;
	return token;
}

const struct option *
fs_option_at(const struct driver *driver, const char *token, enum stage stage,
    const char *system, const char *version)
{
	for (const struct option *row = driver->options; row->token != NULL;
	     row++)
		if (row->stage == stage && strcmp(row->token, token) == 0 &&
		    system_matches(row->systems, system, version))
			return row;
	return NULL;
}

const char *
fs_token_alias(size_t index, const char **token)
{
	if (index >= sizeof aliases / sizeof aliases[0])
		return NULL;
	*token = aliases[index].token;
	return aliases[index].other;
}

/* The length of "commit=" in a pattern "commit=*", or 0. */
static size_t
pattern_prefix(const char *token)
{
	size_t length = strlen(token);

	return length > 1 && token[length - 1] == '*' ? length - 1 : 0;
}

static const char *
with_value(struct arena *arena, const char *text, const char *value)
{
	const char *mark = text == NULL ? NULL : strchr(text, '*');

	if (mark == NULL)
		return text;
	return arena_printf(
	    arena, "%.*s%s%s", (int)(mark - text), text, value, mark + 1);
}

/* A copy of a pattern's row for one value. */
static const struct option *
instance(const struct option *row, const char *value, struct arena *arena)
{
	struct option *copy = arena_alloc(arena, sizeof *copy);

	*copy = *row;
	copy->token = with_value(arena, row->token, value);
	copy->on = with_value(arena, row->on, value);
	copy->off = with_value(arena, row->off, value);
	copy->readback = with_value(arena, row->readback, value);
	copy->effect = with_value(arena, row->effect, value);
	if (row->below > 0 && strtol(value, NULL, 10) >= row->below) {
		copy->implies = NULL;
		copy->voids = NULL;
	}
	return copy;
}

const struct option *
fs_option_find(const struct driver *driver, const char *token,
    const char *system, const char *version, struct arena *arena)
{
	const char *name = fs_token_name(token);
	const struct option *pattern = NULL;
	size_t prefix = 0;

	for (const struct option *row = driver->options; row->token != NULL;
	     row++) {
		size_t length = pattern_prefix(row->token);

		if (!system_matches(row->systems, system, version))
			continue;
		if (strcmp(row->token, name) == 0)
			return row;
		if (length > prefix && name[0] != '\0' &&
		    strncmp(row->token, name, length) == 0 &&
		    name[length] != '\0') {
			pattern = row;
			prefix = length;
		}
	}
	if (pattern == NULL)
		return NULL;
	return instance(pattern, name + prefix, arena);
}

/* Is it the row's token, or a value of its pattern? */
static bool
is_row_of(const struct option *row, const char *name)
{
	size_t length = pattern_prefix(row->token);

	return strcmp(row->token, name) == 0 ||
	       (length > 0 && strncmp(row->token, name, length) == 0 &&
		   name[length] != '\0');
}

static bool
has_token(const struct driver *driver, const char *name)
{
	for (const struct option *row = driver->options; row->token != NULL;
	     row++)
		if (is_row_of(row, name))
			return true;
	return false;
}

/* Where the driver has the token: "freebsd:9-, dragonfly"; NULL: nowhere. */
static const char *
places_of(const struct driver *driver, const char *name, struct arena *arena)
{
	const char *places = NULL;

	for (size_t i = 0; system_at(i) != NULL; i++) {
		const char *system = system_at(i)->name;
		struct system_span span = { 0 };
		const char *text;

		for (const struct option *row = driver->options;
		     row->token != NULL; row++)
			if (is_row_of(row, name))
				system_span_add(&span,
				    row->systems != NULL ? row->systems
							 : driver->systems,
				    system, arena);
		if (!span.has_any)
			continue;
		text = system_span_text(&span, system, arena);
		places = places == NULL
			     ? text
			     : arena_printf(arena, "%s, %s", places, text);
	}
	return places;
}

const char *
fs_option_owners(const char *token, struct arena *arena)
{
	const char *name = fs_token_name(token);
	const char *list = NULL;

	for (size_t i = 0; i < DRIVER_COUNT; i++) {
		const char *places = places_of(drivers[i], name, arena);

		if (places != NULL)
			list = arena_printf(arena, "%s%s%s (%s)",
			    list == NULL ? "" : list, list == NULL ? "" : ", ",
			    drivers[i]->name, places);
	}
	return list;
}

const char *
fs_option_nearest(const struct driver *driver, const char *token,
    const char *system, const char *version)
{
	enum { LIMIT = 256 };
	const char *tokens[LIMIT];
	size_t count = 0;

	for (const struct option *row = driver->options;
	     row->token != NULL && count < LIMIT; row++)
		if (system_matches(row->systems, system, version))
			tokens[count++] = row->token;
	for (size_t i = 0; aliases[i].other != NULL && count < LIMIT; i++)
		if (has_token(driver, aliases[i].token))
			tokens[count++] = aliases[i].other;
	return suggest_nearest(token, tokens, count);
}

/* Are there versions that both rows are for, as far as one version of each
 * system of the first tells? */
static bool
do_meet(const struct driver *driver, const struct option *row,
    const struct option *other, struct arena *arena)
{
	for (size_t i = 0; system_at(i) != NULL; i++) {
		const char *name = system_at(i)->name;
		struct system_span span = { 0 };

		system_span_add(&span,
		    row->systems != NULL ? row->systems : driver->systems, name,
		    arena);
		if (span.has_any && system_matches(other->systems, name,
					span.to[0] != '\0' ? span.to : ""))
			return true;
	}
	return false;
}

const char *
fs_option_stages(const struct driver *driver, const struct option *option,
    struct arena *arena)
{
	const char *stages = NULL;

	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		const char *name = stage_name((enum stage)stage);
		bool acts = (int)option->stage == stage;

		for (const struct option *row = driver->options;
		     row->token != NULL && !acts; row++)
			acts = (int)row->stage == stage &&
			       row->summary == NULL &&
			       strcmp(row->token, option->token) == 0 &&
			       do_meet(driver, option, row, arena);
		if (acts)
			stages = stages == NULL ? name
						: arena_printf(arena, "%s+%s",
						      stages, name);
	}
	return stages;
}

size_t
fs_options_list(const struct driver *driver, const struct option ***rows,
    struct arena *arena)
{
	size_t total = 0, count = 0;

	while (driver->options[total].token != NULL)
		total++;
	*rows = arena_array(arena, total + 1, sizeof(void *));
	for (size_t i = 0; i < total; i++) {
		bool seen = false;

		for (size_t j = 0; j < count && !seen; j++)
			seen = strcmp((*rows)[j]->token,
				   driver->options[i].token) == 0;
		if (!seen)
			(*rows)[count++] = &driver->options[i];
	}
	return count;
}
