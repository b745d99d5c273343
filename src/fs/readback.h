/*
 * What is in force, against what was asked for.
 *
 * Sources are texts that somebody else has read: the mount table, a kernel's
 * report, the output of the driver's readback commands.  From them come
 * words in the spelling of the option tables; a cell's rows say which of them
 * prove it.  Pure functions; results live in the arena given.
 */
#ifndef MM_FS_READBACK_H
#define MM_FS_READBACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "fs/driver.h"
#include "model/cell.h"

/* A growing comma-separated list without repeats. */
struct words {
	struct arena *arena;
	const char **items;
	size_t count;
	size_t capacity;
};

void words_init(struct words *words, struct arena *arena);
void words_add(struct words *words, const char *word);
void words_addf(struct words *words, const char *format, ...) MM_PRINTF(2, 3);

/* Adds the items of a text separated by commas, blanks or newlines. */
void words_add_list(struct words *words, const char *text);
bool words_have(const struct words *words, const char *word);

/* "noatime,data=ordered", "" when empty. */
char *words_text(const struct words *words);

/* The text after "name" at the start of a line (leading blanks are passed
 * over, on both sides), or NULL. */
const char *text_value(const char *text, const char *name);

/* A copy up to the end of the line, without trailing blanks; NULL: "". */
char *text_line(struct arena *arena, const char *text);

/* What has been read of one mounted filesystem; NULL for what was not. */
struct fs_sources {
	const char *mount_options; /* of this mount, or platform_flags */
	const char *super_options; /* of the filesystem */
	const char *report;        /* platform_mount_report: one a line */
	const char *mountpoint;    /* for outputs that tell of several */
	/* what each of fs_readbacks printed (output, then errors), in order */
	const char *const *outputs;
	size_t output_count;
};

/* The readback commands of the driver on this system, in table order, as a
 * list in the arena; returns how many. */
size_t fs_readbacks(const struct driver *driver, const char *system,
    const char *version, const struct readback ***list, struct arena *arena);

/*
 * Compares the words with what the cell asks for, and sets cell->in_force,
 * risk, status and reason.
 *
 * in_force: what the mount table says, then every word of the reports that
 * is about the cell or deviates from the filesystem's default.
 *
 * status: CELL_CHANGED when a word that should be there is missing (or the
 * reverse), with both sides in the reason; a read-only mount is a change too.
 * An option that another one of the cell has made void is not missed in a
 * cell known to be a duplicate.  A status other than ok and changed is kept.
 *
 * risk: of what is in force, so without a mount option that was dropped, and
 * with one that nobody asked for.
 */
void fs_compare(struct cell *cell, const struct driver *driver,
    const char *system, const char *version, const struct fs_sources *sources,
    struct arena *arena);

#endif
