#include "analysis/drift.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/rank.h"
#include "analysis/special.h"
#include "analysis/summary.h"

static const double warn_p = 0.01;

struct slope
drift_slope(const double *x, const double *y, size_t count)
{
	struct slope slope = { NAN, NAN, NAN, (double)count - 2 };
	double sxx = 0;
	double sxy = 0;
	double syy = 0;
	double mean_x;
	double mean_y;
	double rest;

	if (count < 3)
		return slope;
	mean_x = summary_mean(x, count);
	mean_y = summary_mean(y, count);
	for (size_t i = 0; i < count; i++) {
		sxx += (x[i] - mean_x) * (x[i] - mean_x);
		sxy += (x[i] - mean_x) * (y[i] - mean_y);
		syy += (y[i] - mean_y) * (y[i] - mean_y);
	}
	if (sxx <= 0)
		return slope;
	slope.slope = sxy / sxx;
	rest = fmax(0, syy - sxy * sxy / sxx);
	slope.t = rest > 0 ? slope.slope / sqrt(rest / slope.df / sxx) : 0;
	slope.p = special_t_two_sided(slope.t, slope.df);
	return slope;
}

struct slope
drift_lag1(const double *y, size_t count)
{
	struct slope lag = { NAN, NAN, NAN, (double)count - 3 };
	double mean;
	double products = 0;
	double squares = 0;

	if (count < 5)
		return lag;
	mean = summary_mean(y, count);
	for (size_t i = 0; i < count; i++) {
		squares += (y[i] - mean) * (y[i] - mean);
		if (i > 0)
			products += (y[i] - mean) * (y[i - 1] - mean);
	}
	if (squares <= 0)
		return lag;
	lag.slope = products / squares;
	lag.t = lag.slope * sqrt(lag.df / (1 - lag.slope * lag.slope));
	lag.p = special_t_two_sided(lag.t, lag.df);
	return lag;
}

/* One run's place in time and what the fit left over. */
struct moment {
	int64_t started_ns;
	size_t block;
	int position;
	size_t order;
	double residual;
};

static int
compare_moments(const void *a, const void *b)
{
	const struct moment *x = a;
	const struct moment *y = b;

	if (x->started_ns != y->started_ns)
		return x->started_ns < y->started_ns ? -1 : 1;
	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* By number, as shards run them at the same time; blocks of several sessions
 * that have the same numbers stay in the order in which they were run. */
static void
sort_blocks(struct block_effect *blocks, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (blocks[j].block == blocks[i].block)
				return;
	for (size_t i = 1; i < count; i++) {
		struct block_effect block = blocks[i];
		size_t j = i;

		for (; j > 0 && blocks[j - 1].block > block.block; j--)
			blocks[j] = blocks[j - 1];
		blocks[j] = block;
	}
}

static void
fill_blocks(struct ranking_drift *drift, const struct rank_context *context)
{
	const struct fit *fit = context->fit;
	struct block_effect *blocks =
	    arena_array(context->arena, fit->block_count + 1, sizeof(*blocks));
	double mean = summary_mean(fit->beta, fit->block_count);

	/* blocks without a cell in common have no common mean */
	if (fit->component_count > 1)
		return;

	for (size_t b = 0; b < fit->block_count; b++) {
		blocks[b].block = context->night->block_labels[b];
		blocks[b].pct = 100 * expm1(fit->beta[b] - mean);
	}
	for (size_t i = 0; i < fit->run_count; i++)
		blocks[context->night->runs[i].block].runs++;
	sort_blocks(blocks, fit->block_count);
	drift->blocks = blocks;
	drift->block_count = fit->block_count;
}

/* Runs without a time of day keep the table's order. */
static struct moment *
order_in_time(const struct rank_context *context)
{
	const struct night *night = context->night;
	struct moment *moments =
	    arena_array(context->arena, night->run_count + 1, sizeof(*moments));

	for (size_t i = 0; i < night->run_count; i++) {
		const struct series_run *run =
		    &night->table->runs[night->run_index[i]];

		moments[i].started_ns = run->started_ns;
		moments[i].block = night->runs[i].block;
		moments[i].position = run->position;
		moments[i].order = i;
		moments[i].residual = context->fit->residual[i];
	}
	qsort(moments, night->run_count, sizeof(*moments), compare_moments);
	return moments;
}

static void
fill_position(struct ranking_drift *drift, const struct rank_context *context,
    const struct moment *moments)
{
	size_t runs = context->night->run_count;
	double *x = arena_array(context->arena, runs + 1, sizeof(*x));
	double *y = arena_array(context->arena, runs + 1, sizeof(*y));
	size_t count = 0;
	double longest = 0;
	struct slope slope;

	for (size_t i = 0; i < runs; i++) {
		if (moments[i].position == 0)
			continue;
		x[count] = moments[i].position;
		y[count++] = moments[i].residual;
		longest = fmax(longest, moments[i].position);
	}
	slope = drift_slope(x, y, count);
	drift->position_pct = 100 * expm1(slope.slope * (longest - 1));
	drift->position_t = slope.t;
	drift->position_p = slope.p;
	drift->position_warn = slope.p < warn_p;
}

static void
fill_lag(struct ranking_drift *drift, const struct rank_context *context,
    const struct moment *moments)
{
	size_t runs = context->night->run_count;
	double *y = arena_array(context->arena, runs + 1, sizeof(*y));
	struct slope lag;

	for (size_t i = 0; i < runs; i++)
		y[i] = moments[i].residual;
	lag = drift_lag1(y, runs);
	drift->lag1 = lag.slope;
	drift->lag1_t = lag.t;
	drift->lag1_p = lag.p;
	drift->lag1_warn = lag.p < warn_p && lag.slope > 0;
}

void
rank_fill_drift(struct ranking *ranking, struct rank_context *context)
{
	struct ranking_drift *drift = &ranking->drift;
	const struct moment *moments;

	drift->position_pct = NAN;
	drift->position_t = NAN;
	drift->position_p = NAN;
	drift->lag1 = NAN;
	drift->lag1_t = NAN;
	drift->lag1_p = NAN;
	if (!context->has_noise || !context->night->has_blocks ||
	    context->fit->block_count < 2)
		return;
	fill_blocks(drift, context);
	moments = order_in_time(context);
	fill_position(drift, context, moments);
	fill_lag(drift, context, moments);
}
