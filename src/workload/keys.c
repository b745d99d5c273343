/* Keys: rows checked against what was written, and bound to typed values. */
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "workload/key_value.h"

enum { SUGGESTIONS = 64 };

struct bound {
	const struct workload_key *row;
	struct key_value *values;
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
	struct key_value value;

	if (row == NULL)
		return unknown_key(workload, key, err);
	if (check_count(row, count, err) == -1)
		return error_wrap(
		    err, "workload '%s': key '%s'", workload->name, key);
	for (size_t i = 0; i < count; i++)
		if (key_value_parse(row, values[i], &value, err) == -1)
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
		if (key_value_parse(bound->row, arena_strdup(arena, values[i]),
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

static const struct key_value *
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

static bool
is_equal(const struct workload_key *row, const struct key_value *a,
    const struct key_value *b)
{
	switch (row->type) {
	case KEY_WORD:
	case KEY_TEXT:
		return strcmp(a->text, b->text) == 0;
	case KEY_NUMBER:
	case KEY_PERCENT:
		return a->number == b->number;
	case KEY_INTEGER:
	case KEY_SIZE:
	case KEY_DURATION:
	case KEY_BOOLEAN:
		break;
	}
	return a->integer == b->integer;
}

bool
workload_keys_equal(
    const struct workload_keys *a, const struct workload_keys *b)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct bound *x = &a->items[i];
		const struct bound *y = &b->items[i];

		if (x->count != y->count)
			return false;
		for (size_t j = 0; j < x->count; j++)
			if (!is_equal(x->row, &x->values[j], &y->values[j]))
				return false;
	}
	return true;
}
