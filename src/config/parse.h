/*
 * The door to libconfuse: clean text in, texts of values out.
 *
 * Quotes, escapes and ${NAME} are its business.  libconfuse keeps its state
 * in globals, so one reading at a time.
 */
#ifndef MM_CONFIG_PARSE_H
#define MM_CONFIG_PARSE_H

#include "base/arena.h"
#include "base/error.h"
#include "config/outline.h"

/*
 * Has libconfuse read the clean text and gives every value of the outline its
 * text.  -1 with a complaint where libconfuse says no, which the outline
 * should have prevented.
 */
int parse_outline(struct outline *outline);

/* What one word or string comes to, quotes, escapes and ${NAME} resolved. */
const char *parse_text(const struct token *token, struct arena *arena);

/* Appends the word or string in quotes that libconfuse understands: it drops
 * some characters of bare words in silence. */
void parse_quote(const struct token *token, struct buffer *buffer);

#endif
