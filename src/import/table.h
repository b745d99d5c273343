/* A CSV table (RFC 4180, "#" lines are comments) read whole. */
#ifndef MM_IMPORT_TABLE_H
#define MM_IMPORT_TABLE_H

#include "import/log.h"

struct table {
	const char *path;
	const char **names;
	size_t column_count;
	const char **fields; /* row-major */
	int *lines;          /* where each row began */
	size_t row_count, row_capacity;
};

/* Every row must have as many fields as the head has names. */
int table_read(struct table *table, struct arena *arena, const char *path,
    struct error *err);

/* Index of the column, or SIZE_MAX. */
size_t table_find(const struct table *table, const char *name);

/* The same; a missing one is an error that names the nearest. */
int table_column(const struct table *table, const char *name, size_t *column,
    struct error *err);

const char *table_field(const struct table *table, size_t row, size_t column);

/* Sets "FILE:LINE: text" for a row.  Always returns -1. */
int table_fail(const struct table *table, size_t row, struct error *err,
    const char *format, ...) MM_PRINTF(4, 5);

#endif
