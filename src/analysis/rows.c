/* One row of the ranking per cell of the table, and their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rank.h"
#include "analysis/special.h"
#include "analysis/summary.h"
#include "analysis/tukey.h"

/* What several rows need and is worked out once. */
struct row_maker {
	const struct rank_context *context;
	const char **letters; /* of the ranked, or NULL */
	double t975;
	double dunnett;
	int last_block;
};

static void
fill_nothing(struct ranking_row *row)
{
	double *figures[] = { &row->estimate, &row->ci_lo, &row->ci_hi,
		&row->slower_pct, &row->slower_lo, &row->slower_hi,
		&row->baseline_pct, &row->baseline_lo, &row->baseline_hi,
		&row->minimum, &row->maximum, &row->mean, &row->median,
		&row->median_lo, &row->median_hi, &row->median_level,
		&row->own_cv_pct, &row->used_cv_pct, &row->limit };

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		*figures[i] = NAN;
}

static void
fill_counts(struct ranking_row *row, const struct row_maker *maker)
{
	const struct tally *tally = &maker->context->night->tallies[row->cell];
	const struct outliers *outliers = maker->context->outliers;

	row->blocks = tally->blocks;
	row->failed = tally->failed;
	row->failed_blocks = tally->failed_blocks;
	row->timed_out = tally->timed_out;
	row->stalled = tally->stalled;
	row->limit = tally->limit;
	row->flagged = outliers->flagged[row->cell];
	row->set_aside = outliers->set_aside[row->cell];
	if (maker->context->options->is_raced &&
	    tally->last_block < maker->last_block && tally->values > 0) {
		row->out_after_block = tally->last_block;
		row->marks |= MARK_OUT_EARLY;
	}
	if (row->flagged > 0)
		row->marks |= MARK_FLAGGED;
	if (row->set_aside > 0)
		row->marks |= MARK_SET_ASIDE;
	if (outliers->is_erratic[row->cell])
		row->marks |= MARK_ERRATIC;
	if (maker->context->table->cells[row->cell].is_baseline)
		row->marks |= MARK_BASELINE;
}

/* The values as they are; also of cells without a place. */
static void
fill_values(struct ranking_row *row, const struct row_maker *maker)
{
	const struct rank_context *context = maker->context;
	size_t count;
	const double *values =
	    night_values(context->night, row->cell, &count, context->arena);
	struct interval interval;

	row->runs = count;
	if (count == 0)
		return;
	row->minimum = summary_minimum(values, count);
	row->maximum = summary_maximum(values, count);
	row->mean = summary_mean(values, count);
	row->estimate = exp(
	    summary_mean(summary_logs(values, count, context->arena), count));
	row->median = summary_median(values, count, context->arena);
	interval = summary_median_interval(
	    values, count, 0.95, &row->median_level, context->arena);
	row->median_lo = interval.lo;
	row->median_hi = interval.hi;
	row->median_level *= 100;
}

static double
cv_pct(double s2)
{
	return 100 * sqrt(expm1(s2));
}

/* Estimate, its interval and its spread, from the fit. */
static void
fill_estimate(struct ranking_row *row, const struct row_maker *maker)
{
	const struct rank_context *context = maker->context;
	const struct fit *fit = context->fit;
	size_t cell = context->night->dense[row->cell];
	double level = fit_level(fit, cell);
	double half;

	row->estimate = night_value(context->night, level);
	row->used_cv_pct = cv_pct(fit->used_s2[cell]);
	if (fit->n[cell] < 3)
		return;
	row->own_cv_pct = cv_pct(fit->own_s2[cell]);
	half = maker->t975 * sqrt(fit->used_s2[cell] / fit->n[cell]);
	row->ci_lo = row->estimate * exp(-half);
	row->ci_hi = row->estimate * exp(half);
}

/* Ranges always use the larger spread; from this ratio on it is worth a
 * remark. */
static const double noisy = 1.5;

static void
mark_spread(struct ranking_row *row, const struct row_maker *maker)
{
	const struct fit *fit = maker->context->fit;
	size_t cell = maker->context->night->dense[row->cell];
	bool own = fit->used_s2[cell] > noisy * noisy * fit->s2;

	if (fit->n[cell] < 3)
		row->marks |= MARK_TWO_RUNS;
	if (fit->is_clock ||
	    fit->used_s2[cell] > fmax(fit->s2, fmax(fit->own_s2[cell], 0)))
		row->marks |= MARK_CLOCK;
	else if (own)
		row->marks |= MARK_OWN_SPREAD;
}

/* "pct" of a against b, with its simultaneous interval. */
static void
ratio(const struct rank_context *context, size_t a, size_t b, double *pct,
    struct interval *interval)
{
	double gap = context->value[a] - context->value[b];
	double half = rank_half_width(context, a, b);

	*pct = 100 * expm1(gap);
	interval->lo = 100 * expm1(gap - half);
	interval->hi = 100 * expm1(gap + half);
}

/* The ranked baseline of this cell's family, else the only one there is. */
static size_t
find_baseline(const struct rank_context *context, size_t cell)
{
	const struct series_table *table = context->table;
	const char *family = table->cells[cell].family;
	size_t any = SERIES_NONE;
	size_t count = 0;

	for (size_t i = 0; i < table->cell_count; i++) {
		if (!table->cells[i].is_baseline)
			continue;
		count++;
		any = context->ranked_at[i];
		if (strcmp(table->cells[i].family, family) == 0)
			return any;
	}
	return count == 1 ? any : SERIES_NONE;
}

