#include "analysis/rank.h"

static void
fill_outliers(struct ranking *ranking, const struct rank_context *context)
{
	ranking->outliers = context->outliers->items;
	ranking->outlier_count = context->outliers->count;
}

struct ranking *
rank_table(const struct series_table *table,
    const struct analysis_options *options, struct arena *arena)
{
	static const struct analysis_options usual = { 0 };
	struct ranking *ranking = arena_alloc(arena, sizeof(*ranking));
	struct rank_context context = { .table = table, .arena = arena };

	context.options = options == NULL ? &usual : options;
	context.alpha = context.options->alpha;
	if (context.alpha <= 0)
		context.alpha = context.options->is_raced ? 0.04 : 0.05;
	rank_prepare(&context);
	ranking->table = table;
	ranking->alpha = context.alpha;
	ranking->has_blocks = context.night->has_blocks;
	ranking->is_single_runs = context.fit != NULL && !context.has_noise;
	ranking->cell_count = context.ranked_count;
	rank_fill_rows(ranking, &context);
	rank_fill_noise(ranking, &context);
	fill_outliers(ranking, &context);
	rank_fill_controls(ranking, &context);
	rank_fill_drift(ranking, &context);
	rank_fill_effects(ranking, &context);
	rank_fill_warnings(ranking, &context);
	return ranking;
}
