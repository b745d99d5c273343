#include "report/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
document_init(struct document *document, struct arena *arena)
{
	*document = (struct document){ .arena = arena };
}

static struct block *
new_block(struct document *document, enum block_kind kind)
{
	struct block *block;

	if (document->count == document->capacity)
		document->blocks = arena_grow(document->arena, document->blocks,
		    document->count, &document->capacity,
		    sizeof *document->blocks);
	block = &document->blocks[document->count++];
	*block = (struct block){ .kind = kind, .text = "" };
	return block;
}

void
document_add(
    struct document *document, enum block_kind kind, const char *format, ...)
{
	struct block *block = new_block(document, kind);
	va_list arguments, again;
	char *text;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = arena_alloc(document->arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	block->text = text;
}

struct grid *
document_add_grid(struct document *document, const struct grid_column *columns,
    size_t column_count)
{
	struct block *block = new_block(document, BLOCK_GRID);

	block->grid = arena_alloc(document->arena, sizeof *block->grid);
	block->grid->columns = columns;
	block->grid->column_count = column_count;
	return block->grid;
}

const char **
grid_add_row(struct document *document, struct grid *grid)
{
	const char **row;

	if (grid->row_count == grid->row_capacity)
		grid->cells = arena_grow(document->arena, grid->cells,
		    grid->row_count, &grid->row_capacity,
		    grid->column_count * sizeof *grid->cells);
	row = &grid->cells[grid->row_count++ * grid->column_count];
	for (size_t i = 0; i < grid->column_count; i++)
		row[i] = "";
	return row;
}

static bool
is_empty_column(const struct grid *grid, size_t column)
{
	for (size_t row = 0; row < grid->row_count; row++)
		if (grid->cells[row * grid->column_count + column][0] != '\0')
			return false;
	return true;
}

static void
drop_column(struct document *document, struct grid *grid, size_t column)
{
	size_t kept = grid->column_count - 1;
	struct grid_column *columns =
	    arena_array(document->arena, kept + 1, sizeof *columns);
	const char **cells = arena_array(
	    document->arena, grid->row_count * kept + 1, sizeof *cells);
	size_t to = 0;

	for (size_t i = 0, at = 0; i < grid->column_count; i++)
		if (i != column)
			columns[at++] = grid->columns[i];
	for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
		if (i % grid->column_count != column)
			cells[to++] = grid->cells[i];
	grid->columns = columns;
	grid->cells = cells;
	grid->column_count = kept;
	grid->row_capacity = grid->row_count;
}

void
document_drop_empty_columns(struct document *document)
{
	for (size_t i = 0; i < document->count; i++) {
		struct grid *grid = document->blocks[i].grid;

		for (size_t j = grid == NULL ? 0 : grid->column_count; j > 1;
		     j--)
			if (is_empty_column(grid, j - 1))
				drop_column(document, grid, j - 1);
	}
}

/* How much of the text fits on a line of "room" columns. */
static size_t
line_length(const char *text, size_t room)
{
	size_t length = strlen(text), at;

	if (length <= room)
		return length;
	/* a number stays with its percent sign */
	for (at = room; at > 0; at--)
		if (text[at] == ' ' && text[at + 1] != '%')
			return at;
	for (at = room; at > 1; at--)
		if (strchr("+,:/", text[at - 1]) != NULL)
			return at;
	return room;
}

void
wrap_text(struct buffer *out, const char *text, int width, int first, int rest)
{
	int indent = first;

	do {
		int room = width - indent < 8 ? 8 : width - indent;
		size_t length = line_length(text, (size_t)room);

		buffer_printf(out, "%*s%.*s\n", indent, "", (int)length, text);
		text += length;
		text += strspn(text, " ");
		indent = rest;
	} while (*text != '\0');
}

/* The sign of "us", of either alphabet. */
static bool
is_micro(const char *text)
{
	return strncmp(text, "\xc2\xb5", 2) == 0 ||
	       strncmp(text, "\xce\xbc", 2) == 0;
}

char *
ascii_text(struct arena *arena, const char *text)
{
	size_t length = strlen(text), to = 0;
	char *copy = arena_alloc(arena, length + 1);

	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\n' || c == '\t')
			copy[to++] = ' ';
		else if (c >= ' ' && c < 0x7f)
			copy[to++] = (char)c;
		else if (is_micro(text + i))
			copy[to++] = 'u';
		else if (c < 0x80 || c >= 0xc0) /* one mark per character */
			copy[to++] = '?';
	}
	return copy;
}
