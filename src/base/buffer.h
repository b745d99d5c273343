/*
 * Text or bytes that grow.
 *
 * A buffer owns its storage (malloc) until buffer_reset.  buffer_text is
 * valid until the next call that appends.  Out of memory ends the program,
 * as in arena.h.
 */
#ifndef MM_BASE_BUFFER_H
#define MM_BASE_BUFFER_H

#include <stddef.h>

#include "base/error.h"

struct buffer {
	char *data;
	size_t length;
	size_t capacity;
};

/* An empty buffer that owns nothing yet. */
void buffer_init(struct buffer *buffer);

/* Frees the storage; the buffer is empty and usable again. */
void buffer_reset(struct buffer *buffer);

/* Makes it empty, keeps the storage. */
void buffer_clear(struct buffer *buffer);

void buffer_putc(struct buffer *buffer, char c);
void buffer_puts(struct buffer *buffer, const char *text);
void buffer_append(struct buffer *buffer, const void *bytes, size_t size);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    MM_PRINTF(2, 3);

/* The contents with a NUL behind them; never NULL. */
const char *buffer_text(const struct buffer *buffer);

/*
 * Appends what can be read from the file, at most "limit" bytes; -1 when it
 * cannot be opened or read, or is longer.
 */
int buffer_read_file(
    struct buffer *buffer, const char *path, size_t limit, struct error *err);

#endif
