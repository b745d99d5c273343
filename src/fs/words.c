#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "fs/readback.h"

void
words_init(struct words *words, struct arena *arena)
{
	*words = (struct words){ .arena = arena };
}

bool
words_have(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i], word) == 0)
			return true;
	return false;
}

void
words_add(struct words *words, const char *word)
{
	if (word[0] == '\0' || words_have(words, word))
		return;
	if (words->count == words->capacity)
		words->items = arena_grow(words->arena, words->items,
		    words->count, &words->capacity, sizeof *words->items);
	words->items[words->count++] = arena_strdup(words->arena, word);
}

void
words_addf(struct words *words, const char *format, ...)
{
	char text[256];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	words_add(words, text);
}

void
words_add_list(struct words *words, const char *text)
{
	static const char separators[] = ", \t\r\n";

	if (text == NULL)
		return;
	for (const char *at = text + strspn(text, separators); *at != '\0';) {
		size_t size = strcspn(at, separators);

		words_add(words, arena_strndup(words->arena, at, size));
		at += size;
		at += strspn(at, separators);
	}
}

char *
words_text(const struct words *words)
{
	struct buffer buffer;
	char *text;

	buffer_init(&buffer);
	for (size_t i = 0; i < words->count; i++)
		buffer_printf(
		    &buffer, "%s%s", i == 0 ? "" : ",", words->items[i]);
	text = arena_strdup(words->arena, buffer_text(&buffer));
	buffer_reset(&buffer);
	return text;
}

const char *
text_value(const char *text, const char *name)
{
	size_t length = strlen(name);

	while (text != NULL && *text != '\0') {
		text += strspn(text, " \t");
		if (strncmp(text, name, length) == 0) {
			text += length;
			return text + strspn(text, " \t");
		}
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	return NULL;
}

char *
text_line(struct arena *arena, const char *text)
{
	size_t length;

	if (text == NULL)
		return arena_strdup(arena, "");
	length = strcspn(text, "\r\n");
	while (
	    length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	return arena_strndup(arena, text, length);
}
