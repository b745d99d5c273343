/*
 * Any table with factors, blocks and values, and what "report -f csv" writes.
 *
 * A factor's column with nothing but 0 and 1 is a toggle, else each word is a
 * level.  A table that has the columns "workload", "metric", "unit" and
 * "better" says those of each row itself; one that has "cell" names the cells,
 * one that has "state" says which runs failed.
 */
#include <stdint.h>
#include <string.h>

#include "import/csv.h"

/* The levels of a row; a factor without a level is left out. */
static size_t
row_levels(const struct reading *reading, size_t row, struct cell_level *levels)
{
	const struct table *table = &reading->table;
	size_t count = 0;

	for (size_t i = 0; i < reading->factor_count; i++) {
		const char *field =
		    table_field(table, row, reading->factors[i]);

		if (field[0] == '\0')
			continue;
		levels[count].factor = table->names[reading->factors[i]];
		levels[count].is_toggle = reading->is_toggle[i];
		levels[count++].level = !reading->is_toggle[i] ? field
					: field[0] == '1'      ? "on"
							       : "off";
	}
	return count;
}

/* "ufs:noatime+su", "noatime", "default", "data=ordered" */
static const char *
row_key(const struct reading *reading, size_t row,
    const struct cell_level *levels, size_t count)
{
	const char *driver = reading->builder->options->driver;
	struct arena *arena = reading->builder->arena;
	const char *key = "";

	if (reading->cell != SIZE_MAX)
		key = table_field(&reading->table, row, reading->cell);
	else if (reading->factor_count == 0)
		return builder_log_key(reading->builder, reading->source);
	for (size_t i = 0; reading->cell == SIZE_MAX && i < count; i++) {
		const char *token = levels[i].level;

		if (levels[i].is_toggle && strcmp(token, "off") == 0)
			continue;
		if (levels[i].is_toggle)
			token = levels[i].factor;
		else if (reading->factor_count > 1)
			token = arena_printf(
			    arena, "%s=%s", levels[i].factor, token);
		key = key[0] == '\0' ? token
				     : arena_printf(arena, "%s+%s", key, token);
	}
	if (key[0] == '\0')
		key = "default";
	if (driver != NULL && strchr(key, ':') == NULL)
		key = arena_printf(arena, "%s:%s", driver, key);
	return key;
}

/* Blocks are whole numbers from 0; 0 is for warm-ups and single runs. */
static int
row_number(const struct reading *reading, size_t row, size_t column,
    const char *what, int *number, struct error *err)
{
	const char *field;
	double value;

	*number = 0;
	if (column == SIZE_MAX)
		return 0;
	field = table_field(&reading->table, row, column);
	if (!read_count(field, &value) || value > 1000000)
		return table_fail(&reading->table, row, err,
		    "%s '%.40s' is not a whole number from 0 to 1000000", what,
		    field);
	*number = (int)value;
	return 0;
}

/* What R writes for a run that gave nothing. */
static bool
row_is_missing(
    const struct reading *reading, size_t row, const struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->count; i++)
		if (strcmp(
			table_field(&reading->table, row, wanted->columns[i]),
			"NA") == 0)
			return true;
	return false;
}

static int
row_sum(const struct reading *reading, size_t row, const struct wanted *wanted,
    double *sum, struct error *err)
{
	*sum = 0;
	for (size_t i = 0; i < wanted->count; i++) {
		const char *field =
		    table_field(&reading->table, row, wanted->columns[i]);
		double value;

		if (!read_number(field, &value))
			return table_fail(&reading->table, row, err,
			    "'%.40s' in column '%s' is not a number", field,
			    reading->table.names[wanted->columns[i]]);
		*sum += value;
	}
	if (*sum < 0)
		return table_fail(&reading->table, row, err,
		    "a value of %g is below zero", *sum);
	return 0;
}

/* ok, failed, timeout or warm-up */
static int
apply_state(struct reading *reading, size_t row, struct outcome *outcome,
    bool *has_value, struct error *err)
{
	const char *state =
	    reading->state == SIZE_MAX
		? "ok"
		: table_field(&reading->table, row, reading->state);

	*has_value = true;
	if (strcmp(state, "ok") == 0)
		return 0;
	if (strcmp(state, "warm-up") == 0) {
		reading->builder->plan->trials[outcome->trial].is_warm_up =
		    true;
		return 0;
	}
	*has_value = false;
	if (strcmp(state, "failed") == 0)
		outcome_fail(outcome, VERDICT_FAILED, RUNG_MEASURE,
		    "failed, says the table");
	else if (strcmp(state, "timeout") == 0)
		outcome_fail(outcome, VERDICT_TIMEOUT, RUNG_MEASURE,
		    "ran into its time limit, says the table");
	else
		return table_fail(&reading->table, row, err,
		    "state '%.40s' is not ok, failed, timeout or warm-up",
		    state);
	return 0;
}

