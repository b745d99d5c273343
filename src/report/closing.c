/* What concerns the whole run: all workloads together, the cells, what was
 * given up, what failed, and how to do it again. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

enum { TRADEOFFS_MOST = 5 };

static void
add_overall_table(const struct overall *overall, struct document *document)
{
	static const struct grid_column columns[] = {
		{ "place", false, false, false },
		{ "range", false, false, false },
		{ "cell", false, true, false },
		{ "slower by", true, false, false },
		{ "from", true, false, false },
		{ "to", true, false, false },
		{ "", false, false, false },
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
		cells[4] = isnan(row->slower_lo) || row->slower_pct == 0
			       ? ""
			       : percent_text(arena, row->slower_lo);
		cells[5] = isnan(row->slower_hi) || row->slower_pct == 0
			       ? ""
			       : percent_text(arena, row->slower_hi);
		cells[6] = row->undominated ? "unbeaten" : "";
	}
}

/* How much is at stake: the smaller of the two losses. */
static double
stake(const struct overall_tradeoff *tradeoff)
{
	return fmin(fabs(tradeoff->pct), fabs(tradeoff->other_pct));
}

/* The largest ones; a matrix of many cells has hundreds. */
static void
add_tradeoffs(const struct overall *overall, struct document *document)
{
	struct arena *arena = document->arena;
	bool *is_said =
	    arena_array(arena, overall->tradeoff_count + 1, sizeof *is_said);
	size_t said = 0;

	for (; said < overall->tradeoff_count && said < TRADEOFFS_MOST;
	     said++) {
		const struct overall_tradeoff *best = NULL;

		for (size_t i = 0; i < overall->tradeoff_count; i++)
			if (!is_said[i] &&
			    (best == NULL ||
				stake(&overall->tradeoffs[i]) > stake(best)))
				best = &overall->tradeoffs[i];
		if (best == NULL)
			break;
		is_said[best - overall->tradeoffs] = true;
		document_add(document, BLOCK_ITEM,
		    "%s is better at %s (the other is %s slower), %s at %s"
		    " (%s)",
		    best->key, best->workload, percent_size(arena, best->pct),
		    best->other, best->other_workload,
		    percent_size(arena, best->other_pct));
	}
	if (said < overall->tradeoff_count)
		document_add(document, BLOCK_ITEM,
		    "and %zu smaller trade-offs of this kind",
		    overall->tradeoff_count - said);
}

static bool
is_in_overall(const struct overall *overall, const char *key)
{
	for (size_t i = 0; i < overall->row_count; i++)
		if (strcmp(overall->rows[i].key, key) == 0)
			return true;
	return false;
}

static bool
has_place(const struct report_input *input, const char *key)
{
	for (size_t i = 0; i < input->workload_count; i++) {
		const struct ranking *ranking = input->workloads[i].ranking;
		const struct ranking_row *row = NULL;
		size_t cell;

		if (ranking == NULL)
			continue;
		cell = series_find_cell(ranking->table, key);
		if (cell != SERIES_NONE)
			row = ranking_find(ranking, cell);
		if (row != NULL && row->place > 0)
			return true;
	}
	return false;
}

/* The fastest of all may be among them: it failed in one workload. */
static void
say_missing_cells(const struct report_input *input, struct document *document)
{
	struct buffer names;

	buffer_init(&names);
	for (size_t i = 0; i < input->plan->cell_count; i++) {
		const char *key = input->plan->cells[i].key;

		if (has_place(input, key) &&
		    !is_in_overall(input->overall, key))
			buffer_printf(
			    &names, "%s%s", names.length > 0 ? ", " : "", key);
	}
	if (names.length > 0)
		document_add(document, BLOCK_ITEM,
		    "left out, without a place in every workload: %s",
		    buffer_text(&names));
	buffer_reset(&names);
}

void
section_overall(const struct report_input *input, struct document *document)
{
	const struct overall *overall = input->overall;
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
		say_missing_cells(input, document);
		if (overall->caveat != NULL && overall->caveat[0] != '\0')
			document_add(document, BLOCK_PARAGRAPH, "Caveat: %s.",
			    overall->caveat);
	}
	add_tradeoffs(overall, document);
}

