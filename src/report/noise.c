/* How far a ranking can be trusted: its noise, and what more blocks would do.
 */
#include <math.h>

#include "base/units.h"
#include "report/sections.h"

/* More blocks than anybody runs. */
enum { FAR = 1000 };
/* A thousand years. */
static const double most_hours = 24 * 365.25 * 1000;

/* "; 26 more blocks (about 8 h; 30 in all) would resolve 1 %" */
static char *
more_blocks(struct arena *arena, const struct ranking *ranking)
{
	const struct ranking_noise *noise = &ranking->noise;
	const char *block = ranking->has_blocks ? "block" : "run";
	const char *each = ranking->has_blocks ? "" : " of each cell";
	int more = noise->blocks_for_1pct - noise->blocks;
	const char *hours = "";

	if (noise->blocks_for_1pct <= 0)
		return arena_strdup(arena,
		    "; no number of blocks that anybody runs would resolve"
		    " 1 %");
	if (more <= 0)
		return arena_strdup(arena, "; 1 % is resolved already");
	if (more > FAR)
		return arena_printf(arena,
		    "; to resolve 1 %% would take %d %ss%s, 5 %% %d",
		    noise->blocks_for_1pct, block, each,
		    noise->blocks_for_5pct);
	if (noise->hours_per_block > 0 &&
	    noise->hours_per_block * more < most_hours)
		hours = arena_printf(arena, "about %s; ",
		    units_format_duration(arena,
			(int64_t)(noise->hours_per_block * more * 3600e9)));
	return arena_printf(arena,
	    "; %d more %s%s%s (%s%d in all) would resolve 1 %%%s", more, block,
	    more == 1 ? "" : "s", each, hours, noise->blocks_for_1pct,
	    more > 100 && noise->blocks_for_5pct > noise->blocks
		? arena_printf(arena, ", %d more 5 %%",
		      noise->blocks_for_5pct - noise->blocks)
		: "");
}

/* " 1 of 15 pairs is told apart." */
static char *
pairs_text(const struct section *section)
{
	const struct ranking *ranking = section->ranking;
	size_t pairs = 0, apart = 0;

	for (size_t i = 0; i < ranking->row_count; i++)
		for (size_t j = 0; j < i; j++) {
			if (ranking->rows[i].standing != STANDING_RANKED ||
			    ranking->rows[j].standing != STANDING_RANKED)
				continue;
			pairs++;
			apart += ranking_differs(
				     &ranking->rows[i], &ranking->rows[j])
				     ? 1
				     : 0;
		}
	if (pairs < 2)
		return arena_strdup(section->document->arena, "");
	return arena_printf(section->document->arena,
	    " %zu of %zu pairs %s told apart.", apart, pairs,
	    apart == 1 ? "is" : "are");
}

/* What the clock adds, where its steps are not far below the noise. */
static char *
clock_text(struct arena *arena, const struct ranking *ranking)
{
	const struct ranking_noise *noise = &ranking->noise;
	const char *whose =
	    ranking->table->clock == CLOCK_ROUNDED ? "figures'" : "clock's";

	if (noise->is_clock)
		return arena_printf(arena, ", all of it the %s step of %s",
		    whose, percent_size(arena, noise->clock_pct));
	/* far below the noise it is not worth a word */
	if (noise->clock_pct > noise->cv_pct / 5)
		return arena_printf(arena, ", the %s step is %s", whose,
		    percent_size(arena, noise->clock_pct));
	return arena_strdup(arena, "");
}

static void
say_single_runs(const struct section *section)
{
	size_t runs = 0;

	for (size_t i = 0; i < section->ranking->row_count; i++)
		runs += section->ranking->rows[i].runs;
	document_add(section->document, BLOCK_PARAGRAPH,
	    "%zu single run%s, noise unknown: no places%s.", runs,
	    runs == 1 ? "" : "s",
	    runs == 1 ? ""
		      : ", and of no two cells alone can it be said"
			" which is better");
}

static void
say_one_place(const struct ranking *ranking, struct document *document)
{
	const struct ranking_noise *noise = &ranking->noise;

	document_add(document, BLOCK_PARAGRAPH,
	    "One cell has a place: there is nothing to compare it"
	    " with. Run-to-run noise is %s (%.0f degree%s of"
	    " freedom)%s.",
	    percent_size(document->arena, noise->cv_pct), noise->df,
	    noise->df == 1 ? "" : "s", clock_text(document->arena, ranking));
}

static void
say_resolution(const struct section *section)
{
	const struct ranking_noise *noise = &section->ranking->noise;
	struct arena *arena = section->document->arena;
	const char *in_groups = "";

	if (isfinite(noise->hsd_in_groups_pct))
		in_groups = arena_printf(arena, " (%s inside the groups)",
		    percent_size(arena, noise->hsd_in_groups_pct));
	document_add(section->document, BLOCK_PARAGRAPH,
	    "Differences below %s%s cannot be told from noise in this run%s."
	    " Run-to-run noise is %s (%.0f degree%s of freedom)%s%s.%s",
	    percent_size(arena, noise->hsd_pct), in_groups,
	    more_blocks(arena, section->ranking),
	    percent_size(arena, noise->cv_pct), noise->df,
	    noise->df == 1 ? "" : "s", clock_text(arena, section->ranking),
	    noise->taken_from != NULL
		? arena_printf(arena, ", taken from %s", noise->taken_from)
		: "",
	    pairs_text(section));
	if (isfinite(noise->s_with_flagged_pct))
		document_add(section->document, BLOCK_ITEM,
		    "with the runs put back that were left out, the noise would be"
		    " %s",
		    percent_size(arena, noise->s_with_flagged_pct));
}

void
section_noise(const struct section *section)
{
	const struct ranking_noise *noise = &section->ranking->noise;

	if (rows_in_ranking(section->ranking) == 0)
		return;
	if (section->ranking->is_single_runs)
		say_single_runs(section);
	else if (!noise->known)
		document_add(section->document, BLOCK_PARAGRAPH,
		    "The noise of this run is not known: no places.");
	else if (isnan(noise->hsd_pct))
		say_one_place(section->ranking, section->document);
	else
		say_resolution(section);
}
