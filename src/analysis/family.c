#include "analysis/family.h"

#include <string.h>

/* The index of the level, added when new. */
static size_t
level_index(struct family_factor *factor, const char *level)
{
	for (size_t i = 0; i < factor->level_count; i++) {
		if (strcmp(factor->levels[i], level) == 0)
			return i;
	}
	factor->levels[factor->level_count] = level;
	return factor->level_count++;
}

static bool
belongs(const struct night *night, size_t cell, const char *name)
{
	return night->dense[cell] != SERIES_NONE &&
	       strcmp(night->table->cells[cell].family, name) == 0;
}

static bool
is_on_and_off(const struct family_factor *factor)
{
	size_t on = strcmp(factor->levels[0], "on") == 0 ? 0 : 1;

	return strcmp(factor->levels[on], "on") == 0 &&
	       strcmp(factor->levels[1 - on], "off") == 0;
}

static void
name_levels(struct family_factor *factor, bool is_toggle, struct arena *arena)
{
	if (is_toggle) {
		factor->levels[0] = "off";
		factor->levels[1] = "on";
		factor->option = factor->name;
		factor->with = arena_printf(arena, "with %s", factor->name);
		factor->without =
		    arena_printf(arena, "without %s", factor->name);
		return;
	}
	factor->option =
	    arena_printf(arena, "%s=%s", factor->name, factor->levels[1]);
	factor->with = arena_printf(arena, "with %s", factor->option);
	factor->without =
	    arena_printf(arena, "with %s=%s", factor->name, factor->levels[0]);
}

/* Collects the levels of one factor; false when it does not vary. */
static bool
make_factor(struct family_factor *factor, const struct night *night,
    const char *name, size_t source, struct arena *arena)
{
	const struct series_table *table = night->table;
	bool is_toggle = true;

	factor->source = source;
	factor->level_count = 0;
	factor->levels =
	    arena_array(arena, table->cell_count + 2, sizeof(*factor->levels));
	for (size_t i = 0; i < table->cell_count; i++) {
		const struct series_cell *cell = &table->cells[i];

		if (!belongs(night, i, name) || source >= cell->factor_count)
			continue;
		factor->name = cell->factors[source].name;
		is_toggle &= cell->factors[source].is_toggle;
		(void)level_index(factor, cell->factors[source].level);
	}
	if (factor->level_count < 2)
		return false;
	if (factor->level_count == 2)
		name_levels(factor, is_toggle && is_on_and_off(factor), arena);
	return true;
}

/* Cells without all of the factors make no design. */
static size_t
common_factors(const struct night *night, const char *name)
{
	const struct series_table *table = night->table;
	size_t least = SERIES_NONE;

	for (size_t i = 0; i < table->cell_count; i++) {
		if (belongs(night, i, name) &&
		    table->cells[i].factor_count < least)
			least = table->cells[i].factor_count;
	}
	return least == SERIES_NONE ? 0 : least;
}

static size_t
find_combination(const struct family *family, const size_t *levels)
{
	size_t size = family->factor_count * sizeof(*levels);

	for (size_t c = 0; c < family->combination_count; c++) {
		if (memcmp(&family->levels[c * family->factor_count], levels,
			size) == 0)
			return c;
	}
	return SERIES_NONE;
}

static void
make_combinations(
    struct family *family, const struct night *night, struct arena *arena)
{
	const struct series_table *table = night->table;
	size_t p = family->factor_count;
	size_t *levels = arena_array(arena, p + 1, sizeof(*levels));

	family->levels = arena_array(
	    arena, table->cell_count * p + 1, sizeof(*family->levels));
	family->combination_of = arena_array(
	    arena, table->cell_count + 1, sizeof(*family->combination_of));
	for (size_t i = 0; i < table->cell_count; i++) {
		size_t at;

		family->combination_of[i] = SERIES_NONE;
		if (!belongs(night, i, family->name))
			continue;
		for (size_t f = 0; f < p; f++) {
			struct family_factor *factor = &family->factors[f];

			levels[f] = level_index(factor,
			    table->cells[i].factors[factor->source].level);
		}
		at = find_combination(family, levels);
		if (at == SERIES_NONE) {
			at = family->combination_count++;
			memcpy(&family->levels[at * p], levels,
			    p * sizeof(*levels));
		}
		family->combination_of[i] = at;
	}
}

static void
take_runs(struct family *family, const struct night *night, struct arena *arena)
{
	size_t *block_of =
	    arena_array(arena, night->block_count + 1, sizeof(*block_of));

	family->runs =
	    arena_array(arena, night->run_count + 1, sizeof(*family->runs));
	for (size_t i = 0; i < night->run_count; i++) {
		const struct fit_run *run = &night->runs[i];
		size_t at = family->combination_of[night->cells[run->cell]];

		if (at == SERIES_NONE)
			continue;
		if (block_of[run->block] == 0)
			block_of[run->block] = ++family->block_count;
		family->runs[family->run_count].cell = at;
		family->runs[family->run_count].block =
		    block_of[run->block] - 1;
		family->runs[family->run_count++].y = run->y;
		family->clock_variance += night_clock_variance(night, run->y);
	}
	if (family->run_count > 0)
		family->clock_variance /= (double)family->run_count;
}

static bool
is_complete(const struct family *family)
{
	size_t all = 1;

	for (size_t f = 0; f < family->factor_count; f++) {
		if (family->factors[f].level_count != 2)
			return false;
		all *= 2;
	}
	return family->combination_count == all;
}

/* False when nothing varies in it. */
static bool
make_family(struct family *family, const struct night *night, const char *name,
    struct arena *arena)
{
	size_t factors = common_factors(night, name);

	family->name = name;
	family->factors =
	    arena_array(arena, factors + 1, sizeof(*family->factors));
	for (size_t f = 0; f < factors; f++) {
		if (family->factor_count == FAMILY_MAX_FACTORS)
			break;
		if (make_factor(&family->factors[family->factor_count], night,
			name, f, arena))
			family->factor_count++;
	}
	if (family->factor_count == 0)
		return false;
	make_combinations(family, night, arena);
	take_runs(family, night, arena);
	family->is_complete = is_complete(family);
	return true;
}

struct family *
family_list(const struct night *night, size_t *count, struct arena *arena)
{
	const struct series_table *table = night->table;
	struct family *families =
	    arena_array(arena, table->cell_count + 1, sizeof(*families));

	*count = 0;
	for (size_t i = 0; i < table->cell_count; i++) {
		const char *name = table->cells[i].family;
		bool is_new = true;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = strcmp(table->cells[j].family, name) != 0;
		if (!is_new)
			continue;
		memset(&families[*count], 0, sizeof(*families));
		if (make_family(&families[*count], night, name, arena))
			(*count)++;
	}
	return families;
}

int
family_sign(const struct family *family, size_t combination, size_t factor)
{
	return family->levels[combination * family->factor_count + factor] == 0
		   ? -1
		   : 1;
}

int
family_product(const struct family *family, size_t combination, unsigned set)
{
	int product = 1;

	for (size_t f = 0; f < family->factor_count; f++) {
		if (set & 1U << f)
			product *= family_sign(family, combination, f);
	}
	return product;
}
