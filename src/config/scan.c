#include "config/scan.h"

#include <ctype.h>
#include <string.h>

static struct position
here(const struct scan_source *source)
{
	return (struct position){ source->path, source->line };
}

/* The character "ahead" of the current one, NUL beyond the end. */
static char
look(const struct scan_source *source, size_t ahead)
{
	return source->at + ahead < source->length
		   ? source->text[source->at + ahead]
		   : '\0';
}

static void
advance(struct scan_source *source, size_t count)
{
	for (; count > 0 && source->at < source->length; count--)
		if (source->text[source->at++] == '\n')
			source->line++;
}

static int
skip_block_comment(struct scan_source *source, struct diagnostics *diagnostics)
{
	struct position opened = here(source);

	advance(source, 2);
	while (source->at < source->length) {
		if (look(source, 0) == '*' && look(source, 1) == '/') {
			advance(source, 2);
			return 0;
		}
		advance(source, 1);
	}
	return diagnostics_add(
	    diagnostics, opened, "the comment that opens here is not closed");
}

/* Blanks, newlines and comments. */
static int
skip_blanks(struct scan_source *source, struct diagnostics *diagnostics)
{
	while (source->at < source->length) {
		char c = look(source, 0);

		if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			advance(source, 1);
		} else if (c == '#' || (c == '/' && look(source, 1) == '/')) {
			while (source->at < source->length &&
			       look(source, 0) != '\n')
				advance(source, 1);
		} else if (c == '/' && look(source, 1) == '*') {
			if (skip_block_comment(source, diagnostics) == -1)
				return -1;
		} else {
			break;
		}
	}
	return 0;
}

/* "${NAME}" at the current place; libconfuse would look for the brace up to
 * the end of the file. */
static int
take_variable(struct scan_source *source, struct diagnostics *diagnostics)
{
	struct position opened = here(source);

	advance(source, 2);
	for (;;) {
		char c = look(source, 0);

		if (c == '}') {
			advance(source, 1);
			return 0;
		}
		if (c == '\n' || c == '\0' || c == '"' || c == '\'')
			return diagnostics_add(
			    diagnostics, opened, "'${' without its '}'");
		advance(source, 1);
	}
}

/* A backslash inside double quotes: the forms libconfuse gives up on. */
static int
take_escape(struct scan_source *source, struct diagnostics *diagnostics)
{
	struct position opened = here(source);
	size_t digits = 0;
	int value = 0;

	advance(source, 1);
	while (digits < 3 && look(source, digits) >= '0' &&
	       look(source, digits) <= '7')
		value = value * 8 + (look(source, digits++) - '0');
	if (digits == 0 && !isdigit((unsigned char)look(source, 0))) {
		if (look(source, 0) == 'x' && look(source, 1) == '0' &&
		    !(isxdigit((unsigned char)look(source, 2)) &&
			look(source, 2) != '0'))
			return diagnostics_add(diagnostics, opened,
			    "escape '\\x0' would end the text");
		advance(source, 1);
		return 0;
	}
	if (value == 0 || value > 255 ||
	    isdigit((unsigned char)look(source, digits)))
		return diagnostics_add(diagnostics, opened,
		    "escape '\\%.4s' is not a character; write \\\\ for a "
		    "backslash",
		    source->text + source->at);
	advance(source, digits);
	return 0;
}

static int
take_string(struct scan_source *source, struct diagnostics *diagnostics)
{
	struct position opened = here(source);
	char quote = look(source, 0);

	advance(source, 1);
	while (source->at < source->length) {
		char c = look(source, 0);

		if (c == quote) {
			advance(source, 1);
			return 0;
		}
		if (c == '\\' && quote == '"') {
			if (take_escape(source, diagnostics) == -1)
				return -1;
		} else if (c == '\\') {
			advance(source, 2);
		} else if (c == '$' && look(source, 1) == '{' && quote == '"') {
			if (take_variable(source, diagnostics) == -1)
				return -1;
		} else {
			advance(source, 1);
		}
	}
	return diagnostics_add(diagnostics, opened,
	    "the text that opens with %c here is not closed", quote);
}

static bool
ends_word(const struct scan_source *source)
{
	char c = look(source, 0);

	return c == '\0' || strchr(" \t\r\n#\"'={}(),", c) != NULL ||
	       (c == '+' && look(source, 1) == '=') ||
	       (c == '/' && look(source, 1) == '*');
}

static int
take_word(struct scan_source *source, struct diagnostics *diagnostics)
{
	while (!ends_word(source) ||
	       (look(source, 0) == '$' && look(source, 1) == '{')) {
		if (look(source, 0) == '$' && look(source, 1) == '{') {
			if (take_variable(source, diagnostics) == -1)
				return -1;
		} else {
			advance(source, 1);
		}
	}
	return 0;
}

static enum token_kind
kind_at(const struct scan_source *source)
{
	switch (look(source, 0)) {
	case '=':
		return TOKEN_EQUALS;
	case '{':
		return TOKEN_OPEN;
	case '}':
		return TOKEN_CLOSE;
	case ',':
		return TOKEN_COMMA;
	case '(':
		return TOKEN_LEFT;
	case ')':
		return TOKEN_RIGHT;
	case '"':
	case '\'':
		return TOKEN_STRING;
	case '+':
		return look(source, 1) == '=' ? TOKEN_APPEND : TOKEN_WORD;
	default:
		return TOKEN_WORD;
	}
}

int
scan_next(struct scan_source *source, struct token *token,
    struct diagnostics *diagnostics)
{
	int status = 0;

	*token = (struct token){ .kind = TOKEN_END };
	if (skip_blanks(source, diagnostics) == -1)
		return -1;
	token->at = here(source);
	token->start = source->at;
	if (source->at == source->length) {
		token->at.line = source->last_line; /* not below the file */
		return 0;
	}
	token->kind = kind_at(source);
	if (token->kind == TOKEN_STRING)
		status = take_string(source, diagnostics);
	else if (token->kind == TOKEN_WORD)
		status = take_word(source, diagnostics);
	else
		advance(source, token->kind == TOKEN_APPEND ? 2 : 1);
	token->raw = source->text + token->start;
	token->length = source->at - token->start;
	source->last_line = source->line;
	return status;
}

const char *
token_show(const struct token *token, struct arena *arena)
{
	enum { SHOWN = 60 };
	const char *raw = token->raw;
	size_t length = token->length;

	if (token->kind == TOKEN_END)
		return "the end of the file";
	if (token->kind == TOKEN_STRING && length >= 2) {
		raw++;
		length -= 2;
	}
	if (length > SHOWN)
		return arena_printf(arena, "'%.*s...'", SHOWN, raw);
	return arena_printf(arena, "'%.*s'", (int)length, raw);
}
