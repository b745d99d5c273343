/*
 * One cell being built: for build.c, builder_words.c and builder_lines.c.
 */
#ifndef MM_FS_BUILDER_H
#define MM_FS_BUILDER_H

#include <stddef.h>

#include "base/argv.h"
#include "base/error.h"
#include "fs/driver.h"
#include "fs/picked.h"
#include "model/cell.h"
#include "model/matrix.h"

struct builder {
	struct cell *cell;
	const struct filesystem *filesystem;
	const struct target *target;
	const struct driver *driver;
	const struct recipe *recipe; /* NULL: nothing to make or mount */
	const char *system;
	const char *version;
	struct picked_list picked;
	struct arena *arena;
	size_t capacity; /* of cell->commands */
};

/* The words that the cell's options add to the command of a stage. */
int builder_stage_words(struct builder *build, enum stage stage,
    struct argv *words, struct error *err);

/* The -o list: the section's own options, then the cell's. */
char *builder_mount_list(struct builder *build);

/* What a picked row says at its stage, or NULL. */
const char *builder_fragment(
    const struct builder *build, const struct picked *item);

/* Adds one command of a recipe; "words" (or NULL) are put in for "%o", the
 * -o list (cell->asked) in a mount command. */
int builder_add_line(struct builder *build, enum rung rung, const char *line,
    const struct argv *words, struct error *err);

/* Adds every command of a recipe's field ("; " between); the words go to the
 * command that has "%o", or to the only one. */
int builder_add_lines(struct builder *build, enum rung rung, const char *lines,
    const struct argv *words, struct error *err);

#endif
