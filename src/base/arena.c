#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 64 * 1024, SMALLEST_ARRAY = 8 };

struct chunk {
	struct chunk *next;
	size_t size;
	size_t used;
	max_align_t data[];
};

struct arena {
	struct chunk *chunks;
};

static void *
allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (memory == NULL) {
		(void)fputs("mountmatrix: out of memory\n", stderr);
		abort();
	}
	return memory;
}

struct arena *
arena_new(void)
{
	return allocate(sizeof(struct arena));
}

void
arena_free(struct arena *arena)
{
	struct chunk *next;

	if (arena == NULL)
		return;
	for (struct chunk *chunk = arena->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	struct chunk *chunk = arena->chunks;
	size_t align = _Alignof(max_align_t);
	size_t need = (size + align - 1) / align * align;
	void *piece;

	if (need < size || need > SIZE_MAX / 2)
		abort();
	if (chunk == NULL || chunk->size - chunk->used < need) {
		size_t room = need > CHUNK_SIZE ? need : CHUNK_SIZE;

		chunk = allocate(sizeof *chunk + room);
		chunk->size = room;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	piece = (char *)chunk->data + chunk->used;
	chunk->used += need;
	return piece;
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / 2 / size)
		abort();
	return arena_alloc(arena, count * size);
}

void *
arena_grow(struct arena *arena, const void *items, size_t count,
    size_t *capacity, size_t size)
{
	size_t wanted =
	    *capacity < SMALLEST_ARRAY ? SMALLEST_ARRAY : *capacity * 2;
	void *grown;

	if (count < *capacity) {
		/* they came out of the arena, so they may be written to */
		memcpy(&grown, &items, sizeof grown);
		return grown;
	}
	grown = arena_array(arena, wanted, size);
	if (count > 0)
		memcpy(grown, items, count * size);
	*capacity = wanted;
	return grown;
}

void *
arena_append(struct arena *arena, const void *items, size_t count, size_t size)
{
	/* room doubles, so one that may be full has a power of two of items */
	bool may_be_full = count == 0 || (count >= SMALLEST_ARRAY &&
					     (count & (count - 1)) == 0);
	size_t capacity = may_be_full ? count : count + 1;

	return arena_grow(arena, items, count, &capacity, size);
}

char *
arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *
arena_strdup(struct arena *arena, const char *text)
{
	return text == NULL ? NULL : arena_strndup(arena, text, strlen(text));
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	va_list again;
	char *text;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		abort();
	text = arena_alloc(arena, (size_t)length + 1);
	(void)vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}