/* The metric as a row of a long table says it. */
static int
row_metric(const struct reading *reading, size_t row, struct wanted *wanted,
    struct error *err)
{
	const char *better;

	if (reading->metric == SIZE_MAX)
		return 0;
	wanted->name = table_field(&reading->table, row, reading->metric);
	wanted->unit = table_field(&reading->table, row, reading->unit);
	better = table_field(&reading->table, row, reading->better);
	if (better_parse(better, &wanted->better) == -1)
		return table_fail(&reading->table, row, err,
		    "'%.40s' is not lower or higher", better);
	if (wanted->name[0] == '\0' || strchr(wanted->name, ' ') != NULL)
		return table_fail(&reading->table, row, err,
		    "'%.40s' is no name of a metric", wanted->name);
	return 0;
}

/* The list of ranked metrics grows by a name that is not in it.  The plan keeps
 * unit and direction too, of a metric of which no run has a value. */
static void
rank_metric(
    struct builder *builder, size_t workload, const struct wanted *wanted)
{
	struct workload_spec *spec = &builder->plan->workloads[workload];
	struct metric_pattern *pattern;

	if (spec->metric != NULL && option_list_has(spec->metric, wanted->name))
		return;
	spec->metric = spec->metric == NULL
			   ? wanted->name
			   : arena_printf(builder->arena, "%s %s", spec->metric,
				 wanted->name);
	spec->patterns = arena_append(builder->arena, spec->patterns,
	    spec->pattern_count, sizeof *pattern);
	pattern = &spec->patterns[spec->pattern_count++];
	pattern->metric.name = wanted->name;
	pattern->metric.unit = wanted->unit;
	pattern->metric.better = wanted->better;
	pattern->metric.summary = "from a table";
	pattern->pattern = "";
}

/* The limit that a run reached, where the row says it in seconds. */
static void
keep_limit(struct reading *reading, size_t row, const struct wanted *wanted,
    struct workload_spec *spec)
{
	struct error err;
	double limit;

	if (strcmp(wanted->unit, "s") == 0 &&
	    row_sum(reading, row, wanted, &limit, &err) == 0 && limit > 0 &&
	    limit < 1e9)
		spec->timeout_ns = (int64_t)(limit * 1e9);
}

static int
add_values(struct reading *reading, size_t row, struct outcome *outcome,
    size_t workload, struct error *err)
{
	struct builder *builder = reading->builder;
	bool has_value;

	if (apply_state(reading, row, outcome, &has_value, err) == -1)
		return -1;
	for (size_t i = 0; i < reading->wanted_count; i++) {
		struct wanted wanted = reading->wanted[i];
		double value;

		if (i == 0 && row_metric(reading, row, &wanted, err) == -1)
			return -1;
		if (i < reading->ranked_count)
			rank_metric(builder, workload, &wanted);
		if (!has_value) {
			if (outcome->verdict == VERDICT_TIMEOUT && i == 0)
				keep_limit(reading, row, &wanted,
				    &builder->plan->workloads[workload]);
			continue;
		}
		if (row_is_missing(reading, row, &wanted)) {
			outcome_fail(outcome, VERDICT_FAILED, RUNG_MEASURE,
			    "no value (NA)");
			continue;
		}
		if (row_sum(reading, row, &wanted, &value, err) == -1)
			return -1;
		builder_add_sample(builder, outcome, wanted.name, wanted.unit,
		    wanted.better, value);
	}
	return 0;
}

static size_t
row_workload(const struct reading *reading, size_t row)
{
	struct builder *builder = reading->builder;
	const char *title = builder->options->workload;

	if (title == NULL)
		title =
		    reading->workload == SIZE_MAX
			? "csv"
			: table_field(&reading->table, row, reading->workload);
	return builder_workload(builder, title, "command", NULL);
}

static bool
has_sample(const struct outcome *outcome, const char *metric)
{
	for (size_t i = 0; i < outcome->sample_count; i++)
		if (strcmp(outcome->samples[i].metric, metric) == 0)
			return true;
	return false;
}

