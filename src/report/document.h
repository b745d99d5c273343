/*
 * A report as a list of blocks, before it becomes text, markdown or HTML:
 * what is said is decided once (sections), how it looks by each format.
 *
 * Texts are plain; a format escapes what it must.  Everything lives in the
 * document's arena.
 */
#ifndef MM_REPORT_DOCUMENT_H
#define MM_REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

enum block_kind {
	BLOCK_TITLE,   /* of the whole */
	BLOCK_HEADING, /* of a workload or a closing part */
	BLOCK_LABEL,   /* of a part within it */
	BLOCK_PARAGRAPH,
	BLOCK_ITEM,
	BLOCK_COMMAND, /* a command line to copy */
	BLOCK_GRID,
};

struct grid_column {
	const char *head;
	bool is_right; /* numbers */
	bool is_wide;  /* may be wrapped; one column at most */
	bool is_extra; /* left out of text where there is no room */
};

/* A table of texts: row-major. */
struct grid {
	const struct grid_column *columns;
	size_t column_count;
	const char **cells;
	size_t row_count, row_capacity;
};

struct block {
	enum block_kind kind;
	const char *text;
	struct grid *grid;
};

struct document {
	struct arena *arena;
	const char *title; /* for formats that have one apart from the text */
	struct block *blocks;
	size_t count, capacity;
};

/* An empty document; "arena" is where it grows. */
void document_init(struct document *document, struct arena *arena);

void document_add(struct document *document, enum block_kind kind,
    const char *format, ...) MM_PRINTF(3, 4);

/* Adds an empty table; the columns must outlive the document. */
struct grid *document_add_grid(struct document *document,
    const struct grid_column *columns, size_t column_count);

/* Takes out of all tables the columns that have nothing in any row. */
void document_drop_empty_columns(struct document *document);

/* A new row of empty texts, to be filled: column_count of them. */
const char **grid_add_row(struct document *document, struct grid *grid);

/*
 * Appends the text in lines of at most "width" columns, broken at blanks, else
 * behind one of "+,:/", else anywhere.  Every line is indented; the first one
 * by "first", the others by "rest" columns.
 */
void wrap_text(
    struct buffer *out, const char *text, int width, int first, int rest);

/* A copy in printable ASCII: other bytes become '?', so that no text from a
 * results file can move a terminal's cursor. */
char *ascii_text(struct arena *arena, const char *text);

/* How each format prints a document. */
void document_to_text(const struct document *document, struct buffer *out);
void document_to_markdown(const struct document *document, struct buffer *out);
void document_to_html(const struct document *document, struct buffer *out);

#endif
