/* A document as text for mail: at most 72 columns, ASCII. */
#include <string.h>

#include "report/document.h"

/* ROOMY: what a wide column should have before extra ones are shown */
enum {
	WIDTH = 72,
	GAP = 2,
	NARROWEST = 16,
	ROOMY = 20,
	WIDEST_CELL = 36,
	WIDEST_HEAD = 16
};

struct layout {
	struct arena *arena;
	const struct grid *grid;
	const char **heads, **cells; /* ASCII copies */
	int *widths;
	bool *is_left_out;
	int wide; /* the column that may be wrapped, or -1 */
	int total;
	bool is_stacked; /* the wide column has lines of its own */
};

static int
widest(const struct layout *layout, size_t column)
{
	size_t width = strlen(layout->heads[column]);

	for (size_t row = 0; row < layout->grid->row_count; row++) {
		size_t length = strlen(
		    layout->cells[row * layout->grid->column_count + column]);

		width = length > width ? length : width;
	}
	return (int)width;
}

/* Columns that text can do without, the last one first. */
static void
leave_out_extras(struct layout *layout)
{
	const struct grid *grid = layout->grid;
	int needed = layout->total;

	if (layout->wide >= 0 && layout->widths[layout->wide] > ROOMY)
		needed -= layout->widths[layout->wide] - ROOMY;
	for (size_t i = grid->column_count; i > 0 && needed > WIDTH; i--) {
		if (!grid->columns[i - 1].is_extra)
			continue;
		layout->is_left_out[i - 1] = true;
		layout->total -= layout->widths[i - 1] + GAP;
		needed -= layout->widths[i - 1] + GAP;
	}
}

/* Narrow texts first; what is over comes out of the wide column. */
static void
measure(struct layout *layout)
{
	const struct grid *grid = layout->grid;

	layout->is_left_out =
	    arena_array(layout->arena, grid->column_count, sizeof(bool));
	layout->wide = -1;
	layout->total = -GAP;
	layout->widths =
	    arena_array(layout->arena, grid->column_count, sizeof(int));
	for (size_t i = 0; i < grid->column_count; i++) {
		layout->widths[i] = widest(layout, i);
		layout->total += layout->widths[i] + GAP;
		if (grid->columns[i].is_wide)
			layout->wide = (int)i;
	}
	leave_out_extras(layout);
	if (layout->total <= WIDTH || layout->wide == -1)
		return;
	if (layout->widths[layout->wide] - (layout->total - WIDTH) >= NARROWEST)
		layout->widths[layout->wide] -= layout->total - WIDTH;
	else
		layout->is_stacked = true;
	layout->total = WIDTH;
}

/* Printable, and cut short unless it can be wrapped. */
static const char *
copy_cell(
    const struct layout *layout, size_t column, const char *text, size_t most)
{
	char *copy = ascii_text(layout->arena, text);

	if (!layout->grid->columns[column].is_wide && strlen(copy) > most)
		memcpy(copy + most - 3, "...", 4);
	return copy;
}

static void
copy_cells(struct layout *layout)
{
	const struct grid *grid = layout->grid;
	size_t count = grid->row_count * grid->column_count;

	layout->heads = arena_array(
	    layout->arena, grid->column_count + 1, sizeof *layout->heads);
	layout->cells =
	    arena_array(layout->arena, count + 1, sizeof *layout->cells);
	for (size_t i = 0; i < grid->column_count; i++)
		layout->heads[i] =
		    copy_cell(layout, i, grid->columns[i].head, WIDEST_HEAD);
	for (size_t i = 0; i < count; i++)
		layout->cells[i] = copy_cell(layout, i % grid->column_count,
		    grid->cells[i], WIDEST_CELL);
}

static void
trim_line(struct buffer *out)
{
	while (out->length > 0 && out->data[out->length - 1] == ' ')
		out->length--;
	buffer_putc(out, '\n');
}

static void
put_cell(const struct layout *layout, size_t column, const char *text,
    struct buffer *out)
{
	int width = layout->widths[column];
	int length = (int)strlen(text);
	int pad = width > length ? width - length : 0;

	if (column > 0 &&
	    !(layout->is_stacked && column == 1 && layout->wide == 0))
		buffer_printf(out, "%*s", GAP, "");
	if (layout->grid->columns[column].is_right)
		buffer_printf(out, "%*s%s", pad, "", text);
	else
		buffer_printf(out, "%s%*s", text, pad, "");
}

/* The lines of the wide cell, one after the other, in the arena. */
static const char **
wide_lines(const struct layout *layout, const char *text, size_t *count)
{
	struct buffer lines;
	const char **list;
	char *copy, *save = NULL;

	buffer_init(&lines);
	wrap_text(&lines, text, layout->widths[layout->wide], 0, 1);
	copy = arena_strdup(layout->arena, buffer_text(&lines));
	list = arena_array(layout->arena, lines.length + 1, sizeof *list);
	buffer_reset(&lines);
	*count = 0;
	for (char *line = strtok_r(copy, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save))
		list[(*count)++] = line;
	return list;
}

