/* Single runs and the night: controls, outliers, drift. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

void
section_controls(const struct section *section)
{
	const struct ranking *ranking = section->ranking;
	struct document *document = section->document;
	struct arena *arena = document->arena;

	if (ranking->control_count == 0)
		return;
	document_add(document, BLOCK_LABEL,
	    "Controls (the same thing twice; any difference is noise):");
	for (size_t i = 0; i < ranking->control_count; i++) {
		const struct ranking_control *control = &ranking->controls[i];
		const char *one = cell_name(section, control->cell);
		const char *two = cell_name(section, control->duplicate);

		if (!control->compared && isnan(control->pct))
			document_add(document, BLOCK_ITEM,
			    "%s = %s: not compared", two, one);
		else if (!control->compared)
			document_add(document, BLOCK_ITEM,
			    "%s = %s: %s, single runs", two, one,
			    percent_text(arena, control->pct));
		else
			document_add(document, BLOCK_ITEM,
			    "%s = %s: %s (%s to %s)%s", two, one,
			    percent_text(arena, control->pct),
			    percent_text(arena, control->ci_lo),
			    percent_text(arena, control->ci_hi),
			    control->claimed
				? ": told apart, so this run raises a false"
				  " alarm"
				: "");
	}
}

void
section_outliers(const struct section *section)
{
	const struct ranking *ranking = section->ranking;
	struct document *document = section->document;
	struct arena *arena = document->arena;

	if (ranking->outlier_count == 0)
		return;
	document_add(document, BLOCK_LABEL, "Unlikely runs:");
	for (size_t i = 0; i < ranking->outlier_count; i++) {
		const struct ranking_outlier *outlier = &ranking->outliers[i];
		const struct series_run *run =
		    &section->table->series->runs[outlier->run];
		const char *day = day_text(arena, run->started_ns);

		document_add(document, BLOCK_ITEM,
		    "%c %s, block %d%s%s: %s %s, %s off what was expected%s%s",
		    outlier->set_aside ? '!' : '?',
		    cell_name(section, run->cell), run->block,
		    day[0] != '\0' ? ", " : "", day,
		    value_text(arena, run->value, section->decimals),
		    section->table->series->unit,
		    percent_text(arena, outlier->excess_pct),
		    outlier->set_aside ? ", left out" : ", kept",
		    run->note != NULL
			? arena_printf(arena, "; beside it: %s", run->note)
			: "");
	}
	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];

		if (row->all_rank_lo > 0)
			document_add(document, BLOCK_ITEM,
			    "with every run put back, %s has range %s instead"
			    " of %s",
			    cell_name(section, row->cell),
			    range_text(
				arena, row->all_rank_lo, row->all_rank_hi),
			    range_text(arena, row->rank_lo, row->rank_hi));
	}
}

void
section_drift(const struct section *section)
{
	const struct ranking_drift *drift = &section->ranking->drift;
	struct document *document = section->document;
	struct arena *arena = document->arena;
	struct buffer blocks;

	if (drift->block_count > 1) {
		buffer_init(&blocks);
		for (size_t i = 0; i < drift->block_count; i++)
			buffer_printf(&blocks, "%s%s", i > 0 ? ", " : "",
			    percent_text(arena, drift->blocks[i].pct));
		document_add(document, BLOCK_PARAGRAPH,
		    "Blocks against their mean, + is slower: %s (taken out of"
		    " every figure above).",
		    buffer_text(&blocks));
		buffer_reset(&blocks);
	}
	if (drift->position_warn)
		document_add(document, BLOCK_ITEM,
		    "drift within blocks: %s in time from first to last (p = %.2g); a"
		    " shorter workload or smaller blocks would help",
		    percent_text(arena, drift->position_pct),
		    drift->position_p);
	if (drift->lag1_warn)
		document_add(document, BLOCK_ITEM,
		    "runs next to each other are alike (correlation %.2f,"
		    " p = %.2g): the noise is not independent",
		    drift->lag1, drift->lag1_p);
}
