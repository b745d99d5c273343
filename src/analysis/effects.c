#include "analysis/effects.h"

#include <math.h>

#include "analysis/holm.h"
#include "analysis/lenth.h"
#include "analysis/rank.h"
#include "analysis/special.h"
#include "analysis/tukey.h"

/* Holm over effects and tests of factors together. */
static void
mark_significant(struct effect_list *list, struct arena *arena)
{
	size_t count = list->count + list->test_count;
	double *p = arena_array(arena, count + 1, sizeof(*p));
	bool *marks = arena_array(arena, count + 1, sizeof(*marks));

	for (size_t i = 0; i < list->count; i++)
		p[i] = list->effects[i].p;
	for (size_t i = 0; i < list->test_count; i++)
		p[list->count + i] = list->tests[i].p;
	holm_mark(p, marks, count, 0.05, arena);
	for (size_t i = 0; i < list->count; i++)
		list->effects[i].significant = marks[i];
	for (size_t i = 0; i < list->test_count; i++)
		list->tests[i].significant = marks[list->count + i];
}

/* What is left when the significant effects are taken out, as noise. */
static void
pool_rest(struct lenth *lenth, const struct effect_list *list,
    const struct family *family)
{
	size_t cells = family->combination_count;
	double sum = 0;
	double s;

	lenth->rest_df = 0;
	for (size_t i = 0; i < list->count; i++) {
		if (list->effects[i].significant)
			continue;
		sum += list->effects[i].log * list->effects[i].log;
		lenth->rest_df += 1;
	}
	lenth->rest_cv_pct = NAN;
	lenth->rest_half_width = NAN;
	lenth->rest_pair_pct = NAN;
	lenth->rest_any_pair_pct = NAN;
	if (lenth->rest_df < 1)
		return;
	s = sqrt(fmax(
	    sum / lenth->rest_df * (double)cells / 4, family->clock_variance));
	lenth->rest_cv_pct = 100 * sqrt(expm1(s * s));
	lenth->rest_half_width = special_t_quantile(0.025, lenth->rest_df) * 2 *
				 s / sqrt((double)cells);
	lenth->rest_pair_pct =
	    100 *
	    expm1(special_t_quantile(0.025, lenth->rest_df) * s * M_SQRT2);
	lenth->rest_any_pair_pct =
	    100 * expm1(tukey_range_quantile(0.95, cells, lenth->rest_df) * s);
}

/* Intervals and marks from Lenth's margins. */
static struct lenth *
judge_by_lenth(
    struct effect_list *list, const struct family *family, struct arena *arena)
{
	double least = sqrt(
	    4 * family->clock_variance / (double)family->combination_count);
	double *logs = arena_array(arena, list->count, sizeof(*logs));
	struct lenth *lenth;

	for (size_t i = 0; i < list->count; i++)
		logs[i] = list->effects[i].log;
	lenth = lenth_make(logs, list->count, least, arena);
	for (size_t i = 0; i < list->count; i++) {
		struct effect *effect = &list->effects[i];
		double margin = lenth->critical_one * lenth->pse;
		double size = fabs(effect->log);

		effect->ci_lo = 100 * expm1(effect->log - margin);
		effect->ci_hi = 100 * expm1(effect->log + margin);
		effect->suspected = lenth->pse > 0 && size > margin;
		effect->significant =
		    lenth->pse > 0 && size > lenth->critical_all * lenth->pse;
	}
	pool_rest(lenth, list, family);
	return lenth;
}

struct effects_work {
	struct ranking_effects *effects;
	const struct family *family;
	const struct night *night;
	struct arena *arena;
};

static void
publish(const struct effects_work *work, const struct effect_list *list)
{
	struct ranking_effects *effects = work->effects;

	effects->effects = list->effects;
	effects->effect_count = list->count;
	effects->factor_tests = list->tests;
	effects->factor_test_count = list->test_count;
	effects->s = list->s;
	effects->df = list->df;
}

static void
say_none(const struct effects_work *work, const char *reason)
{
	work->effects->method = EFFECTS_NONE;
	work->effects->reason = reason;
}

static void
use_full(const struct effects_work *work, const struct fit *fit)
{
	struct ranking_effects *effects = work->effects;
	struct effect_list *list = effects_full(work->family, fit, work->arena);

	effects->method = EFFECTS_FULL;
	mark_significant(list, work->arena);
	effects_add_settings(list, work->family, fit, work->arena);
	effects_by_options(&effects->by_options, list, work->family, fit,
	    work->night, work->arena);
	effects->half_width_pct = effects->by_options.half_width_pct;
	publish(work, list);
}

