/* The ranking itself, and who has no place in it. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sections.h"

bool
is_in_ranking(const struct ranking_row *row)
{
	return row->standing == STANDING_RANKED ||
	       row->standing == STANDING_VALUES ||
	       row->standing == STANDING_APART;
}

/* "4", "5!", "2?" */
static char *
runs_text(struct arena *arena, const struct ranking_row *row)
{
	return arena_printf(arena, "%zu%s%s", row->runs,
	    row->marks & MARK_FLAGGED ? "?" : "",
	    row->marks & MARK_SET_ASIDE ? "!" : "");
}

/* Half the 95 % interval, in percent; NAN when there is none. */
static double
margin_of(const struct ranking_row *row)
{
	if (isnan(row->ci_lo) || isnan(row->ci_hi) || row->ci_lo <= 0)
		return NAN;
	return 100 * (sqrt(row->ci_hi / row->ci_lo) - 1);
}

static char *
margin_text(struct arena *arena, const struct ranking_row *row)
{
	double margin = margin_of(row);

	return isnan(margin) ? arena_strdup(arena, "")
			     : margin_size(arena, margin);
}

static const char *
value_head(const struct section *section)
{
	const struct series_table *series = section->table->series;

	if (series->unit[0] == '\0')
		return series->metric;
	if (strcmp(series->unit, "s") == 0)
		return "time s";
	return series->unit;
}

static void
add_places(const struct section *section)
{
	struct arena *arena = section->document->arena;
	const struct ranking *ranking = section->ranking;
	struct grid_column *columns = arena_array(arena, 8, sizeof *columns);
	struct grid *grid;

	memcpy(columns,
	    ((const struct grid_column[]){ { "place", false, false, false },
		{ "range", false, false, false },
		{ "options", false, true, false },
		{ value_head(section), true, false, false },
		{ "+-", true, false, false },
		{ "slower by", true, false, false },
		{ "runs", true, false, false },
		{ "risk", false, false, false } }),
	    8 * sizeof *columns);
	grid = document_add_grid(section->document, columns, 8);
	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];
		const char **cells;

		if (!is_in_ranking(row))
			continue;
		cells = grid_add_row(section->document, grid);
		cells[0] = place_text(arena, row->place, row->tied);
		cells[1] = range_text(arena, row->rank_lo, row->rank_hi);
		cells[2] = cell_name(section, row->cell);
		cells[3] = value_text(arena, row->estimate, section->decimals);
		cells[4] = margin_text(arena, row);
		cells[5] = row->slower_pct == 0
			       ? "-"
			       : percent_text(arena, row->slower_pct);
		cells[6] = runs_text(arena, row);
		cells[7] = section->table->series->cells[row->cell].risk;
	}
}

/* A place that nobody shares, though others may have it as well: with a range
 * of its own a noisy cell stands among the places of the rest. */
static bool
is_lone_place_in_doubt(
    const struct ranking *ranking, const struct ranking_row *row)
{
	if (row->place == 0 || row->tied || row->rank_lo == row->rank_hi)
		return false;
	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *other = &ranking->rows[i];

		if (other != row && other->place > 0 &&
		    other->rank_lo <= row->rank_hi &&
		    other->rank_hi >= row->rank_lo)
			return true;
	}
	return false;
}

static bool
is_first_table(const struct section *section)
{
	const struct report_input *input = section->input;

	for (size_t i = 0; i < input->workload_count; i++) {
		const struct ranking *ranking = input->workloads[i].ranking;

		if (ranking == section->ranking)
			break;
		if (ranking != NULL && ranking->cell_count > 1 &&
		    !ranking->is_single_runs && rows_in_ranking(ranking) > 0)
			return false;
	}
	return true;
}

/* What a reader of a posted table cannot look up; once is enough. */
static void
explain_heads(const struct section *section)
{
	if (section->ranking->cell_count > 1 && is_first_table(section))
		document_add(section->document, BLOCK_ITEM,
		    "range: the places that a cell may have, with 95 %% right"
		    " for all cells; values are geometric means, +- half their"
		    " 95 %% interval");
}

