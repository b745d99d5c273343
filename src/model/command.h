/*
 * One command of the ladder, as it will be run and as a plan prints it.
 *
 * Words may hold placeholders, which stay in the stored plan and get their
 * values when a trial runs:
 *
 *     %d  the device          %r  its raw (character) name
 *     %m  the mount point     %i  the image file
 *     %l  the label that says "mountmatrix made this"
 *     %u  a unit number of the attached device ("0" of md0)
 *     %b  a folder beside the mount point, for filesystems of several folders
 */
#ifndef MM_MODEL_COMMAND_H
#define MM_MODEL_COMMAND_H

#include <stddef.h>

/* The rungs of the ladder, in the order a trial climbs them. */
enum rung {
	RUNG_ATTACH,
	RUNG_GUARD,
	RUNG_MAKE,
	RUNG_TUNE,
	RUNG_MOUNT,
	RUNG_PROP,
	RUNG_SYSCTL,
	RUNG_READBACK,
	RUNG_POPULATE,
	RUNG_SETTLE,
	RUNG_COOL,
	RUNG_MEASURE,
	RUNG_FLUSH,
	RUNG_PROBE,
	RUNG_UNMOUNT,
	RUNG_CHECK,
	RUNG_RESTORE, /* undoes sysctl and prop settings */
	RUNG_DETACH,
	RUNG_COUNT,
};

struct command {
	enum rung rung;
	const char *const *argv; /* NULL-terminated */
};

/* "attach", "read back", ... */
const char *rung_name(enum rung rung);

/* The reverse; -1 when there is none. */
int rung_parse(const char *text, enum rung *rung);

#endif
