/*
 * Argument vectors: what is run and what is printed are the same thing.
 *
 * Items live in the arena given to argv_init; "items" always ends in NULL, so
 * it can be handed to execvp.  No shell is ever involved: argv_split reads
 * words as a shell would (quotes, backslash) without expanding anything, and
 * argv_quote writes a line that a shell would read back as the same words.
 */
#ifndef MM_BASE_ARGV_H
#define MM_BASE_ARGV_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct argv {
	struct arena *arena;
	const char **items;
	size_t count;
	size_t capacity;
};

/* An empty vector whose items will live in the arena. */
void argv_init(struct argv *argv, struct arena *arena);

/* Appends a copy of the word. */
void argv_push(struct argv *argv, const char *word);

/* Appends one formatted word. */
void argv_pushf(struct argv *argv, const char *format, ...) MM_PRINTF(2, 3);

/* Appends copies of a NULL-terminated list; NULL is an empty list. */
void argv_extend(struct argv *argv, const char *const *words);

/*
 * Appends the words of a line, split at blanks outside '...', "..." and
 * after \.  Returns -1 for a quote that is not closed.
 */
int argv_split(struct argv *argv, const char *line, struct error *err);

/* The words as one line for a person or "sh" to read, in the arena. */
char *argv_quote(const struct argv *argv);

/* One word, quoted for sh only where it must be, in the arena. */
char *argv_quote_word(struct arena *arena, const char *word);

/* Replaces "%c" in every word by value for each pair, "%%" by "%": a copy in
 * the arena.  A letter that is not listed stays as it is. */
struct argv_substitution {
	char letter;
	const char *value;
};
void argv_substitute(struct argv *out, const struct argv *in,
    const struct argv_substitution *pairs, size_t count);

#endif
