/* What concerns the whole run: all workloads together, the cells, what was
 * given up, what failed, and how to do it again. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

static void
add_overall_table(const struct overall *overall, struct document *document)
{
	static const struct grid_column columns[] = {
		{ "place", false, false },
		{ "range", false, false },
		{ "cell", false, true },
		{ "slower by", true, false },
		{ "from", true, false },
		{ "to", true, false },
		{ "", false, false },
	};
	struct arena *arena = document->arena;
	struct grid *grid = document_add_grid(document, columns, 7);

	for (size_t i = 0; i < overall->row_count; i++) {
		const struct overall_row *row = &overall->rows[i];
		const char **cells = grid_add_row(document, grid);

		cells[0] = place_text(arena, row->place, row->tied);
		cells[1] = range_text(arena, row->rank_lo, row->rank_hi);
		cells[2] = row->key;
		cells[3] = row->slower_pct == 0
			       ? "-"
			       : percent_text(arena, row->slower_pct);
		cells[4] = isnan(row->slower_lo)
			       ? ""
			       : percent_text(arena, row->slower_lo);
		cells[5] = isnan(row->slower_hi)
			       ? ""
			       : percent_text(arena, row->slower_hi);
		cells[6] = row->undominated ? "unbeaten" : "";
	}
}

void
section_overall(const struct report_input *input, struct document *document)
{
	const struct overall *overall = input->overall;
	struct arena *arena = document->arena;
	struct buffer names;

	if (overall == NULL)
		return;
	document_add(document, BLOCK_HEADING, "All workloads together");
	if (!overall->available) {
		document_add(document, BLOCK_PARAGRAPH, "None given: %s.",
		    overall->reason);
	} else {
		buffer_init(&names);
		for (size_t i = 0; i < overall->workload_count; i++)
			buffer_printf(&names, "%s%s", i > 0 ? ", " : "",
			    overall->workloads[i]);
		document_add(document, BLOCK_PARAGRAPH,
		    "Geometric mean of: %s.", buffer_text(&names));
		buffer_reset(&names);
		add_overall_table(overall, document);
		if (overall->caveat != NULL && overall->caveat[0] != '\0')
			document_add(document, BLOCK_PARAGRAPH, "Caveat: %s.",
			    overall->caveat);
	}
	for (size_t i = 0; i < overall->tradeoff_count; i++) {
		const struct overall_tradeoff *tradeoff =
		    &overall->tradeoffs[i];

		document_add(document, BLOCK_ITEM,
		    "%s is better at %s (the other is %s slower), %s at %s"
		    " (%s)",
		    tradeoff->key, tradeoff->workload,
		    percent_size(arena, tradeoff->pct), tradeoff->other,
		    tradeoff->other_workload,
		    percent_size(arena, tradeoff->other_pct));
	}
}

static void
add_text(struct buffer *out, const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		buffer_printf(out, "; %s %s", name, text);
}

/* One cell: what was asked, what is in force, what the probes found. */
static void
add_cell(const struct report_input *input, const struct cell *cell,
    struct document *document)
{
	struct buffer line;
	bool has_asked = cell->asked != NULL && cell->asked[0] != '\0';

	buffer_init(&line);
	buffer_puts(&line, cell->key);
	if (cell->status == CELL_DUPLICATE && cell->duplicate_of != NO_CELL)
		buffer_printf(&line, ": the same as %s",
		    input->plan->cells[cell->duplicate_of].key);
	else
		buffer_printf(&line, ": %s", cell_status_name(cell->status));
	if (cell->reason != NULL && cell->reason[0] != '\0')
		buffer_printf(&line, " (%s)", cell->reason);
	if (!input->is_imported)
		buffer_printf(
		    &line, "; asked %s", has_asked ? cell->asked : "nothing");
	add_text(&line, "in force", cell->in_force);
	add_text(&line, "atime", cell->atime_probe);
	add_text(&line, "durability", cell->durability_probe);
	document_add(document, BLOCK_ITEM, "%s", buffer_text(&line));
	buffer_reset(&line);
}

void
section_cells(const struct report_input *input, struct document *document)
{
	const struct plan *plan = input->plan;
	bool any = !input->is_imported;

	for (size_t i = 0; i < plan->cell_count; i++)
		any = any || plan->cells[i].status != CELL_OK ||
		      plan->cells[i].in_force != NULL;
	if (!any)
		return;
	document_add(document, BLOCK_HEADING, "Options%s in force",
	    input->is_imported ? "" : " asked and");
	for (size_t i = 0; i < plan->cell_count; i++)
		add_cell(input, &plan->cells[i], document);
}

void
section_risks(const struct report_input *input, struct document *document)
{
	bool is_shown[RISK_COUNT] = { false };
	bool any = false;

	for (size_t i = 0; i < input->plan->cell_count; i++) {
		const struct cell *cell = &input->plan->cells[i];

		if (cell_status_runs(cell->status) && cell->driver != NULL &&
		    cell->driver[0] != '\0')
			any = is_shown[cell->risk] = true;
	}
	if (!any)
		return;
	document_add(document, BLOCK_HEADING, "Risks");
	for (int i = 0; i < RISK_COUNT; i++)
		if (is_shown[i])
			document_add(document, BLOCK_ITEM, "%s: %s",
			    risk_name((enum risk)i),
			    risk_meaning((enum risk)i));
}

void
section_failures(const struct report_input *input, struct document *document)
{
	if (input->failure_count == 0)
		return;
	document_add(document, BLOCK_HEADING, "Failures");
	for (size_t i = 0; i < input->failure_count; i++) {
		const struct failure *failure = &input->failures[i];

		document_add(document, BLOCK_ITEM, "%s, %s, %s: %s%s%s%s%s",
		    failure->cell, failure->workload,
		    failure->is_warm_up ? "warm-up"
					: arena_printf(document->arena,
					      "block %d", failure->block),
		    verdict_name(failure->verdict),
		    failure->verdict == VERDICT_ABORTED ? "" : " at ",
		    failure->verdict == VERDICT_ABORTED
			? ""
			: rung_name(failure->rung),
		    failure->reason[0] != '\0' ? ": " : "", failure->reason);
	}
}

void
section_again(const struct report_input *input, struct document *document)
{
	if (input->warning_count > 0) {
		document_add(document, BLOCK_HEADING, "Warnings");
		for (size_t i = 0; i < input->warning_count; i++)
			document_add(
			    document, BLOCK_ITEM, "%s", input->warnings[i]);
	}
	if (input->again == NULL)
		return;
	document_add(document, BLOCK_HEADING, "To run it again");
	document_add(document, BLOCK_COMMAND, "%s", input->again);
}
