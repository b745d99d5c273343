/*
 * Any table with factors, blocks and values, and what "report -f csv" writes.
 *
 * A factor's column with nothing but 0 and 1 is a toggle, else each word is a
 * level.  A table that has the columns "workload", "metric", "unit" and
 * "better" says those of each row itself; one that has "cell" names the cells,
 * one that has "state" says which runs failed.
 */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import/builder.h"
#include "import/table.h"

enum { TERM_LIMIT = 32 };

/* One metric: columns that are added. */
struct wanted {
	const char *name, *unit;
	enum better better;
	size_t columns[TERM_LIMIT];
	size_t count;
};

struct reading {
	struct builder *builder;
	const struct import_log *source;
	struct table table;
	/* SIZE_MAX: the table has none */
	size_t block, position, session, in_force;
	size_t cell, state, workload, metric, unit, better;
	size_t *factors;
	bool *is_toggle;
	size_t factor_count;
	struct wanted *wanted;
	size_t wanted_count, ranked_count; /* the ranked ones come first */
	size_t search_from; /* long tables: where the next run may be */
};

/* A column that an option names, else one that may be there. */
static int
optional_column(const struct table *table, const char *given, const char *usual,
    size_t *column, struct error *err)
{
	if (given != NULL)
		return table_column(table, given, column, err);
	*column = usual == NULL ? SIZE_MAX : table_find(table, usual);
	return 0;
}

static bool
is_toggle(const struct table *table, size_t column)
{
	bool any = false;

	for (size_t row = 0; row < table->row_count; row++) {
		const char *field = table_field(table, row, column);

		if (strcmp(field, "0") == 0 || strcmp(field, "1") == 0)
			any = true;
		else if (field[0] != '\0')
			return false;
	}
	return any;
}

static int
find_factors(struct reading *reading, struct error *err)
{
	const struct import_options *options = reading->builder->options;
	struct arena *arena = reading->builder->arena;

	reading->factor_count = options->factor_count;
	reading->factors =
	    arena_array(arena, options->factor_count + 1, sizeof(size_t));
	reading->is_toggle =
	    arena_array(arena, options->factor_count + 1, sizeof(bool));
	for (size_t i = 0; i < options->factor_count; i++) {
		if (table_column(&reading->table, options->factors[i],
			&reading->factors[i], err) == -1)
			return -1;
		reading->is_toggle[i] =
		    is_toggle(&reading->table, reading->factors[i]);
		for (size_t j = 0; j < i; j++)
			if (reading->factors[j] == reading->factors[i])
				return error_set_kind(err, ERROR_USAGE,
				    "factor '%s' is named twice",
				    options->factors[i]);
	}
	return 0;
}

/* "s" of "create_s", when that is a unit of time. */
static const char *
unit_of_name(const char *name)
{
	static const char *const units[] = { "s", "ms", "us", "ns" };
	const char *end = strrchr(name, '_');

	if (strcmp(name, "seconds") == 0)
		return "s";
	for (size_t i = 0; end != NULL && i < 4; i++)
		if (strcmp(end + 1, units[i]) == 0)
			return units[i];
	return NULL;
}

static bool
is_time(const char *unit)
{
	return strcmp(unit, "s") == 0 || strcmp(unit, "ms") == 0 ||
	       strcmp(unit, "us") == 0 || strcmp(unit, "ns") == 0;
}

/* The columns of "create_s+create_sync_s". */
static int
find_terms(struct reading *reading, struct wanted *wanted, const char *sum,
    struct error *err)
{
	struct arena *arena = reading->builder->arena;

	/* a column may have a plus in its name */
	if (table_find(&reading->table, sum) != SIZE_MAX) {
		wanted->columns[0] = table_find(&reading->table, sum);
		wanted->count = 1;
		return 0;
	}
	for (const char *at = sum;; at++) {
		size_t length = strcspn(at, "+");
		const char *name = trim(arena_strndup(arena, at, length));

		if (wanted->count == TERM_LIMIT)
			return error_set_kind(err, ERROR_USAGE,
			    "--value %s: more than %d columns", sum,
			    TERM_LIMIT);
		if (table_column(&reading->table, name,
			&wanted->columns[wanted->count++], err) == -1)
			return -1;
		at += length;
		if (*at == '\0')
			return 0;
	}
}

/* The unit that was given, else that all names end in. */
static int
settle_unit(struct reading *reading, struct wanted *wanted, const char *sum,
    struct error *err)
{
	const struct import_options *options = reading->builder->options;
	const char *unit = options->unit;