/* What a reader would take wrongly in the table above. */
static void
explain_places(const struct section *section)
{
	const struct ranking *ranking = section->ranking;
	bool any_factor = false;
	const struct ranking_row *lone = NULL;

	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];

		any_factor = any_factor || is_factor_margin(margin_of(row));
		if (lone == NULL && is_lone_place_in_doubt(ranking, row))
			lone = row;
	}
	if (lone != NULL)
		document_add(section->document, BLOCK_ITEM,
		    "place %d is the best of its range, not proven: ranges"
		    " overlap (%s)",
		    lone->place,
		    range_text(section->document->arena, lone->rank_lo,
			lone->rank_hi));
	if (any_factor)
		document_add(section->document, BLOCK_ITEM,
		    "x/ 2: from the value divided by 2 to the value times 2");
	if (section->table->series->better == HIGHER_IS_BETTER &&
	    ranking->cell_count > 1)
		document_add(section->document, BLOCK_ITEM,
		    "slower by: in time for the same work; half the rate is"
		    " +100 %%");
}

/* Single runs: values in order, and no word on who is faster. */
static void
add_values(const struct section *section)
{
	static const struct grid_column plain[] = {
		{ "options", false, true, false },
		{ NULL, true, false, false },
		{ "runs", true, false, false },
		{ "risk", false, false, false },
	};
	struct arena *arena = section->document->arena;
	struct grid_column *columns = arena_array(arena, 4, sizeof *columns);
	struct grid *grid;

	memcpy(columns, plain, sizeof plain);
	columns[1].head = value_head(section);
	grid = document_add_grid(section->document, columns, 4);
	for (size_t i = 0; i < section->ranking->row_count; i++) {
		const struct ranking_row *row = &section->ranking->rows[i];
		const char **cells;

		if (!is_in_ranking(row))
			continue;
		cells = grid_add_row(section->document, grid);
		cells[0] = cell_name(section, row->cell);
		cells[1] = value_text(arena, row->estimate, section->decimals);
		cells[2] = runs_text(arena, row);
		cells[3] = section->table->series->cells[row->cell].risk;
	}
}

static bool
is_merely_not_run(
    const struct series_table *series, const struct ranking_row *row)
{
	return row->standing == STANDING_NOT_RUN &&
	       cell_status_runs(series->cells[row->cell].status);
}

/* "3 runs" that were made of the cell. */
static char *
tries_text(const struct section *section, const struct ranking_row *row)
{
	const struct series_table *series = section->table->series;
	size_t runs = 0;

	for (size_t i = 0; i < series->run_count; i++)
		runs += series->runs[i].cell == row->cell &&
				series->runs[i].state != RUN_WARMUP
			    ? 1
			    : 0;
	return units_format_count(section->document->arena, runs, "run");
}

/* "> 60.0 s, the time limit, in 1 of 3 runs" */
static char *
timeout_text(const struct section *section, const struct ranking_row *row)
{
	struct arena *arena = section->document->arena;
	const char *limit = "ran into its time limit";

	if (isfinite(row->limit))
		limit = arena_printf(arena, "> %s %s, the time limit,",
		    value_text(arena, row->limit, section->decimals),
		    section->table->series->unit);
	return arena_printf(arena, "%s in %zu of %s", limit, row->timed_out,
	    tries_text(section, row));
}

/* Why a cell has no place; NULL for one that has, or has its values. */
static const char *
unranked_text(const struct section *section, const struct ranking_row *row)
{
	struct arena *arena = section->document->arena;
	const struct series_cell *cell =
	    &section->table->series->cells[row->cell];
	const char *reason = cell->reason == NULL ? "" : cell->reason;

	switch (row->standing) {
	case STANDING_RANKED:
	case STANDING_VALUES:
	case STANDING_APART:
		break;
	case STANDING_TIMEOUT:
		return timeout_text(section, row);
	case STANDING_STALLED:
		return arena_printf(arena,
		    "stalled: %zu of %s with nothing done", row->stalled,
		    tries_text(section, row));
	case STANDING_ZERO:
		return "a value of 0, so no ratio can be given";
	case STANDING_UNRELIABLE:
		return arena_printf(arena,
		    "unreliable, failed in %zu of %zu blocks",
		    row->failed_blocks, row->blocks);
	case STANDING_FAILED:
		return arena_printf(arena, "failed in all of %s%s",
		    units_format_count(arena, row->failed_blocks, "block"),
		    row->failed > row->failed_blocks
			? arena_printf(arena, ", %zu tries", row->failed)
			: "");
	case STANDING_NOT_RUN:
		return arena_printf(arena, "%s%s%s",
		    cell->status == CELL_OK ? "not run"
					    : cell_status_name(cell->status),
		    reason[0] != '\0' ? ": " : "", reason);
	}
	return NULL;
}

