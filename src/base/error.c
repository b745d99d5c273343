#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

static void format_text(struct error *err, enum error_kind kind,
    const char *format, va_list args) MM_PRINTF(3, 0);

static void
format_text(
    struct error *err, enum error_kind kind, const char *format, va_list args)
{
	err->kind = kind;
	(void)vsnprintf(err->text, sizeof err->text, format, args);
	/* it quotes names and lines out of files that others made */
	(void)plain_make(err->text);
}

int
error_set(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_text(err, ERROR_INTERNAL, format, args);
	va_end(args);
	return -1;
}

int
error_set_kind(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_text(err, kind, format, args);
	va_end(args);
	return -1;
}

int
error_errno(struct error *err, const char *format, ...)
{
	int code = errno;
	va_list args;
	size_t used;

	va_start(args, format);
	format_text(err, ERROR_INTERNAL, format, args);
	va_end(args);
	used = strlen(err->text);
	(void)snprintf(
	    err->text + used, sizeof err->text - used, ": %s", strerror(code));
	return -1;
}

int
error_wrap(struct error *err, const char *format, ...)
{
	char inner[ERROR_TEXT_SIZE];
	va_list args;
	size_t used;

	(void)snprintf(inner, sizeof inner, "%s", err->text);
	va_start(args, format);
	format_text(err, err->kind, format, args);
	va_end(args);
	used = strlen(err->text);
	(void)snprintf(
	    err->text + used, sizeof err->text - used, ": %s", inner);
	return -1;
}
