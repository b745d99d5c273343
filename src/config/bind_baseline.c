/* The key of a cell that ratios are to: its filesystem and its tokens are
 * looked for among the sections. */
#include <string.h>

#include "base/suggest.h"
#include "config/bind.h"

enum { MOST_NAMES = 64 };

/* Names that were looked through, for the nearest one. */
struct names {
	const char *items[MOST_NAMES];
	size_t count;
};

static void
add_name(struct names *names, const char *name)
{
	if (name != NULL && names->count < MOST_NAMES)
		names->items[names->count++] = name;
}

static const struct filesystem *
find_filesystem(
    const struct matrix *matrix, const char *title, struct names *names)
{
	for (size_t i = 0; i < matrix->filesystem_count; i++) {
		if (strcmp(matrix->filesystems[i].title, title) == 0)
			return &matrix->filesystems[i];
		add_name(names, matrix->filesystems[i].title);
	}
	return NULL;
}

/* As it is written in the keys of cells: the token, or "axis=level" of a level
 * that is none. */
static bool
has_token(struct binder *binder, const struct filesystem *filesystem,
    const char *token, struct names *names)
{
	for (size_t i = 0; i < filesystem->factor_count; i++) {
		const struct factor *factor = &filesystem->factors[i];

		for (size_t k = 0; k < factor->level_count; k++) {
			const struct level *level = &factor->levels[k];
			const char *word = level->token;

			if (word == NULL && !factor->is_toggle)
				word = arena_printf(binder->arena, "%s=%s",
				    factor->name, level->name);
			if (word != NULL && strcmp(word, token) == 0)
				return true;
			add_name(names, word);
		}
	}
	return false;
}

static void
check_tokens(struct binder *binder, const struct outline_section *top,
    const struct filesystem *filesystem, const char *tokens)
{
	char *rest = arena_strdup(binder->arena, tokens), *token;

	if (strcmp(tokens, "default") == 0)
		return;
	while ((token = strsep(&rest, "+")) != NULL) {
		struct names names = { .count = 0 };

		if (has_token(binder, filesystem, token, &names))
			continue;
		bind_complain(binder, top, bind_position(top, "baseline"),
		    "baseline: filesystem '%s' has no option '%s' that varies%s",
		    filesystem->title, token,
		    bind_hint(binder,
			suggest_nearest(token, names.items, names.count)));
	}
}

void
bind_baseline(struct binder *binder, const struct outline_section *top,
    bool are_filesystems_sound)
{
	const char *key = binder->matrix->baseline;
	const char *colon = strchr(key, ':');
	const struct filesystem *filesystem;
	struct names names = { .count = 0 };
	struct position at = bind_position(top, "baseline");
	const char *title;

	binder->matrix->baseline_at = at;
	if (strcmp(key, "default") == 0)
		return;
	if (colon == NULL) {
		bind_complain(binder, top, at,
		    "baseline: '%s' is neither default nor the key of a cell, "
		    "FILESYSTEM:OPTIONS",
		    key);
		return;
	}
	title = arena_strndup(binder->arena, key, (size_t)(colon - key));
	filesystem = find_filesystem(binder->matrix, title, &names);
	if (filesystem == NULL)
		bind_complain(binder, top, at,
		    "baseline: there is no filesystem '%s'%s", title,
		    bind_hint(binder,
			suggest_nearest(title, names.items, names.count)));
	else if (are_filesystems_sound)
		check_tokens(binder, top, filesystem, colon + 1);
}