static void
add_unranked(const struct section *section, const struct ranking_row *row)
{
	const char *text = unranked_text(section, row);

	if (text != NULL)
		document_add(section->document, BLOCK_ITEM, "%s: %s",
		    cell_name(section, row->cell), text);
}

/* "a, b", "every cell" where there are many; "" for none. */
static void
put_marked(const struct section *section, unsigned mark, struct buffer *names)
{
	const struct ranking *ranking = section->ranking;
	size_t marked = 0;

	for (size_t i = 0; i < ranking->row_count; i++) {
		if (!(ranking->rows[i].marks & mark))
			continue;
		marked++;
		buffer_printf(names, "%s%s", names->length > 0 ? ", " : "",
		    cell_name(section, ranking->rows[i].cell));
	}
	if (marked > 2 && marked == ranking->row_count) {
		buffer_clear(names);
		buffer_puts(names, "every cell");
	}
}

static void
add_marks(const struct section *section)
{
	static const struct {
		unsigned mark;
		const char *text;
	} meanings[] = {
		{ MARK_TWO_RUNS, "2 runs, too few for an interval" },
		{ MARK_ONE_RUN, "1 run, so no place" },
		{ MARK_FLAGGED, "?: a run of this cell is unlikely; it is"
				" kept" },
		{ MARK_SET_ASIDE, "!: a run of this cell is left out, see"
				  " below" },
		{ MARK_ERRATIC, "erratic (more unlikely runs than may be left"
				" out)" },
		{ MARK_OWN_SPREAD, "noisier than the rest, so with a wider"
				   " range" },
		{ MARK_OUT_EARLY, "dropped early, so with a wider range" },
	};
	struct buffer names;

	for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
		if (meanings[i].mark == MARK_ONE_RUN &&
		    section->ranking->is_single_runs)
			continue;
		buffer_init(&names);
		put_marked(section, meanings[i].mark, &names);
		if (names.length > 0)
			document_add(section->document, BLOCK_ITEM, "%s: %s",
			    meanings[i].text, buffer_text(&names));
		buffer_reset(&names);
	}
}

/* Cells with values that share no block with those that have places. */
static void
add_apart(const struct section *section)
{
	struct buffer names;

	buffer_init(&names);
	for (size_t i = 0; i < section->ranking->row_count; i++) {
		const struct ranking_row *row = &section->ranking->rows[i];

		if (row->standing == STANDING_APART)
			buffer_printf(&names, "%s%s",
			    names.length > 0 ? ", " : "",
			    cell_name(section, row->cell));
	}
	if (names.length > 0)
		document_add(section->document, BLOCK_ITEM,
		    "never in a block with those that have places, so"
		    " without one: %s",
		    buffer_text(&names));
	buffer_reset(&names);
}

/* Cells that nothing kept from running, but that did not: in one line. */
static void
add_not_run(const struct section *section)
{
	const struct series_table *series = section->table->series;
	struct buffer names;
	size_t count = 0;

	buffer_init(&names);
	for (size_t i = 0; i < section->ranking->row_count; i++) {
		const struct ranking_row *row = &section->ranking->rows[i];

		if (!is_merely_not_run(series, row))
			continue;
		buffer_printf(&names, "%s%s", count > 0 ? ", " : "",
		    cell_name(section, row->cell));
		count++;
	}
	if (count > 0)
		document_add(section->document, BLOCK_ITEM, "not run: %s",
		    buffer_text(&names));
	buffer_reset(&names);
}

size_t
rows_in_ranking(const struct ranking *ranking)
{
	size_t count = 0;

	for (size_t i = 0; i < ranking->row_count; i++)
		count += is_in_ranking(&ranking->rows[i]) ? 1 : 0;
	return count;
}

void
section_ranking(const struct section *section)
{
	const struct ranking *ranking = section->ranking;
	size_t in_table = rows_in_ranking(ranking);

	if (in_table > 0 && ranking->is_single_runs)
		add_values(section);
	else if (in_table > 0)
		add_places(section);
	if (in_table > 0 && !ranking->is_single_runs) {
		explain_heads(section);
		explain_places(section);
	}
	add_marks(section);
	add_apart(section);
	if (in_table == ranking->row_count)
		return;
	document_add(section->document, BLOCK_LABEL, "Without a place:");
	for (size_t i = 0; i < ranking->row_count; i++)
		if (!is_in_ranking(&ranking->rows[i]) &&
		    !is_merely_not_run(
			section->table->series, &ranking->rows[i]))
			add_unranked(section, &ranking->rows[i]);
	add_not_run(section);
}
