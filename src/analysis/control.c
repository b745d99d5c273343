/*
 * A/A controls: cells that are the same thing, by their options in force or
 * because the matrix names one twice.
 */
#include <math.h>
#include <string.h>

#include "analysis/rank.h"

/* The cell that this one repeats, or SERIES_NONE. */
static size_t
original_of(const struct series_table *table, size_t cell)
{
	const char *key = table->cells[cell].duplicate_of;

	return key == NULL ? SERIES_NONE : series_find_cell(table, key);
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
