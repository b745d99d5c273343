/*
 * Effects of matrices with holes or with factors of several levels, by
 * regression; for the latter an F test and Tukey over the levels.
 */
#include <math.h>

#include "analysis/effects.h"
#include "analysis/special.h"
#include "analysis/stepdown.h"

struct regression_work {
	const struct family *family;
	const struct design *design;
	struct regression *regression;
	struct arena *arena;
	double t975;
};

/* True when a term that has all of these factors and more was dropped. */
static bool
is_hidden(const struct regression_work *work, unsigned set)
{
	for (size_t i = 0; i < work->design->term_count; i++) {
		const struct design_term *term = &work->design->terms[i];

		if ((term->set & set) != set || term->set == set)
			continue;
		for (size_t c = 0; c < term->column_count; c++) {
			if (work->regression
				->is_dropped[term->first_column + c])
				return true;
		}
	}
	return false;
}

static void
fill_effect(const struct regression_work *work, const struct design_term *term,
    struct effect *effect, double *variance)
{
	const struct regression *regression = work->regression;
	size_t column = term->first_column;
	size_t count = regression->column_count;
	double half;

	effect->options = design_options(work->family, term->set, work->arena);
	effect->option_count = term->order;
	effect->name = design_name(work->family, term->set, work->arena);
	effect->log = regression->coefficient[column];
	effect->estimable = !regression->is_dropped[column];
	effect->assumes_no_interaction =
	    effect->estimable && is_hidden(work, term->set);
	*variance = effect->estimable
			? regression->s2 *
			      regression->covariance[column * count + column]
			: NAN;
	half = work->t975 * sqrt(*variance);
	effect->pct = 100 * expm1(effect->log);
	effect->ci_lo = 100 * expm1(effect->log - half);
	effect->ci_hi = 100 * expm1(effect->log + half);
	effect->p = regress_p(effect->log, *variance, regression->df);
}

static const struct design_term *
find_term(const struct design *design, unsigned set)
{
	for (size_t i = 0; i < design->term_count; i++) {
		if (design->terms[i].set == set)
			return &design->terms[i];
	}
	return NULL;
}

/* First option of a pair by the second: b_first -+ b_pair. */
static void
add_contexts(const struct regression_work *work, const struct design_term *pair,
    struct effect *effect)
{
	const struct regression *regression = work->regression;
	size_t count = regression->column_count;
	struct effect_context *contexts =
	    arena_array(work->arena, 2, sizeof(*contexts));
	double *w = arena_array(work->arena, count, sizeof(*w));
	unsigned first = pair->set & (~pair->set + 1);
	unsigned second = pair->set & ~first;
	const struct design_term *term = find_term(work->design, first);
	size_t main_column;
	size_t f = 0;

	if (term == NULL || !effect->estimable)
		return;
	main_column = term->first_column;
	if (regression->is_dropped[main_column])
		return;
	while (!(second & 1U << f))
		f++;
	for (int with = 0; with < 2; with++) {
		double sign = with ? 1 : -1;
		double log = regression->coefficient[main_column] +
			     sign * regression->coefficient[pair->first_column];
		double half;

		w[main_column] = 1;
		w[pair->first_column] = sign;
		half = work->t975 *
		       sqrt(regression->s2 * regress_variance(regression, w));
		contexts[with].given = with ? work->family->factors[f].with
					    : work->family->factors[f].without;
		contexts[with].pct = 100 * expm1(log);
		contexts[with].ci_lo = 100 * expm1(log - half);
		contexts[with].ci_hi = 100 * expm1(log + half);
	}
	effect->contexts = contexts;
	effect->context_count = 2;
}

/* Weights of a level's mean: its code, the last one's is -1 everywhere. */
static void
level_weights(
    const struct design_term *term, size_t level, double sign, double *w)
{
	for (size_t c = 0; c < term->column_count; c++) {
		if (level == term->column_count)
			w[term->first_column + c] -= sign;
		else if (level == c)
			w[term->first_column + c] += sign;
	}
}

/* Standard errors of all differences of levels. */
static double *
level_errors(const struct regression_work *work, const struct design_term *term,
    size_t levels)
{
	const struct regression *regression = work->regression;
	double *error =
	    arena_array(work->arena, levels * levels, sizeof(*error));

	for (size_t i = 0; i < levels; i++) {
		for (size_t j = 0; j < levels; j++) {
			double *w = arena_array(
			    work->arena, regression->column_count, sizeof(*w));

			level_weights(term, i, 1, w);
			level_weights(term, j, -1, w);
			error[i * levels + j] =
			    sqrt(regression->s2 *
				 fmax(0, regress_variance(regression, w)));
		}
	}
	return error;
}

