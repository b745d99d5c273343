/*
 * Cells ranked by what their options do, from the effects that are certain.
 *
 * Far sharper than the cell table, and assumes that the effects not found are
 * not there: so it is only made when lack of fit gives no reason to doubt it.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/effects.h"
#include "analysis/holm.h"
#include "analysis/special.h"
#include "analysis/stepdown.h"

static const double select_alpha = 0.025;
static const double lof_limit = 0.10;
/* Two logarithms nearer than this are the same number. */
static const double same_log = 1e-9;

static void
select_effects(struct by_options *by_options, const struct effect_list *list,
    struct arena *arena)
{
	double *p = arena_array(arena, list->count + 1, sizeof(*p));
	bool *chosen = arena_array(arena, list->count + 1, sizeof(*chosen));
	size_t *selected =
	    arena_array(arena, list->count + 1, sizeof(*selected));

	for (size_t i = 0; i < list->count; i++)
		p[i] = list->effects[i].p;
	holm_mark(p, chosen, list->count, select_alpha, arena);
	for (size_t i = 0; i < list->count; i++) {
		if (chosen[i])
			selected[by_options->selected_count++] = i;
	}
	by_options->selected = selected;
}

static bool
is_selected(const struct by_options *by_options, size_t effect)
{
	for (size_t i = 0; i < by_options->selected_count; i++) {
		if (by_options->selected[i] == effect)
			return true;
	}
	return false;
}

/* F of the effects not selected against the noise. */
static void
test_lack_of_fit(struct by_options *by_options, const struct effect_list *list)
{
	double sum = 0;

	for (size_t i = 0; i < list->count; i++) {
		double log = list->effects[i].log;

		/* without any noise all that differ are selected */
		if (!is_selected(by_options, i) && list->variance[i] > 0)
			sum += log * log / list->variance[i];
	}
	by_options->lof_df1 =
	    (double)(list->count - by_options->selected_count);
	by_options->lof_df2 = list->df;
	by_options->lof_f = sum / by_options->lof_df1;
	by_options->lof_p = by_options->lof_df1 < 1
				? 1
				: special_f_upper(by_options->lof_f,
				      by_options->lof_df1, list->df);
}

/* Pairs whose predictions differ, by Scheffe over the selected effects. */
static struct stepdown *
test_pairs(const struct by_options *by_options, const struct effect_list *list,
    const struct family *family, const double *value, struct arena *arena)
{
	size_t k = family->combination_count;
	struct stepdown *stepdown = arena_alloc(arena, sizeof(*stepdown));

	stepdown->count = k;
	stepdown->different = arena_array(arena, k * k, sizeof(bool));
	stepdown->rank_lo = arena_array(arena, k, sizeof(int));
	stepdown->rank_hi = arena_array(arena, k, sizeof(int));
	for (size_t pair = 0; pair < k * k; pair++) {
		size_t i = pair / k;
		size_t j = pair % k;
		double gap = fabs(value[i] - value[j]);
		double variance = 0;

		for (size_t s = 0; s < by_options->selected_count; s++) {
			size_t e = by_options->selected[s];

			if (family_product(family, i, list->sets[e]) !=
			    family_product(family, j, list->sets[e]))
				variance += list->variance[e];
		}
		stepdown->different[pair] =
		    gap > same_log &&
		    gap > by_options->scheffe * sqrt(variance);
	}
	stepdown_ranges(stepdown, value);
	return stepdown;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct by_options_row *x = a;
	const struct by_options_row *y = b;

	if (x->slower_pct != y->slower_pct)
		return x->slower_pct < y->slower_pct ? -1 : 1;
	return (x->cell > y->cell) - (x->cell < y->cell);
}

static double *
predict(const struct by_options *by_options, const struct effect_list *list,
    const struct family *family, struct arena *arena)
{
	size_t k = family->combination_count;
	double *value = arena_array(arena, k, sizeof(*value));

	for (size_t i = 0; i < k; i++) {
		for (size_t s = 0; s < by_options->selected_count; s++) {
			size_t e = by_options->selected[s];

			value[i] += list->effects[e].log / 2 *
				    family_product(family, i, list->sets[e]);
		}
	}
	return value;
}

/* The grand mean of y that the predictions are deviations from. */
static double
grand_level(const struct fit *fit)
{
	double sum = 0;

	for (size_t i = 0; i < fit->cell_count; i++)
		sum += fit_level(fit, i) / (double)fit->cell_count;
	return sum;
}

static void
make_rows(struct by_options *by_options, const struct effect_list *list,
    const struct family *family, const struct fit *fit,
    const struct night *night, struct arena *arena)
{
	size_t cells = night->table->cell_count;
	struct by_options_row *rows =
	    arena_array(arena, cells + 1, sizeof(*rows));
	const double *value = predict(by_options, list, family, arena);
	const struct stepdown *stepdown =
	    test_pairs(by_options, list, family, value, arena);
	double level = grand_level(fit);
	double best = INFINITY;
	size_t count = 0;

	for (size_t i = 0; i < family->combination_count; i++)
		best = fmin(best, value[i]);
	for (size_t i = 0; i < cells; i++) {
		size_t at = family->combination_of[i];
		struct by_options_row *row = &rows[count];

		if (at == SERIES_NONE)
			continue;
		row->cell = i;
		row->estimate = night_value(night, level + value[at]);
		row->slower_pct = 100 * expm1(value[at] - best);
		row->rank_lo = stepdown->rank_lo[at];
		row->rank_hi = stepdown->rank_hi[at];
		row->place = row->rank_lo;
		row->tied = stepdown_is_tied(stepdown, at);
		count++;
	}
	qsort(rows, count, sizeof(*rows), compare_rows);
	by_options->rows = rows;
	by_options->row_count = count;
}

static void
find_scheffe(struct by_options *by_options, double df)
{
	double count = (double)by_options->selected_count;

	by_options->scheffe =
	    by_options->selected_count == 1
		? special_t_quantile(select_alpha / 2, df)
		: sqrt(count * special_f_quantile(select_alpha, count, df));
}

void
effects_by_options(struct by_options *by_options,
    const struct effect_list *list, const struct family *family,
    const struct fit *fit, const struct night *night, struct arena *arena)
{
	double runs = (double)fit->run_count / (double)fit->cell_count;

	by_options->scheffe = NAN;
	by_options->half_width_pct =
	    100 * expm1(special_t_quantile(0.025, list->df) *
			sqrt(list->variance[0]));
	select_effects(by_options, list, arena);
	test_lack_of_fit(by_options, list);
	if (runs < 3) {
		by_options->reason = "fewer than three blocks";
		return;
	}
	if (by_options->selected_count == 0) {
		by_options->reason = "no option has a certain effect";
		return;
	}
	if (by_options->lof_p < lof_limit) {
		by_options->reason = "combinations have quirks of their own";
		return;
	}
	find_scheffe(by_options, list->df);
	make_rows(by_options, list, family, fit, night, arena);
	by_options->available = true;
}
