#include "model/series.h"

#include <string.h>

/* A copy of the text, "" for NULL. */
static const char *
text_or_empty(struct arena *arena, const char *text)
{
	return arena_strdup(arena, text == NULL ? "" : text);
}

struct series_table *
series_table_new(struct arena *arena, const char *workload, const char *metric,
    const char *unit, enum better better)
{
	struct series_table *table = arena_alloc(arena, sizeof(*table));

	table->workload = text_or_empty(arena, workload);
	table->metric = text_or_empty(arena, metric);
	table->unit = text_or_empty(arena, unit);
	table->better = better;
	table->arena = arena;
	return table;
}

static const struct series_factor *
copy_factors(struct arena *arena, const struct series_cell *cell)
{
	struct series_factor *factors;

	if (cell->factor_count == 0)
		return NULL;
	factors = arena_array(arena, cell->factor_count, sizeof(*factors));
	for (size_t i = 0; i < cell->factor_count; i++) {
		factors[i].name = text_or_empty(arena, cell->factors[i].name);
		factors[i].level = text_or_empty(arena, cell->factors[i].level);
		factors[i].is_toggle = cell->factors[i].is_toggle;
	}
	return factors;
}

size_t
series_add_cell(struct series_table *table, const struct series_cell *cell)
{
	struct arena *arena = table->arena;
	struct series_cell *copy;

	if (table->cell_count == table->cell_capacity)
		table->cells = arena_grow(arena, table->cells,
		    table->cell_count, &table->cell_capacity, sizeof(*copy));
	copy = &table->cells[table->cell_count];
	*copy = *cell;
	copy->key = text_or_empty(arena, cell->key);
	copy->title =
	    cell->title == NULL ? copy->key : arena_strdup(arena, cell->title);
	copy->family = text_or_empty(arena, cell->family);
	copy->factors = copy_factors(arena, cell);
	copy->reason = text_or_empty(arena, cell->reason);
	copy->risk = text_or_empty(arena, cell->risk);
	copy->in_force = text_or_empty(arena, cell->in_force);
	copy->duplicate_of = arena_strdup(arena, cell->duplicate_of);
	return table->cell_count++;
}

size_t
series_find_cell(const struct series_table *table, const char *key)
{
	for (size_t i = 0; i < table->cell_count; i++) {
		if (strcmp(table->cells[i].key, key) == 0)
			return i;
	}
	return SERIES_NONE;
}

size_t
series_add_session(
    struct series_table *table, const char *label, const char *host)
{
	const char *name = label == NULL ? "" : label;
	const char *where = host == NULL ? "" : host;
	struct series_session *session;

	for (size_t i = 0; i < table->session_count; i++) {
		if (strcmp(table->sessions[i].label, name) == 0 &&
		    strcmp(table->sessions[i].host, where) == 0)
			return i;
	}
	if (table->session_count == table->session_capacity)
		table->sessions = arena_grow(table->arena, table->sessions,
		    table->session_count, &table->session_capacity,
		    sizeof(*session));
	session = &table->sessions[table->session_count];
	session->label = arena_strdup(table->arena, name);
	session->host = arena_strdup(table->arena, where);
	return table->session_count++;
}

void
series_add_run(struct series_table *table, const struct series_run *run)
{
	if (table->run_count == table->run_capacity)
		table->runs = arena_grow(table->arena, table->runs,
		    table->run_count, &table->run_capacity, sizeof(*run));
	table->runs[table->run_count] = *run;
	table->runs[table->run_count].note =
	    arena_strdup(table->arena, run->note);
	table->run_count++;
}

void
series_add_curve(struct series_table *table, const struct series_curve *curve)
{
	struct arena *arena = table->arena;
	struct series_column *columns =
	    arena_array(arena, curve->column_count, sizeof(*columns));
	size_t size = curve->sample_count * sizeof(double);

	for (size_t i = 0; i < curve->column_count; i++) {
		double *values =
		    arena_array(arena, curve->sample_count, sizeof(double));

		if (size > 0)
			memcpy(values, curve->columns[i].values, size);
		columns[i].name = text_or_empty(arena, curve->columns[i].name);
		columns[i].role = curve->columns[i].role;
		columns[i].values = values;
	}
	if (table->curve_count == table->curve_capacity)
		table->curves = arena_grow(arena, table->curves,
		    table->curve_count, &table->curve_capacity, sizeof(*curve));
	table->curves[table->curve_count] = *curve;
	table->curves[table->curve_count].columns = columns;
	table->curve_count++;
}

const char *
series_level(const struct series_cell *cell, const char *factor)
{
	for (size_t i = 0; i < cell->factor_count; i++) {
		if (strcmp(cell->factors[i].name, factor) == 0)
			return cell->factors[i].level;
	}
	return NULL;
}
