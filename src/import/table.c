#include "import/table.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

enum { COLUMN_LIMIT = 1000 };

/* One record, which may go over several lines where a quote is open. */
struct record {
	char *fields[COLUMN_LIMIT];
	size_t count;
};

/* Undoubles the quotes of "..." in place; returns what follows, or NULL when
 * the quote is not closed. */
static char *
close_quote(char *text)
{
	char *to = text;

	for (;; text++) {
		if (*text == '\0')
			return NULL;
		if (*text == '"' && text[1] == '"')
			text++;
		else if (*text == '"')
			break;
		*to++ = *text;
	}
	*to = '\0';
	return text + 1;
}

static int
read_record(
    struct log *log, char *line, struct record *record, struct error *err)
{
	record->count = 0;
	for (;;) {
		char *end;

		if (record->count == COLUMN_LIMIT)
			return log_fail(
			    log, err, "more than %d columns", COLUMN_LIMIT);
		if (*line == '"') {
			end = close_quote(++line);
			if (end == NULL)
				return log_fail(
				    log, err, "a quote is not closed");
			record->fields[record->count++] = line;
			if (*end != ',' && *end != '\0')
				return log_fail(
				    log, err, "'%.20s' follows a quote", end);
		} else {
			end = line + strcspn(line, ",");
			record->fields[record->count++] = line;
		}
		if (*end == '\0')
			break;
		*end = '\0';
		line = end + 1;
	}
	for (size_t i = 0; i < record->count; i++)
		record->fields[i] = trim(record->fields[i]);
	return 0;
}

static int
set_names(struct table *table, struct arena *arena, struct log *log,
    const struct record *record, struct error *err)
{
	table->column_count = record->count;
	table->names = arena_array(arena, record->count, sizeof *table->names);
	for (size_t i = 0; i < record->count; i++) {
		table->names[i] = record->fields[i];
		for (size_t j = 0; j < i; j++)
			if (strcmp(table->names[i], table->names[j]) == 0)
				return log_fail(log, err,
				    "two columns are named '%.40s'",
				    table->names[i]);
	}
	return 0;
}

static int
add_row(struct table *table, struct arena *arena, struct log *log,
    const struct record *record, struct error *err)
{
	size_t capacity = table->row_capacity;

	if (record->count != table->column_count)
		return log_fail(log, err,
		    "%zu columns where the head has %zu: is the line cut?",
		    record->count, table->column_count);
	if (table->row_count == capacity) {
		table->fields =
		    arena_grow(arena, table->fields, table->row_count,
			&capacity, table->column_count * sizeof *table->fields);
		capacity = table->row_capacity;
		table->lines = arena_grow(arena, table->lines, table->row_count,
		    &capacity, sizeof *table->lines);
		table->row_capacity = capacity;
	}
	for (size_t i = 0; i < record->count; i++)
		table->fields[table->row_count * table->column_count + i] =
		    record->fields[i];
	table->lines[table->row_count++] = log->line;
	return 0;
}

int
table_read(struct table *table, struct arena *arena, const char *path,
    struct error *err)
{
	struct record *record = arena_alloc(arena, sizeof *record);
	struct log log;
	char *line;

	*table = (struct table){ .path = path };
	if (log_open(&log, arena, path, err) == -1)
		return -1;
	while ((line = log_next(&log)) != NULL) {
		if (line[0] == '#' || line[strspn(line, " \t")] == '\0')
			continue;
		if (read_record(&log, line, record, err) == -1)
			return -1;
		if ((table->names == NULL
			    ? set_names(table, arena, &log, record, err)
			    : add_row(table, arena, &log, record, err)) == -1)
			return -1;
	}
	if (table->names == NULL)
		return log_fail(&log, err, "no table is there");
	return 0;
}

size_t
table_find(const struct table *table, const char *name)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (strcmp(table->names[i], name) == 0)
			return i;
	return SIZE_MAX;
}

int
table_column(const struct table *table, const char *name, size_t *column,
    struct error *err)
{
	const char *nearest;

	*column = table_find(table, name);
	if (*column != SIZE_MAX)
		return 0;
	nearest = suggest_nearest(name, table->names, table->column_count);
	return error_set_kind(err, ERROR_USAGE, "%s: no column '%s'%s%s%s",
	    table->path, name, nearest != NULL ? ", did you mean '" : "",
	    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

const char *
table_field(const struct table *table, size_t row, size_t column)
{
	return table->fields[row * table->column_count + column];
}

int
table_fail(const struct table *table, size_t row, struct error *err,
    const char *format, ...)
{
	struct log log = { .path = table->path, .line = table->lines[row] };
	char text[400];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return log_fail(&log, err, "%s", text);
}
