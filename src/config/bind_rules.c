#include <string.h>

#include "base/suggest.h"
#include "config/bind_filesystem.h"

/* The level a token of a rule means: by its token, by "axis=level", or by the
 * word of a level.  NULL when no factor has it. */
static const struct level *
find_level(struct fs_binding *binding, const char *token, size_t *factor)
{
	const struct filesystem *filesystem = binding->filesystem;
	const char *canonical = fs_token_name(token);

	for (size_t i = 0; i < filesystem->factor_count; i++) {
		const struct factor *f = &filesystem->factors[i];

		for (size_t k = f->is_toggle ? 1 : 0; k < f->level_count; k++) {
			const struct level *level = &f->levels[k];
			const char *full = arena_printf(binding->binder->arena,
			    "%s=%s", f->name, level->name);

			*factor = i;
			if (level->token != NULL &&
			    (strcmp(level->token, token) == 0 ||
				strcmp(level->token, canonical) == 0))
				return level;
			if (!f->is_toggle && (strcmp(level->name, token) == 0 ||
						 strcmp(full, token) == 0))
				return level;
		}
	}
	return NULL;
}

/* How a level is written in the key of a cell. */
static const char *
level_word(struct fs_binding *binding, const struct level *level, size_t factor)
{
	if (level->token != NULL)
		return level->token;
	return arena_printf(binding->binder->arena, "%s=%s",
	    binding->filesystem->factors[factor].name, level->name);
}

static void
complain_rule(struct fs_binding *binding, const char *rule,
    const struct outline_value *value, const char *token)
{
	const struct filesystem *filesystem = binding->filesystem;
	const char *names[64];
	size_t count = 0;

	for (size_t i = 0; i < filesystem->factor_count; i++)
		for (size_t k = 0; k < filesystem->factors[i].level_count; k++)
			if (filesystem->factors[i].levels[k].token != NULL &&
			    count < 64)
				names[count++] =
				    filesystem->factors[i].levels[k].token;
	bind_complain(binding->binder, binding->section, value->at,
	    "%s: '%s' is no toggle and no level of this filesystem%s", rule,
	    token,
	    bind_hint(binding->binder, suggest_nearest(token, names, count)));
}

/* The level of a token; "only" may bring options that are no factor yet. */
static const struct level *
find_or_add(struct fs_binding *binding, const char *rule,
    const struct outline_value *value, const char *token, size_t *factor)
{
	const struct level *level = find_level(binding, token, factor);
	struct level on = { 0 };

	if (level != NULL)
		return level;
	if (strcmp(rule, "skip") == 0) {
		complain_rule(binding, rule, value, token);
		return NULL;
	}
	if (bind_token(binding, token, &on) == -1) {
		complain_token(binding, value->at, rule, token);
		return NULL;
	}
	if (bind_add_toggle(binding, &on, value->at) == NULL)
		return NULL;
	return find_level(binding, token, factor);
}

/* Two levels of one axis, or two options of one group, in one combination:
 * no cell is like that. */
static void
check_together(struct fs_binding *binding, const char *rule,
    const struct outline_value *value, const struct level *const *levels,
    const size_t *factors, size_t count)
{
	for (size_t j = 1; j < count; j++)
		for (size_t i = 0; i < j; i++) {
			const struct option *a = levels[i]->option;
			const struct option *b = levels[j]->option;

			if (factors[i] == factors[j] ||
			    (a != NULL && b != NULL && a->group != NULL &&
				b->group != NULL &&
				strcmp(a->group, b->group) == 0))
				bind_complain(binding->binder, binding->section,
				    value->at,
				    "%s: '%s' has two of one group or axis",
				    rule, value->text);
		}
}

enum { MOST_TOKENS = 64 };

/* "async+softupdates"; false after a complaint. */
static bool
bind_combination(struct fs_binding *binding, const char *rule,
    const struct outline_value *value, struct combination *combination)
{
	struct arena *arena = binding->binder->arena;
	char *rest = arena_strdup(arena, value->text), *token;
	const struct level *levels[MOST_TOKENS];
	size_t factors[MOST_TOKENS], count = 0;
	const char **tokens =
	    arena_array(arena, MOST_TOKENS, sizeof(const char *));

	*combination =
	    (struct combination){ value->text, tokens, 0, value->at };
	if (strcmp(value->text, "default") == 0 && strcmp(rule, "only") == 0)
		return true;
	while ((token = strsep(&rest, "+")) != NULL) {
		token += strspn(token, " \t");
		token[strcspn(token, " \t")] = '\0';
		if (*token == '\0' || count == MOST_TOKENS) {
			bind_complain(binding->binder, binding->section,
			    value->at,
			    "%s: '%s' is not options with '+' between", rule,
			    value->text);
			return false;
		}
		levels[count] =
		    find_or_add(binding, rule, value, token, &factors[count]);
		if (levels[count] == NULL)
			return false;
		tokens[count] =
		    level_word(binding, levels[count], factors[count]);
		count++;
	}
	combination->count = count;
	check_together(binding, rule, value, levels, factors, count);
	return true;
}

static size_t
bind_combinations(struct fs_binding *binding, const char *rule,
    struct combination **combinations)
{
	const struct outline_key *key = outline_key(binding->section, rule);
	size_t count = 0;

	if (key == NULL || key->count == 0 ||
	    bind_is_too_long(binding, rule, key, MOST_COMBINATIONS))
		return 0;
	*combinations = arena_array(
	    binding->binder->arena, key->count, sizeof **combinations);
	for (size_t i = 0; i < key->count; i++)
		if (bind_combination(binding, rule, &key->values[i],
			&(*combinations)[count]))
			count++;
	return count;
}

void
bind_rules(struct fs_binding *binding)
{
	struct filesystem *filesystem = binding->filesystem;

	filesystem->only_count =
	    bind_combinations(binding, "only", &filesystem->only);
	filesystem->skip_count =
	    bind_combinations(binding, "skip", &filesystem->skip);
}
