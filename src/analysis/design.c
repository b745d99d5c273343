#include "analysis/design.h"

size_t
design_set_size(unsigned set)
{
	size_t size = 0;

	for (; set != 0; set &= set - 1)
		size++;
	return size;
}

/* Steps to the next set of "size" out of "count", in lexical order. */
static bool
next_choice(size_t *choice, size_t size, size_t count)
{
	for (size_t i = size; i-- > 0;) {
		if (choice[i] == count - size + i)
			continue;
		choice[i]++;
		for (size_t j = i + 1; j < size; j++)
			choice[j] = choice[j - 1] + 1;
		return true;
	}
	return false;
}

unsigned *
design_sets(size_t count, size_t order, size_t *set_count, struct arena *arena)
{
	size_t choice[FAMILY_MAX_FACTORS];
	size_t capacity = 32;
	unsigned *sets = arena_array(arena, capacity, sizeof(*sets));

	*set_count = 0;
	if (count > FAMILY_MAX_FACTORS)
		count = FAMILY_MAX_FACTORS;
	for (size_t size = 1; size <= order && size <= count; size++) {
		for (size_t i = 0; i < size; i++)
			choice[i] = i;
		do {
			unsigned set = 0;

			for (size_t i = 0; i < size; i++)
				set |= 1U << choice[i];
			if (*set_count == capacity)
				sets = arena_grow(arena, sets, *set_count,
				    &capacity, sizeof(*sets));
			sets[(*set_count)++] = set;
		} while (next_choice(choice, size, count));
	}
	return sets;
}

/* Columns of one term; also says whether it is a plain effect. */
static size_t
term_columns(const struct family *family, unsigned set, bool *is_effect)
{
	size_t columns = 1;

	*is_effect = true;
	for (size_t f = 0; f < family->factor_count; f++) {
		if (!(set & 1U << f))
			continue;
		columns *= family->factors[f].level_count - 1;
		if (family->factors[f].level_count > 2)
			*is_effect = false;
	}
	return columns;
}

/* Value of a factor's code "part" in a combination. */
static double
code(const struct family *family, size_t combination, size_t f, size_t part)
{
	const struct family_factor *factor = &family->factors[f];
	size_t level = family->levels[combination * family->factor_count + f];

	if (factor->level_count == 2)
		return level == 0 ? -1 : 1;
	if (level == factor->level_count - 1)
		return -1;
	return level == part ? 1 : 0;
}

/* Value of column "number" of a term in a combination. */
static double
term_value(const struct family *family, const struct design_term *term,
    size_t combination, size_t number)
{
	double value = term->is_effect ? 0.5 : 1;

	for (size_t f = 0; f < family->factor_count; f++) {
		size_t levels = family->factors[f].level_count;
		size_t parts = levels > 2 ? levels - 1 : 1;

		if (!(term->set & 1U << f))
			continue;
		value *= code(family, combination, f, number % parts);
		number /= parts;
	}
	return value;
}

static double *
new_column(struct design *design, struct arena *arena)
{
	double *column =
	    arena_array(arena, design->family->run_count, sizeof(*column));

	design->columns[design->column_count++] = column;
	return column;
}

static void
add_term(struct design *design, unsigned set, struct arena *arena)
{
	const struct family *family = design->family;
	struct design_term *term = &design->terms[design->term_count++];

	term->set = set;
	term->order = design_set_size(set);
	term->first_column = design->column_count;
	term->column_count = term_columns(family, set, &term->is_effect);
	for (size_t c = 0; c < term->column_count; c++) {
		double *column = new_column(design, arena);

		for (size_t i = 0; i < family->run_count; i++)
			column[i] =
			    term_value(family, term, family->runs[i].cell, c);
	}
}

static void
add_mean_and_blocks(struct design *design, struct arena *arena)
{
	const struct family *family = design->family;
	double *mean = new_column(design, arena);

	for (size_t i = 0; i < family->run_count; i++)
		mean[i] = 1;
	for (size_t b = 1; b < family->block_count; b++) {
		double *column = new_column(design, arena);

		for (size_t i = 0; i < family->run_count; i++)
			column[i] = family->runs[i].block == b;
	}
	design->block_columns = design->column_count - 1;
}

size_t
design_size(const struct family *family, size_t order)
{
	/* sum over sets of the product of (levels - 1), by polynomial */
	double sums[FAMILY_MAX_FACTORS + 1] = { 1 };
	double size = 1;

	if (family->factor_count > FAMILY_MAX_FACTORS)
		return SERIES_NONE;
	for (size_t f = 0; f < family->factor_count; f++) {
		double parts = (double)family->factors[f].level_count - 1;

		for (size_t o = f + 1; o > 0; o--)
			sums[o] += parts * sums[o - 1];
	}
	for (size_t o = 1; o <= order && o <= family->factor_count; o++)
		size += sums[o];
	return (size_t)size - 1 +
	       (family->block_count > 0 ? family->block_count : 1);
}

struct design *
design_make(const struct family *family, size_t order, unsigned only,
    struct arena *arena)
{
	struct design *design = arena_alloc(arena, sizeof(*design));
	size_t set_count;
	const unsigned *sets =
	    design_sets(family->factor_count, order, &set_count, arena);

	design->family = family;
	design->columns = arena_array(
	    arena, design_size(family, order) + 1, sizeof(double *));
	design->terms =
	    arena_array(arena, set_count + 1, sizeof(*design->terms));
	add_mean_and_blocks(design, arena);
	for (size_t i = 0; i < set_count; i++) {
		if ((sets[i] & ~only) == 0)
			add_term(design, sets[i], arena);
	}
	return design;
}

const char **
design_options(const struct family *family, unsigned set, struct arena *arena)
{
	const char **options =
	    arena_array(arena, family->factor_count + 1, sizeof(*options));
	size_t count = 0;

	for (size_t f = 0; f < family->factor_count; f++)
		if (set & 1U << f)
			options[count++] = family->factors[f].option;
	return options;
}

const char *
design_name(const struct family *family, unsigned set, struct arena *arena)
{
	const char *name = NULL;

	for (size_t f = 0; f < family->factor_count; f++) {
		const struct family_factor *factor = &family->factors[f];
		const char *part =
		    factor->level_count == 2 ? factor->option : factor->name;

		if (!(set & 1U << f))
			continue;
		name = name == NULL ? part
				    : arena_printf(arena, "%s:%s", name, part);
	}
	return name == NULL ? "" : name;
}
