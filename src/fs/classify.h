/*
 * What a failed command says: refused options, or something in the way.
 *
 * Exit codes alone say nothing (mount gives 32 or 1 for everything, tunefs
 * and fuse2fs may fail with 0), so the texts decide: standard error and the
 * kernel's lines, by a table of what Linux and the BSDs were seen to print.
 * Pure.
 */
#ifndef MM_FS_CLASSIFY_H
#define MM_FS_CLASSIFY_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/command.h"

enum fs_failure {
	FAILURE_NONE,          /* it did what it was asked */
	FAILURE_REJECTED,      /* an option, argument or combination */
	FAILURE_NO_FILESYSTEM, /* not a filesystem of that kind, or none the
				* kernel knows */
	FAILURE_BUSY,          /* somebody uses the mount */
	FAILURE_IN_USE,        /* somebody uses the device */
	FAILURE_UNCLEAN,       /* fsck has to be run first */
	FAILURE_TOO_SMALL,     /* or the size does not fit the device */
	FAILURE_NO_PROGRAM,
	FAILURE_NO_DEVICE,  /* or no such file or folder */
	FAILURE_NOT_THERE,  /* to be undone, but it is not there */
	FAILURE_NO_SPACE,   /* no memory, no room */
	FAILURE_PERMISSION, /* needs more rights */
	FAILURE_OTHER,
	FAILURE_COUNT,
};

/* What a command said; texts may be NULL. */
struct fs_said {
	bool started; /* false: there is no such program */
	int exit_code;
	const char *output;
	const char *errors;
	const char *kernel; /* the kernel's lines it caused */
};

enum fs_failure fs_classify(enum rung rung, const struct fs_said *said);

/* True when the words, a workload's too, say that there was no room. */
bool fs_says_no_room(const char *text);

/* "rejected", "busy", "in use", ... */
const char *fs_failure_name(enum fs_failure failure);

/*
 * The telling words, one line: the kernel's where the program only guesses
 * ("wrong fs type, bad option, ..."), else the program's.  "" when nothing
 * was said.
 */
char *fs_reason(
    enum rung rung, const struct fs_said *said, struct arena *arena);

enum fs_check {
	FS_CHECK_CLEAN,
	FS_CHECK_CORRUPT,
	FS_CHECK_FAILED, /* the checker itself could not */
};

/*
 * What a filesystem checker found.  The BSDs' fsck_ffs ends with 0 even where
 * it mended or could not mend something, so its text counts too.
 */
enum fs_check fs_check_verdict(const char *program, const struct fs_said *said);

#endif
