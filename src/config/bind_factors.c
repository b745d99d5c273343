#include <string.h>

#include "config/bind_filesystem.h"

struct factor *
bind_add_factor(struct fs_binding *binding, const char *name,
    size_t level_count, struct position at)
{
	struct arena *arena = binding->binder->arena;
	struct filesystem *filesystem = binding->filesystem;
	struct factor *factor;

	if (filesystem->factor_count == MOST_FACTORS) {
		bind_complain(binding->binder, binding->section, at,
		    "'%s': more than %d toggles and axes", name, MOST_FACTORS);
		return NULL;
	}
	if (filesystem->factors == NULL)
		filesystem->factors =
		    arena_array(arena, MOST_FACTORS, sizeof *factor);
	factor = &filesystem->factors[filesystem->factor_count++];
	*factor = (struct factor){ .name = name, .at = at };
	factor->levels = arena_array(arena, level_count, sizeof(struct level));
	return factor;
}

struct factor *
bind_add_toggle(
    struct fs_binding *binding, const struct level *on, struct position at)
{
	struct factor *factor = bind_add_factor(binding, on->token, 2, at);

	if (factor == NULL)
		return NULL;
	factor->is_toggle = true;
	factor->level_count = 2;
	factor->levels[0] = (struct level){ .name = "off" };
	factor->levels[1] = *on;
	factor->levels[1].name = "on";
	return factor;
}

bool
bind_is_too_long(struct fs_binding *binding, const char *name,
    const struct outline_key *key, size_t most)
{
	if (key->count <= most)
		return false;
	bind_complain(binding->binder, binding->section, key->at,
	    "%s: a list of %zu, at most %zu are possible", name, key->count,
	    most);
	return true;
}

/* Options of a filesystem that is mounted as it is can act at mounting and
 * after it only. */
static void
check_stage(struct fs_binding *binding, struct level *level)
{
	const struct target *target = binding->filesystem->target;

	if (level->option == NULL || target == NULL ||
	    level->option->stage >= STAGE_MOUNT)
		return;
	if (target->kind == TARGET_MOUNTPOINT)
		level->inapplicable = arena_printf(binding->binder->arena,
		    "'%s' acts when a filesystem is made or tuned, and "
		    "mountpoint '%s' stays as it is",
		    level->token, target->title);
}

static void
bind_toggles(struct fs_binding *binding)
{
	const struct outline_key *key = outline_key(binding->section, "toggle");

	if (key == NULL ||
	    bind_is_too_long(binding, "toggle", key, MOST_FACTORS))
		return;
	for (size_t i = 0; i < key->count; i++) {
		const struct outline_value *value = &key->values[i];
		struct level on = { 0 };

		if (bind_token(binding, value->text, &on) == -1) {
			complain_token(
			    binding, value->at, "toggle", value->text);
			continue;
		}
		check_stage(binding, &on);
		bind_add_toggle(binding, &on, value->at);
	}
}

/*
 * Level L of axis A: the token "A=L" where this driver has it, else "L"; then
 * the same among other drivers.  "default" adds nothing to the command lines.
 */
static int
bind_level(struct fs_binding *binding, const char *axis,
    const struct outline_value *value, struct level *level)
{
	struct arena *arena = binding->binder->arena;
	const char *full = arena_printf(arena, "%s=%s", axis, value->text);
	struct level as_full = { .name = value->text };
	struct level as_word = { .name = value->text };
	int full_known, word_known;

	if (strcmp(value->text, "default") == 0) {
		*level = (struct level){ .name = "default", .order = -1 };
		return 0;
	}
	full_known = bind_token(binding, full, &as_full);
	word_known = bind_token(binding, value->text, &as_word);
	if (full_known == -1 && word_known == -1)
		return -1;
	if (full_known == -1 ||
	    (as_full.inapplicable != NULL && word_known == 0 &&
		as_word.inapplicable == NULL))
		*level = as_word;
	else
		*level = as_full;
	check_stage(binding, level);
	return 0;
}

