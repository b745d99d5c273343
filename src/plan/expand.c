#include "plan/expand.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/effect.h"
#include "plan/plan_make.h"

/* Beyond this not even --yes helps: a night has no million cells. */
enum { MOST_EVER = 1000000 };

/* One filesystem being expanded. */
struct expansion {
	const struct filesystem *filesystem;
	struct arena *arena;
	const struct level **chosen; /* one per factor */
	size_t *at;                  /* its index among the levels */
};

static size_t
product(const struct filesystem *filesystem)
{
	size_t count = 1;

	if (filesystem->only_count > 0)
		return filesystem->only_count;
	for (size_t i = 0; i < filesystem->factor_count; i++) {
		size_t levels = filesystem->factors[i].level_count;

		if (levels == 0)
			return 0;
		if (count > MOST_EVER * (size_t)10 / levels)
			return SIZE_MAX / 4;
		count *= levels;
	}
	return count;
}

static void
start(struct expansion *expansion, const struct filesystem *filesystem,
    struct arena *arena)
{
	size_t count = filesystem->factor_count + 1;

	expansion->filesystem = filesystem;
	expansion->arena = arena;
	expansion->chosen = arena_array(arena, count, sizeof(struct level *));
	expansion->at = arena_array(arena, count, sizeof(size_t));
}

/* Takes the indices over into the chosen levels. */
static void
choose(struct expansion *expansion)
{
	for (size_t i = 0; i < expansion->filesystem->factor_count; i++)
		expansion->chosen[i] =
		    &expansion->filesystem->factors[i].levels[expansion->at[i]];
}

/* The next combination, the first factor fastest; false after the last. */
static bool
step(struct expansion *expansion)
{
	const struct filesystem *filesystem = expansion->filesystem;

	for (size_t i = 0; i < filesystem->factor_count; i++) {
		if (++expansion->at[i] < filesystem->factors[i].level_count)
			return true;
		expansion->at[i] = 0;
	}
	return false;
}

static bool
is_word_of(
    const struct factor *factor, const struct level *level, const char *word)
{
	size_t length;

	if (level->token != NULL)
		return strcmp(level->token, word) == 0;
	length = strlen(factor->name);
	return !factor->is_toggle && strncmp(word, factor->name, length) == 0 &&
	       word[length] == '=' &&
	       strcmp(word + length + 1, level->name) == 0;
}

static bool
has_all(const struct expansion *expansion, const struct combination *rule)
{
	const struct filesystem *filesystem = expansion->filesystem;

	for (size_t t = 0; t < rule->count; t++) {
		bool found = false;

		for (size_t i = 0; i < filesystem->factor_count && !found; i++)
			found = is_word_of(&filesystem->factors[i],
			    expansion->chosen[i], rule->tokens[t]);
		if (!found)
			return false;
	}
	return true;
}

static bool
is_skipped(const struct expansion *expansion)
{
	const struct filesystem *filesystem = expansion->filesystem;

	for (size_t i = 0; i < filesystem->skip_count; i++)
		if (has_all(expansion, &filesystem->skip[i]))
			return true;
	return false;
}

/* The combination of "only": a factor it does not name is off, or stands at
 * its first level. */
static void
choose_only(struct expansion *expansion, const struct combination *rule)
{
	const struct filesystem *filesystem = expansion->filesystem;

	for (size_t i = 0; i < filesystem->factor_count; i++) {
		const struct factor *factor = &filesystem->factors[i];

		expansion->at[i] = 0;
		for (size_t k = 0; k < factor->level_count; k++)
			for (size_t t = 0; t < rule->count; t++)
				if (is_word_of(factor, &factor->levels[k],
					rule->tokens[t]))
					expansion->at[i] = k;
	}
	choose(expansion);
}

struct word {
	const char *text;
	int order;
	size_t factor;
};

static int
compare_words(const void *a, const void *b)
{
	const struct word *one = a, *two = b;

	if (one->order != two->order)
		return one->order < two->order ? -1 : 1;
	return (one->factor > two->factor) - (one->factor < two->factor);
}

/* "ufs:noatime+softupdates": tokens in the order of the driver's table. */
static const char *
make_key(const struct expansion *expansion)
{
	const struct filesystem *filesystem = expansion->filesystem;
	struct arena *arena = expansion->arena;
	struct word *words =
	    arena_array(arena, filesystem->factor_count + 1, sizeof *words);
	const char *key;
	size_t count = 0;

	for (size_t i = 0; i < filesystem->factor_count; i++) {
		const struct factor *factor = &filesystem->factors[i];
		const struct level *level = expansion->chosen[i];
		const char *text = level->token;

		if (text == NULL && factor->is_toggle)
			continue;
		if (text == NULL)
			text = arena_printf(
			    arena, "%s=%s", factor->name, level->name);
		words[count++] = (struct word){ text, level->order, i };
	}
	if (count == 0)
		return arena_printf(arena, "%s:default", filesystem->title);
	qsort(words, count, sizeof *words, compare_words);
	key = arena_printf(arena, "%s:%s", filesystem->title, words[0].text);
	for (size_t i = 1; i < count; i++)
		key = arena_printf(arena, "%s+%s", key, words[i].text);
	return key;
}

