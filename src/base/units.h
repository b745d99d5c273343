/*
 * Sizes, times and percentages as people write and read them.
 *
 * Parsers take the whole text or fail; they never accept a trailing word.
 */
#ifndef MM_BASE_UNITS_H
#define MM_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* "512", "4K", "2M", "1G", "3T" (powers of 1024, also "GiB" and "GB") to
 * bytes; -1 for anything else, a negative number or an overflow. */
int units_parse_size(const char *text, int64_t *bytes, struct error *err);

/* "90", "90s", "5m", "8h", "2d", "250ms" to nanoseconds; a bare number is
 * seconds. */
int units_parse_duration(const char *text, int64_t *ns, struct error *err);

/* A decimal integer, also with leading zeros ("010" is ten); blanks and a "+"
 * are refused. */
int units_parse_integer(const char *text, int64_t *value, struct error *err);

/* A finite decimal number. */
int units_parse_number(const char *text, double *value, struct error *err);

/* "25%" or "25" to 25.0. */
int units_parse_percent(const char *text, double *percent, struct error *err);

/* "true", "yes", "on" and their opposites. */
int units_parse_boolean(const char *text, int *value, struct error *err);

/* "1.5 GiB", "512 B". */
char *units_format_size(struct arena *arena, int64_t bytes);

/* "2 h 05 min", "37.2 s", "840 ms", for a person. */
char *units_format_duration(struct arena *arena, int64_t ns);

/* "1 block", "3 blocks", "0 blocks": the noun takes an s but for one. */
char *units_format_count(struct arena *arena, size_t count, const char *noun);

/* A value with three to four significant digits and its unit: "540.3 s". */
char *units_format_value(struct arena *arena, double value, const char *unit);

#endif
