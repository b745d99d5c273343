#include "report/sections.h"

#include <math.h>
#include <string.h>

/* "traverse of tree usr, cache = both, passes = 10" */
static void
add_settings(const struct section *section)
{
	const struct plan *plan = section->input->plan;
	const struct workload_spec *spec = NULL;
	struct buffer line;

	for (size_t i = 0; i < plan->workload_count; i++)
		if (strcmp(plan->workloads[i].title,
			section->table->series->workload) == 0)
			spec = &plan->workloads[i];
	if (spec == NULL || section->input->is_imported)
		return;
	buffer_init(&line);
	buffer_puts(&line, spec->type);
	if (spec->tree != NULL)
		buffer_printf(&line, " of tree %s", spec->tree);
	for (size_t i = 0; i < spec->setting_count; i++) {
		buffer_printf(&line, ", %s =", spec->settings[i].key);
		for (size_t j = 0; j < spec->settings[i].value_count; j++)
			buffer_printf(&line, "%s %s", j > 0 ? "," : "",
			    spec->settings[i].values[j]);
	}
	document_add(section->document, BLOCK_ITEM, "%s", buffer_text(&line));
	buffer_reset(&line);
}

/* "find: elapsed in s, lower is better; its own time, without the flush" */
static void
add_heading(const struct section *section)
{
	const struct series_table *series = section->table->series;

	document_add(section->document, BLOCK_HEADING,
	    "%s: %s%s%s, %s is better", series->workload, series->metric,
	    series->unit[0] != '\0' ? " in " : "", series->unit,
	    better_name(series->better));
	add_settings(section);
	if (section->table->is_flushed)
		document_add(section->document, BLOCK_PARAGRAPH,
		    "The final sync and unmount count.");
}

static bool
is_one_family(const struct series_table *series)
{
	for (size_t i = 1; i < series->cell_count; i++)
		if (strcmp(series->cells[i].family, series->cells[0].family) !=
		    0)
			return false;
	return true;
}

/* Counts are printed as counts. */
static bool
is_whole(const struct series_table *series)
{
	for (size_t i = 0; i < series->run_count; i++)
		if (series->runs[i].state == RUN_OK &&
		    series->runs[i].value != floor(series->runs[i].value))
			return false;
	return true;
}

static int
decimals_of(const struct ranking *ranking, const struct series_table *series)
{
	double smallest = NAN;
	int decimals;

	for (size_t i = 0; i < ranking->row_count; i++) {
		double estimate = ranking->rows[i].estimate;

		if (isfinite(estimate) && estimate > 0 &&
		    !(estimate >= smallest))
			smallest = estimate;
	}
	if (is_whole(series))
		return ranking->is_single_runs ? 0 : 1;
	decimals = value_decimals(smallest);
	/* with much noise a fourth digit says nothing */
	if (ranking->noise.known && ranking->noise.cv_pct > 10 && decimals > 0)
		decimals--;
	return decimals;
}

/* A table that no analysis has seen: the values as they came. */
static void
add_runs(const struct section *section)
{
	static const struct grid_column columns[] = {
		{ "cell", false, true, false },
		{ "block", true, false, false },
		{ "value", true, false, false },
	};
	const struct series_table *series = section->table->series;
	struct arena *arena = section->document->arena;
	struct grid *grid = document_add_grid(section->document, columns, 3);

	for (size_t i = 0; i < series->run_count; i++) {
		const struct series_run *run = &series->runs[i];
		const char **cells;

		if (run->state != RUN_OK)
			continue;
		cells = grid_add_row(section->document, grid);
		cells[0] = cell_name(section, run->cell);
		cells[1] = arena_printf(arena, "%d", run->block);
		cells[2] =
		    value_text(arena, run->value, value_decimals(run->value));
	}
	document_add(section->document, BLOCK_PARAGRAPH,
	    "Not tested against noise, so without places.");
}

static void
add_workload(
    const struct report_input *input, size_t i, struct document *document)
{
	struct section section = {
		.document = document,
		.input = input,
		.table = input->workloads[i].table,
		.ranking = input->workloads[i].ranking,
	};

	section.is_one_family = is_one_family(section.table->series);
	add_heading(&section);
	if (section.ranking == NULL) {
		add_runs(&section);
		return;
	}
	section.decimals = decimals_of(section.ranking, section.table->series);
	section_ranking(&section);
	section_noise(&section);
	section_beside(&section);
	section_controls(&section);
	section_effects(&section);
	section_outliers(&section);
	section_drift(&section);
	section_sessions(input->workloads[i].sessions, document);
	section_curves(&section);
	for (size_t j = 0; j < section.ranking->design_warning_count; j++)
		document_add(document, BLOCK_ITEM, "warning: %s",
		    section.ranking->warnings[j]);
}

static void
say_report(const struct report_input *input, struct document *document)
{
	section_head(input, document);
	for (size_t i = 0; i < input->workload_count; i++)
		add_workload(input, i, document);
	section_overall(input, document);
	section_cells(input, document);
	section_risks(input, document);
	section_failures(input, document);
	section_again(input, document);
	document_drop_empty_columns(document);
}

void
sections_render(const struct report_input *input, document_format *format,
    struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	document.title =
	    input->plan->title == NULL ? "results" : input->plan->title;
	say_report(input, &document);
	format(&document, out);
	arena_free(arena);
}