/* ": asked noatime", then "; in force rw" */
static void
add_text(struct buffer *out, const char *name, const char *text)
{
	bool is_first = memchr(out->data, ' ', out->length) == NULL;

	if (text != NULL && text[0] != '\0')
		buffer_printf(
		    out, "%s %s %s", is_first ? ":" : ";", name, text);
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
	else if (cell->status != CELL_OK)
		buffer_printf(&line, ": %s", cell_status_name(cell->status));
	if (cell->reason != NULL && cell->reason[0] != '\0')
		buffer_printf(&line, " (%s)", cell->reason);
	if (!input->is_imported)
		add_text(&line, "asked", has_asked ? cell->asked : "nothing");
	add_text(&line, "in force", cell->in_force);
	add_text(&line, "atime", cell->atime_probe);
	add_text(&line, "fsync", cell->durability_probe);
	/* of an imported cell often nothing is known but its name */
	if (memchr(line.data, ' ', line.length) != NULL)
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

static bool
is_same_failure(const struct failure *a, const struct failure *b)
{
	return strcmp(a->cell, b->cell) == 0 &&
	       strcmp(a->workload, b->workload) == 0 &&
	       a->verdict == b->verdict && a->rung == b->rung &&
	       strcmp(a->reason, b->reason) == 0;
}

/* Was this block named already, by a failure like it and before it? */
static bool
is_block_named(const struct report_input *input, size_t first, size_t at)
{
	const struct failure *failures = input->failures;

	for (size_t i = first; i < at; i++)
		if (is_same_failure(&failures[i], &failures[at]) &&
		    failures[i].block == failures[at].block &&
		    failures[i].is_warm_up == failures[at].is_warm_up)
			return true;
	return false;
}

/* "block 2", "blocks 1, 2, 5 (6 tries)" of all that are the same. */
static const char *
blocks_text(const struct report_input *input, size_t first, struct arena *arena)
{
	const struct failure *failure = &input->failures[first];
	struct buffer blocks;
	const char *text;
	size_t count = 0, tries = 0;

	buffer_init(&blocks);
	for (size_t i = first; i < input->failure_count; i++) {
		const struct failure *other = &input->failures[i];

		if (!is_same_failure(failure, other))
			continue;
		tries++;
		if (is_block_named(input, first, i))
			continue;
		buffer_puts(&blocks, count > 0 ? ", " : "");
		if (other->is_warm_up)
			buffer_puts(&blocks, "warm-up");
		else
			buffer_printf(&blocks, "%d", other->block);
		count++;
	}
	text = arena_printf(arena, "block%s %s%s", count > 1 ? "s" : "",
	    buffer_text(&blocks),
	    tries > count ? arena_printf(arena, " (%zu tries)", tries) : "");
	buffer_reset(&blocks);
	return text;
}

/* The reason without the step that it begins with: that is said before. */
static const char *
bare_reason(const struct failure *failure)
{
	const char *name = rung_name(failure->rung);
	size_t length = strlen(name);

	if (strncmp(failure->reason, name, length) == 0 &&
	    strncmp(failure->reason + length, ": ", 2) == 0)
		return failure->reason + length + 2;
	return failure->reason;
}

/* Each failure once, with the blocks it happened in. */
void
section_failures(const struct report_input *input, struct document *document)
{
	if (input->failure_count == 0)
		return;
	document_add(document, BLOCK_HEADING, "Failures");
	for (size_t i = 0; i < input->failure_count; i++) {
		const struct failure *failure = &input->failures[i];
		bool is_cut = failure->verdict == VERDICT_ABORTED ||
			      failure->verdict == VERDICT_PANIC;
		size_t before = 0;

		while (before < i &&
		       !is_same_failure(failure, &input->failures[before]))
			before++;
		if (before < i)
			continue;
		document_add(document, BLOCK_ITEM, "%s, %s, %s: %s%s%s%s%s",
		    failure->cell, failure->workload,
		    blocks_text(input, i, document->arena),
		    verdict_name(failure->verdict), is_cut ? "" : " at ",
		    is_cut ? "" : rung_name(failure->rung),
		    failure->reason[0] != '\0' ? ": " : "",
		    is_cut ? failure->reason : bare_reason(failure));
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
