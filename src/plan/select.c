#include "plan/select.h"

#include <fnmatch.h>
#include <string.h>

#include "base/suggest.h"

/* True when each "+"-separated token of one is in the other. */
static bool
has_tokens(const char *key, const char *tokens)
{
	while (*tokens != '\0') {
		size_t length = strcspn(tokens, "+");
		const char *at = key;
		bool found = false;

		while (!found && *at != '\0') {
			size_t size = strcspn(at, "+");

			found =
			    size == length && memcmp(at, tokens, length) == 0;
			at += size + (at[size] == '+');
		}
		if (!found)
			return false;
		tokens += length + (tokens[length] == '+');
	}
	return true;
}

static bool
same_key(const char *a, const char *b)
{
	const char *colon = strchr(a, ':');
	size_t length;

	if (colon == NULL)
		return false;
	length = (size_t)(colon - a) + 1;
	return strncmp(a, b, length) == 0 && strlen(a) == strlen(b) &&
	       has_tokens(a + length, b + length) &&
	       has_tokens(b + length, a + length);
}

bool
select_matches(const char *pattern, const char *key)
{
	const char *colon = strchr(key, ':');
	char title[128];
	size_t length;

	if (strchr(pattern, ':') != NULL)
		return same_key(pattern, key) || fnmatch(pattern, key, 0) == 0;
	if (colon == NULL)
		return fnmatch(pattern, key, 0) == 0;
	length = (size_t)(colon - key);
	if (length >= sizeof title)
		return false;
	memcpy(title, key, length);
	title[length] = '\0';
	return fnmatch(pattern, title, 0) == 0;
}

size_t
select_find(const struct plan *plan, const char *key)
{
	for (size_t i = 0; i < plan->cell_count; i++)
		if (same_key(key, plan->cells[i].key))
			return i;
	return NO_CELL;
}

static const char *
nearest_key(const struct plan *plan, const char *key, struct arena *arena)
{
	const char **keys =
	    arena_array(arena, plan->cell_count + 1, sizeof(const char *));

	for (size_t i = 0; i < plan->cell_count; i++)
		keys[i] = plan->cells[i].key;
	return suggest_key(key, keys, plan->cell_count);
}

static int
refuse(const struct plan *plan, const char *what, const char *key,
    struct arena *arena, struct error *err)
{
	const char *nearest = nearest_key(plan, key, arena);

	if (nearest != NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "%s '%s' names no cell; did you mean '%s'?", what, key,
		    nearest);
	return error_set_kind(err, ERROR_USAGE,
	    "%s '%s' names no cell; the first one is '%s'", what, key,
	    plan->cell_count == 0 ? "none" : plan->cells[0].key);
}

int
select_only(struct plan *plan, const char *const *patterns, size_t count,
    struct arena *arena, struct error *err)
{
	bool *used = arena_array(arena, count + 1, sizeof(bool));
	bool *kept = arena_array(arena, plan->cell_count + 1, sizeof(bool));
	size_t left = 0;

	if (count == 0)
		return 0;
	for (size_t i = 0; i < plan->cell_count; i++)
		for (size_t p = 0; p < count; p++)
			if (select_matches(patterns[p], plan->cells[i].key))
				used[p] = kept[i] = true;
	for (size_t p = 0; p < count; p++)
		if (!used[p])
			return refuse(plan, "only", patterns[p], arena, err);
	for (size_t i = 0; i < plan->cell_count; i++) {
		if (!kept[i])
			continue;
		plan->cells[left] = plan->cells[i];
		plan->cells[left].index = left;
		left++;
	}
	plan->cell_count = left;
	return 0;
}

/* The level of a factor that changes nothing. */
static size_t
neutral_level(const struct factor *factor)
{
	for (size_t k = 0; k < factor->level_count; k++) {
		const struct level *level = &factor->levels[k];
		const struct option *option = level->option;

		if (factor->is_toggle && option != NULL &&
		    option_off_departs(option))
			return k;
		if (!factor->is_toggle &&
		    (level->token == NULL ||
			(option != NULL && option_is_default(option))))
			return k;
	}
	return 0;
}

static bool
is_default(const struct filesystem *filesystem, const struct cell *cell)
{
	for (size_t i = 0; i < filesystem->factor_count; i++) {
		const struct factor *factor = &filesystem->factors[i];

		if (factor->level_count > 0 &&
		    strcmp(cell->levels[i].level,
			factor->levels[neutral_level(factor)].name) != 0)
			return false;
	}
	return true;
}

/* The filesystem's own default, or its first cell that runs. */
static struct cell *
default_of(const struct filesystem *filesystem, struct plan *plan)
{
	struct cell *first = NULL;

	for (size_t i = 0; i < plan->cell_count; i++) {
		struct cell *cell = &plan->cells[i];

		if (strcmp(cell->filesystem, filesystem->title) != 0)
			continue;
		if (is_default(filesystem, cell))
			return cell;
		if (first == NULL && cell_status_runs(cell->status))
			first = cell;
	}
	return first;
}

int
select_baseline(const struct matrix *matrix, const char *baseline,
    struct arena *arena, struct plan *plan, struct error *err)
{
	size_t found;

	if (strcmp(baseline, "default") == 0) {
		plan->baseline = baseline;
		for (size_t i = 0; i < matrix->filesystem_count; i++) {
			struct cell *cell =
			    default_of(&matrix->filesystems[i], plan);

			if (cell != NULL)
				cell->is_baseline = true;
		}
		return 0;
	}
	found = select_find(plan, baseline);
	if (found == NO_CELL && baseline == matrix->baseline &&
	    matrix->baseline_at.line > 0) {
		(void)refuse(plan, "baseline", baseline, arena, err);
		return error_wrap(err, "%s:%d", matrix->baseline_at.file,
		    matrix->baseline_at.line);
	}
	if (found == NO_CELL)
		return refuse(plan, "baseline", baseline, arena, err);
	plan->cells[found].is_baseline = true;
	plan->baseline = plan->cells[found].key;
	return 0;
}