/* A design with more columns than this keeps to mains and pairs. */
enum { MANY_COLUMNS = 60, MIN_POOLED_DF = 3 };

/* Then it is an axis of several levels that keeps it from being a 2^p. */
static bool
has_every_combination(const struct family *family)
{
	size_t all = 1;

	for (size_t f = 0; f < family->factor_count; f++)
		all *= family->factors[f].level_count;
	return family->combination_count == all;
}

static void
use_regression(const struct effects_work *work)
{
	const struct family *family = work->family;
	size_t order = family->factor_count;
	struct effect_list *list;

	if (design_size(family, order) > MANY_COLUMNS && order > 2)
		order = 2;
	list = effects_regression(family, order, work->arena);
	if (list->df < 0.5 && order > 2)
		list = effects_regression(family, 2, work->arena);
	work->effects->method = EFFECTS_REGRESSION;
	work->effects->by_options.reason =
	    has_every_combination(family) ? "an axis has more than two levels"
					  : "not every combination exists";
	mark_significant(list, work->arena);
	publish(work, list);
}

/* Single runs: effects of higher order than "order" are the noise. */
static bool
use_pooled(const struct effects_work *work, size_t order)
{
	struct effect_list *list;

	if (design_size(work->family, order) + MIN_POOLED_DF >
	    work->family->run_count)
		return false;
	list = effects_regression(work->family, order, work->arena);
	if (list->df < (double)MIN_POOLED_DF)
		return false;
	work->effects->method = EFFECTS_POOLED;
	mark_significant(list, work->arena);
	publish(work, list);
	return true;
}

/* Up to this many options a single block is judged by Lenth. */
enum { LENTH_MAX_OPTIONS = 4 };

static void
use_single_runs(const struct effects_work *work, const struct fit *fit)
{
	const struct family *family = work->family;
	struct effect_list *list;

	work->effects->by_options.reason = "single runs";
	if (family->is_complete && fit->component_count == 1 &&
	    family->block_count == 1 &&
	    family->factor_count <= LENTH_MAX_OPTIONS) {
		list = effects_full(family, fit, work->arena);
		if (list->count < LENTH_MIN_EFFECTS) {
			say_none(work, "too few single runs");
			return;
		}
		work->effects->method = EFFECTS_LENTH;
		work->effects->lenth =
		    judge_by_lenth(list, family, work->arena);
		effects_add_settings(list, family, fit, work->arena);
		work->effects->half_width_pct =
		    work->effects->lenth->margin_one_pct;
		publish(work, list);
		return;
	}
	if (!use_pooled(work, 2) && !use_pooled(work, 1))
		say_none(work, "too few single runs");
}

static void
fill_family(const struct effects_work *work)
{
	const struct family *family = work->family;
	struct ranking_effects *effects = work->effects;
	const char **names =
	    arena_array(work->arena, family->factor_count + 1, sizeof(*names));
	struct fit *fit = fit_cells_blocks(family->runs, family->run_count,
	    family->combination_count, family->block_count, work->arena);

	if (fit->s2 < family->clock_variance)
		fit->s2 = family->clock_variance;
	for (size_t f = 0; f < family->factor_count; f++)
		names[f] = family->factors[f].name;
	effects->family = family->name;
	effects->factors = names;
	effects->factor_count = family->factor_count;
	effects->s = NAN;
	effects->half_width_pct = NAN;
	effects->by_options.lof_f = NAN;
	effects->by_options.lof_p = NAN;
	effects->by_options.scheffe = NAN;
	effects->by_options.half_width_pct = NAN;
	if (fit->df < 0.5)
		use_single_runs(work, fit);
	else if (family->is_complete && fit->component_count == 1)
		use_full(work, fit);
	else
		use_regression(work);
}

void
rank_fill_effects(struct ranking *ranking, struct rank_context *context)
{
	size_t count;
	struct family *families =
	    family_list(context->night, &count, context->arena);
	struct ranking_effects *effects =
	    arena_array(context->arena, count + 1, sizeof(*effects));

	for (size_t i = 0; i < count; i++) {
		struct effects_work work = { &effects[i], &families[i],
			context->night, context->arena };

		fill_family(&work);
	}
	ranking->effects = effects;
	ranking->effects_count = count;
}
