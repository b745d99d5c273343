/* Racing: which cells need not run again. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/night.h"
#include "analysis/outlier.h"
#include "analysis/special.h"
#include "analysis/tukey.h"

/* Of the total of 0.05, so much is for dropping cells ... */
static const double race_alpha = 0.01;
/* ... and the rest for the final claims. */
static const double final_alpha = 0.04;

/* Cells still in that have runs; the one with the smallest tau leads. */
static size_t
find_leader(const struct race_look *look, const struct night *night,
    const struct fit *fit, size_t *active)
{
	size_t leader = SERIES_NONE;

	*active = 0;
	for (size_t i = 0; i < night->cell_count; i++) {
		if (!look->is_active[night->cells[i]])
			continue;
		(*active)++;
		if (leader == SERIES_NONE || fit->tau[i] < fit->tau[leader])
			leader = i;
	}
	return leader;
}

static void
drop(struct race_look *look, const struct night *night, const struct fit *fit,
    size_t leader)
{
	for (size_t i = 0; i < night->cell_count; i++) {
		size_t cell = night->cells[i];
		double gap = fit->tau[i] - fit->tau[leader];

		if (!look->is_active[cell] || i == leader ||
		    fit->component[i] != fit->component[leader])
			continue;
		if (M_SQRT2 * gap <= look->q * fit_pair_error(fit, i, leader))
			continue;
		look->is_active[cell] = false;
		look->dropped[look->dropped_count++] = cell;
	}
	look->active_count -= look->dropped_count;
}

/* Runs of the cells still in, per cell. */
static double
blocks_so_far(const struct race_look *look, const struct night *night,
    const struct fit *fit)
{
	double runs = 0;
	double cells = 0;

	for (size_t i = 0; i < night->cell_count; i++) {
		if (look->is_active[night->cells[i]]) {
			runs += fit->n[i];
			cells++;
		}
	}
	return runs / cells;
}

static void
judge(struct race_look *look, const struct night *night, const struct fit *fit,
    double resolve_pct)
{
	double q;

	if (look->active_count == 1) {
		look->half_pct = 0;
		look->stop = RACE_ONE_LEFT;
		return;
	}
	q = tukey_range_quantile(1 - final_alpha, look->active_count, fit->df);
	look->half_pct =
	    100 * expm1(q * look->s / sqrt(blocks_so_far(look, night, fit)));
	if (look->half_pct <= resolve_pct)
		look->stop = RACE_RESOLVED;
}

struct race_look *
race_look(const struct series_table *table, const bool *is_active, int number,
    double resolve_pct, struct arena *arena)
{
	struct race_look *look = arena_alloc(arena, sizeof(*look));
	/* one slow run must not keep everybody running */
	const struct outliers *outliers = outliers_find(table, true, arena);
	const struct night *night = night_prepare(table, outliers->skip, arena);
	const struct fit *fit = night_fit(night, arena);
	size_t leader;

	look->look = number;
	look->alpha = race_alpha / ((double)number * (number + 1));
	look->is_active =
	    arena_array(arena, table->cell_count + 1, sizeof(bool));
	look->dropped =
	    arena_array(arena, table->cell_count + 1, sizeof(size_t));
	for (size_t i = 0; i < table->cell_count; i++) {
		look->is_active[i] = is_active[i];
		look->active_count += is_active[i];
	}
	look->leader = SERIES_NONE;
	look->s = NAN;
	look->q = NAN;
	look->half_pct = NAN;
	if (fit == NULL || isnan(fit->s2) ||
	    night->block_count < RACE_FIRST_BLOCK)
		return look;
	leader = find_leader(look, night, fit, &look->active_count);
	if (leader == SERIES_NONE)
		return look;
	look->leader = night->cells[leader];
	look->s = sqrt(fit->s2);
	look->df = fit->df;
	if (look->active_count > 1) {
		look->q = tukey_range_quantile(
		    1 - look->alpha, look->active_count, fit->df);
		drop(look, night, fit, leader);
	}
	judge(look, night, fit, resolve_pct);
	return look;
}
