/* Several workloads together, and what an average would hide. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/fit.h"
#include "analysis/stepdown.h"
#include "analysis/summary.h"

static const char caveat[] =
    "each workload counts the same, which yours may not; the error is how "
    "workloads disagree, not the noise of one run";

struct overall_work {
	const struct ranking *const *rankings;
	size_t ranking_count;
	struct arena *arena;
	double alpha;
	const char **keys; /* cells that every workload ranked */
	size_t key_count;
	struct ranking_row *rows; /* keys x rankings */
};

static const struct ranking_row *
find_row(const struct ranking *ranking, const char *key)
{
	size_t cell = series_find_cell(ranking->table, key);
	const struct ranking_row *row;

	if (cell == SERIES_NONE)
		return NULL;
	row = ranking_find(ranking, cell);
	return row == NULL || row->place == 0 ? NULL : row;
}

/* The rows of a cell in all workloads; false when one does not rank it. */
static bool
collect_rows(
    const struct overall_work *work, const char *key, struct ranking_row *rows)
{
	for (size_t w = 0; w < work->ranking_count; w++) {
		const struct ranking_row *row =
		    find_row(work->rankings[w], key);

		if (row == NULL)
			return false;
		rows[w] = *row;
	}
	return true;
}

static void
collect(struct overall_work *work)
{
	const struct series_table *table = work->rankings[0]->table;
	size_t width = work->ranking_count;

	work->keys = arena_array(
	    work->arena, table->cell_count + 1, sizeof(*work->keys));
	work->rows = arena_array(
	    work->arena, table->cell_count * width + 1, sizeof(*work->rows));
	for (size_t i = 0; i < table->cell_count; i++) {
		const char *key = table->cells[i].key;

		if (collect_rows(
			work, key, &work->rows[work->key_count * width]))
			work->keys[work->key_count++] = key;
	}
}

static double
level(const struct ranking *ranking, const struct ranking_row *row)
{
	double log_estimate = log(row->estimate);

	return ranking->table->better == HIGHER_IS_BETTER ? -log_estimate
							  : log_estimate;
}

/* Workloads as blocks: what is left over is how they disagree. */
static struct fit *
fit_workloads(const struct overall_work *work)
{
	size_t width = work->ranking_count;
	size_t count = work->key_count * width;
	struct fit_run *runs = arena_array(work->arena, count, sizeof(*runs));

	for (size_t i = 0; i < count; i++) {
		runs[i].cell = i / width;
		runs[i].block = i % width;
		runs[i].y = level(work->rankings[i % width], &work->rows[i]);
	}
	return fit_cells_blocks(
	    runs, count, work->key_count, width, work->arena);
}

static double *
mean_ranks(const struct overall_work *work)
{
	size_t width = work->ranking_count;
	size_t count = work->key_count;
	double *values =
	    arena_array(work->arena, count * width, sizeof(*values));

	for (size_t i = 0; i < count; i++) {
		for (size_t w = 0; w < width; w++)
			values[w * count + i] = level(
			    work->rankings[w], &work->rows[i * width + w]);
	}
	return summary_mean_ranks(values, width, count, work->arena);
}

/* 1 when a is told apart as better in workload w, -1 as worse, else 0. */
static int
order_at(const struct overall_work *work, size_t a, size_t b, size_t w)
{
	const struct ranking *ranking = work->rankings[w];
	const struct ranking_row *x = &work->rows[a * work->ranking_count + w];
	const struct ranking_row *y = &work->rows[b * work->ranking_count + w];

	if (!ranking_differs(x, y))
		return 0;
	return level(ranking, x) < level(ranking, y) ? 1 : -1;
}

static bool
is_dominated(const struct overall_work *work, size_t cell)
{
	for (size_t other = 0; other < work->key_count; other++) {
		size_t wins = 0;
		size_t losses = 0;

		for (size_t w = 0; w < work->ranking_count; w++) {
			int order = order_at(work, other, cell, w);

			wins += order > 0;
			losses += order < 0;
		}
		if (wins > 0 && losses == 0)
			return true;
	}
	return false;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct overall_row *x = a;
	const struct overall_row *y = b;

	if (x->slower_pct != y->slower_pct)
		return x->slower_pct < y->slower_pct ? -1 : 1;
	return strcmp(x->key, y->key);
}

