/*
 * The same cells in two or more sessions: kernels, dates, hosts.
 *
 * Each cell's ratio with an interval that holds for all of them together
 * (Bonferroni over the ratios, which is what correlated cells allow).
 */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/outlier.h"
#include "analysis/side.h"
#include "analysis/special.h"
#include "analysis/summary.h"

struct compare_work {
	struct comparison *comparison;
	struct arena *arena;
	struct side *sides;
	size_t side_count;
	double variance, df, t; /* t: two-sided, over all ratios */
	double threshold_pct;
	struct comparison_row *rows;
	size_t row_capacity;
};

/* Sides are the sessions of one table that have runs. */
static void
split_sessions(struct compare_work *work, const struct series_table *table)
{
	const struct outliers *outliers =
	    outliers_find(table, true, work->arena);

	work->sides = arena_array(
	    work->arena, table->session_count + 1, sizeof(*work->sides));
	for (size_t s = 0; s < table->session_count; s++) {
		bool *skip = arena_array(
		    work->arena, table->run_count + 1, sizeof(bool));
		struct side *side = &work->sides[work->side_count];

		for (size_t i = 0; i < table->run_count; i++)
			skip[i] =
			    outliers->skip[i] || table->runs[i].session != s;
		side_make(
		    side, table, table->sessions[s].label, skip, work->arena);
		if (side->night->run_count > 0)
			work->side_count++;
		else
			memset(side, 0, sizeof(*side));
	}
}

static void
take_tables(struct compare_work *work, const struct series_table *const *tables,
    const char *const *labels, size_t count)
{
	work->sides = arena_array(work->arena, count + 1, sizeof(*work->sides));
	for (size_t s = 0; s < count; s++)
		side_make(&work->sides[s], tables[s], labels[s],
		    outliers_find(tables[s], true, work->arena)->skip,
		    work->arena);
	work->side_count = count;
}

/* The cell of another side with the same key and a value, or SERIES_NONE. */
static size_t
matching(const struct side *side, const char *key)
{
	size_t cell = series_find_cell(side->table, key);

	return cell == SERIES_NONE || !(side->count[cell] > 0) ? SERIES_NONE
							       : cell;
}

/* Did the cell run there, whatever became of it? */
static bool
was_tried(const struct side *side, const char *key)
{
	size_t cell = series_find_cell(side->table, key);

	return cell != SERIES_NONE && side->is_tried[cell];
}

static double
spread_of(const struct compare_work *work, const struct side *side, size_t cell)
{
	double own = fmax(side->variance[cell],
	    night_clock_variance(side->night, side->mean[cell]));

	return fmax(own, work->variance) / side->count[cell];
}

static double
value_of(const struct side *side, size_t cell)
{
	return night_value(side->night, side->mean[cell]);
}

static void
judge(const struct compare_work *work, struct comparison_row *row, double gap,
    double error)
{
	double half = work->t * error;

	row->ci_lo = 100 * expm1(gap - half);
	row->ci_hi = 100 * expm1(gap + half);
	row->change = CHANGE_NONE;
	if (gap - half > 1e-9)
		row->change = CHANGE_SLOWER;
	else if (gap + half < -1e-9)
		row->change = CHANGE_FASTER;
	row->beyond_threshold =
	    row->change == CHANGE_SLOWER && row->pct > work->threshold_pct;
}

static void
fill_row(const struct compare_work *work, struct comparison_row *row,
    const char *key, size_t to)
{
	const struct side *a = &work->sides[0];
	const struct side *b = &work->sides[to];
	size_t cell = series_find_cell(a->table, key);
	size_t other = matching(b, key);
	double gap;

	row->key = key;
	row->from = a->label;
	row->to = b->label;
	row->from_estimate = NAN;
	row->to_estimate = NAN;
	row->pct = NAN;
	row->ci_lo = NAN;
	row->ci_hi = NAN;
	if (cell != SERIES_NONE)
		row->from_runs = (size_t)a->count[cell];
	if (row->from_runs > 0)
		row->from_estimate = value_of(a, cell);
	if (other != SERIES_NONE) {
		row->to_runs = (size_t)b->count[other];
		row->to_estimate = value_of(b, other);
	}
	if (row->from_runs == 0 || row->to_runs == 0) {
		row->is_lost = row->from_runs > 0 && was_tried(b, key);
		row->reason = arena_printf(work->arena,
		    row->is_lost ? "run without a value in '%s'"
				 : "no value in '%s'",
		    row->from_runs == 0 ? a->label : b->label);
		return;
	}
	gap = b->mean[other] - a->mean[cell];
	row->pct = 100 * expm1(gap);
	if (work->df < 1) {
		row->reason = "single runs: their noise is not known";
		return;
	}
	judge(work, row, gap,
	    sqrt(spread_of(work, a, cell) + spread_of(work, b, other)));
}

