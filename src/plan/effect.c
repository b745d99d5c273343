#include "plan/effect.h"

#include <stdlib.h>
#include <string.h>

/* The options of a cell being judged. */
struct effect {
	const struct filesystem *filesystem;
	struct arena *arena;
	struct cell *cell;
	const struct level **on; /* with an option, in table order */
	size_t count;
};

static int
compare_levels(const void *a, const void *b)
{
	const struct level *const *one = a, *const *two = b;

	return ((*one)->order > (*two)->order) -
	       ((*one)->order < (*two)->order);
}

static void
gather_on(struct effect *effect, const struct level *const *chosen)
{
	const struct filesystem *filesystem = effect->filesystem;
	size_t room = filesystem->factor_count + 1;
	struct cell *cell = effect->cell;

	effect->on = arena_array(effect->arena, room, sizeof(struct level *));
	for (size_t i = 0; i < filesystem->factor_count; i++)
		if (chosen[i]->option != NULL &&
		    chosen[i]->inapplicable == NULL)
			effect->on[effect->count++] = chosen[i];
	qsort(
	    effect->on, effect->count, sizeof(struct level *), compare_levels);
	cell->on = arena_array(effect->arena, room, sizeof(struct option *));
	for (size_t i = 0; i < effect->count; i++)
		cell->on[cell->on_count++] = effect->on[i]->option;
}

static bool
is_group_on(const struct cell *cell, const char *group)
{
	for (size_t i = 0; group != NULL && i < cell->on_count; i++)
		if (cell->on[i]->group != NULL &&
		    strcmp(cell->on[i]->group, group) == 0)
			return true;
	return false;
}

/* A toggle that is off says so, unless another option of its group is on and
 * says something else. */
static void
gather_off(struct effect *effect, const struct level *const *chosen)
{
	const struct filesystem *filesystem = effect->filesystem;
	struct cell *cell = effect->cell;

	cell->off = arena_array(effect->arena, filesystem->factor_count + 1,
	    sizeof(struct option *));
	for (size_t i = 0; i < filesystem->factor_count; i++) {
		const struct factor *factor = &filesystem->factors[i];
		const struct level *on;

		if (!factor->is_toggle || chosen[i] != &factor->levels[0])
			continue;
		on = &factor->levels[1];
		if (on->option != NULL && on->inapplicable == NULL &&
		    !is_group_on(cell, on->option->group))
			cell->off[cell->off_count++] = on->option;
	}
}

/* Has another option of the cell no effect beside it? */
static bool
is_void(const struct effect *effect, const struct option *option)
{
	for (size_t i = 0; i < effect->count; i++)
		if (effect->on[i]->option != option &&
		    option_list_has(
			effect->on[i]->option->voids, option->token))
			return true;
	return false;
}

static bool
is_token_void(const struct effect *effect, const char *token)
{
	for (size_t i = 0; i < effect->count; i++)
		if (option_list_has(effect->on[i]->option->voids, token))
			return true;
	return false;
}

/* The row of an implied token, where the filesystem has it in a factor. */
static const struct option *
find_row(const struct filesystem *filesystem, const char *token)
{
	for (size_t i = 0; i < filesystem->factor_count; i++)
		for (size_t k = 0; k < filesystem->factors[i].level_count;
		     k++) {
			const struct level *level =
			    &filesystem->factors[i].levels[k];

			if (level->option != NULL &&
			    strcmp(level->option->token, token) == 0)
				return level->option;
		}
	return NULL;
}

struct words {
	const char **items;
	size_t count;
	size_t capacity;
	struct arena *arena;
};

static void
add_word(struct words *words, const char *text)
{
	if (text[0] == '\0')
		return;
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i], text) == 0)
			return;
	words->items = arena_grow(words->arena, words->items, words->count,
	    &words->capacity, sizeof words->items[0]);
	words->items[words->count++] = text;
}

static const char *
effect_of(const struct option *option)
{
	return option->effect != NULL ? option->effect : option->token;
}

static void
add_implied(const struct effect *effect, const struct option *option,
    struct words *words)
{
	char *rest = arena_strdup(effect->arena, option->implies), *token;