/*
 * A long table has a row for each metric of a run: the run that this row
 * belongs to, or NULL when it is a new one.  Rows come in the same order for
 * each metric, so the search goes on where the last one ended.
 */
static struct outcome *
find_run(struct reading *reading, size_t row, const struct planned_trial *like,
    size_t session)
{
	struct imported *imported = reading->builder->imported;
	const struct plan *plan = reading->builder->plan;
	size_t count = imported->outcome_count;
	const char *metric;

	if (reading->metric == SIZE_MAX)
		return NULL;
	metric = table_field(&reading->table, row, reading->metric);
	for (size_t i = 0; i < count; i++) {
		size_t at = (reading->search_from + i) % count;
		const struct planned_trial *trial = &plan->trials[at];
		struct outcome *outcome = &imported->outcomes[at];
		const char *tried = plan->workloads[trial->workload].metric;

		if (trial->cell != like->cell ||
		    trial->workload != like->workload ||
		    trial->block != like->block ||
		    trial->position != like->position ||
		    imported->outcome_sessions[at] != session ||
		    has_sample(outcome, metric) ||
		    (outcome->verdict != VERDICT_OK && tried != NULL &&
			option_list_has(tried, metric)))
			continue;
		reading->search_from = at + 1;
		return outcome;
	}
	return NULL;
}

/* The run that the row is of: one that is there, or a new one. */
static struct outcome *
run_of_row(struct reading *reading, size_t row,
    const struct planned_trial *like, size_t session)
{
	struct builder *builder = reading->builder;
	struct outcome *outcome = find_run(reading, row, like, session);

	if (outcome != NULL)
		return outcome;
	outcome = builder_add_run(
	    builder, like->cell, like->workload, like->block, session);
	builder_last_trial(builder)->position = like->position;
	return outcome;
}

static int
read_row(struct reading *reading, size_t row, struct error *err)
{
	struct builder *builder = reading->builder;
	struct cell_level *levels = arena_array(
	    builder->arena, reading->factor_count + 1, sizeof *levels);
	size_t count = row_levels(reading, row, levels);
	size_t cell, workload, session;
	struct outcome *outcome;
	int block, position;

	cell = builder_cell(
	    builder, row_key(reading, row, levels, count), levels, count);
	workload = row_workload(reading, row);
	session = builder_session(
	    builder, reading->session == SIZE_MAX
			 ? NULL
			 : table_field(&reading->table, row, reading->session));
	if (row_number(reading, row, reading->block, "block", &block, err) ==
		-1 ||
	    row_number(reading, row, reading->position, "position", &position,
		err) == -1)
		return -1;
	if (reading->in_force != SIZE_MAX)
		builder->plan->cells[cell].in_force =
		    table_field(&reading->table, row, reading->in_force);
	outcome = run_of_row(reading, row,
	    &(struct planned_trial){ .block = block,
		.position = position,
		.cell = cell,
		.workload = workload },
	    session);
	outcome->in_force = builder->plan->cells[cell].in_force;
	if (add_values(reading, row, outcome, workload, err) == -1)
		return -1;
	if (builder->options->step != NULL)
		builder_set(
		    builder, workload, "clock_step", builder->options->step);
	return 0;
}

static int
read_csv(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;
	double step;

	if (options->step != NULL &&
	    (!read_number(options->step, &step) || step <= 0))
		return error_set_kind(err, ERROR_USAGE,
		    "--step '%s' is not a number above zero", options->step);
	builder_init(&builder, options, arena, imported);
	for (size_t i = 0; i < options->log_count; i++) {
		struct reading reading = { .builder = &builder,
			.source = &options->logs[i] };

		if (table_read(&reading.table, arena, options->logs[i].path,
			err) == -1 ||
		    csv_find_columns(&reading, err) == -1)
			return -1;
		for (size_t row = 0; row < reading.table.row_count; row++)
			if (read_row(&reading, row, err) == -1)
				return -1;
	}
	csv_judge_blocks(&builder);
	csv_order_cells(&builder);
	csv_name_duplicates(&builder);
	return builder_finish(&builder, err);
}

extern const struct import_format import_csv;

const struct import_format import_csv = {
	.name = "csv",
	.summary = "any table with factors, blocks and values",
	.options = "factors block position session in-force step value metric"
		   " unit better beside",
	.read = read_csv,
};