static void
fill_rows(struct overall *overall, const struct overall_work *work,
    const struct fit *fit)
{
	size_t count = work->key_count;
	struct overall_row *rows =
	    arena_array(work->arena, count, sizeof(*rows));
	double *error = arena_array(work->arena, count * count, sizeof(*error));
	const double *ranks = mean_ranks(work);
	const struct stepdown *stepdown;
	size_t best = 0;

	for (size_t i = 0; i < count; i++) {
		best = fit->tau[i] < fit->tau[best] ? i : best;
		for (size_t j = 0; j < count; j++)
			error[i * count + j] =
			    i == j ? 0 : fit_pair_error(fit, i, j);
	}
	stepdown = stepdown_tukey(
	    fit->tau, error, count, fit->df, work->alpha, work->arena);
	for (size_t i = 0; i < count; i++) {
		double gap = fit->tau[i] - fit->tau[best];
		double half = i == best ? 0
					: stepdown->q[0] / M_SQRT2 *
					      error[i * count + best];

		rows[i].key = work->keys[i];
		rows[i].rank_lo = stepdown->rank_lo[i];
		rows[i].rank_hi = stepdown->rank_hi[i];
		rows[i].place = rows[i].rank_lo;
		rows[i].tied = stepdown_is_tied(stepdown, i);
		rows[i].slower_pct = 100 * expm1(gap);
		rows[i].slower_lo = 100 * expm1(gap - half);
		rows[i].slower_hi = 100 * expm1(gap + half);
		rows[i].mean_rank = ranks[i];
		rows[i].undominated = !is_dominated(work, i);
	}
	qsort(rows, count, sizeof(*rows), compare_rows);
	overall->rows = rows;
	overall->row_count = count;
	overall->hsd_pct = 100 * expm1(stepdown->q[0] * sqrt(fit->s2) /
				       sqrt((double)work->ranking_count));
}

static const char *
workload_name(const struct ranking *ranking, struct arena *arena)
{
	return arena_printf(
	    arena, "%s %s", ranking->table->workload, ranking->table->metric);
}

/* How much slower b is than a in workload w. */
static double
gap_pct(const struct overall_work *work, size_t a, size_t b, size_t w)
{
	size_t width = work->ranking_count;
	const struct ranking *ranking = work->rankings[w];

	return 100 * expm1(level(ranking, &work->rows[b * width + w]) -
			   level(ranking, &work->rows[a * width + w]));
}

/* The workload in which a beats b by most, or SERIES_NONE. */
static size_t
best_workload(const struct overall_work *work, size_t a, size_t b)
{
	size_t best = SERIES_NONE;

	for (size_t w = 0; w < work->ranking_count; w++) {
		if (order_at(work, a, b, w) > 0 &&
		    (best == SERIES_NONE ||
			gap_pct(work, a, b, w) > gap_pct(work, a, b, best)))
			best = w;
	}
	return best;
}

static void
fill_tradeoffs(struct overall *overall, const struct overall_work *work)
{
	size_t count = work->key_count;
	struct overall_tradeoff *list =
	    arena_array(work->arena, count * count / 2 + 1, sizeof(*list));
	size_t length = 0;

	for (size_t a = 0; a < count; a++) {
		for (size_t b = a + 1; b < count; b++) {
			size_t w = best_workload(work, a, b);
			size_t v = best_workload(work, b, a);

			if (w == SERIES_NONE || v == SERIES_NONE)
				continue;
			list[length].key = work->keys[a];
			list[length].other = work->keys[b];
			list[length].workload = overall->workloads[w];
			list[length].other_workload = overall->workloads[v];
			list[length].pct = gap_pct(work, a, b, w);
			list[length++].other_pct = gap_pct(work, b, a, v);
		}
	}
	overall->tradeoffs = list;
	overall->tradeoff_count = length;
}

struct overall *
analysis_overall(const struct ranking *const *rankings, size_t count,
    const struct analysis_options *options, struct arena *arena)
{
	struct overall *overall = arena_alloc(arena, sizeof(*overall));
	struct overall_work work = { .rankings = rankings,
		.ranking_count = count,
		.arena = arena,
		.alpha = 0.05 };
	const char **names = arena_array(arena, count + 1, sizeof(*names));
	struct fit *fit;

	if (options != NULL && options->alpha > 0)
		work.alpha = options->alpha;
	overall->caveat = caveat;
	overall->s_pct = NAN;
	overall->hsd_pct = NAN;
	for (size_t w = 0; w < count; w++)
		names[w] = workload_name(rankings[w], arena);
	overall->workloads = names;
	overall->workload_count = count;
	if (count < 2) {
		overall->reason = "one workload only";
		return overall;
	}
	collect(&work);
	if (work.key_count < 2) {
		overall->reason =
		    "fewer than two cells have a place in every workload";
		return overall;
	}
	fit = fit_workloads(&work);
	overall->available = true;
	overall->s_pct = 100 * sqrt(fit->s2);
	overall->df = fit->df;
	fill_rows(overall, &work, fit);
	fill_tradeoffs(overall, &work);
	return overall;
}
