/* Keys: rows checked against what was written, and bound to typed values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "workload/workload.h"

enum { SUGGESTIONS = 64 };

/* One value, by its row's type. */
struct value {
	int64_t integer;
	double number;
	const char *text;
};

struct bound {
	const struct workload_key *row;
	struct value *values;
	size_t count;
	bool is_set;
};

struct workload_keys {
	const struct workload *workload;
	struct bound *items;
	size_t count;
};

const struct workload_key *
workload_key_find(const struct workload *workload, const char *key)
{
	for (const struct workload_key *row = workload->keys;
	     row != NULL && row->name != NULL; row++)
		if (strcmp(row->name, key) == 0)
			return row;
	return NULL;
}

static int
unknown_key(const struct workload *workload, const char *key, struct error *err)
{
	const char *names[SUGGESTIONS];
	size_t count = 0;
	const char *nearest;

	for (const struct workload_key *row = workload->keys;
	     row != NULL && row->name != NULL && count < SUGGESTIONS; row++)
		names[count++] = row->name;
	nearest = suggest_nearest(key, names, count);
	if (nearest != NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "workload '%s' takes no key '%s'; did you mean '%s'?",
		    workload->name, key, nearest);
	return error_set_kind(err, ERROR_USAGE,
	    "workload '%s' takes no key '%s'", workload->name, key);
}

