/*
 * One message that stands alone.
 *
 * A function that can fail for the harness's own reasons takes a
 * "struct error *err" last, fills it and returns -1.  The text is lower case,
 * has no full stop and no newline, quotes values, and begins with
 * "file:line: " where the user can act on a file.  Control characters, which
 * come with what it quotes, become blanks.  Nothing here prints.
 */
#ifndef MM_BASE_ERROR_H
#define MM_BASE_ERROR_H

#if defined(__GNUC__)
#define MM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MM_PRINTF(text, first)
#endif

enum { ERROR_TEXT_SIZE = 1024 };

/*
 * What went wrong, and what kind of thing it was: commands turn the kind into
 * an exit status.  Zero-initialise: "struct error err = { 0 };".
 */
enum error_kind {
	ERROR_INTERNAL, /* the harness itself: a failed write, no memory */
	ERROR_USAGE,    /* the command line or the matrix file (exit 2) */
	ERROR_HOST, /* this host cannot: no root, no tool, unsafe (exit 3) */
	ERROR_CANCELLED, /* a signal asked for the end */
};

struct error {
	enum error_kind kind;
	char text[ERROR_TEXT_SIZE];
};

/* Sets the text, kind ERROR_INTERNAL.  Always returns -1. */
int error_set(struct error *err, const char *format, ...) MM_PRINTF(2, 3);

/* Sets the text and the kind.  Always returns -1. */
int error_set_kind(struct error *err, enum error_kind kind, const char *format,
    ...) MM_PRINTF(3, 4);

/* Sets the text followed by ": " and strerror(errno).  Always returns -1. */
int error_errno(struct error *err, const char *format, ...) MM_PRINTF(2, 3);

/* Puts the formatted text and ": " before what is there; keeps the kind.
 * Always returns -1. */
int error_wrap(struct error *err, const char *format, ...) MM_PRINTF(2, 3);

#endif
