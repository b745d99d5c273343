/*
 * A/A controls: cells that are the same thing, by their options in force or
 * because the matrix names one twice.
 */
#include <math.h>
#include <string.h>

#include "analysis/rank.h"

static bool
have_same_levels(const struct series_cell *a, const struct series_cell *b)
{
	if (a->factor_count == 0 || a->factor_count != b->factor_count ||
	    strcmp(a->family, b->family) != 0)
		return false;
	for (size_t f = 0; f < a->factor_count; f++) {
		const char *level = series_level(b, a->factors[f].name);

		if (level == NULL || strcmp(a->factors[f].level, level) != 0)
			return false;
	}
	return true;
}

/* The cell that this one repeats, or SERIES_NONE. */
static size_t
original_of(const struct series_table *table, size_t cell)
{
	const char *key = table->cells[cell].duplicate_of;

	if (key != NULL)
		return series_find_cell(table, key);
	for (size_t i = 0; i < cell; i++) {
		if (have_same_levels(&table->cells[i], &table->cells[cell]))
			return i;
	}
	return SERIES_NONE;
}

static void
compare(struct ranking_control *control, const struct rank_context *context)
{
	size_t a = context->ranked_at[control->cell];
	size_t b = context->ranked_at[control->duplicate];
	double gap;
	double half;

	control->pct = NAN;
	control->ci_lo = NAN;
	control->ci_hi = NAN;
	if (a == SERIES_NONE || b == SERIES_NONE)
		return;
	gap = context->value[b] - context->value[a];
	half = rank_half_width(context, a, b);
	control->compared = true;
	control->pct = 100 * expm1(gap);
	control->ci_lo = 100 * expm1(gap - half);
	control->ci_hi = 100 * expm1(gap + half);
	control->claimed =
	    context->stepdown->different[a * context->ranked_count + b];
}

void
rank_fill_controls(struct ranking *ranking, struct rank_context *context)
{
	const struct series_table *table = context->table;
	struct ranking_control *controls = arena_array(
	    context->arena, table->cell_count + 1, sizeof(*controls));
	size_t count = 0;

	for (size_t i = 0; i < table->cell_count; i++) {
		size_t original = original_of(table, i);

		if (original == SERIES_NONE || original == i)
			continue;
		controls[count].cell = original;
		controls[count].duplicate = i;
		compare(&controls[count++], context);
	}
	ranking->controls = controls;
	ranking->control_count = count;
}
