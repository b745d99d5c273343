#include "config/outline_reader.h"

#include <string.h>

#include "config/parse.h"

int
outline_complain(struct reader *reader, struct position at, const char *text)
{
	return diagnostics_add(reader->outline->diagnostics, at, "%s", text);
}

int
outline_next(struct reader *reader, struct token *token)
{
	return scan_next(reader->source, token, reader->outline->diagnostics);
}

const char *
outline_line(
    const struct reader *reader, struct position here, struct position before)
{
	struct arena *arena = reader->outline->arena;

	if (strcmp(here.file, before.file) == 0)
		return arena_printf(arena, "line %d", before.line);
	return arena_printf(arena, "line %d of '%s'", before.line, before.file);
}

const char *
outline_show(const struct reader *reader, const struct token *token)
{
	return token_show(token, reader->outline->arena);
}

/* Appends a word to the clean text and notes where its lines came from. */
static void
emit(struct reader *reader, const struct token *token, const char *text,
    size_t length)
{
	struct outline *outline = reader->outline;
	struct position at = token->at;

	if (!reader->is_kept)
		return;
	buffer_append(&outline->clean, text, length);
	buffer_putc(&outline->clean, '\n');
	for (size_t i = 0; i <= length; i++) {
		if (i < length && text[i] != '\n')
			continue;
		outline->lines = arena_grow(outline->arena, outline->lines,
		    outline->line_count, &outline->line_capacity,
		    sizeof *outline->lines);
		outline->lines[outline->line_count++] = at;
		at.line++;
	}
}

void
outline_emit(struct reader *reader, const struct token *token, const char *text)
{
	emit(reader, token, text, strlen(text));
}

void
outline_emit_value(struct reader *reader, const struct token *token)
{
	struct buffer quoted;

	buffer_init(&quoted);
	parse_quote(token, &quoted);
	emit(reader, token, quoted.data, quoted.length);
	buffer_reset(&quoted);
}

bool
token_is_value(const struct token *token)
{
	return token->kind == TOKEN_WORD || token->kind == TOKEN_STRING;
}
