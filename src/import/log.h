/*
 * A log, line by line, with its place for messages.
 *
 * A log is read whole (at most LOG_LIMIT bytes, no NUL); a byte order mark and
 * carriage returns at line ends are dropped.  Lines are cut in place.
 */
#ifndef MM_IMPORT_LOG_H
#define MM_IMPORT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum { LOG_LIMIT = 64 * 1024 * 1024 };

struct log {
	const char *path;
	char *next; /* what has not been read */
	int line;   /* number of the line read last, from 1 */
};

/* Reads the file into the arena. */
int log_open(
    struct log *log, struct arena *arena, const char *path, struct error *err);

/* The next line without its end, or NULL. */
char *log_next(struct log *log);

/* Sets "FILE:LINE: text", or "FILE: text" when no line was read, kind
 * ERROR_USAGE.  Always returns -1. */
int log_fail(const struct log *log, struct error *err, const char *format, ...)
    MM_PRINTF(3, 4);

/* The text without blanks at both ends, cut in place. */
char *trim(char *text);

/* A finite number that is the whole text; false when it is not. */
bool read_number(const char *text, double *value);

/* The same, a whole number from 0 to 2^53. */
bool read_count(const char *text, double *value);

/* A word that scan_text found: letters only. */
struct scanned_word {
	char text[16];
};

/*
 * Does the text follow the pattern?  In it '#' is a plain number (next of
 * "numbers"), '@' a word of letters (next of "words"), a blank any number of
 * blanks, '$' the end; anything else is itself.  What follows the pattern's
 * end does not matter.
 */
bool scan_text(const char *text, const char *pattern, double *numbers,
    struct scanned_word *words);

/* "1:02:03.5", "2:03.50", "12.3" as seconds. */
bool read_clock(const char *text, double *seconds);

#endif
