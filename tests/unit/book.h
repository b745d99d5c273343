/*
 * For oracles_test.c: CSV files, and a book of named answers to hold against
 * the .expect files.
 */
#ifndef MM_TESTS_BOOK_H
#define MM_TESTS_BOOK_H

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

enum { MAX_COLUMNS = 16, MAX_ROWS = 512, MAX_ANSWERS = 512, LINE_SIZE = 512 };

struct csv {
	const char *names[MAX_COLUMNS];
	size_t column_count;
	const char *fields[MAX_ROWS][MAX_COLUMNS];
	size_t row_count;
};

struct answer {
	const char *key;
	const char *text; /* NULL: a number */
	double value;
};

struct book {
	struct arena *arena;
	const char *prefix; /* put before every key while not NULL */
	struct answer answers[MAX_ANSWERS];
	size_t count;
};

static size_t
csv_split(char *line, const char **fields, struct arena *arena)
{
	size_t count = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (char *field = line; field != NULL && count < MAX_COLUMNS;) {
		char *comma = strchr(field, ',');

		if (comma != NULL)
			*comma++ = '\0';
		fields[count++] = arena_strdup(arena, field);
		field = comma;
	}
	return count;
}

static struct csv *
csv_read(const char *path, struct arena *arena)
{
	struct csv *csv = arena_alloc(arena, sizeof(*csv));
	FILE *file = fopen(path, "r");
	char line[LINE_SIZE];

	if (file == NULL || fgets(line, sizeof(line), file) == NULL) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		abort();
	}
	csv->column_count = csv_split(line, csv->names, arena);
	while (fgets(line, sizeof(line), file) != NULL &&
	       csv->row_count < MAX_ROWS)
		(void)csv_split(line, csv->fields[csv->row_count++], arena);
	(void)fclose(file);
	return csv;
}

/* The column of that name, or one past the last. */
static size_t
csv_column(const struct csv *csv, const char *name)
{
	size_t c = 0;

	while (c < csv->column_count && strcmp(csv->names[c], name) != 0)
		c++;
	return c;
}

static const char *
csv_text(const struct csv *csv, size_t row, const char *name)
{
	size_t c = csv_column(csv, name);

	return c < csv->column_count ? csv->fields[row][c] : NULL;
}

static double
csv_number(const struct csv *csv, size_t row, const char *name)
{
	const char *text = csv_text(csv, row, name);

	return text == NULL ? NAN : strtod(text, NULL);
}

static const char *
book_key(struct book *book, const char *format, va_list arguments)
{
	char key[LINE_SIZE];

	(void)vsnprintf(key, sizeof(key), format, arguments);
	return book->prefix == NULL
		   ? arena_strdup(book->arena, key)
		   : arena_printf(book->arena, "%s%s", book->prefix, key);
}

static void book_put(struct book *book, double value, const char *format, ...)
    MM_PRINTF(3, 4);
static void book_say(struct book *book, const char *text, const char *format,
    ...) MM_PRINTF(3, 4);

static void
book_put(struct book *book, double value, const char *format, ...)
{
	struct answer *answer = &book->answers[book->count];
	va_list arguments;

	if (book->count == MAX_ANSWERS)
		abort();
	va_start(arguments, format);
	answer->key = book_key(book, format, arguments);
	va_end(arguments);
	answer->text = NULL;
	answer->value = value;
	book->count++;
}

static void
book_say(struct book *book, const char *text, const char *format, ...)
{
	struct answer *answer = &book->answers[book->count];
	va_list arguments;

	if (book->count == MAX_ANSWERS)
		abort();
	va_start(arguments, format);
	answer->key = book_key(book, format, arguments);
	va_end(arguments);
	answer->text = arena_strdup(book->arena, text);
	book->count++;
}

static const struct answer *
book_find(const struct book *book, const char *key)
{
	for (size_t i = 0; i < book->count; i++) {
		if (strcmp(book->answers[i].key, key) == 0)
			return &book->answers[i];
	}
	return NULL;
}

struct tally_of_set {
	size_t right, wrong, evidence;
};

/* One line of an .expect file against the book. */
static bool
book_agrees(const struct book *book, const char *key, const char *value,
    const char *tolerance)
{
	const struct answer *answer = book_find(book, key);
	double expected = strtod(value, NULL);

	if (answer == NULL) {
		(void)printf("# no answer for %s (%s)\n", key, value);
		return false;
	}
	if (answer->text != NULL) {
		if (strcmp(answer->text, value) == 0)
			return true;
		(void)printf(
		    "# %s: '%s', not '%s'\n", key, answer->text, value);
		return false;
	}
	if (fabs(answer->value - expected) <=
	    strtod(tolerance, NULL) * fabs(expected))
		return true;
	if (strcmp(tolerance, "exact") == 0 && answer->value == expected)
		return true;
	(void)printf("# %s: %.10g, not %s\n", key, answer->value, value);
	return false;
}

/* "evidence" ends with NULL: patterns of keys that are not for the product. */
static struct tally_of_set
book_check(
    const struct book *book, const char *path, const char *const *evidence)
{
	struct tally_of_set tally = { 0, 0, 0 };
	FILE *file = fopen(path, "r");
	char line[LINE_SIZE];

	if (file == NULL)
		abort();
	while (fgets(line, sizeof(line), file) != NULL) {
		char *save = NULL;
		const char *key = strtok_r(line, "\t\n", &save);
		const char *value = strtok_r(NULL, "\t\n", &save);
		const char *tolerance = strtok_r(NULL, "\t\n", &save);
		size_t e = 0;

		if (key == NULL || key[0] == '#')
			continue;
		while (evidence[e] != NULL && fnmatch(evidence[e], key, 0) != 0)
			e++;
		if (evidence[e] != NULL)
			tally.evidence++;
		else if (book_agrees(book, key, value, tolerance))
			tally.right++;
		else
			tally.wrong++;
	}
	(void)fclose(file);
	return tally;
}

#endif