static double *
level_means(const struct regression_work *work, const struct design_term *term,
    size_t levels)
{
	double *mean = arena_array(work->arena, levels, sizeof(*mean));

	for (size_t c = 0; c < term->column_count; c++) {
		mean[c] = work->regression->coefficient[term->first_column + c];
		mean[levels - 1] -= mean[c];
	}
	return mean;
}

/* Tukey over the levels of a main effect. */
static void
rank_levels(const struct regression_work *work, const struct design_term *term,
    const struct family_factor *factor, struct factor_test *test)
{
	size_t count = factor->level_count;
	double *mean = level_means(work, term, count);
	double *error = level_errors(work, term, count);
	struct factor_level *levels =
	    arena_array(work->arena, count, sizeof(*levels));
	struct stepdown *stepdown = stepdown_tukey(
	    mean, error, count, work->regression->df, 0.05, work->arena);
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		best = mean[i] < mean[best] ? i : best;
	for (size_t i = 0; i < count; i++) {
		double gap = mean[i] - mean[best];
		double half =
		    stepdown->q[0] / M_SQRT2 * error[i * count + best];

		levels[i].level = factor->levels[i];
		levels[i].pct = 100 * expm1(gap);
		levels[i].pct_lo = 100 * expm1(gap - half);
		levels[i].pct_hi = 100 * expm1(gap + half);
		levels[i].rank_lo = stepdown->rank_lo[i];
		levels[i].rank_hi = stepdown->rank_hi[i];
	}
	test->levels = levels;
	test->level_count = count;
}

static void
fill_test(const struct regression_work *work, const struct design_term *term,
    struct factor_test *test)
{
	const struct regression *regression = work->regression;
	size_t *columns =
	    arena_array(work->arena, term->column_count, sizeof(*columns));
	size_t used;
	size_t f = 0;

	for (size_t c = 0; c < term->column_count; c++)
		columns[c] = term->first_column + c;
	test->factor = design_name(work->family, term->set, work->arena);
	test->f = regress_f(
	    regression, columns, term->column_count, &used, work->arena);
	test->df1 = (double)used;
	test->df2 = regression->df;
	test->estimable = used == term->column_count;
	if (used == 0 || isnan(test->f))
		test->p = NAN;
	else if (isinf(test->f))
		test->p = 0;
	else
		test->p = special_f_upper(test->f, test->df1, test->df2);
	while (!(term->set & 1U << f))
		f++;
	if (term->order == 1 && test->estimable && !isnan(regression->s2))
		rank_levels(work, term, &work->family->factors[f], test);
}

struct effect_list *
effects_regression(
    const struct family *family, size_t order, struct arena *arena)
{
	struct effect_list *list = arena_alloc(arena, sizeof(*list));
	struct regression_work work = { .family = family, .arena = arena };
	double *y = arena_array(arena, family->run_count + 1, sizeof(*y));
	size_t terms;

	work.design = design_make(family, order, ~0U, arena);
	terms = work.design->term_count;
	for (size_t i = 0; i < family->run_count; i++)
		y[i] = family->runs[i].y;
	work.regression = regress(work.design->columns,
	    work.design->column_count, y, family->run_count, arena);
	if (work.regression->s2 < family->clock_variance)
		work.regression->s2 = family->clock_variance;
	work.t975 = isnan(work.regression->s2)
			? NAN
			: special_t_quantile(0.025, work.regression->df);
	list->effects = arena_array(arena, terms + 1, sizeof(*list->effects));
	list->tests = arena_array(arena, terms + 1, sizeof(*list->tests));
	list->sets = arena_array(arena, terms + 1, sizeof(*list->sets));
	list->variance = arena_array(arena, terms + 1, sizeof(double));
	list->s = sqrt(work.regression->s2);
	list->df = work.regression->df;
	for (size_t i = 0; i < terms; i++) {
		const struct design_term *term = &work.design->terms[i];
		size_t at = list->count;

		if (!term->is_effect) {
			fill_test(
			    &work, term, &list->tests[list->test_count++]);
			continue;
		}
		list->sets[at] = term->set;
		fill_effect(
		    &work, term, &list->effects[at], &list->variance[at]);
		if (term->order == 2)
			add_contexts(&work, term, &list->effects[at]);
		list->count++;
	}
	return list;
}
