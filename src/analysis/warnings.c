/* What a reader must know before believing a ranking, in sentences. */
#include <math.h>

#include "analysis/rank.h"

/* A list of texts that grows in an arena. */
struct texts {
	struct arena *arena;
	const char **items;
	size_t count, capacity;
};

static void
say(struct texts *texts, const char *text)
{
	if (texts->count == texts->capacity)
		texts->items = arena_grow(texts->arena, texts->items,
		    texts->count, &texts->capacity, sizeof(*texts->items));
	texts->items[texts->count++] = text;
}

static const char *
title(const struct ranking *ranking, size_t cell)
{
	return ranking->table->cells[cell].key;
}

/* Runs that ended, with nothing done or in no time. */
static bool
has_stalled(const struct rank_context *context)
{
	for (size_t i = 0; i < context->table->cell_count; i++)
		if (context->night->tallies[i].stalled > 0 ||
		    context->night->tallies[i].zero > 0)
			return true;
	return false;
}

static void
warn_design(struct texts *texts, const struct ranking *ranking,
    const struct rank_context *context)
{
	const struct ranking_noise *noise = &ranking->noise;
	double runs;

	if (context->fit == NULL) {
		say(texts, has_stalled(context)
			       ? "no run gave a value that can be ranked"
			       : "no run finished");
		return;
	}
	runs =
	    (double)context->fit->run_count / (double)context->fit->cell_count;
	if (ranking->is_single_runs)
		say(texts,
		    noise->known
			? "single runs: their noise was measured earlier, so "
			  "no cell has a place"
			: "single runs: their noise is not known, so no cell "
			  "has a place");
	else if (runs < 2.5)
		say(texts,
		    "fewer than three runs per cell: an outlier cannot be "
		    "recognised, and only large differences show");
	if (context->has_noise && context->fit->component_count > 1)
		say(texts,
		    "some cells never ran in the same blocks as the others "
		    "and cannot be compared with them");
	if (context->has_noise && !ranking->has_blocks &&
	    context->fit->cell_count > 1)
		say(texts,
		    "the runs were not made in blocks: what changed between "
		    "them counts as a difference of cells");
	if (context->has_noise && noise->s == 0)
		say(texts,
		    "no run differed from another: differences are taken as "
		    "exact");
	if (noise->is_clock)
		say(texts,
		    arena_printf(texts->arena,
			"the %s step of %.3g %% is all the noise there "
			"is: equal values are equal to that only",
			ranking->table->clock == CLOCK_ROUNDED ? "figures'"
							       : "clock's",
			noise->clock_pct));
}

static void
warn_outliers(struct texts *texts, const struct ranking *ranking,
    const struct rank_context *context)
{
	for (size_t i = 0; i < ranking->outlier_count; i++) {
		const struct ranking_outlier *outlier = &ranking->outliers[i];
		const struct series_run *run =
		    &ranking->table->runs[outlier->run];

		say(texts,
		    arena_printf(texts->arena,
			"%s in block %d is %+.1f %% from what was expected "
			"(p = %.2g)%s",
			title(ranking, run->cell), run->block,
			outlier->excess_pct, outlier->p,
			outlier->set_aside ? ": set aside" : ": kept"));
	}
	for (size_t c = 0; c < ranking->table->cell_count; c++) {
		if (context->outliers->is_erratic[c])
			say(texts,
			    arena_printf(texts->arena,
				"%s is erratic: more of its runs stand out "
				"than may be set aside",
				title(ranking, c)));
	}
}

static void
warn_drift(struct texts *texts, const struct ranking *ranking)
{
	const struct ranking_drift *drift = &ranking->drift;

	if (drift->position_warn)
		say(texts,
		    arena_printf(texts->arena,
			"runs change by %+.2g %% from the first to the last "
			"place in a block (p = %.2g): use a shorter workload "
			"or smaller blocks",
			drift->position_pct, drift->position_p));
	if (drift->lag1_warn)
		say(texts,
		    arena_printf(texts->arena,
			"neighbouring runs are alike (correlation %.2f, p = "
			"%.2g): the noise may be larger than it seems",
			drift->lag1, drift->lag1_p));
}

static void
warn_controls(struct texts *texts, const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->control_count; i++) {
		const struct ranking_control *control = &ranking->controls[i];

		if (control->claimed)
			say(texts,
			    arena_printf(texts->arena,
				"false alarm: %s and %s are the same thing "
				"but are told apart (%+.2g %%): doubt the "
				"other claims too",
				title(ranking, control->cell),
				title(ranking, control->duplicate),
				control->pct));
	}
}

void
rank_fill_warnings(struct ranking *ranking, struct rank_context *context)
{
	struct texts texts = { .arena = context->arena };

	warn_design(&texts, ranking, context);
	ranking->design_warning_count = texts.count;
	warn_outliers(&texts, ranking, context);
	warn_drift(&texts, ranking);
	warn_controls(&texts, ranking);
	ranking->warnings = texts.items;
	ranking->warning_count = texts.count;
}
