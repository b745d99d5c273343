#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "config/bind.h"
#include "workload/workload.h"

enum { MOST_NAMES = 256 };

static const struct bind_range timeout_range = { 1000000000, INT64_MAX,
	7200LL * 1000000000 };
static const struct bind_range memory_range = { BIND_MIB, INT64_MAX, 0 };

static const struct workload *
find_type(struct binder *binder, const struct outline_section *section)
{
	const char *name = key_text(binder, section, "type", section->title);
	const struct workload *found = workload_find(name);
	const struct workload *const *all = workload_list();
	const char *names[MOST_NAMES];
	size_t count = 0;

	if (found != NULL)
		return found;
	for (; count < MOST_NAMES && all[count] != NULL; count++)
		names[count] = all[count]->name;
	bind_complain(binder, section, bind_position(section, "type"),
	    "type: there is no workload '%s'%s%s", name,
	    bind_hint(binder, suggest_nearest(name, names, count)),
	    outline_key(section, "type") != NULL
		? ""
		: " (the section's title; or set type = \"NAME\")");
	return NULL;
}

static bool
is_common(const char *key)
{
	for (size_t i = 0; grammar_workload_keys[i] != NULL; i++)
		if (strcmp(grammar_workload_keys[i], key) == 0)
			return true;
	return false;
}

/* A key that other workloads have, and this one does not. */
static void
complain_key(struct binder *binder, const struct outline_section *section,
    const struct workload *type, const struct outline_key *key)
{
	const char *names[MOST_NAMES];
	size_t count = 0;

	for (; grammar_workload_keys[count] != NULL; count++)
		names[count] = grammar_workload_keys[count];
	for (const struct workload_key *row = type->keys;
	     row != NULL && row->name != NULL && count < MOST_NAMES; row++)
		names[count++] = row->name;
	bind_complain(binder, section, key->at, "%s has no key '%s'%s",
	    type->name, key->name,
	    bind_hint(binder, suggest_nearest(key->name, names, count)));
}

/* The tables begin with a name of their own; here the section is named. */
static const char *
without_prefix(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) == 0 ? text + length : text;
}

static const char *
without_type(
    struct binder *binder, const struct workload *type, const char *text)
{
	return without_prefix(
	    text, arena_printf(binder->arena, "workload '%s': ", type->name));
}

static void
bind_setting(struct binder *binder, const struct outline_section *section,
    const struct workload *type, const struct outline_key *key,
    struct workload_spec *spec)
{
	struct setting setting = { .key = key->name, .at = key->at };
	struct error err = { 0 };

	if (workload_key_find(type, key->name) == NULL) {
		complain_key(binder, section, type, key);
		return;
	}
	setting.value_count =
	    key_list(binder, section, key->name, &setting.values);
	if (workload_key_check(type, key->name, setting.values,
		setting.value_count, &err) == -1) {
		bind_complain(binder, section,
		    key->count > 0 ? key->values[0].at : key->at, "%s",
		    without_type(binder, type, err.text));
		return;
	}
	spec->settings[spec->setting_count++] = setting;
}

/* What the program itself wants to know of a key that the workload has too. */
static void
note_cache(struct workload_spec *spec)
{
	static const struct {
		const char *word;
		enum cache cache;
	} words[] = { { "cold", CACHE_COLD }, { "warm", CACHE_WARM },
		{ "both", CACHE_BOTH } };

	for (size_t i = 0; i < spec->setting_count; i++)
		for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
			if (strcmp(spec->settings[i].key, "cache") == 0 &&
			    strcmp(spec->settings[i].values[0],
				words[w].word) == 0)
				spec->cache = words[w].cache;
}

/* A message of workload_bind may begin with a setting's own place. */
static void
complain_together(struct binder *binder, const struct outline_section *section,
    const struct workload *type, const struct workload_spec *spec,
    const char *text)
{
	for (size_t i = 0; i < spec->setting_count; i++) {
		struct position at = spec->settings[i].at;
		const char *prefix =
		    arena_printf(binder->arena, "%s:%d: ", at.file, at.line);
		size_t length = strlen(prefix);

		if (strncmp(text, prefix, length) == 0) {
			bind_complain(binder, section, at, "%s", text + length);
			return;
		}
	}
	bind_complain(binder, section, section->at, "%s",
	    without_type(binder, type, text));
}

