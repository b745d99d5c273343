#include "analysis/outlier.h"

#include <math.h>

#include "analysis/special.h"

static const double flag_p = 0.05;
static const double aside_p = 0.001;

/* One run against all others. */
struct suspect {
	size_t at; /* in the night */
	double t, p, excess;
	bool has_twin; /* another run is as far out: no telling which */
};

struct search {
	const struct series_table *table;
	struct arena *arena;
	struct night *night;
	struct fit *fit;
	size_t *original; /* runs of each cell of the table */
	size_t limit;
	bool *refused; /* runs of the table that must stay */
};

/* t of a run whose own weight in the fit is left out. */
static double
studentised(const struct fit *fit, size_t i)
{
	double e = fit->residual[i];
	double room = fit->s2 * fit->df * (1 - fit->leverage[i]) - e * e;

	if (1 - fit->leverage[i] < 1e-9 || fit->s2 <= 0)
		return 0;
	if (room <= 1e-12 * e * e)
		return copysign(1e6, e);
	return e * sqrt((fit->df - 1) / room);
}

static double
corrected_p(const struct fit *fit, double t)
{
	return fmin(
	    1, (double)fit->run_count * special_t_two_sided(t, fit->df - 1));
}

/* The run furthest out of those that may still be set aside. */
static bool
find_worst(const struct search *search, struct suspect *worst)
{
	const struct fit *fit = search->fit;
	bool found = false;

	for (size_t i = 0; i < fit->run_count; i++) {
		double t = studentised(fit, i);

		if (search->refused[search->night->run_index[i]])
			continue;
		if (found &&
		    fabs(fabs(t) - fabs(worst->t)) < 1e-7 * fabs(worst->t))
			worst->has_twin = true;
		if (found && fabs(t) <= fabs(worst->t))
			continue;
		if (!found || fabs(t) - fabs(worst->t) >= 1e-7 * fabs(worst->t))
			worst->has_twin = false;
		worst->at = i;
		worst->t = t;
		found = true;
	}
	if (!found)
		return false;
	worst->p = corrected_p(fit, worst->t);
	return true;
}

static void
record(struct outliers *outliers, const struct search *search,
    const struct suspect *suspect, bool set_aside)
{
	const struct fit *fit = search->fit;
	struct ranking_outlier *item = &outliers->items[outliers->count++];
	double deleted =
	    fit->residual[suspect->at] / (1 - fit->leverage[suspect->at]);

	item->run = search->night->run_index[suspect->at];
	item->t = suspect->t;
	item->df = fit->df - 1;
	item->p = suspect->p;
	item->excess_pct = 100 * expm1(deleted);
	item->set_aside = set_aside;
}

static bool
may_go(
    const struct outliers *outliers, const struct search *search, size_t cell)
{
	size_t n = search->original[cell];

	return n >= 3 && outliers->set_aside[cell] < n / 3 &&
	       outliers->set_aside_count < search->limit;
}

static void
fit_again(struct search *search, const struct outliers *outliers)
{
	search->night =
	    night_prepare(search->table, outliers->skip, search->arena);
	search->fit = night_fit(search->night, search->arena);
}

/* Sets aside what must be, one run at a time. */
static void
set_runs_aside(struct outliers *outliers, struct search *search)
{
	struct suspect worst = { 0 };

	while (search->fit->df >= 2 && find_worst(search, &worst) &&
	       worst.p < aside_p) {
		size_t run = search->night->run_index[worst.at];
		size_t cell = search->table->runs[run].cell;

		if (worst.has_twin) {
			search->refused[run] = true;
		} else if (!may_go(outliers, search, cell)) {
			search->refused[run] = true;
			outliers->is_erratic[cell] = true;
		} else {
			record(outliers, search, &worst, true);
			outliers->skip[run] = true;
			outliers->set_aside[cell]++;
			outliers->set_aside_count++;
			fit_again(search, outliers);
		}
	}
}

static void
flag_the_rest(struct outliers *outliers, const struct search *search)
{
	const struct fit *fit = search->fit;

	if (fit->df < 2)
		return;
	for (size_t i = 0; i < fit->run_count; i++) {
		struct suspect suspect = { .at = i };

		suspect.t = studentised(fit, i);
		suspect.p = corrected_p(fit, suspect.t);
		outliers->next_p = fmin(outliers->next_p, suspect.p);
		if (suspect.p >= flag_p)
			continue;
		record(outliers, search, &suspect, false);
		outliers->flagged[search->night
				      ->cells[search->night->runs[i].cell]]++;
	}
}

struct outliers *
outliers_find(
    const struct series_table *table, bool may_set_aside, struct arena *arena)
{
	struct outliers *outliers = arena_alloc(arena, sizeof(*outliers));
	struct search search = { .table = table, .arena = arena };
	size_t runs = table->run_count + 1;
	size_t cells = table->cell_count + 1;

	outliers->items = arena_array(arena, runs, sizeof(*outliers->items));
	outliers->skip = arena_array(arena, runs, sizeof(bool));
	outliers->flagged = arena_array(arena, cells, sizeof(size_t));
	outliers->set_aside = arena_array(arena, cells, sizeof(size_t));
	outliers->is_erratic = arena_array(arena, cells, sizeof(bool));
	search.refused = arena_array(arena, runs, sizeof(bool));
	search.original = arena_array(arena, cells, sizeof(size_t));
	outliers->next_p = 1;
	fit_again(&search, outliers);
	if (search.fit == NULL)
		return outliers;
	for (size_t i = 0; i < search.night->run_count; i++)
		search.original[search.night
				    ->cells[search.night->runs[i].cell]]++;
	search.limit = search.night->run_count / 10;
	if (search.limit < 1)
		search.limit = 1;
	if (may_set_aside)
		set_runs_aside(outliers, &search);
	flag_the_rest(outliers, &search);
	return outliers;
}
