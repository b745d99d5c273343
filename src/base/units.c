#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct scale {
	const char *suffix;
	double factor;
};

static const struct scale sizes[] = {
	{ "", 1 },
	{ "b", 1 },
	{ "k", 1024.0 },
	{ "kb", 1024.0 },
	{ "kib", 1024.0 },
	{ "m", 1048576.0 },
	{ "mb", 1048576.0 },
	{ "mib", 1048576.0 },
	{ "g", 1073741824.0 },
	{ "gb", 1073741824.0 },
	{ "gib", 1073741824.0 },
	{ "t", 1099511627776.0 },
	{ "tb", 1099511627776.0 },
	{ "tib", 1099511627776.0 },
	{ NULL, 0 },
};

static const struct scale durations[] = {
	{ "", 1e9 },
	{ "s", 1e9 },
	{ "ms", 1e6 },
	{ "us", 1e3 },
	{ "ns", 1 },
	{ "m", 60e9 },
	{ "min", 60e9 },
	{ "h", 3600e9 },
	{ "d", 86400e9 },
	{ NULL, 0 },
};

/* Reads "NUMBER SUFFIX" with the scales; false when it is not of that form or
 * not in 0..9e18. */
static int
parse_scaled(const char *text, const struct scale *scales, int64_t *value)
{
	char *end;
	double number;

	if (!isdigit((unsigned char)text[0]) ||
	    (text[0] == '0' && strchr("xX", text[1]) != NULL &&
		text[1] != '\0'))
		return 0;
	errno = 0;
	number = strtod(text, &end);
	if (errno != 0)
		return 0;
	while (*end == ' ')
		end++;
	for (; scales->suffix != NULL; scales++) {
		if (strcasecmp(end, scales->suffix) != 0)
			continue;
		number *= scales->factor;
		if (!(number <= 9.0e18))
			return 0;
		*value = (int64_t)number;
		return 1;
	}
	return 0;
}

int
units_parse_size(const char *text, int64_t *bytes, struct error *err)
{
	if (!parse_scaled(text, sizes, bytes))
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is not a size such as 512, 64K, 20M or 2G", text);
	return 0;
}

int
units_parse_duration(const char *text, int64_t *ns, struct error *err)
{
	if (!parse_scaled(text, durations, ns))
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is not a time such as 90s, 5m or 8h", text);
	return 0;
}

int
units_parse_integer(const char *text, int64_t *value, struct error *err)
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	char *end;
	long long number;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (!isdigit((unsigned char)digits[0]) || *end != '\0')
		return error_set_kind(
		    err, ERROR_USAGE, "'%s' is not a whole number", text);
	if (errno == ERANGE)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is beyond any whole number that is taken", text);
	*value = number;
	return 0;
}

int
units_parse_number(const char *text, double *value, struct error *err)
{
	char *end;
	double number;

	errno = 0;
	number = strtod(text, &end);
	if (end == text || *end != '\0' || isspace((unsigned char)text[0]) ||
	    !isfinite(number))
		return error_set_kind(
		    err, ERROR_USAGE, "'%s' is not a number", text);
	*value = number;
	return 0;
}

int
units_parse_percent(const char *text, double *percent, struct error *err)
{
	char number[64];
	size_t length = strlen(text);

	if (length > 0 && text[length - 1] == '%')
		length--;
	if (length == 0 || length >= sizeof number)
		return error_set_kind(
		    err, ERROR_USAGE, "'%s' is not a percentage", text);
	memcpy(number, text, length);
	number[length] = '\0';
	if (units_parse_number(number, percent, err) == -1)
		return error_set_kind(
		    err, ERROR_USAGE, "'%s' is not a percentage", text);
	return 0;
}

int
units_parse_boolean(const char *text, int *value, struct error *err)
{
	static const char *const words[2][3] = {
		{ "false", "no", "off" },
		{ "true", "yes", "on" },
	};

	for (int truth = 0; truth < 2; truth++)
		for (int i = 0; i < 3; i++)
			if (strcasecmp(text, words[truth][i]) == 0) {
				*value = truth;
				return 0;
			}
	return error_set_kind(
	    err, ERROR_USAGE, "'%s' is not true or false", text);
}

char *
units_format_size(struct arena *arena, int64_t bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes;
	size_t i = 0;

	while (fabs(value) >= 1024 && i + 1 < sizeof names / sizeof names[0]) {
		value /= 1024;
		i++;
	}
	if (i == 0 || value == floor(value))
		return arena_printf(arena, "%.0f %s", value, names[i]);
	return arena_printf(arena, "%.1f %s", value, names[i]);
}

char *
units_format_duration(struct arena *arena, int64_t ns)
{
	double seconds = (double)ns / 1e9;
	long minutes = (long)(seconds / 60);

	if (seconds < 1)
		return arena_printf(arena, "%.0f ms", seconds * 1000);
	if (seconds < 60)
		return arena_printf(arena, "%.1f s", seconds);
	if (minutes < 60)
		return arena_printf(arena, "%ld min %02.0f s", minutes,
		    floor(seconds - (double)minutes * 60));
	return arena_printf(
	    arena, "%ld h %02ld min", minutes / 60, minutes % 60);
}

char *
units_format_count(struct arena *arena, size_t count, const char *noun)
{
	return arena_printf(
	    arena, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

char *
units_format_value(struct arena *arena, double value, const char *unit)
{
	double size = fabs(value);
	int digits = size >= 1000 || size == 0 ? 0
		     : size >= 100             ? 1
		     : size >= 10              ? 2
		     : size >= 1               ? 3
		     : size >= 0.1             ? 4
					       : 5;

	return arena_printf(
	    arena, "%.*f%s%s", digits, value, unit[0] == '\0' ? "" : " ", unit);
}
