#include "system/system.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEM(name) extern const struct system system_##name;
#include "system/systems.def"
#undef SYSTEM

static const struct system *const systems[] = {
#define SYSTEM(name) &system_##name,
#include "system/systems.def"
#undef SYSTEM
	NULL,
};

enum { SYSTEM_COUNT = sizeof systems / sizeof systems[0] - 1 };

const struct system *
system_at(size_t index)
{
	return index < SYSTEM_COUNT ? systems[index] : NULL;
}

/* A version is digits and dots; what follows ("-RELEASE") does not matter. */
static bool
version_is_sound(const char *version)
{
	return isdigit((unsigned char)version[0]) != 0;
}

int
system_find(const char *text, const struct system **found, const char **version,
    struct error *err)
{
	size_t length = strcspn(text, ":");

	for (size_t i = 0; i < SYSTEM_COUNT; i++) {
		if (strlen(systems[i]->name) != length ||
		    strncmp(systems[i]->name, text, length) != 0)
			continue;
		if (text[length] == ':' && !version_is_sound(text + length + 1))
			return error_set_kind(err, ERROR_USAGE,
			    "platform '%s': '%s' is not a version, as in "
			    "'%s:%s'",
			    text, text + length + 1, systems[i]->name,
			    systems[i]->newest);
		*found = systems[i];
		*version = text[length] == ':' ? text + length + 1 : "";
		return 0;
	}
	return error_set_kind(err, ERROR_USAGE,
	    "platform '%s' is none of linux, freebsd, dragonfly, netbsd, "
	    "openbsd (with a version: freebsd:14)",
	    text);
}

/*
 * Compares two dotted versions as far as "limit" goes: 12.1 and 12 are equal
 * when the limit is 12, so that a range takes in minor releases.  A version
 * that ends before the limit does is the newest of its kind: 7 is beyond 7.3.
 */
static int
compare_versions(const char *version, const char *limit)
{
	for (;;) {
		char *after_version, *after_limit;
		long a = strtol(version, &after_version, 10);
		long b = strtol(limit, &after_limit, 10);

		if (a != b)
			return a < b ? -1 : 1;
		if (*after_limit != '.')
			return 0;
		if (*after_version != '.')
			return 1;
		limit = after_limit + 1;
		version = after_version + 1;
	}
}

/* Is the version within "14", "5-", "-4" or "4-9"? */
static bool
range_has(const char *range, size_t length, const char *version)
{
	char text[32];
	char *dash;

	if (length >= sizeof text)
		return false;
	memcpy(text, range, length);
	text[length] = '\0';
	dash = strchr(text, '-');
	if (version[0] == '\0') /* the newest */
		return dash != NULL && dash[1] == '\0';
	if (dash == NULL)
		return compare_versions(version, text) == 0;
	*dash = '\0';
	return (text[0] == '\0' || compare_versions(version, text) >= 0) &&
	       (dash[1] == '\0' || compare_versions(version, dash + 1) <= 0);
}

bool
system_matches(const char *list, const char *name, const char *version)
{
	size_t name_length = strlen(name);

	if (list == NULL)
		return true;
	for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		if (size >= name_length &&
		    strncmp(at, name, name_length) == 0) {
			if (size == name_length)
				return true;
			if (at[name_length] == ':' &&
			    range_has(at + name_length + 1,
				size - name_length - 1, version))
				return true;
		}
		at += size;
	}
	return false;
}

/* The range "5-13" of a system; "" is every version. */
static void
widen(struct system_span *span, const char *range, struct arena *arena)
{
	const char *dash = strchr(range, '-');
	const char *from = arena_strndup(arena, range, strcspn(range, "-"));
	const char *to = dash == NULL ? from : dash + 1;

	if (!span->has_any) {
		*span = (struct system_span){ true, from, to };
		return;
	}
	if (from[0] == '\0' ||
	    (span->from[0] != '\0' && compare_versions(from, span->from) < 0))
		span->from = from;
	if (to[0] == '\0' ||
	    (span->to[0] != '\0' && compare_versions(to, span->to) > 0))
		span->to = to;
}

void
system_span_add(struct system_span *span, const char *list, const char *name,
    struct arena *arena)
{
	size_t length = strlen(name);

	if (list == NULL)
		widen(span, "", arena);
	for (const char *at = list; at != NULL && *at != '\0';
	     at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		if (size == length && strncmp(at, name, length) == 0)
			widen(span, "", arena);
		else if (size > length && strncmp(at, name, length) == 0 &&
			 at[length] == ':')
			widen(span,
			    arena_strndup(
				arena, at + length + 1, size - length - 1),
			    arena);
		at += size;
	}
}

const char *
system_span_text(
    const struct system_span *span, const char *name, struct arena *arena)
{
	if (span->from[0] == '\0' && span->to[0] == '\0')
		return name;
	if (strcmp(span->from, span->to) == 0)
		return arena_printf(arena, "%s:%s", name, span->from);
	return arena_printf(arena, "%s:%s-%s", name, span->from, span->to);
}

const struct system_attach *
system_attach_of(const struct system *system, const char *version)
{
	for (const struct system_attach *row = system->attaches;
	     row->attach != NULL; row++)
		if (system_matches(row->systems, system->name, version))
			return row;
	return NULL;
}

const char *
system_attached_unit(
    const struct system_attach *attach, const char *output, struct arena *arena)
{
	const char *at;

	if (attach->prints == NULL)
		return NULL;
	for (at = output; (at = strstr(at, attach->prints)) != NULL;) {
		size_t digits;

		at += strlen(attach->prints);
		digits = strspn(at, "0123456789");
		if (digits > 0)
			return arena_strndup(arena, at, digits);
	}
	return NULL;
}

const char *
system_attached_device(
    const struct system_attach *attach, const char *unit, struct arena *arena)
{
	const char *mark = strstr(attach->device, "%u");

	if (mark == NULL)
		return attach->device;
	return arena_printf(arena, "%.*s%s%s", (int)(mark - attach->device),
	    attach->device, unit, mark + 2);
}

const char *
system_raw_name(
    const struct system *system, const char *device, struct arena *arena)
{
	const char *base = strrchr(device, '/');

	if (!system->has_raw_names || base == NULL || base[1] == 'r')
		return device;
	return arena_printf(
	    arena, "%.*s/r%s", (int)(base - device), device, base + 1);
}
