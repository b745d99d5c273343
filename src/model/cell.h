/*
 * A cell: one filesystem with one level per factor, and what is known of it.
 *
 * Flat texts only, so that a stored plan is a whole plan: resume works from
 * the results file and never from the matrix file.
 */
#ifndef MM_MODEL_CELL_H
#define MM_MODEL_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "model/command.h"
#include "model/option.h"

enum cell_status {
	CELL_OK,
	CELL_CHANGED,      /* in force is not what was asked */
	CELL_DUPLICATE,    /* same effective options as another cell */
	CELL_REJECTED,     /* the system said no */
	CELL_INAPPLICABLE, /* this filesystem has no such option */
	CELL_UNSAFE,       /* the guard or a table of conflicts refused */
	CELL_STATUS_COUNT,
};

static const size_t NO_CELL = (size_t)-1;

struct cell_level {
	const char *factor;
	const char *level; /* "on", "off", or the axis level's word */
	bool is_toggle;
};

struct cell {
	size_t index;
	const char *key;        /* "ufs:noatime+softupdates" */
	const char *filesystem; /* title of its section */
	const char *driver;
	const char *target; /* title */
	struct cell_level *levels;
	size_t level_count;
	/* the rows that are on, and the toggles that are off: borrowed from
	 * the drivers' tables; empty in a plan read back from a store */
	const struct option **on;
	size_t on_count;
	const struct option **off;
	size_t off_count;
	struct command *commands;
	size_t command_count;
	const char *asked; /* mount options asked for, "noatime,data=journal" */
	const char *expected; /* what should be in force: canonical effect */
	const char *in_force; /* read back; NULL until known */
	enum risk risk;
	enum cell_status status;
	const char *reason;  /* why it is not ok; NULL */
	size_t duplicate_of; /* index of a cell, or NO_CELL */
	bool is_baseline;
	/* the probes' findings; NULL until known */
	const char *atime_probe;      /* "strict", "relative", "none", ... */
	const char *durability_probe; /* "2.0 flushes per fsync", ... */
};

const char *cell_status_name(enum cell_status status);
int cell_status_parse(const char *text, enum cell_status *status);

/* ok, changed and duplicate-of are measured; the others never run. */
bool cell_status_runs(enum cell_status status);

/*
 * True when a toggle of the default's own behaviour, off in this cell, leads
 * away from it: unless another toggle of its group, off too, says its own off
 * form, which leads back.
 */
bool cell_off_departs(const struct cell *cell, const struct option *option);

#endif
