/*
 * For programs.  The keys of version 1 stay; further ones may come.  A place
 * or a figure that cannot be given is null.
 */
#include "report/json.h"
#include "report/json_parts.h"

#include <string.h>

#include "report/report.h"

enum { FORMAT_VERSION = 1 };

static void
put_facts(struct json *json, const char *key, const struct fact_list *facts)
{
	json_open(json, key, '{');
	for (size_t i = 0; i < facts->count; i++)
		json_text(json, facts->items[i].name, facts->items[i].value);
	json_close(json, '}');
}

/* How many different blocks the runs are of; numbers may have gaps. */
static int
table_blocks(const struct series_table *series)
{
	int blocks = 0;

	for (size_t i = 0; i < series->run_count; i++) {
		bool is_new = series->runs[i].block > 0;

		for (size_t j = i; j > 0 && is_new; j--)
			is_new =
			    series->runs[j - 1].block != series->runs[i].block;
		blocks += is_new ? 1 : 0;
	}
	return blocks;
}

static int
block_count(const struct report_input *input)
{
	int most = 0;

	for (size_t i = 0; i < input->workload_count; i++) {
		int blocks = table_blocks(input->workloads[i].table->series);

		most = blocks > most ? blocks : most;
	}
	return most;
}

/* Seconds since 1970; null where a log does not say. */
static void
put_time(struct json *json, const char *key, int64_t wall_ns)
{
	if (wall_ns < 1000000000)
		json_null(json, key);
	else
		json_integer(json, key, wall_ns / 1000000000);
}

