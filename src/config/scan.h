/*
 * The words of a matrix file, read before libconfuse sees any of it.
 *
 * libconfuse 3.3 miscounts lines after comments, takes none inside a list,
 * accepts unclosed comments and braces, stops silently at a NUL, and aborts
 * when told to include a folder.  So files are read and cut into words here:
 * with the right line, comments gone, quotes and escapes checked.  What is
 * handed on (config/outline.h) is made of these words alone.
 */
#ifndef MM_CONFIG_SCAN_H
#define MM_CONFIG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "config/diagnostics.h"

enum {
	SOURCE_MOST_BYTES = 1024 * 1024, /* of one file */
	SOURCE_MOST_DEPTH = 8,           /* of includes */
};

/* A file being read.  Texts live in the arena of the diagnostics. */
struct scan_source {
	const char *path;
	const char *text; /* without a byte order mark */
	size_t length;
	size_t at;
	size_t kept; /* how much of it has gone into the text as read */
	int line;
	int last_line; /* where the last word ended */
	int depth;     /* 0: the matrix file itself */
	dev_t device;
	ino_t inode;
	const struct scan_source *includer; /* NULL: the matrix file itself */
};

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,   /* without quotes */
	TOKEN_STRING, /* in single or double quotes */
	TOKEN_EQUALS,
	TOKEN_APPEND, /* += */
	TOKEN_OPEN,   /* { */
	TOKEN_CLOSE,  /* } */
	TOKEN_COMMA,
	TOKEN_LEFT,  /* ( */
	TOKEN_RIGHT, /* ) */
};

struct token {
	enum token_kind kind;
	const char *raw; /* as written, quotes included */
	size_t length;
	size_t start; /* offset in the source's text */
	struct position at;
};

/*
 * Reads a regular file of at most SOURCE_MOST_BYTES without NUL bytes.  -1
 * with a complaint at "at" (where it was included; line 0 of the file itself
 * for the first).
 */
int scan_open(struct scan_source *source, const char *path,
    const struct scan_source *includer, struct position at,
    struct diagnostics *diagnostics);

/* The next word, the current position before it moved on.  -1 with a
 * complaint for what no word begins with, an unclosed quote, comment or
 * "${", and an escape that stands for nothing. */
int scan_next(struct scan_source *source, struct token *token,
    struct diagnostics *diagnostics);

/* The token as a person should see it in a message: cut when long. */
const char *token_show(const struct token *token, struct arena *arena);

#endif
