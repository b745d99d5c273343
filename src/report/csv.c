/*
 * One row per observation, for R and for "import csv".  A factor's column has
 * 0 and 1 for a toggle, else the level's word, and nothing for a cell that
 * has no such factor.  Commas and quotes are quoted as in RFC 4180; line ends
 * become blanks.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/plain.h"
#include "report/report.h"

struct columns {
	const char **names;
	size_t count, capacity;
};

static void
collect(struct columns *columns, struct arena *arena, const char *name)
{
	for (size_t i = 0; i < columns->count; i++)
		if (strcmp(columns->names[i], name) == 0)
			return;
	if (columns->count == columns->capacity)
		columns->names = arena_grow(arena, columns->names,
		    columns->count, &columns->capacity, sizeof *columns->names);
	columns->names[columns->count++] = name;
}

/* A record stays one line: many readers take no other. */
static void
put_char(struct buffer *out, const char *at)
{
	buffer_putc(out, plain_control(at) > 0 ? ' ' : *at);
}

static void
put_field(struct buffer *out, const char *text)
{
	bool is_quoted =
	    strpbrk(text, ",\"") != NULL || text[0] == '#' || text[0] == ' ';

	if (is_quoted)
		buffer_putc(out, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			buffer_putc(out, '"');
		put_char(out, text);
	}
	if (is_quoted)
		buffer_putc(out, '"');
}

/* A comment line must stay one line. */
static void
put_comment(struct buffer *out, const char *name, const char *text)
{
	buffer_puts(out, "# ");
	for (; *name != '\0'; name++)
		put_char(out, name);
	buffer_puts(out, ": ");
	for (; *text != '\0'; text++)
		put_char(out, text);
	buffer_putc(out, '\n');
}

/* Names this machine, or is of no use the next hour. */
static bool
is_private(const char *name)
{
	return strcmp(name, "hostname") == 0 || strcmp(name, "boot_id") == 0 ||
	       strcmp(name, "uptime") == 0 || strcmp(name, "load") == 0 ||
	       strcmp(name, "load_at_end") == 0;
}

static void
put_comments(const struct report_input *input, struct buffer *out)
{
	if (input->plan->title != NULL && input->plan->title[0] != '\0')
		put_comment(out, "title", input->plan->title);
	put_comment(out, "program", input->program);
	for (size_t i = 0; i < input->session_count; i++) {
		const struct fact_list *host = &input->sessions[i].host;

		for (size_t j = 0; j < host->count; j++)
			if (!is_private(host->items[j].name))
				put_comment(out, host->items[j].name,
				    host->items[j].value);
	}
}

static const char *
state_name(enum run_state state)
{
	switch (state) {
	case RUN_OK:
		break;
	case RUN_FAILED:
		return "failed";
	case RUN_TIMEOUT:
		return "timeout";
	case RUN_WARMUP:
		return "warm-up";
	}
	return "ok";
}

static void
put_levels(const struct columns *columns, const struct series_cell *cell,
    struct buffer *out)
{
	for (size_t i = 0; i < columns->count; i++) {
		buffer_putc(out, ',');
		for (size_t j = 0; j < cell->factor_count; j++) {
			const struct series_factor *factor = &cell->factors[j];

			if (strcmp(factor->name, columns->names[i]) != 0)
				continue;
			if (factor->is_toggle)
				buffer_putc(out,
				    strcmp(factor->level, "on") == 0 ? '1'
								     : '0');
			else
				put_field(out, factor->level);
		}
	}
}

static void
put_run(const struct series_table *series, const struct columns *columns,
    const struct series_run *run, struct buffer *out)
{
	const struct series_cell *cell = &series->cells[run->cell];

	put_field(out, series->workload);
	buffer_putc(out, ',');
	put_field(out, series->metric);
	buffer_putc(out, ',');
	put_field(out, series->unit);
	buffer_printf(out, ",%s,", better_name(series->better));
	put_field(out, series->sessions[run->session].label);
	buffer_putc(out, ',');
	put_field(out, cell->key);
	put_levels(columns, cell, out);
	buffer_printf(out, ",%d,%d,%s,", run->block, run->position,
	    state_name(run->state));
	/* of a run that timed out, the limit */
	if (run->state != RUN_FAILED && isfinite(run->value))
		buffer_printf(out, "%.10g", run->value);
	buffer_putc(out, '\n');
}

static void
render(const struct report_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct columns columns = { 0 };

	for (size_t i = 0; i < input->workload_count; i++) {
		const struct series_table *series =
		    input->workloads[i].table->series;

		for (size_t j = 0; j < series->cell_count; j++)
			for (size_t k = 0; k < series->cells[j].factor_count;
			     k++)
				collect(&columns, arena,
				    series->cells[j].factors[k].name);
	}
	put_comments(input, out);
	buffer_puts(out, "workload,metric,unit,better,session,cell");
	for (size_t i = 0; i < columns.count; i++) {
		buffer_putc(out, ',');
		put_field(out, columns.names[i]);
	}
	buffer_puts(out, ",block,position,state,value\n");
	for (size_t i = 0; i < input->workload_count; i++) {
		const struct series_table *series =
		    input->workloads[i].table->series;

		for (size_t j = 0; j < series->run_count; j++)
			put_run(series, &columns, &series->runs[j], out);
	}
	arena_free(arena);
}

extern const struct report_format report_csv;

const struct report_format report_csv = {
	.name = "csv",
	.summary = "one row per run, for R and for import csv",
	.render = render,
};
