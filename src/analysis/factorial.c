/* Effects of a complete 2^p as contrasts of the fitted combinations. */
#include <math.h>

#include "analysis/effects.h"
#include "analysis/matrix.h"
#include "analysis/special.h"

/* Effects of higher order than pairs are left out of larger matrices. */
enum { ALL_ORDERS_UP_TO = 8 };

static double
contrast(const struct fit *fit, const double *c)
{
	double sum = 0;

	for (size_t i = 0; i < fit->cell_count; i++)
		sum += c[i] * fit->tau[i];
	return sum;
}

static void
set_interval(struct effect *effect, double variance, double t975)
{
	double half = t975 * sqrt(variance);

	effect->pct = 100 * expm1(effect->log);
	effect->ci_lo = 100 * expm1(effect->log - half);
	effect->ci_hi = 100 * expm1(effect->log + half);
}

static void
fill_effect(struct effect_list *list, size_t at, const struct family *family,
    const struct fit *fit, struct arena *arena)
{
	struct effect *effect = &list->effects[at];
	unsigned set = list->sets[at];
	size_t k = fit->cell_count;
	double *c = arena_array(arena, k, sizeof(*c));

	for (size_t i = 0; i < k; i++)
		c[i] = 2.0 / (double)k * family_product(family, i, set);
	effect->options = design_options(family, set, arena);
	effect->option_count = design_set_size(set);
	effect->name = design_name(family, set, arena);
	effect->log = contrast(fit, c);
	effect->estimable = true;
	list->variance[at] = fit->s2 * matrix_quadratic(fit->g, c, k);
	effect->p = regress_p(effect->log, list->variance[at], fit->df);
	set_interval(effect, list->variance[at],
	    isnan(effect->p) ? NAN : special_t_quantile(0.025, fit->df));
}

static size_t
factor_of(unsigned set)
{
	size_t f = 0;

	while (!(set & 1U << f))
		f++;
	return f;
}

/*
 * The first option of a pair without and with the second: half the sum of the
 * combinations' differences, averaged over everything else.
 */
static void
add_pair_contexts(struct effect_list *list, size_t at,
    const struct family *family, const struct fit *fit, struct arena *arena)
{
	struct effect *effect = &list->effects[at];
	size_t first = factor_of(list->sets[at]);
	size_t second = factor_of(list->sets[at] & ~(1U << first));
	struct effect_context *contexts =
	    arena_array(arena, 2, sizeof(*contexts));
	size_t k = fit->cell_count;
	double t975 = isnan(fit->s2) ? NAN : special_t_quantile(0.025, fit->df);

	for (int with = 0; with < 2; with++) {
		double *c = arena_array(arena, k, sizeof(*c));
		struct effect part = { 0 };

		for (size_t i = 0; i < k; i++) {
			if ((family_sign(family, i, second) > 0) == with)
				c[i] = 4.0 / (double)k *
				       family_sign(family, i, first);
		}
		part.log = contrast(fit, c);
		set_interval(
		    &part, fit->s2 * matrix_quadratic(fit->g, c, k), t975);
		contexts[with].given = with ? family->factors[second].with
					    : family->factors[second].without;
		contexts[with].pct = part.pct;
		contexts[with].ci_lo = part.ci_lo;
		contexts[with].ci_hi = part.ci_hi;
	}
	effect->contexts = contexts;
	effect->context_count = 2;
}

struct effect_list *
effects_full(
    const struct family *family, const struct fit *fit, struct arena *arena)
{
	struct effect_list *list = arena_alloc(arena, sizeof(*list));
	size_t order =
	    family->factor_count <= ALL_ORDERS_UP_TO ? family->factor_count : 2;

	list->sets =
	    design_sets(family->factor_count, order, &list->count, arena);
	list->effects =
	    arena_array(arena, list->count + 1, sizeof(*list->effects));
	list->variance = arena_array(arena, list->count + 1, sizeof(double));
	list->s = sqrt(fit->s2);
	list->df = fit->df;
	for (size_t i = 0; i < list->count; i++) {
		fill_effect(list, i, family, fit, arena);
		if (design_set_size(list->sets[i]) == 2)
			add_pair_contexts(list, i, family, fit, arena);
	}
	return list;
}

/* "without su, with async": the setting of all options but one. */
static const char *
setting_name(const struct family *family, size_t combination, size_t but,
    struct arena *arena)
{
	const char *name = NULL;

	for (size_t f = 0; f < family->factor_count; f++) {
		const struct family_factor *factor = &family->factors[f];
		const char *part = family_sign(family, combination, f) > 0
				       ? factor->with
				       : factor->without;

		if (f != but)
			name = name == NULL
				   ? part
				   : arena_printf(arena, "%s, %s", name, part);
	}
	return name;
}

/* The combination that differs in one factor only. */
static size_t
partner(const struct family *family, size_t combination, size_t factor)
{
	size_t j = 0;

	for (;; j++) {
		bool fits = true;

		for (size_t f = 0; f < family->factor_count && fits; f++)
			fits = (family_sign(family, j, f) ==
				   family_sign(family, combination, f)) !=
			       (f == factor);
		if (fits)
			return j;
	}
}

/* More settings than these are no longer read by anyone. */
enum { MAX_SETTINGS = 8 };

static void
add_settings(struct effect *effect, size_t factor, const struct family *family,
    const struct fit *fit, struct arena *arena)
{
	struct effect_context *contexts =
	    arena_array(arena, MAX_SETTINGS, sizeof(*contexts));
	double t975 = isnan(fit->s2) ? NAN : special_t_quantile(0.025, fit->df);

	for (size_t i = 0; i < fit->cell_count; i++) {
		struct effect_context *context;
		struct effect part = { 0 };
		size_t on;

		if (family_sign(family, i, factor) > 0)
			continue;
		on = partner(family, i, factor);
		context = &contexts[effect->context_count++];
		part.log = fit->tau[on] - fit->tau[i];
		set_interval(
		    &part, fit->s2 * fit_pair_variance(fit, on, i), t975);
		context->given = setting_name(family, i, factor, arena);
		context->pct = part.pct;
		context->ci_lo = part.ci_lo;
		context->ci_hi = part.ci_hi;
	}
	effect->contexts = contexts;
}

void
effects_add_settings(struct effect_list *list, const struct family *family,
    const struct fit *fit, struct arena *arena)
{
	if (fit->cell_count / 2 > MAX_SETTINGS || family->factor_count < 2)
		return;
	for (size_t i = 0; i < list->count; i++) {
		if (design_set_size(list->sets[i]) == 1)
			add_settings(&list->effects[i],
			    factor_of(list->sets[i]), family, fit, arena);
	}
}
