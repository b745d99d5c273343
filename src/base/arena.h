/*
 * Memory that is let go all at once.
 *
 * Everything made in an arena lives until arena_free; there is no freeing of
 * single pieces.  Running out of memory ends the program with a message (the
 * one place that may): no caller has a better answer, and the undo journal
 * covers what is mounted.
 */
#ifndef MM_BASE_ARENA_H
#define MM_BASE_ARENA_H

#include <stddef.h>

#include "base/error.h"

struct arena;

/* A new, empty arena; free with arena_free. */
struct arena *arena_new(void);

/* Lets go of everything made in it, and of itself.  NULL is allowed. */
void arena_free(struct arena *arena);

/* "size" zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);

/* "count" zeroed items of "size" bytes. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/*
 * Makes room for one more in an array that has "count" items: the array
 * itself where "*capacity" allows it, else a copy with twice the room.  The
 * old storage stays in the arena.
 */
void *arena_grow(struct arena *arena, const void *items, size_t count,
    size_t *capacity, size_t size);

/* The same for an array that is only ever appended to, one at a time: its
 * capacity follows from its count. */
void *arena_append(
    struct arena *arena, const void *items, size_t count, size_t size);

/* A copy of the text; NULL gives NULL. */
char *arena_strdup(struct arena *arena, const char *text);

/* A copy of the first "length" bytes, with a NUL after them. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Formatted text. */
char *arena_printf(struct arena *arena, const char *format, ...)
    MM_PRINTF(2, 3);

#endif