/* How many ratios there will be: the correction counts them all. */
static size_t
count_ratios(const struct compare_work *work)
{
	const struct side *a = &work->sides[0];
	size_t ratios = 0;

	for (size_t c = 0; c < a->table->cell_count; c++) {
		for (size_t s = 1; s < work->side_count; s++)
			ratios += a->count[c] > 0 &&
				  matching(&work->sides[s],
				      a->table->cells[c].key) != SERIES_NONE;
	}
	return ratios;
}

static void
add_row(struct compare_work *work, const char *key, size_t to)
{
	struct comparison *comparison = work->comparison;
	struct comparison_row *row;

	if (comparison->row_count == work->row_capacity)
		work->rows =
		    arena_grow(work->arena, work->rows, comparison->row_count,
			&work->row_capacity, sizeof(*work->rows));
	row = &work->rows[comparison->row_count++];
	*row = (struct comparison_row){ 0 };
	fill_row(work, row, key, to);
	comparison->any_beyond_threshold |= row->beyond_threshold;
	comparison->any_lost |= row->is_lost;
	comparison->any_compared |= row->change != CHANGE_UNKNOWN;
}

static void
fill_rows(struct compare_work *work)
{
	struct comparison *comparison = work->comparison;
	const struct series_table *first = work->sides[0].table;

	for (size_t c = 0; c < first->cell_count; c++) {
		for (size_t s = 1; s < work->side_count; s++)
			add_row(work, first->cells[c].key, s);
	}
	/* what only the others have */
	for (size_t s = 1; s < work->side_count; s++) {
		const struct series_table *table = work->sides[s].table;

		for (size_t c = 0; c < table->cell_count; c++) {
			const char *key = table->cells[c].key;

			if (series_find_cell(first, key) == SERIES_NONE &&
			    work->sides[s].count[c] > 0)
				add_row(work, key, s);
		}
	}
	comparison->rows = work->rows;
}

/* What the clocks' steps alone put on one run, over all cells. */
static double
clock_floor(const struct compare_work *work)
{
	double total = 0;
	double cells = 0;

	for (size_t s = 0; s < work->side_count; s++) {
		const struct side *side = &work->sides[s];

		for (size_t c = 0; c < side->table->cell_count; c++) {
			if (!(side->count[c] > 0))
				continue;
			total +=
			    night_clock_variance(side->night, side->mean[c]);
			cells += 1;
		}
	}
	return cells > 0 ? total / cells : 0;
}

static void
measure_noise(struct compare_work *work)
{
	struct comparison *comparison = work->comparison;
	size_t ratios = count_ratios(work);
	double runs = 0;
	double cells = 0;

	side_pool(work->sides, work->side_count, &work->variance, &work->df);
	if (work->df >= 1)
		work->variance = fmax(work->variance, clock_floor(work));
	comparison->cv_pct = NAN;
	comparison->smallest_pct = NAN;
	comparison->df = work->df;
	comparison->noise_known = work->df >= 1;
	if (!comparison->noise_known || ratios == 0)
		return;
	for (size_t s = 0; s < work->side_count; s++) {
		runs += (double)work->sides[s].night->run_count;
		cells += (double)work->sides[s].night->cell_count;
	}
	work->t = special_t_quantile(0.025 / (double)ratios, work->df);
	comparison->cv_pct = 100 * sqrt(expm1(work->variance));
	comparison->smallest_pct =
	    100 * expm1(work->t * sqrt(work->variance * 2 * cells / runs));
}

/* Variance of a side's mean over its cells, from the clock's steps alone. */
static double
clock_error2(const struct side *side, size_t cells)
{
	double total = 0;

	for (size_t c = 0; c < side->table->cell_count; c++)
		if (side->count[c] > 0)
			total +=
			    night_clock_variance(side->night, side->mean[c]) /
			    side->count[c];
	return cells > 0 ? total / (double)(cells * cells) : 0;
}

