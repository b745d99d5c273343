#include "analysis/rank.h"

#include <math.h>

/* The component that most cells belong to. */
static size_t
main_component(const struct fit *fit, struct arena *arena)
{
	size_t *sizes =
	    arena_array(arena, fit->component_count + 1, sizeof(*sizes));
	size_t best = 0;

	for (size_t i = 0; i < fit->cell_count; i++)
		sizes[fit->component[i]]++;
	for (size_t c = 1; c < fit->component_count; c++) {
		if (sizes[c] > sizes[best])
			best = c;
	}
	return best;
}

/* Dense cells with two runs or more in the main component. */
static size_t *
choose_ranked(const struct fit *fit, size_t *count, struct arena *arena)
{
	size_t *ranked =
	    arena_array(arena, fit->cell_count + 1, sizeof(*ranked));
	size_t component = main_component(fit, arena);

	*count = 0;
	for (size_t i = 0; i < fit->cell_count; i++) {
		if (fit->n[i] >= 2 && fit->component[i] == component)
			ranked[(*count)++] = i;
	}
	return ranked;
}

static struct stepdown *
test_pairs(const struct fit *fit, const size_t *ranked, size_t count,
    struct rank_context *context, double **value, double **error)
{
	struct arena *arena = context->arena;

	*value = arena_array(arena, count + 1, sizeof(double));
	*error = arena_array(arena, count * count + 1, sizeof(double));
	for (size_t i = 0; i < count; i++) {
		(*value)[i] = fit->tau[ranked[i]];
		for (size_t j = 0; j < count; j++) {
			if (i != j)
				(*error)[i * count + j] =
				    fit_pair_error(fit, ranked[i], ranked[j]);
		}
	}
	return stepdown_tukey(
	    *value, *error, count, fit->df, context->alpha, arena);
}

/* Where each cell of the table is among the ranked. */
static size_t *
index_ranked(const struct night *night, const size_t *ranked, size_t count,
    struct arena *arena)
{
	size_t cells = night->table->cell_count;
	size_t *at = arena_array(arena, cells + 1, sizeof(*at));

	for (size_t i = 0; i < cells; i++)
		at[i] = SERIES_NONE;
	for (size_t i = 0; i < count; i++)
		at[night->cells[ranked[i]]] = i;
	return at;
}

/* The ranking as it would be with every run put back. */
static void
rank_all_runs(struct rank_context *context)
{
	struct night *night =
	    night_prepare(context->table, NULL, context->arena);
	struct fit *fit = night_fit(night, context->arena);
	size_t count;
	size_t *ranked = choose_ranked(fit, &count, context->arena);
	double *value;
	double *error;

	context->all_s = sqrt(fit->s2);
	context->all = test_pairs(fit, ranked, count, context, &value, &error);
	context->all_at = index_ranked(night, ranked, count, context->arena);
}

void
rank_prepare(struct rank_context *context)
{
	struct arena *arena = context->arena;

	context->outliers = outliers_find(
	    context->table, !context->options->keep_outliers, arena);
	context->night =
	    night_prepare(context->table, context->outliers->skip, arena);
	context->fit = night_fit(context->night, arena);
	context->all_s = NAN;
	context->has_noise = context->fit != NULL && !isnan(context->fit->s2);
	if (context->fit != NULL && context->has_noise)
		context->ranked =
		    choose_ranked(context->fit, &context->ranked_count, arena);
	context->ranked_at = index_ranked(
	    context->night, context->ranked, context->ranked_count, arena);
	if (context->fit == NULL || context->ranked_count == 0)
		return;
	context->stepdown = test_pairs(context->fit, context->ranked,
	    context->ranked_count, context, &context->value, &context->error);
	for (size_t i = 1; i < context->ranked_count; i++) {
		if (context->value[i] < context->value[context->best])
			context->best = i;
	}
	if (context->outliers->set_aside_count > 0)
		rank_all_runs(context);
}

double
rank_half_width(const struct rank_context *context, size_t a, size_t b)
{
	if (a == b || context->stepdown->step_count == 0)
		return 0;
	return context->stepdown->q[0] / M_SQRT2 *
	       context->error[a * context->ranked_count + b];
}
