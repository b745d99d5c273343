/*
 * Binding: from texts and lines to typed values and resolved names.
 *
 * Every function complains into the diagnostics and goes on with a default,
 * so that one reading shows all that is wrong.  Each section of the grammar
 * has its bind_ function, called in the order in which they need each other:
 * targets, trees, filesystems, workloads.
 */
#ifndef MM_CONFIG_BIND_H
#define MM_CONFIG_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "config/outline.h"
#include "model/matrix.h"

struct binder {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *system; /* name in system/systems.def */
	const char *version;
	struct matrix *matrix;
};

/* Everything of the file into binder->matrix. */
void bind_file(struct binder *binder, const struct outline *outline);

/* bind_target.c, bind_filesystem.c, bind_workload.c */
void bind_target(struct binder *binder, const struct outline_section *section,
    struct target *target);
/* "an image", for messages. */
const char *bind_kind_name(enum target_kind kind);
void bind_filesystem(struct binder *binder,
    const struct outline_section *section, struct filesystem *filesystem);
void bind_workload(struct binder *binder, const struct outline_section *section,
    struct workload_spec *workload);

/* bind_baseline.c; options are looked for only where the filesystems have no
 * mistake of their own. */
void bind_baseline(struct binder *binder, const struct outline_section *top,
    bool are_filesystems_sound);

/*
 * Values of a key (key.c).  A missing key gives the standard value;
 * so does a wrong one, after a complaint.
 */
const char *key_text(struct binder *binder,
    const struct outline_section *section, const char *key,
    const char *standard);

/* As key_text, but "" is a value like any other. */
const char *key_any_text(struct binder *binder,
    const struct outline_section *section, const char *key,
    const char *standard);

#define BIND_MIB ((int64_t)1024 * 1024)

struct bind_range {
	int64_t low;
	int64_t high;
	int64_t standard;
};

int64_t key_integer(struct binder *binder,
    const struct outline_section *section, const char *key,
    struct bind_range range);
/* Bytes. */
int64_t key_size(struct binder *binder, const struct outline_section *section,
    const char *key, struct bind_range range);
/* Nanoseconds. */
int64_t key_duration(struct binder *binder,
    const struct outline_section *section, const char *key,
    struct bind_range range);
bool key_boolean(struct binder *binder, const struct outline_section *section,
    const char *key, bool standard);

/* Index of the word in "words", NULL-ended; "standard", which may lie beyond
 * the list, when the key is missing or wrong. */
size_t key_word(struct binder *binder, const struct outline_section *section,
    const char *key, const char *const *words, size_t standard);

/* All values of a key, a single one too. */
size_t key_list(struct binder *binder, const struct outline_section *section,
    const char *key, const char *const **items);

/* All values, blanks between, or NULL: as tables of options have them. */
const char *key_joined(struct binder *binder,
    const struct outline_section *section, const char *key);

/* Complains as "filesystem 'ufs': ..." at the position. */
void bind_complain(struct binder *binder, const struct outline_section *section,
    struct position at, const char *format, ...) MM_PRINTF(4, 5);

/* "; did you mean 'x'?" or "". */
const char *bind_hint(struct binder *binder, const char *nearest);

/* The path as it can be opened from any folder: a plan is resumed from
 * wherever its user is then. */
const char *bind_full_path(struct binder *binder, const char *path);

/* A path in a matrix file is looked for beside that file first, then from the
 * current folder. */
const char *bind_beside(
    struct binder *binder, const char *file, const char *name);

/* Where the key is written; the section itself when it is not. */
struct position bind_position(
    const struct outline_section *section, const char *key);

#endif