static void
complain_level(struct fs_binding *binding, const char *axis,
    const struct outline_value *value)
{
	struct binder *binder = binding->binder;
	const char *full =
	    arena_printf(binder->arena, "%s=%s", axis, value->text);
	const char *nearest = fs_option_nearest(
	    binding->driver, full, binder->system, binder->version);
	size_t length = strlen(axis);

	if (nearest == NULL)
		nearest = fs_option_nearest(binding->driver, value->text,
		    binder->system, binder->version);
	else if (strncmp(nearest, axis, length) == 0 && nearest[length] == '=')
		nearest += length + 1;
	bind_complain(binder, binding->section, value->at,
	    "axis '%s': no filesystem has an option '%s' or '%s'%s", axis, full,
	    value->text, bind_hint(binder, nearest));
}

static bool
has_level(const struct factor *factor, const char *name)
{
	for (size_t i = 0; i < factor->level_count; i++)
		if (strcmp(factor->levels[i].name, name) == 0)
			return true;
	return false;
}

/* An option by two names would make two cells of one key. */
static void
check_levels(struct fs_binding *binding, const struct factor *factor,
    const struct outline_value *value)
{
	const struct level *last = &factor->levels[factor->level_count - 1];

	for (size_t i = 0; i + 1 < factor->level_count; i++) {
		const struct level *level = &factor->levels[i];

		if (level->token != NULL && last->token != NULL &&
		    strcmp(level->token, last->token) == 0)
			bind_complain(binding->binder, binding->section,
			    value->at,
			    "axis '%s': levels '%s' and '%s' are the same "
			    "option",
			    factor->name, level->name, last->name);
	}
}

static void
bind_axis(struct fs_binding *binding, const struct outline_section *axis)
{
	const struct outline_key *key = outline_key(axis, "levels");
	struct factor *factor;

	if (key == NULL || key->count == 0) {
		bind_complain(binding->binder, binding->section, axis->at,
		    "axis '%s': no levels: write levels = { \"A\", \"B\" }",
		    axis->title);
		return;
	}
	if (bind_is_too_long(binding,
		outline_name(axis, binding->binder->arena), key, MOST_LEVELS))
		return;
	factor = bind_add_factor(binding, axis->title, key->count, axis->at);
	if (factor == NULL)
		return;
	for (size_t i = 0; i < key->count; i++) {
		const struct outline_value *value = &key->values[i];

		if (has_level(factor, value->text))
			bind_complain(binding->binder, binding->section,
			    value->at, "axis '%s': level '%s' is there twice",
			    axis->title, value->text);
		else if (bind_level(binding, axis->title, value,
			     &factor->levels[factor->level_count]) == -1)
			complain_level(binding, axis->title, value);
		else {
			factor->level_count++;
			check_levels(binding, factor, value);
		}
	}
}

/* What two factors must not share: a token, or a group of which a cell can
 * have one. */
static void
check_pair(struct fs_binding *binding, const struct factor *a,
    const struct level *one, const struct factor *b, const struct level *two)
{
	if (one->token == NULL || two->token == NULL)
		return;
	if (strcmp(one->token, two->token) == 0)
		bind_complain(binding->binder, binding->section, b->at,
		    "'%s' is there twice, before in line %d", two->token,
		    a->at.line);
	else if (one->option != NULL && two->option != NULL &&
		 one->option->group != NULL && two->option->group != NULL &&
		 strcmp(one->option->group, two->option->group) == 0)
		bind_complain(binding->binder, binding->section, b->at,
		    "'%s' and '%s' are of one group (%s), a cell has one of "
		    "them: write axis %s { levels = { \"%s\", \"%s\" } }",
		    one->token, two->token, one->option->group,
		    one->option->group, one->token, two->token);
}

static void
check_groups(struct fs_binding *binding)
{
	const struct filesystem *filesystem = binding->filesystem;

	for (size_t j = 1; j < filesystem->factor_count; j++)
		for (size_t i = 0; i < j; i++) {
			const struct factor *a = &filesystem->factors[i];
			const struct factor *b = &filesystem->factors[j];

			for (size_t x = 0; x < a->level_count; x++)
				for (size_t y = 0; y < b->level_count; y++)
					check_pair(binding, a, &a->levels[x], b,
					    &b->levels[y]);
		}
}

void
bind_factors(struct fs_binding *binding)
{
	const struct outline_section *section = binding->section;

	bind_toggles(binding);
	for (size_t i = 0; i < section->section_count; i++)
		if (strcmp(section->sections[i]->name, "axis") == 0)
			bind_axis(binding, section->sections[i]);
	check_groups(binding);
}
