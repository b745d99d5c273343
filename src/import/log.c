#include "import/log.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

int
log_open(
    struct log *log, struct arena *arena, const char *path, struct error *err)
{
	struct buffer buffer;
	int rc;

	*log = (struct log){ .path = path };
	buffer_init(&buffer);
	rc = buffer_read_file(&buffer, path, LOG_LIMIT, err);
	if (rc == -1)
		err->kind = ERROR_USAGE;
	else if (memchr(buffer_text(&buffer), '\0', buffer.length) != NULL)
		rc = error_set_kind(
		    err, ERROR_USAGE, "%s: not a text: it has NUL bytes", path);
	else
		log->next = arena_strdup(arena, buffer_text(&buffer));
	buffer_reset(&buffer);
	if (rc == 0 && strncmp(log->next, "\xef\xbb\xbf", 3) == 0)
		log->next += 3;
	return rc;
}

char *
log_next(struct log *log)
{
	char *line = log->next;
	size_t length;

	if (*line == '\0')
		return NULL;
	length = strcspn(line, "\n");
	log->next = line + length;
	if (*log->next == '\n')
		log->next++;
	line[length] = '\0';
	if (length > 0 && line[length - 1] == '\r')
		line[length - 1] = '\0';
	log->line++;
	return line;
}

int
log_fail(const struct log *log, struct error *err, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (log->line == 0)
		return error_set_kind(
		    err, ERROR_USAGE, "%s: %s", log->path, text);
	return error_set_kind(
	    err, ERROR_USAGE, "%s:%d: %s", log->path, log->line, text);
}

char *
trim(char *text)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return text;
}

bool
read_number(const char *text, double *value)
{
	char *end;

	/* strtod also reads "inf", "nan", hexadecimal and leading blanks */
	if (text[0] == '\0' || strspn(text, "0123456789.eE+-") != strlen(text))
		return false;
	*value = strtod(text, &end);
	return *end == '\0' && isfinite(*value);
}

bool
read_count(const char *text, double *value)
{
	return strspn(text, "0123456789") == strlen(text) &&
	       strlen(text) < 16 && read_number(text, value);
}

/* How much of the text is the number; 0 when it is none. */
static size_t
scan_number(const char *text, double *number)
{
	size_t length = strspn(text, "0123456789.");
	char copy[32];

	if (length >= sizeof copy)
		return 0;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return read_number(copy, number) ? length : 0;
}

static size_t
scan_word(const char *text, struct scanned_word *word)
{
	size_t length = 0;

	while (isalpha((unsigned char)text[length]))
		length++;
	if (length >= sizeof word->text)
		return 0;
	memcpy(word->text, text, length);
	word->text[length] = '\0';
	return length;
}

bool
scan_text(const char *text, const char *pattern, double *numbers,
    struct scanned_word *words)
{
	for (; *pattern != '\0'; pattern++) {
		size_t length = 1;

		switch (*pattern) {
		case ' ':
			length = strspn(text, " \t");
			break;
		case '$':
			return *text == '\0';
		case '#':
			length = scan_number(text, numbers++);
			if (length == 0)
				return false;
			break;
		case '@':
			length = scan_word(text, words++);
			if (length == 0)
				return false;
			break;
		default:
			if (*text != *pattern)
				return false;
		}
		text += length;
	}
	return true;
}

bool
read_clock(const char *text, double *seconds)
{
	char copy[64];
	char *part = copy, *colon;
	double total = 0, value;

	if (strlen(text) >= sizeof copy)
		return false;
	memcpy(copy, text, strlen(text) + 1);
	for (int parts = 0; parts < 3; parts++) {
		colon = strchr(part, ':');
		if (colon != NULL)
			*colon = '\0';
		if (!isdigit((unsigned char)part[0]) ||
		    !read_number(part, &value))
			return false;
		total = total * 60 + value;
		if (colon == NULL) {
			*seconds = total;
			return true;
		}
		part = colon + 1;
	}
	return false;
}