static void
fill_ratios(struct ranking_row *row, const struct row_maker *maker, size_t at)
{
	const struct rank_context *context = maker->context;
	size_t baseline = find_baseline(context, row->cell);
	struct interval interval;

	ratio(context, at, context->best, &row->slower_pct, &interval);
	row->slower_lo = interval.lo;
	row->slower_hi = interval.hi;
	if (baseline == SERIES_NONE)
		return;
	ratio(context, at, baseline, &row->baseline_pct, &interval);
	row->baseline_lo = interval.lo;
	row->baseline_hi = interval.hi;
}

/* Gupta's subset: not slower than the best of the others beyond noise. */
static bool
may_be_best(const struct row_maker *maker, size_t at)
{
	const struct rank_context *context = maker->context;
	size_t count = context->ranked_count;

	for (size_t j = 0; j < count; j++) {
		double gap = context->value[at] - context->value[j];

		if (j != at &&
		    gap > maker->dunnett * context->error[at * count + j])
			return false;
	}
	return true;
}

static void
fill_place(struct ranking_row *row, const struct row_maker *maker, size_t at)
{
	const struct rank_context *context = maker->context;
	const struct stepdown *stepdown = context->stepdown;

	row->standing = STANDING_RANKED;
	row->rank_lo = stepdown->rank_lo[at];
	row->rank_hi = stepdown->rank_hi[at];
	row->place = row->rank_lo;
	row->tied = stepdown_is_tied(stepdown, at);
	row->letters = maker->letters == NULL ? "" : maker->letters[at];
	if (may_be_best(maker, at))
		row->marks |= MARK_MAY_BE_BEST;
	fill_estimate(row, maker);
	mark_spread(row, maker);
	fill_ratios(row, maker, at);
	if (context->all != NULL && context->all_at[row->cell] != SERIES_NONE) {
		size_t i = context->all_at[row->cell];

		row->all_rank_lo = context->all->rank_lo[i];
		row->all_rank_hi = context->all->rank_hi[i];
	}
}

static void
fill_row(struct ranking_row *row, const struct row_maker *maker)
{
	const struct rank_context *context = maker->context;
	size_t at = context->ranked_at[row->cell];

	row->standing = context->night->tallies[row->cell].standing;
	row->letters = "";
	fill_nothing(row);
	fill_counts(row, maker);
	fill_values(row, maker);
	if (at != SERIES_NONE) {
		fill_place(row, maker, at);
	} else if (row->standing == STANDING_VALUES) {
		if (row->runs == 1)
			row->marks |= MARK_ONE_RUN;
		else if (context->has_noise)
			row->standing = STANDING_APART;
	}
}

/* Ranked by estimate, then by standing, then in the matrix's order. */
static int
compare_rows(const void *a, const void *b)
{
	const struct ranking_row *x = a;
	const struct ranking_row *y = b;

	if (x->standing != y->standing)
		return x->standing < y->standing ? -1 : 1;
	if (x->standing == STANDING_RANKED && x->slower_pct != y->slower_pct)
		return x->slower_pct < y->slower_pct ? -1 : 1;
	return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Values without places still go in the order of what they measure. */
static void
sort_values(struct ranking *ranking)
{
	bool is_rate = ranking->table->better == HIGHER_IS_BETTER;

	for (size_t i = 1; i < ranking->row_count; i++) {
		struct ranking_row row = ranking->rows[i];
		size_t j = i;

		if (row.standing != STANDING_VALUES)
			continue;
		while (
		    j > 0 && ranking->rows[j - 1].standing == STANDING_VALUES &&
		    (is_rate ? ranking->rows[j - 1].estimate < row.estimate
			     : ranking->rows[j - 1].estimate > row.estimate)) {
			ranking->rows[j] = ranking->rows[j - 1];
			j--;
		}
		ranking->rows[j] = row;
	}
}

/* Both rankings are shown only if any range differs. */
static void
forget_equal_ranks(struct ranking *ranking)
{
	bool differ = false;

	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];

		differ |= row->all_rank_lo != 0 &&
			  (row->all_rank_lo != row->rank_lo ||
			      row->all_rank_hi != row->rank_hi);
	}
	for (size_t i = 0; i < ranking->row_count && !differ; i++) {
		ranking->rows[i].all_rank_lo = 0;
		ranking->rows[i].all_rank_hi = 0;
	}
}

static const char **
make_letters(const struct rank_context *context)
{
	size_t count = context->ranked_count;
	size_t *order = arena_array(context->arena, count + 1, sizeof(*order));

	for (size_t i = 0; i < count; i++) {
		size_t j = i;

		while (
		    j > 0 && context->value[order[j - 1]] > context->value[i]) {
			order[j] = order[j - 1];
			j--;
		}
		order[j] = i;
	}
	return stepdown_letters(context->stepdown, order, context->arena);
}

void
rank_fill_rows(struct ranking *ranking, struct rank_context *context)
{
	size_t cells = context->table->cell_count;
	struct row_maker maker = { .context = context };

	if (context->ranked_count > 0) {
		maker.letters = make_letters(context);
		maker.t975 = special_t_quantile(0.025, context->fit->df);
	}
	if (context->ranked_count > 1)
		maker.dunnett = dunnett_quantile(
		    0.95, context->ranked_count - 1, context->fit->df);
	for (size_t i = 0; i < cells; i++) {
		if (context->night->tallies[i].last_block > maker.last_block)
			maker.last_block =
			    context->night->tallies[i].last_block;
	}
	ranking->rows =
	    arena_array(context->arena, cells + 1, sizeof(*ranking->rows));
	ranking->row_count = cells;
	for (size_t i = 0; i < cells; i++) {
		ranking->rows[i].cell = i;
		fill_row(&ranking->rows[i], &maker);
	}
	qsort(ranking->rows, cells, sizeof(*ranking->rows), compare_rows);
	sort_values(ranking);
	forget_equal_ranks(ranking);
}