/* One line of a row; "wide" is the wide cell's part, the others are there in
 * the first line only. */
static void
put_line(const struct layout *layout, const char *const *cells,
    const char *wide, bool is_first, struct buffer *out)
{
	for (size_t i = 0; i < layout->grid->column_count; i++) {
		const char *text = is_first ? cells[i] : "";

		if (layout->is_left_out[i])
			continue;
		if ((int)i != layout->wide)
			put_cell(layout, i, text, out);
		else if (!layout->is_stacked)
			put_cell(layout, i, wide, out);
	}
	trim_line(out);
}

static void
put_row(
    const struct layout *layout, const char *const *cells, struct buffer *out)
{
	const char **lines;
	size_t count;

	if (layout->wide < 0 || layout->is_stacked) {
		if (layout->is_stacked)
			wrap_text(out, cells[layout->wide], WIDTH, 0, 1);
		put_line(layout, cells, "", true, out);
		return;
	}
	lines = wide_lines(layout, cells[layout->wide], &count);
	put_line(layout, cells, count > 0 ? lines[0] : "", true, out);
	for (size_t i = 1; i < count; i++)
		put_line(layout, cells, lines[i], false, out);
}

static void
put_grid(struct arena *arena, const struct grid *grid, struct buffer *out)
{
	struct layout layout = { .arena = arena, .grid = grid };

	copy_cells(&layout);
	measure(&layout);
	put_row(&layout, layout.heads, out);
	for (size_t i = 0; i < grid->row_count; i++)
		put_row(&layout, &layout.cells[i * grid->column_count], out);
}

static void
put_underlined(const char *text, char line, struct buffer *out)
{
	size_t from = out->length, longest = 0, length = 0;

	wrap_text(out, text, WIDTH, 0, 0);
	for (size_t i = from; i < out->length; i++) {
		length = out->data[i] == '\n' ? 0 : length + 1;
		longest = length > longest ? length : longest;
	}
	for (size_t i = 0; i < longest; i++)
		buffer_putc(out, line);
	buffer_putc(out, '\n');
}

/* Broken between words, with what "sh" needs to read on. */
static void
put_command(const char *text, struct buffer *out)
{
	int indent = 4;

	while (*text != '\0') {
		size_t room = (size_t)(WIDTH - 2 - indent);
		size_t length = strlen(text);

		if (length > room) {
			for (length = room; length > 0; length--)
				if (text[length] == ' ')
					break;
			if (length == 0)
				length = strcspn(text, " ");
		}
		buffer_printf(out, "%*s%.*s", indent, "", (int)length, text);
		text += length;
		text += strspn(text, " ");
		buffer_puts(out, *text == '\0' ? "\n" : " \\\n");
		indent = 8;
	}
}

static void
put_block(struct arena *arena, const struct block *block, struct buffer *out)
{
	const char *text = ascii_text(arena, block->text);

	switch (block->kind) {
	case BLOCK_TITLE:
		put_underlined(text, '=', out);
		break;
	case BLOCK_HEADING:
		buffer_putc(out, '\n');
		put_underlined(text, '-', out);
		break;
	case BLOCK_LABEL:
	case BLOCK_PARAGRAPH:
		wrap_text(out, text, WIDTH, 0, 0);
		break;
	case BLOCK_ITEM:
		buffer_puts(out, "  ");
		wrap_text(out, text, WIDTH - 2, 0, 4);
		break;
	case BLOCK_COMMAND:
		put_command(text, out);
		break;
	case BLOCK_GRID:
		put_grid(arena, block->grid, out);
		break;
	}
}

/* A blank line before it? */
static bool
is_apart(const struct document *document, size_t i)
{
	enum block_kind kind = document->blocks[i].kind;
	enum block_kind before = i == 0 ? kind : document->blocks[i - 1].kind;

	if (i == 0 || kind == BLOCK_HEADING)
		return false;
	if (before == BLOCK_TITLE || before == BLOCK_HEADING ||
	    before == BLOCK_LABEL)
		return kind == BLOCK_GRID || before == BLOCK_TITLE;
	if (kind == BLOCK_ITEM)
		return before != BLOCK_ITEM && before != BLOCK_PARAGRAPH;
	if (kind == BLOCK_COMMAND)
		return false;
	return true;
}

void
document_to_text(const struct document *document, struct buffer *out)
{
	for (size_t i = 0; i < document->count; i++) {
		if (is_apart(document, i))
			buffer_putc(out, '\n');
		put_block(document->arena, &document->blocks[i], out);
	}
}