	for (size_t i = 0; unit == NULL && i < wanted->count; i++) {
		unit = unit_of_name(reading->table.names[wanted->columns[i]]);
		if (unit == NULL)
			break;
		if (i > 0 && strcmp(unit, wanted->unit) != 0)
			return error_set_kind(err, ERROR_USAGE,
			    "--value %s adds columns of different units", sum);
		wanted->unit = unit;
		unit = i + 1 < wanted->count ? NULL : unit;
	}
	if (unit == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "%s does not say the unit of '%s': give --unit",
		    reading->table.path, sum);
	wanted->unit = unit;
	if (options->better == NULL && !is_time(unit))
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is in %s: give --better lower or --better higher",
		    sum, unit);
	wanted->better = LOWER_IS_BETTER;
	if (options->better != NULL &&
	    better_parse(options->better, &wanted->better) == -1)
		return error_set_kind(err, ERROR_USAGE,
		    "--better '%s' is not lower or higher", options->better);
	return 0;
}

/* Several values each have a name of their own. */
static const char *
value_name(
    const struct import_options *options, const struct import_value *value)
{
	if (value->name != NULL)
		return value->name;
	if (options->metric != NULL)
		return options->metric;
	return options->value_count > 1 ? value->sum : "value";
}

static int
find_values(struct reading *reading, struct error *err)
{
	static const struct import_value usual = { NULL, "value" };
	const struct import_options *options = reading->builder->options;
	const struct import_value *values =
	    options->value_count > 0 ? options->values : &usual;

	reading->wanted_count =
	    options->value_count > 0 ? options->value_count : 1;
	reading->ranked_count = reading->wanted_count;
	reading->wanted = arena_array(reading->builder->arena,
	    reading->wanted_count + options->beside_count,
	    sizeof *reading->wanted);
	for (size_t i = 0; i < reading->wanted_count; i++) {
		struct wanted *wanted = &reading->wanted[i];

		wanted->name = value_name(options, &values[i]);
		for (size_t j = 0; j < i; j++)
			if (strcmp(reading->wanted[j].name, wanted->name) == 0)
				return error_set_kind(err, ERROR_USAGE,
				    "two values are named '%s'", wanted->name);
		if (find_terms(reading, wanted, values[i].sum, err) == -1)
			return -1;
		if (reading->unit == SIZE_MAX &&
		    settle_unit(reading, wanted, values[i].sum, err) == -1)
			return -1;
	}
	return 0;
}

/* Figures that stand beside: a name is needed, a unit only where it is a
 * time. */
static int
find_besides(struct reading *reading, struct error *err)
{
	const struct import_options *options = reading->builder->options;

	for (size_t i = 0; i < options->beside_count; i++) {
		const struct import_value *beside = &options->besides[i];
		struct wanted *wanted =
		    &reading->wanted[reading->wanted_count++];
		const char *unit;

		if (beside->name == NULL)
			return error_set_kind(err, ERROR_USAGE,
			    "--beside '%s' is not NAME=COLUMN", beside->sum);
		wanted->name = beside->name;
		if (find_terms(reading, wanted, beside->sum, err) == -1)
			return -1;
		unit = unit_of_name(reading->table.names[wanted->columns[0]]);
		wanted->unit = unit == NULL ? "" : unit;
	}
	return 0;
}

static int
find_columns(struct reading *reading, struct error *err)
{
	const struct import_options *options = reading->builder->options;
	const struct table *table = &reading->table;
	bool is_long = table_find(table, "workload") != SIZE_MAX &&
		       table_find(table, "metric") != SIZE_MAX &&
		       table_find(table, "unit") != SIZE_MAX &&
		       table_find(table, "better") != SIZE_MAX;

	if (optional_column(
		table, options->block, NULL, &reading->block, err) == -1 ||
	    optional_column(table, options->position, "position",
		&reading->position, err) == -1 ||
	    optional_column(table, options->session, is_long ? "session" : NULL,
		&reading->session, err) == -1 ||
	    optional_column(
		table, options->in_force, NULL, &reading->in_force, err) == -1)
		return -1;
	if (is_long && options->block == NULL)
		reading->block = table_find(table, "block");
	reading->cell = is_long || options->factor_count == 0
			    ? table_find(table, "cell")
			    : SIZE_MAX;
	reading->state = is_long ? table_find(table, "state") : SIZE_MAX;
	reading->workload = is_long ? table_find(table, "workload") : SIZE_MAX;
	reading->metric = is_long ? table_find(table, "metric") : SIZE_MAX;
	reading->unit = is_long ? table_find(table, "unit") : SIZE_MAX;
	reading->better = is_long ? table_find(table, "better") : SIZE_MAX;
	if (find_factors(reading, err) == -1)
		return -1;
	if (options->factor_count == 0 && reading->cell == SIZE_MAX &&
	    reading->source->cell == NULL && options->log_count == 1)
		return error_set_kind(err, ERROR_USAGE,
		    "%s: which columns hold levels? give --factors",
		    table->path);
	if (find_values(reading, err) == -1)
		return -1;
	return find_besides(reading, err);
}

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