static void
bind_settings(struct binder *binder, const struct outline_section *section,
    const struct workload *type, struct workload_spec *spec)
{
	size_t before = binder->diagnostics->count;
	struct workload_keys *keys;
	struct error err = { 0 };

	spec->settings = arena_array(
	    binder->arena, section->key_count + 1, sizeof *spec->settings);
	for (size_t i = 0; i < section->key_count; i++)
		if (!is_common(section->keys[i].name))
			bind_setting(
			    binder, section, type, &section->keys[i], spec);
	if (binder->diagnostics->count > before)
		return;
	note_cache(spec);
	if (workload_bind(type, spec->settings, spec->setting_count,
		binder->arena, &keys, &err) == -1)
		complain_together(binder, section, type, spec, err.text);
}

static void
bind_pattern(struct binder *binder, const struct outline_section *section,
    struct metric_pattern *pattern)
{
	static const char *const directions[] = { "lower", "higher", NULL };
	struct error err = { 0 };

	pattern->metric.name = section->title;
	pattern->metric.unit = key_any_text(binder, section, "unit", "");
	pattern->metric.summary = "from the output of the command";
	pattern->metric.better =
	    key_word(binder, section, "better", directions, 0) == 0
		? LOWER_IS_BETTER
		: HIGHER_IS_BETTER;
	pattern->pattern = key_text(binder, section, "pattern", "");
	if (outline_key(section, "pattern") == NULL)
		bind_complain(binder, section, section->at,
		    "no pattern: write pattern = \"REGULAR EXPRESSION\"");
	else if (workload_pattern_check(pattern, &err) == -1)
		bind_complain(binder, section,
		    bind_position(section, "pattern"), "%s",
		    without_prefix(
			err.text, arena_printf(binder->arena,
				      "metric '%s': ", section->title)));
}

static void
bind_patterns(struct binder *binder, const struct outline_section *section,
    const struct workload *type, struct workload_spec *spec)
{
	spec->patterns = arena_array(
	    binder->arena, section->section_count + 1, sizeof *spec->patterns);
	for (size_t i = 0; i < section->section_count; i++) {
		if (strcmp(type->name, "command") != 0)
			bind_complain(binder, section, section->sections[i]->at,
			    "sections metric are for type command, and this "
			    "is %s",
			    type->name);
		else
			bind_pattern(binder, section->sections[i],
			    &spec->patterns[spec->pattern_count++]);
	}
}

/* metric = "x": one of the type's, or one of the section's own. */
static void
bind_metric(struct binder *binder, const struct outline_section *section,
    const struct workload *type, struct workload_spec *spec)
{
	const char *name = key_text(binder, section, "metric", NULL);
	const char *names[MOST_NAMES];
	size_t count = 0;

	if (name == NULL)
		return;
	for (size_t i = 0; i < spec->pattern_count && count < MOST_NAMES; i++)
		names[count++] = spec->patterns[i].metric.name;
	for (const struct metric *m = type->metrics;
	     m != NULL && m->name != NULL && count < MOST_NAMES; m++)
		names[count++] = m->name;
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0) {
			spec->metric = names[i];
			return;
		}
	bind_complain(binder, section, bind_position(section, "metric"),
	    "metric: %s does not measure '%s'%s", type->name, name,
	    bind_hint(binder, suggest_nearest(name, names, count)));
}

static const char *
find_tree(struct binder *binder, const struct outline_section *section,
    const char *name)
{
	const struct matrix *matrix = binder->matrix;
	const char *titles[MOST_NAMES];
	size_t count = 0;

	for (size_t i = 0; i < matrix->tree_count; i++) {
		if (strcmp(matrix->trees[i].title, name) == 0)
			return matrix->trees[i].title;
		if (count < MOST_NAMES)
			titles[count++] = matrix->trees[i].title;
	}
	bind_complain(binder, section, bind_position(section, "tree"),
	    "tree: there is no tree '%s'%s", name,
	    bind_hint(binder, suggest_nearest(name, titles, count)));
	return NULL;
}

