/*
 * Logs of other tools and of other nights, as a plan and its outcomes, so
 * that old and foreign measurements get the same ranking.
 *
 * Each format is one file ending in one "const struct import_format", named
 * in imports.def.  A log is data: nothing in it is run or followed, sizes are
 * bounded, and one that is cut or edited gives "FILE:LINE: reason".  Units are
 * converted only where the log states them; where it does not, --unit must.
 */
#ifndef MM_IMPORT_IMPORT_H
#define MM_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/results.h"

/* One log and the cell it belongs to. */
struct import_log {
	const char *path;
	const char *cell; /* key from "--cell KEY=FILE"; NULL: the file's
			     name without its extension */
};

/* --value NAME=SUM or --value SUM: a metric out of columns that are added. */
struct import_value {
	const char *name; /* NULL: --metric, else "value" */
	const char *sum;  /* "create_s+create_sync_s" */
};

/* What a command line says; formats refuse what they do not know.  Texts are
 * NULL where not given. */
struct import_options {
	const struct import_log *logs;
	size_t log_count;
	const char *const *factors; /* csv: columns that hold levels */
	size_t factor_count;
	const char *block;    /* csv: column */
	const char *position; /* csv: column; default "position" if there */
	const char *session;  /* csv: column */
	const char *in_force; /* csv: column; options read back */
	const char *step;     /* steps of the clock, in the unit: "1" */
	const struct import_value *values;
	size_t value_count;
	/* csv: figures that stand beside, not ranked: "device_flushes=n" */
	const struct import_value *besides;
	size_t beside_count;
	const char *metric;   /* name of the ranked metric */
	const char *unit;     /* "s" */
	const char *better;   /* "lower" or "higher" */
	const char *workload; /* title; default: the format's name */
	const char *driver;   /* the filesystem's driver, "ufs" */
	const char *platform; /* "freebsd" */
	const char *label;    /* of the session */
	const char *baseline; /* key of a cell */
};

struct import_format {
	const char *name;
	const char *summary;
	/* which of the options above it takes, blanks between: "factors
	 * block unit"; logs and label, platform, driver, workload always */
	const char *options;
	int (*read)(const struct import_options *options, struct arena *arena,
	    struct imported *imported, struct error *err);
};

/* By name; NULL when there is none. */
const struct import_format *import_find(const char *name);

/* All of them, in the order of imports.def, NULL-ended. */
const struct import_format *const *import_formats(void);

/* Checks the options against the format and reads all logs.  The plan, its
 * cells and outcomes live in the arena; store_create_imported keeps them. */
int import_run(const struct import_format *format,
    const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err);

#endif
