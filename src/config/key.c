#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "config/bind.h"

void
bind_complain(struct binder *binder, const struct outline_section *section,
    struct position at, const char *format, ...)
{
	char text[700];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (section->title == NULL)
		diagnostics_add(binder->diagnostics, at, "%s", text);
	else
		diagnostics_add(binder->diagnostics, at, "%s: %s",
		    outline_name(section, binder->arena), text);
}

const char *
bind_hint(struct binder *binder, const char *nearest)
{
	if (nearest == NULL)
		return "";
	return arena_printf(binder->arena, "; did you mean '%s'?", nearest);
}

struct position
bind_position(const struct outline_section *section, const char *key)
{
	const struct outline_key *found = outline_key(section, key);

	return found == NULL ? section->at : found->at;
}

/* The one value of a key, or NULL. */
static const struct outline_value *
single(struct binder *binder, const struct outline_section *section,
    const char *key)
{
	const struct outline_key *found = outline_key(section, key);

	if (found == NULL)
		return NULL;
	if (found->count == 1)
		return &found->values[0];
	bind_complain(binder, section, found->at,
	    "%s: expected one value, not a list of %zu", key, found->count);
	return NULL;
}

const char *
key_any_text(struct binder *binder, const struct outline_section *section,
    const char *key, const char *standard)
{
	const struct outline_value *value = single(binder, section, key);

	return value == NULL ? standard : value->text;
}

const char *
key_text(struct binder *binder, const struct outline_section *section,
    const char *key, const char *standard)
{
	const struct outline_value *value = single(binder, section, key);

	if (value == NULL)
		return standard;
	if (value->text[0] != '\0')
		return value->text;
	bind_complain(binder, section, value->at, "%s: '' is empty", key);
	return standard;
}

typedef int parser(const char *text, int64_t *value, struct error *err);
typedef const char *formatter(struct arena *arena, int64_t value);

static const char *
format_integer(struct arena *arena, int64_t value)
{
	return arena_printf(arena, "%" PRId64, value);
}

static const char *
format_size(struct arena *arena, int64_t value)
{
	return units_format_size(arena, value);
}

static const char *
format_duration(struct arena *arena, int64_t value)
{
	return units_format_duration(arena, value);
}

/* What a kind of number is: how it is read and shown. */
struct number_kind {
	parser *parse;
	formatter *format;
};

static int64_t
bind_number(struct binder *binder, const struct outline_section *section,
    const char *key, const struct number_kind *kind, struct bind_range range)
{
	const struct outline_value *value = single(binder, section, key);
	struct error err = { 0 };
	int64_t number;

	if (value == NULL)
		return range.standard;
	if (kind->parse(value->text, &number, &err) == -1) {
		bind_complain(
		    binder, section, value->at, "%s: %s", key, err.text);
		return range.standard;
	}
	if (number >= range.low && number <= range.high)
		return number;
	if (range.high == INT64_MAX)
		bind_complain(binder, section, value->at,
		    "%s: '%s' is too small, expected at least %s", key,
		    value->text, kind->format(binder->arena, range.low));
	else
		bind_complain(binder, section, value->at,
		    "%s: '%s' is out of range, expected %s to %s", key,
		    value->text, kind->format(binder->arena, range.low),
		    kind->format(binder->arena, range.high));
	return range.standard;
}

int64_t
key_integer(struct binder *binder, const struct outline_section *section,
    const char *key, struct bind_range range)
{
	static const struct number_kind kind = { units_parse_integer,
		format_integer };

	return bind_number(binder, section, key, &kind, range);
}

int64_t
key_size(struct binder *binder, const struct outline_section *section,
    const char *key, struct bind_range range)
{
	static const struct number_kind kind = { units_parse_size,
		format_size };

	return bind_number(binder, section, key, &kind, range);
}

int64_t
key_duration(struct binder *binder, const struct outline_section *section,
    const char *key, struct bind_range range)
{
	static const struct number_kind kind = { units_parse_duration,
		format_duration };

	return bind_number(binder, section, key, &kind, range);
}

bool
key_boolean(struct binder *binder, const struct outline_section *section,
    const char *key, bool standard)
{
	const struct outline_value *value = single(binder, section, key);
	struct error err = { 0 };
	int truth;

	if (value == NULL)
		return standard;
	if (units_parse_boolean(value->text, &truth, &err) == 0)
		return truth != 0;
	bind_complain(binder, section, value->at, "%s: %s", key, err.text);
	return standard;
}

/* "a, b or c" */
static const char *
choices(struct arena *arena, const char *const *words)
{
	const char *text = words[0];

	for (size_t i = 1; words[i] != NULL; i++)
		text = arena_printf(arena, "%s%s%s", text,
		    words[i + 1] == NULL ? " or " : ", ", words[i]);
	return text;
}

size_t
key_word(struct binder *binder, const struct outline_section *section,
    const char *key, const char *const *words, size_t standard)
{
	const struct outline_value *value = single(binder, section, key);
	size_t count = 0;

	if (value == NULL)
		return standard;
	for (; words[count] != NULL; count++)
		if (strcmp(words[count], value->text) == 0)
			return count;
	bind_complain(binder, section, value->at, "%s: '%s' is not %s%s", key,
	    value->text, choices(binder->arena, words),
	    bind_hint(binder, suggest_nearest(value->text, words, count)));
	return standard;
}

size_t
key_list(struct binder *binder, const struct outline_section *section,
    const char *key, const char *const **items)
{
	const struct outline_key *found = outline_key(section, key);
	const char **copy;

	*items = NULL;
	if (found == NULL || found->count == 0)
		return 0;
	copy =
	    arena_array(binder->arena, found->count + 1, sizeof(const char *));
	for (size_t i = 0; i < found->count; i++)
		copy[i] = found->values[i].text;
	*items = copy;
	return found->count;
}

const char *
key_joined(struct binder *binder, const struct outline_section *section,
    const char *key)
{
	const char *const *items;
	size_t count = key_list(binder, section, key, &items);
	const char *text = count == 0 ? NULL : items[0];

	for (size_t i = 1; i < count; i++)
		text = arena_printf(binder->arena, "%s %s", text, items[i]);
	return text;
}
