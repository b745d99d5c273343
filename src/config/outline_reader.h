/*
 * Reading an outline: what its files share, for outline*.c only.
 *
 * A statement is read by a copy of the reader, which may be in another source
 * or section and may not be kept: what is wrong is left out of the clean
 * text.  Functions that return -1 have met a mistake that ends the reading.
 */
#ifndef MM_CONFIG_OUTLINE_READER_H
#define MM_CONFIG_OUTLINE_READER_H

#include <stdbool.h>

#include "config/outline.h"

/* One statement being read. */
struct reader {
	struct outline *outline;
	struct scan_source *source;
	struct outline_section *section;
	bool is_kept; /* goes into the clean text */
};

/* Adds a complaint; always -1. */
int outline_complain(
    struct reader *reader, struct position at, const char *text);

#define COMPLAIN(reader, at, ...)                                              \
	outline_complain(                                                      \
	    reader, at, arena_printf((reader)->outline->arena, __VA_ARGS__))

/* The next token of the reader's source. */
int outline_next(struct reader *reader, struct token *token);

/* The token as a complaint quotes it. */
const char *outline_show(
    const struct reader *reader, const struct token *token);

/* Where something stood before, for a complaint at "here": "line 5", and of
 * which file where that is another. */
const char *outline_line(
    const struct reader *reader, struct position here, struct position before);

/* A word or a string. */
bool token_is_value(const struct token *token);

/* Appends a word to the clean text, where "token" stood. */
void outline_emit(
    struct reader *reader, const struct token *token, const char *text);

/* Appends a value, in quotes: libconfuse drops some characters of bare words
 * without a word. */
void outline_emit_value(struct reader *reader, const struct token *token);

/* True for a name that belongs at the top of the file, met inside a section:
 * most likely a brace before it is missing. */
bool outline_is_astray(
    const struct reader *reader, const char *word, bool is_section);

/* Complains of a "key" or "section" (what) that is in no table, or in another
 * place's. */
void outline_unknown(
    struct reader *reader, const struct token *name, const char *what);

/* The rest of "name = value" or "name += value"; the operator is "op". */
int outline_read_key(
    struct reader *outer, const struct token *name, const struct token *op);

#endif
