/* The same cells on several sides: kernels, hosts, dates. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sections.h"

static const char *
change_text(const struct comparison_row *row, bool is_asked)
{
	switch (row->change) {
	case CHANGE_NONE:
		return "not proven";
	case CHANGE_SLOWER:
		return is_asked && row->beyond_threshold ? "slower, too much"
							 : "slower";
	case CHANGE_FASTER:
		return "faster";
	case CHANGE_UNKNOWN:
		break;
	}
	return row->is_lost ? "failed" : "not known";
}

/* Why nothing is known, each reason once. */
static void
say_reasons(const struct comparison *comparison, struct document *document)
{
	for (size_t i = 0; i < comparison->row_count; i++) {
		const char *reason = comparison->rows[i].reason;
		size_t j = 0, same = 0;

		if (reason == NULL || reason[0] == '\0')
			continue;
		for (; j < comparison->row_count; j++)
			if (comparison->rows[j].reason != NULL &&
			    strcmp(comparison->rows[j].reason, reason) == 0) {
				if (j < i)
					break;
				same++;
			}
		if (j == comparison->row_count && same == 1)
			document_add(document, BLOCK_ITEM, "%s: %s",
			    comparison->rows[i].key, reason);
		else if (j == comparison->row_count)
			document_add(document, BLOCK_ITEM, "%zu cells: %s",
			    same, reason);
	}
}

static bool
is_same_pair(const struct comparison_row *a, const struct comparison_row *b)
{
	return strcmp(a->from, b->from) == 0 && strcmp(a->to, b->to) == 0;
}

static void
add_row(const struct comparison_row *row, bool is_asked,
    struct document *document, struct grid *grid)
{
	struct arena *arena = document->arena;
	const char **cells = grid_add_row(document, grid);
	int decimals =
	    value_decimals(fmin(row->from_estimate, row->to_estimate));

	cells[0] = row->key;
	cells[1] = value_text(arena, row->from_estimate, decimals);
	cells[2] = value_text(arena, row->to_estimate, decimals);
	cells[3] = percent_text(arena, row->pct);
	cells[4] = isnan(row->ci_lo) ? "" : percent_text(arena, row->ci_lo);
	cells[5] = isnan(row->ci_hi) ? "" : percent_text(arena, row->ci_hi);
	cells[6] = change_text(row, is_asked);
}

/* A table for each two sides. */
static void
add_rows(const struct comparison *comparison, bool is_asked,
    struct document *document)
{
	static const struct grid_column columns[] = {
		{ "cell", false, true, false },
		{ "before", true, false, false },
		{ "after", true, false, false },
		{ "change", true, false, false },
		{ "from", true, false, false },
		{ "to", true, false, false },
		{ "", false, false, false },
	};

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *first = &comparison->rows[i];
		struct grid *grid;
		size_t before = 0;

		while (before < i &&
		       !is_same_pair(&comparison->rows[before], first))
			before++;
		if (before < i)
			continue;
		document_add(document, BLOCK_LABEL,
		    "%s (before) to %s (after):", first->from, first->to);
		grid = document_add_grid(document, columns, 7);
		for (size_t j = i; j < comparison->row_count; j++)
			if (is_same_pair(first, &comparison->rows[j]))
				add_row(&comparison->rows[j], is_asked,
				    document, grid);
	}
}

/* Each session against the first, all cells together. */
static void
say_overall(const struct comparison *comparison, struct document *document)
{
	struct arena *arena = document->arena;

	for (size_t i = 0; i < comparison->overall_count; i++) {
		const struct comparison_overall *overall =
		    &comparison->overall[i];

		if (!overall->available)
			continue;
		document_add(document, BLOCK_ITEM,
		    "%s to %s, %s together: %s (%s to %s, p = %.2g, %.0f"
		    " degree%s of freedom)%s",
		    overall->from, overall->to,
		    overall->is_paired
			? units_format_count(arena, overall->pair_count, "cell")
			: arena_printf(arena, "%zu and %zu cells",
			      overall->from_cells, overall->to_cells),
		    percent_text(arena, overall->pct),
		    percent_text(arena, overall->ci_lo),
		    percent_text(arena, overall->ci_hi), overall->p,
		    overall->df, overall->df == 1 ? "" : "s",
		    overall->is_paired ? ""
				       : "; no cell is in both, so what sets "
					 "the cells apart is part of it");
	}
}

