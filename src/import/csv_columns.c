/* Which columns of a table hold what. */
#include <stdint.h>
#include <string.h>

#include "import/csv.h"

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

int
csv_find_columns(struct reading *reading, struct error *err)
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