/* All cells of two sides, each cell one unit. */
static void
fill_overall(const struct compare_work *work,
    struct comparison_overall *overall, size_t to)
{
	const struct side *a = &work->sides[0];
	const struct side *b = &work->sides[to];
	size_t a_cells = a->table->cell_count;
	size_t b_cells = b->table->cell_count;
	double *gaps = arena_array(work->arena, a_cells + 1, sizeof(double));
	double *from = arena_array(work->arena, a_cells + 1, sizeof(double));
	double *other = arena_array(work->arena, b_cells + 1, sizeof(double));
	size_t pairs = 0;
	struct two_samples samples;

	for (size_t c = 0; c < a_cells; c++) {
		size_t match = matching(b, a->table->cells[c].key);

		if (!(a->count[c] > 0))
			continue;
		from[overall->from_cells++] = a->mean[c];
		if (match != SERIES_NONE)
			gaps[pairs++] = b->mean[match] - a->mean[c];
	}
	for (size_t c = 0; c < b_cells; c++) {
		if (b->count[c] > 0)
			other[overall->to_cells++] = b->mean[c];
	}
	overall->from = a->label;
	overall->to = b->label;
	overall->is_paired = pairs > 0;
	overall->pair_count = pairs;
	samples = pairs > 0 ? summary_against_zero(gaps, pairs)
			    : summary_compare(from, overall->from_cells, other,
				  overall->to_cells);
	summary_raise_error(
	    &samples, sqrt(clock_error2(a, overall->from_cells) +
			   clock_error2(b, overall->to_cells)));
	overall->available = !isnan(samples.p);
	overall->pct = 100 * expm1(samples.difference);
	overall->ci_lo = 100 * expm1(samples.difference - samples.half_width);
	overall->ci_hi = 100 * expm1(samples.difference + samples.half_width);
	overall->p = samples.p;
	overall->df = samples.df;
}

static void
fill_overalls(struct compare_work *work)
{
	struct comparison_overall *list =
	    arena_array(work->arena, work->side_count, sizeof(*list));

	for (size_t s = 1; s < work->side_count; s++)
		fill_overall(work, &list[s - 1], s);
	work->comparison->overall = list;
	work->comparison->overall_count = work->side_count - 1;
}

static void
fill_warnings(struct compare_work *work)
{
	struct comparison *comparison = work->comparison;
	const char **warnings = arena_array(work->arena, 2, sizeof(*warnings));
	size_t count = 0;

	if (comparison->confounded)
		warnings[count++] =
		    "confounded with the session: they were not interleaved in "
		    "time, so whatever else changed between them is part of "
		    "the difference";
	if (!comparison->noise_known)
		warnings[count++] =
		    "single runs: no difference of one cell can be told from "
		    "noise";
	comparison->warnings = warnings;
	comparison->warning_count = count;
}

static void
fill_names(struct compare_work *work, const struct series_table *table)
{
	struct comparison *comparison = work->comparison;
	const char **names =
	    arena_array(work->arena, work->side_count + 1, sizeof(*names));

	for (size_t s = 0; s < work->side_count; s++)
		names[s] = work->sides[s].label;
	comparison->sides = names;
	comparison->side_count = work->side_count;
	comparison->workload = table->workload;
	comparison->metric = table->metric;
	comparison->unit = table->unit;
	comparison->better = table->better;
	comparison->cv_pct = NAN;
	comparison->smallest_pct = NAN;
}

struct comparison *
analysis_compare(const struct series_table *const *tables,
    const char *const *labels, size_t count, double threshold_pct,
    struct arena *arena)
{
	struct compare_work work = { .arena = arena,
		.threshold_pct = fmax(0, threshold_pct) };

	work.comparison = arena_alloc(arena, sizeof(*work.comparison));
	if (count == 1)
		split_sessions(&work, tables[0]);
	else
		take_tables(&work, tables, labels, count);
	fill_names(&work, tables[0]);
	if (work.side_count < 2)
		return work.comparison;
	work.comparison->confounded =
	    !side_are_interleaved(work.sides, work.side_count, arena);
	measure_noise(&work);
	fill_rows(&work);
	fill_overalls(&work);
	fill_warnings(&work);
	return work.comparison;
}
