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

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * What "subject" and "detail" are:
 *
 *     FILE      a file that did not exist; identity by undo_identify
 *     FOLDER    a folder that did not exist; removed only when empty
 *     TREE      likewise, removed with all in it; identity by undo_identify
 *     ATTACH    an image file; identity by undo_identify; the system's
 *               detach command and device name ("mdconfig -d -u %u" and
 *               "/dev/md%u", a newline between), where the system detaches
 *               by a command
 *     MOUNT     mount point; the source
 *     REMOUNT   mount point; source, type and options, a newline between:
 *               what was mounted before and is to be again; then a command
 *               line that sets the options in place when it is in use
 *     COMMAND   a command line; what it is for, as a person would say it
 *     CGROUP    the folder of a memory limit
 *     PIN       the file that says that a trial is kept, and what its mounts
 *               hang on; the results file and the mount point, a newline
 *               between
 */
enum undo_kind {
	UNDO_FILE,
	UNDO_FOLDER,
	UNDO_TREE,
	UNDO_ATTACH,
	UNDO_MOUNT,
	UNDO_REMOUNT,
	UNDO_COMMAND,
	UNDO_CGROUP,
	UNDO_PIN,
	UNDO_KIND_COUNT,
};

struct undo;

/* A failed trial that was left mounted (--keep). */
struct undo_kept {
	const char *file;       /* the pin */
	const char *results;    /* of the run, absolute; "" when not known */
	const char *mountpoint; /* where it is mounted */
};

/* What is told of each thing undone, or not; "text" is for a person.  And of
 * each kept trial that was not to be touched; NULL: nothing. */
struct undo_report {
	void (*tell)(void *context, const char *text);
	void (*kept)(void *context, const struct undo_kept *kept);
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

/* Records, durably, how to undo what is about to be done. */
int undo_push(struct undo *undo, enum undo_kind kind, const char *subject,
    const char *detail, struct error *err);

/* The file or image of the newest such record exists now: from here on only
 * this very file (device and inode number) is ours to undo. */
int undo_identify(struct undo *undo, enum undo_kind kind, const char *subject,
    struct error *err);

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
	size_t kept;    /* journals of trials that were kept: not touched */
};

/* Kept trials that are to be let go of: all, or those of the results files or
 * pins with these canonical names. */
struct undo_release {
	bool all;
	const char *const *names;
	size_t count;
	bool *found; /* one per name: set when there was one; or NULL */
};

/*
 * Undoes what every dead run left in the folder.  What was kept on purpose
 * stays, and is reported, unless it is to be released; "release" may be NULL.
 * -1 only when the folder cannot be read.
 */
int undo_clean_all(const char *state_directory,
    const struct undo_release *release, const struct undo_report *report,
    struct undo_clean_counts *counts, struct error *err);

#endif
