/*
 * What an analysis is given: the runs of one workload, in one ranked metric.
 *
 * A series_table has every cell of the matrix, also those that never ran, and
 * every run, also those that failed; leaving out and counting is the work of
 * analysis/.  Whoever reads results (the store, an importer) builds it with
 * the functions below; all storage is in the arena given, texts are copied.
 * Nothing here does arithmetic on the values.
 *
 * Units: a value is in the metric's unit; times of day are nanoseconds since
 * 1970; cells, sessions and runs are known by their index in the table.
 */
#ifndef MM_MODEL_SERIES_H
#define MM_MODEL_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/cell.h"
#include "model/metric.h"

/* How the metric's clock limits it: see clock_step. */
enum series_clock {
	CLOCK_FINE,      /* steps far below the noise */
	CLOCK_TWO_READS, /* difference of two clock reads cut to clock_step */
	CLOCK_ROUNDED,   /* one figure printed in steps of clock_step */
};

/* One option of a cell: noatime is a toggle that is "on" or "off", data an
 * axis of several levels ("ordered", "writeback"). */
struct series_factor {
	const char *name;
	const char *level;
	bool is_toggle;
};

/*
 * One cell.  Cells of one family (a filesystem section of the matrix) have
 * the same factors in the same order; option effects are worked out in each
 * family alone.
 */
struct series_cell {
	const char *key;    /* "ufs:noatime+softupdates", never NULL */
	const char *title;  /* for a table of one family: "noatime su" */
	const char *family; /* "ufs"; "" where not known */
	const struct series_factor *factors;
	size_t factor_count;
	enum cell_status status;
	const char *reason;       /* why it is not ok, in the tool's words */
	const char *risk;         /* "safe", "window", ...; "" not known */
	const char *in_force;     /* "rw,noatime"; "" not known */
	const char *duplicate_of; /* key of the cell it repeats, or NULL */
	bool is_baseline;         /* its family's, or everybody's */
};

enum run_state {
	RUN_OK,
	RUN_FAILED,  /* no value: failed, no-space, corrupt, panic, void */
	RUN_TIMEOUT, /* no value; "value" is the limit that was reached */
	RUN_WARMUP,  /* recorded, never analysed */
};

/*
 * One trial's value.  Blocks count from 1; 0 means that the runs were not
 * made in blocks.  A trial done again at the end of its block has the same
 * cell and block, and both are entered.
 */
struct series_run {
	size_t cell;
	size_t session;
	int block;
	int position; /* in its block, from 1; 0 not known */
	enum run_state state;
	double value;
	int64_t started_ns; /* time of day; 0 not known */
	double trial_s;     /* the whole trial, making and checking too; 0
			     * not known */
	int64_t trial;      /* row in the store, for the way back; 0 none */
	const char *note;   /* kernel log or reason beside it, or NULL */
};

/* A sitting: one start of the program, one kernel, one label. */
struct series_session {
	const char *label; /* "8.2-RELEASE", never NULL */
	const char *host;  /* system, kernel and machine in one line, or "" */
};

enum curve_role {
	CURVE_READ,  /* counts per interval */
	CURVE_WRITE, /* counts per interval */
	CURVE_SIZE,  /* how large the data set was at the interval's end */
	CURVE_OTHER, /* kept and printed, not analysed */
};

struct series_column {
	const char *name; /* "read", "write", "blogs" */
	enum curve_role role;
	const double *values; /* one per interval */
};

/* A time series inside one trial: columns of equal length. */
struct series_curve {
	size_t cell;
	size_t session;
	int block;
	double interval_s;
	size_t sample_count;
	const struct series_column *columns;
	size_t column_count;
};

struct series_table {
	const char *workload; /* "find" */
	const char *metric;   /* "elapsed" */
	const char *unit;     /* "s" */
	enum better better;
	enum series_clock clock;
	double clock_step; /* in the metric's unit; not used with CLOCK_FINE */

	struct series_cell *cells;
	size_t cell_count;
	struct series_run *runs; /* in the order they were made */
	size_t run_count;
	struct series_session *sessions;
	size_t session_count;
	/* of this workload; given to the first of its tables only */
	struct series_curve *curves;
	size_t curve_count;

	struct arena *arena; /* where it grows; not its owner */
	size_t cell_capacity, run_capacity, session_capacity, curve_capacity;
};

/* An empty table that grows in the arena. */
struct series_table *series_table_new(struct arena *arena, const char *workload,
    const char *metric, const char *unit, enum better better);

/* Adds a copy of the cell, factors and texts included; NULL texts become ""
 * (duplicate_of and title: NULL stays, title then is the key).  Returns its
 * index. */
size_t series_add_cell(
    struct series_table *table, const struct series_cell *cell);

/* The index of the cell with that key, or SERIES_NONE. */
size_t series_find_cell(const struct series_table *table, const char *key);

/* The index of the session, added when it is new. */
size_t series_add_session(
    struct series_table *table, const char *label, const char *host);

/* Adds a copy of the run; its cell must exist. */
void series_add_run(struct series_table *table, const struct series_run *run);

/* Adds a copy of the curve, columns and values included. */
void series_add_curve(
    struct series_table *table, const struct series_curve *curve);

/* The level of the cell's factor of that name, or NULL. */
const char *series_level(const struct series_cell *cell, const char *factor);

#define SERIES_NONE ((size_t)-1)

#endif
