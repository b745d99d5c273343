#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
buffer_init(struct buffer *buffer)
{
	*buffer = (struct buffer){ 0 };
}

void
buffer_reset(struct buffer *buffer)
{
	free(buffer->data);
	buffer_init(buffer);
}

void
buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
	if (buffer->data != NULL)
		buffer->data[0] = '\0';
}

static void
reserve(struct buffer *buffer, size_t more)
{
	size_t wanted = buffer->capacity < 64 ? 64 : buffer->capacity;
	char *grown;

	while (wanted - buffer->length <= more)
		wanted *= 2;
	if (wanted == buffer->capacity)
		return;
	grown = realloc(buffer->data, wanted);
	if (grown == NULL) {
		(void)fputs("mountmatrix: out of memory\n", stderr);
		abort();
	}
	buffer->data = grown;
	buffer->capacity = wanted;
}

void
buffer_append(struct buffer *buffer, const void *bytes, size_t size)
{
	reserve(buffer, size);
	if (size > 0)
		memcpy(buffer->data + buffer->length, bytes, size);
	buffer->length += size;
	buffer->data[buffer->length] = '\0';
}

void
buffer_putc(struct buffer *buffer, char c)
{
	buffer_append(buffer, &c, 1);
}

void
buffer_puts(struct buffer *buffer, const char *text)
{
	buffer_append(buffer, text, strlen(text));
}

void
buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list args;
	va_list again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		abort();
	reserve(buffer, (size_t)length);
	(void)vsnprintf(
	    buffer->data + buffer->length, (size_t)length + 1, format, again);
	va_end(again);
	buffer->length += (size_t)length;
}

const char *
buffer_text(const struct buffer *buffer)
{
	return buffer->data == NULL ? "" : buffer->data;
}

static int
read_all(struct buffer *buffer, int fd, const char *path, size_t limit,
    struct error *err)
{
	char block[16384];
	size_t total = 0;

	for (;;) {
		ssize_t got = read(fd, block, sizeof block);

		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return error_errno(err, "cannot read '%s'", path);
		if (got == 0)
			return 0;
		total += (size_t)got;
		if (total > limit)
			return error_set(
			    err, "'%s' is longer than %zu bytes", path, limit);
		buffer_append(buffer, block, (size_t)got);
	}
}

int
buffer_read_file(
    struct buffer *buffer, const char *path, size_t limit, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd == -1)
		return error_errno(err, "cannot open '%s'", path);
	rc = read_all(buffer, fd, path, limit, err);
	(void)close(fd);
	return rc;
}
