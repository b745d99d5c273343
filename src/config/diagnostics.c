#include "config/diagnostics.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than this many helps nobody, and a hostile file has a million. */
enum { MOST = 500, LONGEST = 900 };

void
diagnostics_init(struct diagnostics *diagnostics, struct arena *arena)
{
	*diagnostics = (struct diagnostics){ .arena = arena };
}

int
diagnostics_add(struct diagnostics *diagnostics, struct position at,
    const char *format, ...)
{
	char text[LONGEST];
	va_list args;

	if (diagnostics->count == MOST) {
		diagnostics->dropped++;
		return -1;
	}
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	for (char *c = text; *c != '\0'; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	diagnostics->items = arena_grow(diagnostics->arena, diagnostics->items,
	    diagnostics->count, &diagnostics->capacity,
	    sizeof *diagnostics->items);
	diagnostics->items[diagnostics->count++] = (struct diagnostic){
		.at = at,
		.text = arena_strdup(diagnostics->arena, text),
	};
	return -1;
}

static int
compare(const struct diagnostic *a, const struct diagnostic *b,
    const char *main_file)
{
	if (strcmp(a->at.file, b->at.file) != 0) {
		if (strcmp(a->at.file, main_file) == 0)
			return -1;
		if (strcmp(b->at.file, main_file) == 0)
			return 1;
		return strcmp(a->at.file, b->at.file);
	}
	return (a->at.line > b->at.line) - (a->at.line < b->at.line);
}

/* Insertion sort: stable, and there are few. */
void
diagnostics_sort(struct diagnostics *diagnostics, const char *main_file)
{
	struct diagnostic *items = diagnostics->items;

	for (size_t i = 1; i < diagnostics->count; i++) {
		struct diagnostic moved = items[i];
		size_t j = i;

		for (; j > 0 && compare(&moved, &items[j - 1], main_file) < 0;
		     j--)
			items[j] = items[j - 1];
		items[j] = moved;
	}
}

char *
diagnostic_format(const struct diagnostic *diagnostic, struct arena *arena)
{
	if (diagnostic->at.line == 0)
		return arena_printf(
		    arena, "%s: %s", diagnostic->at.file, diagnostic->text);
	return arena_printf(arena, "%s:%d: %s", diagnostic->at.file,
	    diagnostic->at.line, diagnostic->text);
}
