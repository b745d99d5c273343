#include "workload/key_value.h"

#include <string.h>

#include "base/suggest.h"
#include "base/units.h"

enum { SUGGESTIONS = 64 };

static bool
is_word_of(const char *words, const char *text)
{
	size_t length = strlen(text);

	for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		if (size == length && strncmp(at, text, size) == 0)
			return true;
		at += size;
	}
	return false;
}

/* "is not one of a, b", and the nearest of them. */
static int
wrong_word(const char *words, const char *text, struct error *err)
{
	struct arena *arena = arena_new();
	const char *list[SUGGESTIONS];
	size_t count = 0;
	char *all = arena_strdup(arena, "");
	const char *nearest;

	for (const char *at = words; *at != '\0' && count < SUGGESTIONS;
	     at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		list[count] = arena_strndup(arena, at, size);
		all = arena_printf(
		    arena, "%s%s%s", all, count > 0 ? ", " : "", list[count]);
		count++;
		at += size;
	}
	nearest = suggest_nearest(text, list, count);
	(void)error_set_kind(err, ERROR_USAGE, "'%s' is not one of %s%s%s%s",
	    text, all, nearest != NULL ? "; did you mean '" : "",
	    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
	arena_free(arena);
	return -1;
}

static int
parse_typed(enum key_type type, const char *text, struct key_value *value,
    struct error *err)
{
	int boolean = 0;
	int code = 0;

	switch (type) {
	case KEY_INTEGER:
		code = units_parse_integer(text, &value->integer, err);
		break;
	case KEY_SIZE:
		code = units_parse_size(text, &value->integer, err);
		break;
	case KEY_DURATION:
		code = units_parse_duration(text, &value->integer, err);
		break;
	case KEY_BOOLEAN:
		code = units_parse_boolean(text, &boolean, err);
		value->integer = boolean;
		break;
	case KEY_NUMBER:
		return units_parse_number(text, &value->number, err);
	case KEY_PERCENT:
		return units_parse_percent(text, &value->number, err);
	case KEY_WORD:
	case KEY_TEXT:
		return 0;
	}
	value->number = (double)value->integer;
	return code;
}

/* A bound as its key is written: "64K", "10 s", "5". */
static char *
format_bound(struct arena *arena, const struct workload_key *row, double bound)
{
	if (row->type == KEY_SIZE)
		return units_format_size(arena, (int64_t)bound);
	if (row->type == KEY_DURATION)
		return units_format_duration(arena, (int64_t)bound);
	return arena_printf(
	    arena, "%.10g%s", bound, row->type == KEY_PERCENT ? "%" : "");
}

static int
check_range(const struct workload_key *row, const char *text, double number,
    struct error *err)
{
	struct arena *arena;
	const char *low;
	const char *high;

	if (number >= row->low && number <= row->high)
		return 0;
	arena = arena_new();
	low = format_bound(arena, row, row->low);
	high = format_bound(arena, row, row->high);
	if (row->low == row->high)
		(void)error_set_kind(err, ERROR_USAGE,
		    "'%s' is not possible here, only %s", text, low);
	else
		(void)error_set_kind(err, ERROR_USAGE,
		    "'%s' is out of range (%s to %s)", text, low, high);
	arena_free(arena);
	return -1;
}

int
key_value_parse(const struct workload_key *row, const char *text,
    struct key_value *value, struct error *err)
{
	*value = (struct key_value){ .text = text };
	if (row->type == KEY_WORD && !is_word_of(row->words, text))
		return wrong_word(row->words, text, err);
	if (row->type == KEY_WORD || row->type == KEY_TEXT)
		return 0;
	if (parse_typed(row->type, text, value, err) == -1) {
		err->kind = ERROR_USAGE;
		return -1;
	}
	if (row->type == KEY_BOOLEAN)
		return 0;
	return check_range(row, text, value->number, err);
}