	while (rest != NULL && (token = strsep(&rest, " ")) != NULL) {
		const struct option *row;

		if (token[0] == '\0' || is_token_void(effect, token))
			continue;
		row = find_row(effect->filesystem, token);
		add_word(words, row == NULL ? token : effect_of(row));
	}
}

static int
compare_texts(const void *a, const void *b)
{
	const char *const *one = a, *const *two = b;

	return strcmp(*one, *two);
}

static const char *
join(const struct words *words, const char *none)
{
	const char *text = words->count == 0 ? none : words->items[0];

	for (size_t i = 1; i < words->count; i++)
		text =
		    arena_printf(words->arena, "%s,%s", text, words->items[i]);
	return text;
}

/* What toggles of the default's own behaviour come to when they are off. */
static void
add_departures(const struct effect *effect, struct words *words)
{
	const struct cell *cell = effect->cell;

	for (size_t i = 0; i < cell->off_count; i++)
		if (cell_off_departs(cell, cell->off[i]))
			add_word(words, arena_printf(effect->arena, "not %s",
					    cell->off[i]->token));
}

static const char *
expected(const struct effect *effect)
{
	struct words words = { .arena = effect->arena };

	for (size_t i = 0; i < effect->count; i++) {
		const struct option *option = effect->on[i]->option;

		if (is_void(effect, option))
			continue;
		add_word(&words, effect_of(option));
		add_implied(effect, option, &words);
	}
	add_departures(effect, &words);
	if (words.count > 0)
		qsort(words.items, words.count, sizeof words.items[0],
		    compare_texts);
	return join(&words, "default");
}

/* What the -o list is asked to hold beyond the explicit defaults. */
static const char *
asked(const struct effect *effect)
{
	const struct filesystem *filesystem = effect->filesystem;
	struct words words = { .arena = effect->arena };

	for (size_t i = 0; i < effect->count; i++)
		if (effect->on[i]->option->stage == STAGE_MOUNT)
			add_word(&words, effect->on[i]->option->on);
		else
			add_word(&words, effect->on[i]->option->token);
	for (size_t i = 0; i < filesystem->mount_option_count; i++)
		add_word(&words, filesystem->mount_options[i]);
	return join(&words, "defaults");
}

/* What all options give up together. */
static enum risk
risk(const struct effect *effect)
{
	enum risk worst = effect->filesystem->risk;

	for (size_t i = 0; i < effect->count; i++) {
		const struct option *option = effect->on[i]->option;

		if (!is_void(effect, option))
			worst = risk_together(worst, option->risk);
	}
	return worst;
}

/* Two options that do not go together.  Whoever wants to try a pair that the
 * tables refuse declares both in the matrix file, without conflicts. */
static const char *
conflict(const struct effect *effect)
{
	for (size_t i = 0; i < effect->count; i++)
		for (size_t j = 0; j < effect->count; j++) {
			const struct level *a = effect->on[i];
			const struct level *b = effect->on[j];

			if (i == j || !option_list_has(a->option->conflicts,
					  b->option->token))
				continue;
			return arena_printf(effect->arena,
			    "'%s' and '%s' do not go together; to try it all "
			    "the same, declare both with 'option'",
			    a->option->token, b->option->token);
		}
	return NULL;
}

static const char *
inapplicable(const struct effect *effect, const struct level *const *chosen)
{
	if (effect->filesystem->inapplicable != NULL)
		return effect->filesystem->inapplicable;
	for (size_t i = 0; i < effect->filesystem->factor_count; i++)
		if (chosen[i]->inapplicable != NULL)
			return chosen[i]->inapplicable;
	return NULL;
}

void
effect_apply(const struct filesystem *filesystem,
    const struct level *const *chosen, struct arena *arena, struct cell *cell)
{
	struct effect effect = { filesystem, arena, cell, NULL, 0 };

	gather_on(&effect, chosen);
	gather_off(&effect, chosen);
	cell->expected = expected(&effect);
	cell->asked = asked(&effect);
	cell->risk = risk(&effect);
	cell->status = CELL_OK;
	cell->reason = inapplicable(&effect, chosen);
	if (cell->reason != NULL) {
		cell->status = CELL_INAPPLICABLE;
		return;
	}
	cell->reason = conflict(&effect);
	if (cell->reason != NULL)
		cell->status = CELL_UNSAFE;
}