static struct cell_level *
make_levels(const struct expansion *expansion)
{
	const struct filesystem *filesystem = expansion->filesystem;
	struct cell_level *levels = arena_array(
	    expansion->arena, filesystem->factor_count + 1, sizeof *levels);

	for (size_t i = 0; i < filesystem->factor_count; i++)
		levels[i] = (struct cell_level){ filesystem->factors[i].name,
			expansion->chosen[i]->name,
			filesystem->factors[i].is_toggle };
	return levels;
}

static void
make_cell(const struct expansion *expansion, struct cell *cell)
{
	const struct filesystem *filesystem = expansion->filesystem;

	*cell = (struct cell){ .key = make_key(expansion),
		.filesystem = filesystem->title,
		.driver = filesystem->driver,
		.target = filesystem->target->title,
		.levels = make_levels(expansion),
		.level_count = filesystem->factor_count,
		.duplicate_of = NO_CELL };
	effect_apply(filesystem, expansion->chosen, expansion->arena, cell);
}

static void
add_cell(const struct expansion *expansion, struct plan *plan, size_t *capacity)
{
	struct cell cell;

	if (is_skipped(expansion))
		return;
	make_cell(expansion, &cell);
	if (expansion->filesystem->only_count > 0 &&
	    plan_find_cell(plan, cell.key) != NO_CELL)
		return; /* "only" says it twice */
	cell.index = plan->cell_count;
	plan->cells = arena_grow(expansion->arena, plan->cells,
	    plan->cell_count, capacity, sizeof *plan->cells);
	plan->cells[plan->cell_count++] = cell;
}

static void
expand_filesystem(const struct filesystem *filesystem, struct arena *arena,
    struct plan *plan, size_t *capacity)
{
	struct expansion expansion;

	start(&expansion, filesystem, arena);
	if (filesystem->only_count > 0) {
		for (size_t i = 0; i < filesystem->only_count; i++) {
			choose_only(&expansion, &filesystem->only[i]);
			add_cell(&expansion, plan, capacity);
		}
		return;
	}
	if (product(filesystem) == 0)
		return;
	do {
		choose(&expansion);
		add_cell(&expansion, plan, capacity);
	} while (step(&expansion));
}

/* How many cells are left when the rules have been applied, without making
 * them. */
static size_t
count_cells(const struct filesystem *filesystem, struct arena *arena)
{
	struct expansion expansion;
	size_t count = 0;

	if (filesystem->only_count > 0 || filesystem->skip_count == 0)
		return product(filesystem);
	if (product(filesystem) == 0 ||
	    product(filesystem) > MOST_EVER * (size_t)10)
		return product(filesystem);
	start(&expansion, filesystem, arena);
	do {
		choose(&expansion);
		if (!is_skipped(&expansion))
			count++;
	} while (step(&expansion));
	return count;
}

/* True when "skip" leaves no cell of what the filesystem asks for: it would be
 * missing from the ranking without a word. */
static bool
is_all_skipped(const struct filesystem *filesystem, struct arena *arena)
{
	struct expansion expansion;

	if (filesystem->skip_count == 0 || product(filesystem) == 0 ||
	    product(filesystem) > MOST_EVER * (size_t)10)
		return false;
	start(&expansion, filesystem, arena);
	for (size_t i = 0; i < filesystem->only_count; i++) {
		choose_only(&expansion, &filesystem->only[i]);
		if (!is_skipped(&expansion))
			return false;
	}
	if (filesystem->only_count > 0)
		return true;
	do {
		choose(&expansion);
		if (!is_skipped(&expansion))
			return false;
	} while (step(&expansion));
	return true;
}

static int
check_count(const struct matrix *matrix, bool allow_many, struct arena *arena,
    struct error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->filesystem_count; i++) {
		if (is_all_skipped(&matrix->filesystems[i], arena))
			return error_set_kind(err, ERROR_USAGE,
			    "%s:%d: filesystem '%s': no cell is left: skip "
			    "leaves none",
			    matrix->filesystems[i].at.file,
			    matrix->filesystems[i].at.line,
			    matrix->filesystems[i].title);
		count += count_cells(&matrix->filesystems[i], arena);
		if (count >= SIZE_MAX / 4)
			return error_set_kind(err, ERROR_USAGE,
			    "%s:%d: filesystem '%s' has too many cells to "
			    "count; at most %d are possible",
			    matrix->filesystems[i].at.file,
			    matrix->filesystems[i].at.line,
			    matrix->filesystems[i].title, MOST_EVER);
	}
	if (count > MOST_EVER)
		return error_set_kind(err, ERROR_USAGE,
		    "%s: %zu cells; at most %d are possible", matrix->path,
		    count, MOST_EVER);
	if (count > PLAN_MOST_CELLS && !allow_many)
		return error_set_kind(err, ERROR_USAGE,
		    "%s: %zu cells, more than %d; if that is meant, say --yes",
		    matrix->path, count, PLAN_MOST_CELLS);
	return 0;
}

int
expand_cells(const struct matrix *matrix, bool allow_many, struct arena *arena,
    struct plan *plan, struct error *err)
{
	size_t capacity = 0;

	if (check_count(matrix, allow_many, arena, err) == -1)
		return -1;
	for (size_t i = 0; i < matrix->filesystem_count; i++)
		expand_filesystem(
		    &matrix->filesystems[i], arena, plan, &capacity);
	return 0;
}
