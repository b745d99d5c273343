#include "analysis/outlier.h"

#include <math.h>

#include "analysis/special.h"

static const double flag_p = 0.05;
static const double aside_p = 0.001;
/* Two t nearer than this are mirror images in one block of two cells. */
static const double twin_share = 1e-6;

/* What t is where the others show no noise at all, and how many degrees of
 * freedom they need then: fewer agree by the rounding of their values. */
static const double endless_t = 1e6;
static const double enough_df = 5;

/* One run against all others. */
struct suspect {
	size_t at; /* in the night */
	double t, p, excess;
};

/*
 * The fit as runs are taken out of it.  Taking out run k changes
 *   e_j by h_jk e_k / (1 - h_kk),  h_ij by h_ik h_kj / (1 - h_kk),
 * exactly as a new fit would, at a fraction of the cost.
 */
struct search {
	const struct series_table *table;
	struct arena *arena;
	const struct night *night;
	const struct fit *fit; /* of all runs */
	size_t *original;      /* runs of each cell of the table */
	size_t limit;
	bool *is_refused; /* runs of the night that must stay */
	bool *is_out;     /* runs of the night that were set aside */

	double *residual, *leverage;
	double rss, df, count;
	double **hat; /* of each run set aside, when it was */
	double *room; /* 1 - h of it */
	size_t hat_count;
};

static double
search_s2(const struct search *search)
{
	double s2 = search->rss / search->df;

	return search->fit->is_clock ? fmax(s2, search->fit->s2) : s2;
}

/* t of a run whose own weight in the fit is left out. */
static double
studentised(const struct search *search, size_t i)
{
	double e = search->residual[i];
	double s2 = search_s2(search);
	double room = s2 * search->df * (1 - search->leverage[i]) - e * e;

	if (1 - search->leverage[i] < 1e-9 || s2 <= 0)
		return 0;
	if (room <= 1e-12 * e * e)
		return copysign(endless_t, e);
	return e * sqrt((search->df - 1) / room);
}

static double
corrected_p(const struct search *search, double t)
{
	return fmin(1, search->count * special_t_two_sided(t, search->df - 1));
}

/*
 * The run furthest out of those that may still be set aside.  In a block of
 * two cells both are equally far out, and leaving out either one leaves
 * nothing of the block: then it is the slower one that was disturbed.
 */
static bool
find_worst(const struct search *search, struct suspect *worst)
{
	bool found = false;

	worst->t = 0;
	for (size_t i = 0; i < search->night->run_count; i++) {
		double t;
		double ahead;

		if (search->is_refused[i] || search->is_out[i])
			continue;
		t = studentised(search, i);
		ahead = fabs(t) - fabs(worst->t);
		if (found && fabs(ahead) < twin_share * fabs(worst->t)) {
			if (t <= 0)
				continue;
		} else if (found && ahead <= 0) {
			continue;
		}
		worst->at = i;
		worst->t = t;
		found = true;
	}
	worst->p = corrected_p(search, worst->t);
	return found;
}

static size_t
cell_of(const struct search *search, size_t at)
{
	return search->table->runs[search->night->run_index[at]].cell;
}

static void
record(struct outliers *outliers, const struct search *search,
    const struct suspect *suspect, bool set_aside)
{
	struct ranking_outlier *item = &outliers->items[outliers->count++];
	double deleted =
	    search->residual[suspect->at] / (1 - search->leverage[suspect->at]);

	item->run = search->night->run_index[suspect->at];
	item->t = suspect->t;
	item->df = search->df - 1;
	item->p = suspect->p;
	item->excess_pct =
	    100 * expm1(search->night->is_rate ? -deleted : deleted);
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

/* Row k of the hat matrix as it is now. */
static double *
hat_row(const struct search *search, size_t k)
{
	const struct night *night = search->night;
	double *row =
	    arena_array(search->arena, night->run_count, sizeof(*row));

	for (size_t j = 0; j < night->run_count; j++)
		row[j] = fit_hat(search->fit, &night->runs[k], &night->runs[j]);
	for (size_t m = 0; m < search->hat_count; m++) {
		const double *earlier = search->hat[m];
		double share = earlier[k] / search->room[m];

		for (size_t j = 0; j < night->run_count; j++)
			row[j] += earlier[j] * share;
	}
	return row;
}

static void
take_out(struct search *search, size_t k)
{
	double *row = hat_row(search, k);
	double room = 1 - search->leverage[k];
	double push = search->residual[k] / room;

	search->rss -= search->residual[k] * push;
	search->df -= 1;
	search->count -= 1;
	search->is_out[k] = true;
	for (size_t j = 0; j < search->night->run_count; j++) {
		search->residual[j] += row[j] * push;
		search->leverage[j] += row[j] * row[j] / room;
	}
	search->hat[search->hat_count] = row;
	search->room[search->hat_count++] = room;
}

/* Sets aside what must be, one run at a time. */
static void
set_runs_aside(struct outliers *outliers, struct search *search)
{
	struct suspect worst;

	while (search->df >= 2 && find_worst(search, &worst) &&
	       worst.p < aside_p) {
		size_t cell = cell_of(search, worst.at);

		if (fabs(worst.t) >= endless_t && search->df - 1 < enough_df) {
			search->is_refused[worst.at] = true;
		} else if (!may_go(outliers, search, cell)) {
			search->is_refused[worst.at] = true;
			outliers->is_erratic[cell] = true;
		} else {
			record(outliers, search, &worst, true);
			outliers->skip[search->night->run_index[worst.at]] =
			    true;
			outliers->set_aside[cell]++;
			outliers->set_aside_count++;
			take_out(search, worst.at);
		}
	}
}

static void
flag_the_rest(struct outliers *outliers, const struct search *search)
{
	if (search->df < 2)
		return;
	for (size_t i = 0; i < search->night->run_count; i++) {
		struct suspect suspect = { .at = i };

		if (search->is_out[i])
			continue;
		suspect.t = studentised(search, i);
		suspect.p = corrected_p(search, suspect.t);
		outliers->next_p = fmin(outliers->next_p, suspect.p);
		if (suspect.p >= flag_p)
			continue;
		record(outliers, search, &suspect, false);
		outliers->flagged[cell_of(search, i)]++;
	}
}

/* Starts from the fit of all runs. */
static void
begin(struct search *search)
{
	struct arena *arena = search->arena;
	size_t runs = search->night->run_count + 1;

	search->residual = search->fit->residual;
	search->leverage = search->fit->leverage;
	search->df = search->fit->df;
	search->count = (double)search->night->run_count;
	search->is_refused = arena_array(arena, runs, sizeof(bool));
	search->is_out = arena_array(arena, runs, sizeof(bool));
	search->original =
	    arena_array(arena, search->table->cell_count + 1, sizeof(size_t));
	for (size_t i = 0; i < search->night->run_count; i++) {
		search->rss += search->residual[i] * search->residual[i];
		search->original[cell_of(search, i)]++;
	}
	search->limit = search->night->run_count / 10;
	if (search->limit < 1)
		search->limit = 1;
	search->hat = arena_array(arena, search->limit, sizeof(double *));
	search->room = arena_array(arena, search->limit, sizeof(double));
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
	outliers->next_p = 1;
	search.night = night_prepare(table, NULL, arena);
	search.fit = night_fit(search.night, arena);
	if (search.fit == NULL)
		return outliers;
	begin(&search);
	if (may_set_aside)
		set_runs_aside(outliers, &search);
	flag_the_rest(outliers, &search);
	return outliers;
}
