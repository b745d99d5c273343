/* The noise floor, and what it would take to lower it. */
#include <math.h>
#include <string.h>

#include "analysis/noise.h"
#include "analysis/rank.h"
#include "analysis/special.h"
#include "analysis/tukey.h"

double
noise_hsd_pct(
    size_t cells, double runs_per_cell, double s, double df, double alpha)
{
	double q;

	if (cells < 2)
		return NAN;
	q = tukey_range_quantile(1 - alpha, cells, df);
	return 100 * expm1(q / M_SQRT2 * s * sqrt(2 / runs_per_cell));
}

/* In units of s sqrt(2 / blocks): what a gap must be to show four times in
 * five. */
static double
gap_needed(size_t cells, double blocks)
{
	double df = (double)(cells - 1) * (blocks - 1);

	return tukey_range_quantile(0.95, cells, df) / M_SQRT2 +
	       special_t_quantile(0.20, df);
}

static bool
is_enough(size_t cells, double s, double log_gap, double blocks)
{
	return log_gap >= s * sqrt(2 / blocks) * gap_needed(cells, blocks);
}

/*
 * The need falls slowly with the blocks, so blocks = 2 (s need / gap)^2
 * settles in a few rounds; the neighbours then decide.
 */
int
noise_blocks_for(size_t cells, double s, double gap_pct)
{
	double gap = log1p(gap_pct / 100);
	double blocks = 8;

	if (cells < 2)
		return 0;
	for (int round = 0; round < 4; round++) {
		double share = s * gap_needed(cells, blocks) / gap;
		double next = fmax(2, ceil(2 * share * share));

		if (next > (double)NOISE_MAX_BLOCKS)
			return 0;
		if (next == blocks)
			break;
		blocks = next;
	}
	while (!is_enough(cells, s, gap, blocks))
		blocks++;
	while (blocks > 2 && is_enough(cells, s, gap, blocks - 1))
		blocks--;
	return (int)blocks;
}

/* Seconds in one of the unit, or 0 when it is not one of time. */
static double
unit_seconds(const char *unit)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 },
		{ "ns", 1e-9 }, { "min", 60 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].name, unit) == 0)
			return units[i].seconds;
	}
	return 0;
}

/* One block of whole trials, as long as they took here; 0 when not known. */
static double
trial_hours(const struct ranking *ranking)
{
	const struct series_table *table = ranking->table;
	double seconds = 0;
	size_t blocks = 0;

	for (size_t i = 0; i < table->run_count; i++) {
		const struct series_run *run = &table->runs[i];

		if (run->state == RUN_WARMUP)
			continue;
		seconds += run->trial_s;
		if ((size_t)run->block > blocks)
			blocks = (size_t)run->block;
	}
	return blocks > 0 ? seconds / 3600 / (double)blocks : 0;
}

static double
hours_per_block(const struct ranking *ranking)
{
	double seconds = unit_seconds(ranking->table->unit);
	double hours = trial_hours(ranking);

	if (hours > 0)
		return hours;
	if (seconds <= 0 || ranking->table->better != LOWER_IS_BETTER)
		return NAN;
	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];

		if (row->standing == STANDING_RANKED)
			hours += row->estimate * seconds / 3600;
	}
	return hours;
}

/* One step of the clock against the smallest value. */
static double
clock_pct(const struct ranking *ranking)
{
	const struct series_table *table = ranking->table;
	double least = INFINITY;

	if (table->clock == CLOCK_FINE)
		return 0;
	for (size_t i = 0; i < ranking->row_count; i++)
		if (ranking->rows[i].minimum > 0)
			least = fmin(least, ranking->rows[i].minimum);
	return isfinite(least) ? 100 * table->clock_step / least : 0;
}

/* A noise measured earlier stands in for single runs. */
static void
take_earlier(struct ranking_noise *noise, const struct rank_context *context)
{
	const struct analysis_options *options = context->options;

	if (options->earlier_s <= 0 || options->earlier_df < 1 ||
	    context->fit == NULL)
		return;
	noise->known = true;
	noise->s = options->earlier_s;
	noise->df = options->earlier_df;
	noise->taken_from =
	    options->earlier_date == NULL ? "" : options->earlier_date;
	noise->cv_pct = 100 * sqrt(expm1(noise->s * noise->s));
	noise->hsd_pct = noise_hsd_pct(
	    context->fit->cell_count, 1, noise->s, noise->df, context->alpha);
	noise->pair_pct = 100 * expm1(special_t_quantile(0.025, noise->df) *
				      noise->s * M_SQRT2);
}

static void
fill_blocks_needed(struct ranking_noise *noise, size_t cells)
{
	noise->blocks_for_half_pct = noise_blocks_for(cells, noise->s, 0.5);
	noise->blocks_for_1pct = noise_blocks_for(cells, noise->s, 1);
	noise->blocks_for_2pct = noise_blocks_for(cells, noise->s, 2);
	noise->blocks_for_5pct = noise_blocks_for(cells, noise->s, 5);
}

static void
measure(struct ranking_noise *noise, const struct rank_context *context)
{
	const struct fit *fit = context->fit;
	const struct stepdown *stepdown = context->stepdown;
	size_t cells = context->ranked_count;
	double runs = 0;
	double error;

	for (size_t i = 0; i < cells; i++)
		runs += fit->n[context->ranked[i]];
	noise->known = true;
	noise->s = sqrt(fit->s2);
	noise->df = fit->df;
	noise->is_clock = fit->is_clock;
	noise->cv_pct = 100 * sqrt(expm1(fit->s2));
	error = noise->s * sqrt(2 * (double)cells / runs);
	noise->pair_pct =
	    100 * expm1(special_t_quantile(0.025, fit->df) * error);
	noise->q = stepdown->q;
	noise->step_count = stepdown->step_count;
	if (stepdown->step_count > 0)
		noise->hsd_pct = 100 * expm1(stepdown->q[0] / M_SQRT2 * error);
	if (stepdown->step_count > 1)
		noise->hsd_in_groups_pct =
		    100 * expm1(stepdown->q[stepdown->step_count - 1] /
				M_SQRT2 * error);
	if (!context->options->skip_planning)
		fill_blocks_needed(noise, cells);
}

/* Without blocks each run of a cell counts as one. */
static int
fewest_runs(const struct ranking *ranking)
{
	size_t fewest = SIZE_MAX;

	for (size_t i = 0; i < ranking->row_count; i++)
		if (ranking->rows[i].standing == STANDING_RANKED &&
		    ranking->rows[i].runs < fewest)
			fewest = ranking->rows[i].runs;
	return fewest == SIZE_MAX ? 1 : (int)fewest;
}

void
rank_fill_noise(struct ranking *ranking, struct rank_context *context)
{
	struct ranking_noise *noise = &ranking->noise;

	noise->s = NAN;
	noise->cv_pct = NAN;
	noise->df = 0;
	noise->hsd_pct = NAN;
	noise->hsd_in_groups_pct = NAN;
	noise->pair_pct = NAN;
	noise->hours_per_block = NAN;
	noise->blocks = (int)context->night->block_count;
	noise->clock_pct = clock_pct(ranking);
	noise->s_with_flagged_pct = 100 * context->all_s;
	if (!ranking->has_blocks)
		noise->blocks = fewest_runs(ranking);
	if (context->ranked_count == 0) {
		take_earlier(noise, context);
		return;
	}
	measure(noise, context);
	noise->hours_per_block = hours_per_block(ranking);
}