void
section_sessions(const struct comparison *comparison, struct document *document)
{
	if (comparison == NULL)
		return;
	document_add(document, BLOCK_LABEL,
	    "Sessions, before to after (positive is for the worse):");
	say_overall(comparison, document);
	for (size_t i = 0; i < comparison->warning_count; i++)
		document_add(document, BLOCK_ITEM, "warning: %s",
		    comparison->warnings[i]);
}

static void
add_comparison(const struct comparison *comparison, bool is_asked,
    struct document *document)
{
	struct arena *arena = document->arena;

	document_add(document, BLOCK_HEADING, "%s: %s%s%s, %s is better",
	    comparison->workload, comparison->metric,
	    comparison->unit[0] != '\0' ? " in " : "", comparison->unit,
	    better_name(comparison->better));
	add_rows(comparison, is_asked, document);
	say_reasons(comparison, document);
	if (comparison->any_compared)
		document_add(document, BLOCK_PARAGRAPH,
		    "Positive changes are for the worse%s. Intervals hold"
		    " together with 95 %%.",
		    comparison->better == HIGHER_IS_BETTER
			? ", in time for the same work: half the rate is"
			  " +100 %"
			: "");
	if (comparison->noise_known && isfinite(comparison->smallest_pct))
		document_add(document, BLOCK_PARAGRAPH,
		    "The smallest change that could be seen is %s; run-to-run"
		    " noise is %s.",
		    percent_size(arena, comparison->smallest_pct),
		    percent_size(arena, comparison->cv_pct));
	say_overall(comparison, document);
	for (size_t i = 0; i < comparison->warning_count; i++)
		document_add(document, BLOCK_ITEM, "warning: %s",
		    comparison->warnings[i]);
}

static void
say_threshold(const struct comparison_input *input, struct document *document)
{
	bool any_beyond = false, any_compared = false, any_lost = false;

	for (size_t i = 0; i < input->comparison_count; i++) {
		const struct comparison *comparison = input->comparisons[i];

		any_beyond = any_beyond || comparison->any_beyond_threshold;
		any_compared = any_compared || comparison->any_compared;
		any_lost = any_lost || comparison->any_lost;
	}
	if (!any_compared)
		document_add(document, BLOCK_PARAGRAPH,
		    "No cell could be compared on its own.");
	else
		document_add(document, BLOCK_PARAGRAPH,
		    "%s is slower by more than %s beyond noise.",
		    any_beyond ? "At least one cell" : "No cell",
		    percent_size(document->arena, input->threshold_pct));
	if (any_lost)
		document_add(document, BLOCK_PARAGRAPH,
		    "A cell that had values failed.");
}

static void
say_comparisons(const struct comparison_input *input, struct document *document)
{
	document_add(document, BLOCK_TITLE, "%s", document->title);
	document_add(document, BLOCK_ITEM, "made by %s", input->program);
	for (size_t i = 0; i < input->warning_count; i++)
		document_add(
		    document, BLOCK_ITEM, "warning: %s", input->warnings[i]);
	for (size_t i = 0; i < input->comparison_count; i++)
		add_comparison(
		    input->comparisons[i], input->has_threshold, document);
	if (input->has_threshold)
		say_threshold(input, document);
	document_drop_empty_columns(document);
}

void
sections_compare(const struct comparison_input *input, document_format *format,
    struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	document.title = "Comparison";
	say_comparisons(input, &document);
	format(&document, out);
	arena_free(arena);
}