/* --- one value ----------------------------------------------------------- */

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
parse_typed(enum key_type type, const char *text, struct value *value,
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

static int
parse_value(const struct workload_key *row, const char *text,
    struct value *value, struct error *err)
{
	*value = (struct value){ .text = text };
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

/* --- one key ------------------------------------------------------------- */

static int
check_count(const struct workload_key *row, size_t count, struct error *err)
{
	size_t most = row->most > 0 ? row->most : 1;

	if (count == 0 && row->standard != NULL)
		return error_set_kind(err, ERROR_USAGE, "needs a value");
	if (count > most)
		return error_set_kind(err, ERROR_USAGE,
		    "%zu values given, at most %zu allowed", count, most);
	return 0;
}

int
workload_key_check(const struct workload *workload, const char *key,
    const char *const *values, size_t count, struct error *err)
{
	const struct workload_key *row = workload_key_find(workload, key);
	struct value value;

	if (row == NULL)
		return unknown_key(workload, key, err);
	if (check_count(row, count, err) == -1)
		return error_wrap(
		    err, "workload '%s': key '%s'", workload->name, key);
	for (size_t i = 0; i < count; i++)
		if (parse_value(row, values[i], &value, err) == -1)
			return error_wrap(err, "workload '%s': key '%s'",
			    workload->name, key);
	return 0;
}

/* The number of pieces, and the pieces, of a text split at commas. */
static size_t
split(const char *text, struct arena *arena, const char ***pieces)
{
	size_t count = 1;

	for (const char *at = text; *at != '\0'; at++)
		count += *at == ',';
	*pieces = arena_array(arena, count, sizeof **pieces);
	for (size_t i = 0; i < count; i++) {
		size_t length = strcspn(text, ",");

		(*pieces)[i] = arena_strndup(arena, text, length);
		text += length + (text[length] == ',');
	}
	return count;
}

int
workload_parse_setting(const struct workload *workload, const char *text,
    struct arena *arena, struct setting *setting, struct error *err)
{
	size_t length = strcspn(text, "=");
	const struct workload_key *row;
	const char **values;

	if (text[length] != '=')
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is not of the form KEY=VALUE", text);
	*setting =
	    (struct setting){ .key = arena_strndup(arena, text, length) };
	row = workload_key_find(workload, setting->key);
	if (row == NULL)
		return unknown_key(workload, setting->key, err);
	text += length + 1;
	if (row->most > 1) {
		setting->value_count =
		    text[0] == '\0' ? 0 : split(text, arena, &values);
	} else {
		values = arena_array(arena, 1, sizeof *values);
		values[0] = arena_strdup(arena, text);
		setting->value_count = 1;
	}
	setting->values = setting->value_count > 0 ? values : NULL;
	return workload_key_check(
	    workload, setting->key, setting->values, setting->value_count, err);
}

/* --- binding ------------------------------------------------------------- */

static int
bind_values(struct bound *bound, const char *const *values, size_t count,
    struct arena *arena, struct error *err)
{
	bound->values =
	    arena_array(arena, count > 0 ? count : 1, sizeof *bound->values);
	bound->count = count;
	for (size_t i = 0; i < count; i++)
		if (parse_value(bound->row, arena_strdup(arena, values[i]),
			&bound->values[i], err) == -1)
			return -1;
	return 0;
}

/* A default that its own row refuses is a mistake of the program. */
static void
bind_standard(struct bound *bound, struct arena *arena)
{
	const char **pieces;
	size_t count;
	struct error err = { 0 };

	if (bound->row->standard == NULL)
		return;
	if (bound->row->most > 1) {
		count = split(bound->row->standard, arena, &pieces);
	} else {
		count = 1;
		pieces = arena_array(arena, 1, sizeof *pieces);
		pieces[0] = bound->row->standard;
	}
	if (bind_values(bound, pieces, count, arena, &err) == -1)
		abort();
}

static struct bound *
find_bound(const struct workload_keys *keys, const char *key)
{
	for (size_t i = 0; i < keys->count; i++)
		if (strcmp(keys->items[i].row->name, key) == 0)
			return &keys->items[i];
	return NULL;
}

static int
bind_setting(struct workload_keys *keys, const struct setting *setting,
    struct arena *arena, struct error *err)
{
	struct bound *bound = find_bound(keys, setting->key);

	if (workload_key_check(keys->workload, setting->key, setting->values,
		setting->value_count, err) == -1)
		return -1;
	if (bound == NULL)
		return unknown_key(keys->workload, setting->key, err);
	if (bound->is_set)
		return error_set_kind(err, ERROR_USAGE,
		    "workload '%s': key '%s' is given twice",
		    keys->workload->name, setting->key);
	bound->is_set = true;
	return bind_values(
	    bound, setting->values, setting->value_count, arena, err);
}

static struct workload_keys *
new_keys(const struct workload *workload, struct arena *arena)
{
	struct workload_keys *keys = arena_alloc(arena, sizeof *keys);

	keys->workload = workload;
	for (const struct workload_key *row = workload->keys;
	     row != NULL && row->name != NULL; row++)
		keys->count++;
	keys->items = arena_array(arena, keys->count + 1, sizeof *keys->items);
	for (size_t i = 0; i < keys->count; i++)
		keys->items[i].row = &workload->keys[i];
	return keys;
}

int
workload_bind(const struct workload *workload, const struct setting *settings,
    size_t count, struct arena *arena, struct workload_keys **keys,
    struct error *err)
{
	*keys = new_keys(workload, arena);
	for (size_t i = 0; i < count; i++) {
		const struct position *at = &settings[i].at;

		if (bind_setting(*keys, &settings[i], arena, err) == 0)
			continue;
		if (at->file != NULL)
			return error_wrap(err, "%s:%d", at->file, at->line);
		return -1;
	}
	for (size_t i = 0; i < (*keys)->count; i++)
		if (!(*keys)->items[i].is_set)
			bind_standard(&(*keys)->items[i], arena);
	if (workload->check == NULL || workload->check(*keys, err) == 0)
		return 0;
	err->kind = ERROR_USAGE;
	return error_wrap(err, "workload '%s'", workload->name);
}

/* --- values -------------------------------------------------------------- */

static const struct value *
value_at(const struct workload_keys *keys, const char *key, size_t index)
{
	struct bound *bound = find_bound(keys, key);

	if (bound == NULL || index >= bound->count)
		abort();
	return &bound->values[index];
}

size_t
keys_count(const struct workload_keys *keys, const char *key)
{
	struct bound *bound = find_bound(keys, key);

	if (bound == NULL)
		abort();
	return bound->count;
}

int64_t
keys_integer(const struct workload_keys *keys, const char *key)
{
	return value_at(keys, key, 0)->integer;
}

int64_t
keys_integer_at(const struct workload_keys *keys, const char *key, size_t index)
{
	return value_at(keys, key, index)->integer;
}

double
keys_number(const struct workload_keys *keys, const char *key)
{
	return value_at(keys, key, 0)->number;
}

bool
keys_boolean(const struct workload_keys *keys, const char *key)
{
	return value_at(keys, key, 0)->integer != 0;
}

const char *
keys_text(const struct workload_keys *keys, const char *key)
{
	return keys_count(keys, key) == 0 ? NULL : value_at(keys, key, 0)->text;
}

const char *
keys_text_at(const struct workload_keys *keys, const char *key, size_t index)
{
	return value_at(keys, key, index)->text;
}
