/*
 * What stands where in a matrix file: sections, keys, values, with the line
 * of each, and the same again as clean text for libconfuse.
 *
 * libconfuse lets a later key or section of one name win in silence and keeps
 * no positions, so the shape of the file is judged here: unknown and repeated
 * names, keys used as sections and the reverse, missing braces and commas,
 * includes.  What is wrong is left out of the clean text, so that libconfuse
 * can still read the rest.
 */
#ifndef MM_CONFIG_OUTLINE_H
#define MM_CONFIG_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "config/diagnostics.h"
#include "config/grammar.h"
#include "config/scan.h"

struct outline_value {
	const char *text; /* set by libconfuse (config/parse.h) */
	struct position at;
};

struct outline_key {
	const char *name;
	struct position at;
	bool is_list; /* written with braces */
	struct outline_value *values;
	size_t count;
	size_t capacity;
};

struct outline_section {
	const char *name;
	const char *title;             /* NULL: the whole file */
	const struct grammar *grammar; /* what may be inside */
	struct position at;
	struct outline_key *keys;
	size_t key_count;
	size_t key_capacity;
	struct outline_section **sections;
	size_t section_count;
	size_t section_capacity;
};

struct outline {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct outline_section *top;
	struct buffer clean; /* one word a line */
	struct buffer text;  /* as read, includes in their place */
	size_t include_count;
	struct position *lines; /* of each line of "clean" */
	size_t line_count;
	size_t line_capacity;
};

/*
 * Reads the file and what it includes.  -1 when a mistake of syntax ended the
 * reading; other complaints only add to the diagnostics.  Free with
 * outline_reset, which leaves what is in the arena.
 */
int outline_read(struct outline *outline, const char *path, struct arena *arena,
    struct diagnostics *diagnostics);
void outline_reset(struct outline *outline);

/* NULL when the section has no such key. */
struct outline_key *outline_key(
    const struct outline_section *section, const char *name);

/* NULL when there is none of that name and title in the section. */
const struct outline_section *outline_find(
    const struct outline_section *in, const char *name, const char *title);

/* "filesystem 'ufs'", for messages. */
const char *outline_name(
    const struct outline_section *section, struct arena *arena);

#endif