/* The first filesystem on a mountpoint, or the first that is not. */
static const struct filesystem *
find_mounted(const struct matrix *matrix, bool is_mountpoint)
{
	for (size_t i = 0; i < matrix->filesystem_count; i++) {
		const struct filesystem *fs = &matrix->filesystems[i];

		if (fs->target != NULL &&
		    is_mountpoint == (fs->target->kind == TARGET_MOUNTPOINT))
			return fs;
	}
	return NULL;
}

/* Is a tree of use where none is named?  A command may want one or not, and
 * the figures of "null" are drawn. */
static bool
wants_tree(const struct matrix *matrix, const struct workload *type)
{
	if (type->tree != TREE_OPTIONAL)
		return type->tree != TREE_UNUSED;
	return !type->writes && strcmp(type->name, "null") != 0 &&
	       find_mounted(matrix, true) == NULL;
}

/* A tree that is not named: the only one there is. */
static void
bind_tree_of(struct binder *binder, const struct outline_section *section,
    const struct workload *type, struct workload_spec *spec)
{
	const struct matrix *matrix = binder->matrix;
	const char *name = key_text(binder, section, "tree", NULL);

	if (name != NULL && type->tree == TREE_UNUSED)
		bind_complain(binder, section, bind_position(section, "tree"),
		    "tree: %s uses no tree", type->name);
	else if (name != NULL)
		spec->tree = find_tree(binder, section, name);
	else if (outline_key(section, "tree") != NULL ||
		 !wants_tree(matrix, type))
		return;
	else if (matrix->tree_count == 1)
		spec->tree = matrix->trees[0].title;
	else
		bind_complain(binder, section, section->at,
		    matrix->tree_count == 0
			? "%s needs a tree: write tree NAME { archive = "
			  "\"FILE\" } outside, and tree = \"NAME\" here"
			: "%s needs a tree: write tree = \"NAME\"",
		    type->name);
}

/* Nothing is written to a filesystem that was there before. */
static void
check_mountpoints(struct binder *binder, const struct outline_section *section,
    const struct workload *type, const struct workload_spec *spec)
{
	const struct filesystem *fs = find_mounted(binder->matrix, true);

	if (fs == NULL)
		return;
	if (type->writes)
		bind_complain(binder, section, bind_position(section, "type"),
		    "%s writes, and target '%s' of filesystem '%s' is a "
		    "mountpoint, where nothing is written",
		    type->name, fs->target->title, fs->title);
	else if (spec->tree != NULL)
		bind_complain(binder, section, bind_position(section, "tree"),
		    "tree '%s' would be unpacked, and target '%s' of "
		    "filesystem '%s' is a mountpoint, where nothing is written",
		    spec->tree, fs->target->title, fs->title);
}

void
bind_workload(struct binder *binder, const struct outline_section *section,
    struct workload_spec *workload)
{
	static const enum charge charge_of[] = { CHARGE_OWN, CHARGE_FLUSHED,
		CHARGE_DEFAULT };
	static const char *const shown[] = { "own", "flushed", NULL };
	const struct workload *type = find_type(binder, section);

	workload->title = section->title;
	workload->at = section->at;
	workload->timeout_ns =
	    key_duration(binder, section, "timeout", timeout_range);
	workload->memory_limit_bytes =
	    key_size(binder, section, "memory_limit", memory_range);
	workload->charge =
	    charge_of[key_word(binder, section, "charge", shown, 2)];
	if (type == NULL)
		return;
	workload->type = type->name;
	bind_settings(binder, section, type, workload);
	bind_patterns(binder, section, type, workload);
	bind_metric(binder, section, type, workload);
	bind_tree_of(binder, section, type, workload);
	check_mountpoints(binder, section, type, workload);
}
