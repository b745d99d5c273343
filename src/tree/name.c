#include "tree/name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What the systems allow; deeper ones also exhaust descriptors. */
enum {
	NAME_LONGEST = 255,
	PATH_LONGEST = 4095,
	DEEPEST = 200,
	SHOWN_LONGEST = 200
};

const char *
name_next(const char **at, size_t *length)
{
	const char *start;

	for (;;) {
		*at += strspn(*at, "/");
		if (**at == '\0')
			return NULL;
		start = *at;
		*length = strcspn(start, "/");
		*at += *length;
		if (*length != 1 || start[0] != '.')
			return start;
	}
}

static bool
is_dot_dot(const char *name, size_t length)
{
	return length == 2 && name[0] == '.' && name[1] == '.';
}

const char *
name_trouble(const char *name)
{
	const char *at = name;
	const char *part;
	size_t length;
	int depth = 0;

	if (name[0] == '\0')
		return "has an empty name";
	if (name[0] == '/')
		return "has an absolute name";
	if (strlen(name) > PATH_LONGEST)
		return "has a name longer than 4095 bytes";
	while ((part = name_next(&at, &length)) != NULL) {
		if (is_dot_dot(part, length))
			return "has '..' in its name";
		if (length > NAME_LONGEST)
			return "has a name part longer than 255 bytes";
		if (++depth > DEEPEST)
			return "lies more than 200 folders deep";
	}
	return NULL;
}

char *
name_show(struct arena *arena, const char *name)
{
	size_t length = strlen(name);
	size_t shown = length > SHOWN_LONGEST ? SHOWN_LONGEST : length;
	char *text = arena_alloc(arena, shown * 4 + sizeof "...");
	char *to = text;

	for (size_t i = 0; i < shown; i++) {
		unsigned char byte = (unsigned char)name[i];

		if (byte >= ' ' && byte != 0x7f)
			*to++ = name[i];
		else
			to += snprintf(to, 5, "\\%03o", byte);
	}
	if (shown < length)
		memcpy(to, "...", sizeof "...");
	return text;
}

static bool
stays_inside(const char *target, size_t depth)
{
	const char *at = target;
	const char *part;
	size_t length;
	size_t ups = 0;
	bool names = false;

	if (target[0] == '/')
		return false;
	while ((part = name_next(&at, &length)) != NULL) {
		if (!is_dot_dot(part, length))
			names = true;
		else if (names || ++ups > depth)
			return false;
	}
	return true;
}

char *
name_tame_target(struct arena *arena, const char *target, size_t depth)
{
	const char *at = target;
	const char *part;
	size_t length;
	size_t ups = 0;
	bool names = false;
	char *tame;
	char *end;

	if (stays_inside(target, depth))
		return NULL;
	tame = arena_alloc(arena, strlen(target) + 3);
	end = tame;
	while ((part = name_next(&at, &length)) != NULL) {
		if (is_dot_dot(part, length) && (names || ++ups > depth))
			continue;
		names = names || !is_dot_dot(part, length);
		if (end != tame)
			*end++ = '/';
		memcpy(end, part, length);
		end += length;
	}
	if (end == tame)
		*end++ = '.';
	*end = '\0';
	return tame;
}
