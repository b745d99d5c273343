/* A document as markdown and as HTML. */
#include <string.h>

#include "base/plain.h"
#include "report/document.h"

/* What markdown would take for markup; control bytes are blanks. */
static void
put_markdown(struct buffer *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (plain_control(text) > 0) {
			buffer_putc(out, ' ');
			text += plain_control(text) - 1;
		} else if (c == '<' || c == '>' || c == '&')
			buffer_puts(out, c == '<'   ? "&lt;"
					 : c == '>' ? "&gt;"
						    : "&amp;");
		else if (strchr("\\`*_{}[]|#", c) != NULL)
			buffer_printf(out, "\\%c", c);
		else
			buffer_putc(out, (char)c);
	}
}

static void
put_markdown_row(
    struct buffer *out, const char *const *cells, size_t column_count)
{
	buffer_putc(out, '|');
	for (size_t i = 0; i < column_count; i++) {
		buffer_putc(out, ' ');
		put_markdown(out, cells[i]);
		buffer_puts(out, " |");
	}
	buffer_putc(out, '\n');
}

static void
put_markdown_grid(
    struct arena *arena, const struct grid *grid, struct buffer *out)
{
	const char **heads =
	    arena_array(arena, grid->column_count + 1, sizeof *heads);

	for (size_t i = 0; i < grid->column_count; i++)
		heads[i] = grid->columns[i].head;
	put_markdown_row(out, heads, grid->column_count);
	buffer_putc(out, '|');
	for (size_t i = 0; i < grid->column_count; i++)
		buffer_puts(
		    out, grid->columns[i].is_right ? " ---: |" : " :--- |");
	buffer_putc(out, '\n');
	for (size_t i = 0; i < grid->row_count; i++)
		put_markdown_row(out, &grid->cells[i * grid->column_count],
		    grid->column_count);
}

void
document_to_markdown(const struct document *document, struct buffer *out)
{
	static const char *const before[] = {
		[BLOCK_TITLE] = "# ",
		[BLOCK_HEADING] = "## ",
		[BLOCK_LABEL] = "### ",
		[BLOCK_PARAGRAPH] = "",
		[BLOCK_ITEM] = "- ",
		[BLOCK_COMMAND] = "    ",
	};

	for (size_t i = 0; i < document->count; i++) {
		const struct block *block = &document->blocks[i];
		bool is_list = block->kind == BLOCK_ITEM && i > 0 &&
			       document->blocks[i - 1].kind == BLOCK_ITEM;

		if (i > 0 && !is_list)
			buffer_putc(out, '\n');
		if (block->kind == BLOCK_GRID) {
			put_markdown_grid(document->arena, block->grid, out);
			continue;
		}
		buffer_puts(out, before[block->kind]);
		if (block->kind == BLOCK_COMMAND)
			buffer_puts(
			    out, ascii_text(document->arena, block->text));
		else
			put_markdown(out, block->text);
		buffer_putc(out, '\n');
	}
}

static void
put_html(struct buffer *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '&')
			buffer_puts(out, "&amp;");
		else if (c == '<')
			buffer_puts(out, "&lt;");
		else if (c == '>')
			buffer_puts(out, "&gt;");
		else if (c == '"')
			buffer_puts(out, "&quot;");
		else if (c == '\n' || plain_control(text) == 0)
			buffer_putc(out, (char)c);
	}
}

static void
put_html_row(struct buffer *out, const struct grid *grid,
    const char *const *cells, const char *tag)
{
	buffer_puts(out, "<tr>");
	for (size_t i = 0; i < grid->column_count; i++) {
		buffer_printf(out, "<%s%s>", tag,
		    grid->columns[i].is_right ? " class=\"n\"" : "");
		put_html(out, cells[i]);
		buffer_printf(out, "</%s>", tag);
	}
	buffer_puts(out, "</tr>\n");
}

static void
put_html_grid(struct arena *arena, const struct grid *grid, struct buffer *out)
{
	const char **heads =
	    arena_array(arena, grid->column_count + 1, sizeof *heads);

	for (size_t i = 0; i < grid->column_count; i++)
		heads[i] = grid->columns[i].head;
	buffer_puts(out, "<table>\n<thead>\n");
	put_html_row(out, grid, heads, "th");
	buffer_puts(out, "</thead>\n<tbody>\n");
	for (size_t i = 0; i < grid->row_count; i++)
		put_html_row(
		    out, grid, &grid->cells[i * grid->column_count], "td");
	buffer_puts(out, "</tbody>\n</table>\n");
}

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";

static const char page_style[] =
    "</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;"
    "padding:0 1em;color:#222;background:#fff}\n"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;"
    "border-bottom:1px solid #ccc}h3{font-size:1em}\n"
    "table{border-collapse:collapse;margin:1em 0;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15em .7em;text-align:left;vertical-align:top;"
    "border-bottom:1px solid #eee}\n"
    "th{border-bottom:1px solid #888}.n{text-align:right}\n"
    "pre{background:#f4f4f4;padding:.5em;overflow-x:auto}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}"
    "th,td,h2{border-color:#444}pre{background:#282828}}\n"
    "</style>\n</head>\n<body>\n";

static void
put_html_block(const struct document *document, size_t i, struct buffer *out)
{
	static const char *const tags[] = {
		[BLOCK_TITLE] = "h1",
		[BLOCK_HEADING] = "h2",
		[BLOCK_LABEL] = "h3",
		[BLOCK_PARAGRAPH] = "p",
		[BLOCK_ITEM] = "li",
		[BLOCK_COMMAND] = "pre",
	};
	const struct block *block = &document->blocks[i];
	bool is_item = block->kind == BLOCK_ITEM;

	if (block->kind == BLOCK_GRID) {
		put_html_grid(document->arena, block->grid, out);
		return;
	}
	if (is_item && (i == 0 || document->blocks[i - 1].kind != BLOCK_ITEM))
		buffer_puts(out, "<ul>\n");
	buffer_printf(out, "<%s>", tags[block->kind]);
	put_html(out, block->text);
	buffer_printf(out, "</%s>\n", tags[block->kind]);
	if (is_item && (i + 1 == document->count ||
			   document->blocks[i + 1].kind != BLOCK_ITEM))
		buffer_puts(out, "</ul>\n");
}

void
document_to_html(const struct document *document, struct buffer *out)
{
	buffer_puts(out, page_head);
	put_html(out, document->title);
	buffer_puts(out, page_style);
	for (size_t i = 0; i < document->count; i++)
		put_html_block(document, i, out);
	buffer_puts(out, "</body>\n</html>\n");
}