static void
put_run(struct json *json, const struct report_input *input)
{
	static const struct fact_list none;
	json_open(json, "run", '{');
	json_text(json, "title",
	    input->plan->title == NULL ? "" : input->plan->title);
	json_unsigned(json, "seed", input->plan->seed);
	json_integer(json, "blocks", block_count(input));
	json_integer(json, "rounds", input->plan->rounds);
	json_bool(json, "imported", input->is_imported);
	json_integer(json, "trials_pending", (int64_t)input->trials_pending);
	json_text(json, "program", input->program);
	json_text(json, "again", input->again);
	put_facts(json, "host",
	    input->session_count > 0 ? &input->sessions[0].host : &none);
	put_facts(json, "tools",
	    input->session_count > 0 ? &input->sessions[0].tools : &none);
	json_open(json, "sessions", '[');
	for (size_t i = 0; i < input->session_count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "label", input->sessions[i].label);
		put_time(json, "started", input->sessions[i].started_wall_ns);
		put_time(json, "ended", input->sessions[i].ended_wall_ns);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
put_place(struct json *json, const char *key, int place)
{
	if (place == 0)
		json_null(json, key);
	else
		json_integer(json, key, place);
}

static void
put_options(struct json *json, const struct series_cell *cell)
{
	json_open(json, "options", '{');
	for (size_t i = 0; i < cell->factor_count; i++)
		json_text(json, cell->factors[i].name, cell->factors[i].level);
	json_close(json, '}');
}

static void
put_companions(
    struct json *json, const struct results_table *table, size_t cell)
{
	json_open(json, "beside", '{');
	for (size_t i = 0; i < table->companion_count; i++)
		json_number(json, table->companions[i].metric,
		    table->companions[i].values[cell]);
	json_close(json, '}');
}

static void
put_row(struct json *json, const struct results_table *table,
    const struct ranking_row *row)
{
	const struct series_cell *cell = &table->series->cells[row->cell];

	json_open(json, NULL, '{');
	json_text(json, "cell", cell->key);
	json_text(json, "status", cell_status_name(cell->status));
	json_text(json, "standing", standing_name(row->standing));
	put_place(json, "place", row->place);
	json_bool(json, "tied", row->tied);
	put_place(json, "rank_lo", row->rank_lo);
	put_place(json, "rank_hi", row->rank_hi);
	json_number(json, "estimate", row->estimate);
	json_number(json, "ci_lo", row->ci_lo);
	json_number(json, "ci_hi", row->ci_hi);
	json_number(json, "slower_pct", row->slower_pct);
	json_number(json, "slower_lo", row->slower_lo);
	json_number(json, "slower_hi", row->slower_hi);
	json_number(json, "baseline_pct", row->baseline_pct);
	json_number(json, "minimum", row->minimum);
	json_number(json, "maximum", row->maximum);
	json_number(json, "median", row->median);
	json_number(json, "spread_pct", row->own_cv_pct);
	json_integer(json, "runs", (int64_t)row->runs);
	json_integer(json, "failed", (int64_t)row->failed);
	json_integer(json, "set_aside", (int64_t)row->set_aside);
	json_text(json, "risk", cell->risk);
	json_text(json, "reason", cell->reason);
	if (cell->duplicate_of != NULL)
		json_text(json, "duplicate_of", cell->duplicate_of);
	put_options(json, cell);
	json_text(json, "in_force", cell->in_force);
	put_companions(json, table, row->cell);
	json_close(json, '}');
}

static void
put_noise(struct json *json, const struct ranking_noise *noise)
{
	json_open(json, "noise", '{');
	json_bool(json, "known", noise->known);
	json_number(json, "cv_pct", noise->cv_pct);
	json_number(json, "hsd_pct", noise->hsd_pct);
	json_number(json, "hsd_in_groups_pct", noise->hsd_in_groups_pct);
	put_place(json, "blocks_for_1pct", noise->blocks_for_1pct);
	json_number(json, "df", noise->df);
	json_integer(json, "blocks", noise->blocks);
	json_close(json, '}');
}

static void
put_effect(struct json *json, const char *family, const struct effect *effect)
{
	json_open(json, NULL, '{');
	json_text(json, "family", family);
	json_open(json, "options", '[');
	for (size_t i = 0; i < effect->option_count; i++)
		json_text(json, NULL, effect->options[i]);
	json_close(json, ']');
	json_bool(json, "estimable", effect->estimable);
	if (effect->estimable) {
		json_number(json, "pct", effect->pct);
		json_number(json, "ci_lo", effect->ci_lo);
		json_number(json, "ci_hi", effect->ci_hi);
		json_number(json, "p", effect->p);
	} else {
		json_null(json, "pct");
		json_null(json, "ci_lo");
		json_null(json, "ci_hi");
		json_null(json, "p");
	}
	json_bool(json, "significant", effect->significant);
	json_close(json, '}');
}

static void
put_effects(struct json *json, const struct ranking *ranking)
{
	json_open(json, "effects", '[');
	for (size_t i = 0; i < ranking->effects_count; i++)
		for (size_t j = 0; j < ranking->effects[i].effect_count; j++)
			put_effect(json, ranking->effects[i].family,
			    &ranking->effects[i].effects[j]);
	json_close(json, ']');
}

static void
put_phases(struct json *json, const struct series_table *series,
    const struct ranking *ranking)
{
	json_open(json, "phases", '[');
	for (size_t i = 0; i < ranking->phase_count; i++) {
		const struct curve_phase *phase = &ranking->phases[i];

		json_open(json, NULL, '{');
		json_text(json, "cell", series->cells[phase->cell].key);
		json_text(json, "series", phase->series);
		json_integer(json, "start", (int64_t)phase->start);
		json_integer(json, "length", (int64_t)phase->length);
		json_number(json, "mean", phase->mean);
		json_number(json, "median", phase->median);
		json_bool(json, "steady", phase->is_steady);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_equal_sizes(struct json *json, const struct series_table *series,
    const struct ranking *ranking)
{
	json_open(json, "equal_size", '[');
	for (size_t i = 0; i < ranking->equal_size_count; i++) {
		const struct equal_size *equal = &ranking->equal_sizes[i];

		if (!equal->available)
			continue;
		json_open(json, NULL, '{');
		json_text(json, "cell", series->cells[equal->cell].key);
		json_text(json, "other", series->cells[equal->other].key);
		json_text(json, "series", equal->series);
		json_number(json, "size_lo", equal->size_lo);
		json_number(json, "size_hi", equal->size_hi);
		json_number(json, "ratio", equal->ratio);
		json_number(json, "final_ratio", equal->final_ratio);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_controls(struct json *json, const struct series_table *series,
    const struct ranking *ranking)
{
	json_open(json, "controls", '[');
	for (size_t i = 0; i < ranking->control_count; i++) {
		const struct ranking_control *control = &ranking->controls[i];

		json_open(json, NULL, '{');
		json_text(json, "cell", series->cells[control->cell].key);
		json_text(
		    json, "duplicate", series->cells[control->duplicate].key);
		json_number(json, "pct", control->pct);
		json_bool(json, "claimed", control->claimed);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_workload(struct json *json, const struct report_workload *workload)
{
	const struct series_table *series = workload->table->series;
	const struct ranking *ranking = workload->ranking;

	json_open(json, NULL, '{');
	json_text(json, "name", series->workload);
	json_text(json, "metric", series->metric);
	json_text(json, "unit", series->unit);
	json_text(json, "better", better_name(series->better));
	json_bool(json, "flushed", workload->table->is_flushed);
	json_open(json, "ranking", '[');
	for (size_t i = 0; ranking != NULL && i < ranking->row_count; i++)
		put_row(json, workload->table, &ranking->rows[i]);
	json_close(json, ']');
	if (ranking != NULL) {
		put_noise(json, &ranking->noise);
		put_effects(json, ranking);
		json_axes(json, ranking);
		put_phases(json, series, ranking);
		put_equal_sizes(json, series, ranking);
		put_controls(json, series, ranking);
	}
	json_close(json, '}');
}

static void
put_failures(struct json *json, const struct report_input *input)
{
	json_open(json, "failures", '[');
	for (size_t i = 0; i < input->failure_count; i++) {
		const struct failure *failure = &input->failures[i];

		json_open(json, NULL, '{');
		json_text(json, "cell", failure->cell);
		json_text(json, "workload", failure->workload);
		json_integer(json, "block", failure->block);
		json_text(json, "verdict", verdict_name(failure->verdict));
		json_text(json, "step", rung_name(failure->rung));
		json_text(json, "reason", failure->reason);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_warnings(struct json *json, const struct report_input *input)
{
	json_open(json, "warnings", '[');
	for (size_t i = 0; i < input->warning_count; i++)
		json_text(json, NULL, input->warnings[i]);
	for (size_t i = 0; i < input->workload_count; i++) {
		const struct ranking *ranking = input->workloads[i].ranking;

		for (size_t j = 0;
		     ranking != NULL && j < ranking->warning_count; j++)
			json_text(json, NULL, ranking->warnings[j]);
	}
	json_close(json, ']');
}

static void
render(const struct report_input *input, struct buffer *out)
{
	struct json json = { .out = out };

	json_open(&json, NULL, '{');
	json_text(&json, "format", "mountmatrix-report");
	json_integer(&json, "version", FORMAT_VERSION);
	put_run(&json, input);
	json_open(&json, "workloads", '[');
	for (size_t i = 0; i < input->workload_count; i++)
		put_workload(&json, &input->workloads[i]);
	json_close(&json, ']');
	json_overall(&json, input->overall);
	put_failures(&json, input);
	put_warnings(&json, input);
	json_close(&json, '}');
}

static const char *
change_name(enum change change)
{
	static const char *const names[] = {
		[CHANGE_UNKNOWN] = "unknown",
		[CHANGE_NONE] = "none",
		[CHANGE_SLOWER] = "slower",
		[CHANGE_FASTER] = "faster",
	};

	return names[change];
}

static void
put_change(struct json *json, const struct comparison_row *row)
{
	json_open(json, NULL, '{');
	json_text(json, "cell", row->key);
	json_text(json, "from", row->from);
	json_text(json, "to", row->to);
	json_number(json, "from_estimate", row->from_estimate);
	json_number(json, "to_estimate", row->to_estimate);
	json_integer(json, "from_runs", (int64_t)row->from_runs);
	json_integer(json, "to_runs", (int64_t)row->to_runs);
	json_number(json, "pct", row->pct);
	json_number(json, "ci_lo", row->ci_lo);
	json_number(json, "ci_hi", row->ci_hi);
	json_text(json, "change", change_name(row->change));
	json_bool(json, "beyond_threshold", row->beyond_threshold);
	json_bool(json, "lost", row->is_lost);
	json_text(json, "reason", row->reason == NULL ? "" : row->reason);
	json_close(json, '}');
}

static void
put_comparison(struct json *json, const struct comparison *comparison)
{
	json_open(json, NULL, '{');
	json_text(json, "name", comparison->workload);
	json_text(json, "metric", comparison->metric);
	json_text(json, "unit", comparison->unit);
	json_text(json, "better", better_name(comparison->better));
	json_number(json, "cv_pct", comparison->cv_pct);
	json_number(json, "smallest_pct", comparison->smallest_pct);
	json_bool(json, "confounded", comparison->confounded);
	json_open(json, "cells", '[');
	for (size_t i = 0; i < comparison->row_count; i++)
		put_change(json, &comparison->rows[i]);
	json_close(json, ']');
	json_open(json, "warnings", '[');
	for (size_t i = 0; i < comparison->warning_count; i++)
		json_text(json, NULL, comparison->warnings[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	struct json json = { .out = out };

	json_open(&json, NULL, '{');
	json_text(&json, "format", "mountmatrix-comparison");
	json_integer(&json, "version", FORMAT_VERSION);
	json_open(&json, "comparisons", '[');
	for (size_t i = 0; i < input->comparison_count; i++)
		put_comparison(&json, input->comparisons[i]);
	json_close(&json, ']');
	json_open(&json, "warnings", '[');
	for (size_t i = 0; i < input->warning_count; i++)
		json_text(&json, NULL, input->warnings[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}

extern const struct report_format report_json;

const struct report_format report_json = {
	.name = "json",
	.summary = "for programs; keys stay",
	.render = render,
	.compare = compare,
	.several_first = "[",
	.several_between = ",",
	.several_last = "]\n",
};