/* The list of ranked metrics grows by a name that is not in it. */
static void
rank_metric(struct builder *builder, size_t workload, const char *name)
{
	struct workload_spec *spec = &builder->plan->workloads[workload];

	if (spec->metric == NULL)
		spec->metric = name;
	else if (!option_list_has(spec->metric, name))
		spec->metric =
		    arena_printf(builder->arena, "%s %s", spec->metric, name);
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
			rank_metric(builder, workload, wanted.name);
		if (!has_value)
			continue;
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
	outcome = find_run(reading, row,
	    &(struct planned_trial){ .block = block,
		.position = position,
		.cell = cell,
		.workload = workload },
	    session);
	if (outcome == NULL) {
		outcome =
		    builder_add_run(builder, cell, workload, block, session);
		builder_last_trial(builder)->position = position;
	}
	outcome->in_force = builder->plan->cells[cell].in_force;
	if (add_values(reading, row, outcome, workload, err) == -1)
		return -1;
	if (builder->options->step != NULL)
		builder_set(
		    builder, workload, "clock_step", builder->options->step);
	return 0;
}

static size_t
toggles_on(const struct cell *cell)
{
	size_t count = 0;

	for (size_t i = 0; i < cell->level_count; i++)
		if (cell->levels[i].is_toggle &&
		    strcmp(cell->levels[i].level, "on") == 0)
			count++;
	return count;
}

/* Cells that ask for least come first, as in a matrix: of two that are the
 * same thing, the plainer one is it and the other its control. */
static void
order_cells(struct builder *builder)
{
	struct plan *plan = builder->plan;
	size_t *places =
	    arena_array(builder->arena, plan->cell_count + 1, sizeof *places);
	struct cell *sorted =
	    arena_array(builder->arena, plan->cell_count + 1, sizeof *sorted);

	for (size_t i = 0; i < plan->cell_count; i++) {
		for (size_t j = 0; j < plan->cell_count; j++) {
			size_t a = toggles_on(&plan->cells[i]);
			size_t b = toggles_on(&plan->cells[j]);

			places[i] += b < a || (b == a && j < i) ? 1 : 0;
		}
		sorted[places[i]] = plan->cells[i];
		sorted[places[i]].index = places[i];
	}
	for (size_t i = 0; i < plan->trial_count; i++)
		plan->trials[i].cell = places[plan->trials[i].cell];
	plan->cells = sorted;
}

/* May the cells be the same thing?  Not when an axis tells them apart. */
static bool
is_comparable(const struct cell *a, const struct cell *b)
{
	if (a->level_count != b->level_count ||
	    strcmp(a->filesystem, b->filesystem) != 0)
		return false;
	for (size_t i = 0; i < a->level_count; i++)
		if (!a->levels[i].is_toggle &&
		    strcmp(a->levels[i].level, b->levels[i].level) != 0)
			return false;
	return a->level_count > 0;
}

/* What was in force tells which cells are one cell under two names: the one
 * that asked for least is it, the others are its controls. */
static void
name_duplicates(struct builder *builder)
{
	struct plan *plan = builder->plan;

	for (size_t i = 0; i < plan->cell_count; i++) {
		struct cell *cell = &plan->cells[i];
		size_t best = i;

		for (size_t j = 0; j < plan->cell_count; j++) {
			const struct cell *other = &plan->cells[j];

			if (cell->in_force != NULL && other->in_force != NULL &&
			    strcmp(cell->in_force, other->in_force) == 0 &&
			    is_comparable(cell, other) &&
			    toggles_on(other) < toggles_on(&plan->cells[best]))
				best = j;
		}
		if (best == i)
			continue;
		cell->status = CELL_DUPLICATE;
		cell->duplicate_of = best;
	}
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
		    find_columns(&reading, err) == -1)
			return -1;
		for (size_t row = 0; row < reading.table.row_count; row++)
			if (read_row(&reading, row, err) == -1)
				return -1;
	}
	order_cells(&builder);
	name_duplicates(&builder);
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
