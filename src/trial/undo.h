/*
 * The undoing, registered before the doing.
 *
 * A write-ahead journal: one file per run in the state folder, each record
 * durable before the thing it undoes is done.  undo_rollback undoes back to a
 * mark, last first, and serves every exit; what a crash left, undo_clean_all
 * undoes from the file, after looking that each thing is still the one that
 * was recorded.  Nothing is ever forced: what cannot be undone (a busy mount)
 * stays in the journal and is reported.
 *
 * The journal is locked while its run lives; the lock dies with the owner.
 */
#ifndef MM_TRIAL_UNDO_H
#define MM_TRIAL_UNDO_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum undo_kind {
	UNDO_FILE,    /* remove a file (an image): path, identity */
	UNDO_FOLDER,  /* remove an empty folder: path */
	UNDO_ATTACH,  /* detach a device: device, image, identity */
	UNDO_MOUNT,   /* unmount: mount point, source */
	UNDO_SYSCTL,  /* write a file back: path, old value */
	UNDO_COMMAND, /* run a command: its words as one line, what it is */
	UNDO_CGROUP,  /* remove a memory limit: path */
	UNDO_PIN,     /* let go of a kept mount namespace: file */
	UNDO_KIND_COUNT,
};

struct undo;

/* What is told of each thing undone, or not; "text" is for a person. */
struct undo_report {
	void (*tell)(void *context, const char *text);
	void *context;
};

/* A new journal in the folder, named after this process and locked. */
int undo_open(
    const char *state_directory, struct undo **undo, struct error *err);

/* Removes the journal when nothing is left in it, else leaves it for
 * undo_clean_all.  Frees.  NULL is allowed. */
void undo_close(struct undo *undo);

/* How much there is to undo now. */
size_t undo_mark(const struct undo *undo);

/*
 * Records, durably, how to undo what is about to be done.  "detail" says what
 * it must still be for that (the source of a mount, the image of a device,
 * the old value); "" for none.
 */
int undo_push(struct undo *undo, enum undo_kind kind, const char *subject,
    const char *detail, struct error *err);

/* The newest record of this kind and subject is undone or never came about:
 * forgets it. */
int undo_forget(struct undo *undo, enum undo_kind kind, const char *subject,
    struct error *err);

/*
 * Undoes everything back to the mark, last first.  Returns how many could not
 * be undone (they stay recorded); "report" may be NULL.
 */
size_t undo_rollback(struct undo *undo, size_t mark,
    const struct undo_report *report, struct arena *arena);

struct undo_clean_counts {
	size_t undone;
	size_t gone;    /* were no longer there, or no longer ours */
	size_t left;    /* could not be undone */
	size_t running; /* journals whose run still lives: not touched */
};

/* Undoes what every dead run left in the folder.  -1 only when the folder
 * cannot be read. */
int undo_clean_all(const char *state_directory,
    const struct undo_report *report, struct undo_clean_counts *counts,
    struct error *err);

/* Records a pinned mount namespace (--keep) in a journal of its own, before
 * it is pinned, so that "clean" lets go of it. */
int undo_leave_pin(
    const char *state_directory, const char *file, struct error *err);

#endif
