#include "analysis/rank.h"

#include "analysis/curve.h"

struct ranking *
analysis_rank(const struct series_table *table,
    const struct analysis_options *options, struct arena *arena)
{
	struct ranking *ranking = rank_table(table, options, arena);

	curve_fill(ranking, arena);
	return ranking;
}
