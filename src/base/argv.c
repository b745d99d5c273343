#include "base/argv.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

void
argv_init(struct argv *argv, struct arena *arena)
{
	*argv = (struct argv){ .arena = arena };
	argv->items =
	    arena_grow(arena, NULL, 0, &argv->capacity, sizeof *argv->items);
}

static void
append(struct argv *argv, const char *word)
{
	/* the NULL at the end takes a place too */
	argv->items = arena_grow(argv->arena, argv->items, argv->count + 1,
	    &argv->capacity, sizeof *argv->items);
	argv->items[argv->count++] = word;
	argv->items[argv->count] = NULL;
}

void
argv_push(struct argv *argv, const char *word)
{
	append(argv, arena_strdup(argv->arena, word));
}

void
argv_pushf(struct argv *argv, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	argv_push(argv, text);
}

void
argv_extend(struct argv *argv, const char *const *words)
{
	for (; words != NULL && *words != NULL; words++)
		argv_push(argv, *words);
}

/* Copies one word to "word"; returns where it ends, NULL for an open quote. */
static const char *
split_word(const char *at, struct buffer *word)
{
	char quote = '\0';

	for (; *at != '\0'; at++) {
		if (quote == '\0' && isspace((unsigned char)*at))
			break;
		if (quote == '\0' && (*at == '\'' || *at == '"'))
			quote = *at;
		else if (quote != '\0' && *at == quote)
			quote = '\0';
		else if (*at == '\\' && quote != '\'' && at[1] != '\0')
			buffer_putc(word, *++at);
		else
			buffer_putc(word, *at);
	}
	return quote == '\0' ? at : NULL;
}

int
argv_split(struct argv *argv, const char *line, struct error *err)
{
	const char *at = line;
	struct buffer word;
	int rc = 0;

	buffer_init(&word);
	for (;;) {
		while (isspace((unsigned char)*at))
			at++;
		if (*at == '\0')
			break;
		buffer_clear(&word);
		at = split_word(at, &word);
		if (at == NULL) {
			rc = error_set_kind(err, ERROR_USAGE,
			    "a quote is not closed in '%s'", line);
			break;
		}
		argv_push(argv, buffer_text(&word));
	}
	buffer_reset(&word);
	return rc;
}

static int
is_plain(char c)
{
	return isalnum((unsigned char)c) || strchr("_-+./:,=@%^", c) != NULL;
}

char *
argv_quote_word(struct arena *arena, const char *word)
{
	struct buffer text;
	const char *at = word;
	char *copy;

	while (*at != '\0' && is_plain(*at))
		at++;
	if (*at == '\0' && at != word)
		return arena_strdup(arena, word);
	buffer_init(&text);
	buffer_putc(&text, '\'');
	for (at = word; *at != '\0'; at++) {
		if (*at == '\'')
			buffer_puts(&text, "'\\''");
		else
			buffer_putc(&text, *at);
	}
	buffer_putc(&text, '\'');
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}

char *
argv_quote(const struct argv *argv)
{
	struct buffer line;
	char *copy;

	buffer_init(&line);
	for (size_t i = 0; i < argv->count; i++) {
		if (i > 0)
			buffer_putc(&line, ' ');
		buffer_puts(
		    &line, argv_quote_word(argv->arena, argv->items[i]));
	}
	copy = arena_strdup(argv->arena, buffer_text(&line));
	buffer_reset(&line);
	return copy;
}

static const char *
find_value(char letter, const struct argv_substitution *pairs, size_t count)
{
	if (letter == '%')
		return "%";
	for (size_t i = 0; i < count; i++)
		if (pairs[i].letter == letter)
			return pairs[i].value;
	return NULL;
}

void
argv_substitute(struct argv *out, const struct argv *in,
    const struct argv_substitution *pairs, size_t count)
{
	struct buffer word;

	buffer_init(&word);
	for (size_t i = 0; i < in->count; i++) {
		buffer_clear(&word);
		for (const char *at = in->items[i]; *at != '\0'; at++) {
			const char *value = NULL;

			if (*at == '%' && at[1] != '\0')
				value = find_value(at[1], pairs, count);
			if (value == NULL) {
				buffer_putc(&word, *at);
				continue;
			}
			buffer_puts(&word, value);
			at++;
		}
		argv_push(out, buffer_text(&word));
	}
	buffer_reset(&word);
}
