/*
 * What came of a trial: a verdict, its steps, its samples, its curves.
 *
 * Born "aborted", so that a trial the machine died in needs no last word.
 */
#ifndef MM_MODEL_OUTCOME_H
#define MM_MODEL_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/command.h"
#include "model/metric.h"

enum verdict {
	VERDICT_ABORTED,
	VERDICT_OK,
	VERDICT_FAILED,
	VERDICT_TIMEOUT,
	VERDICT_NO_SPACE,
	VERDICT_CORRUPT, /* fsck or the tree check complained */
	VERDICT_VOID,    /* a noise rule hit; the reason is kept */
	VERDICT_PANIC,   /* the machine went down in it, twice */
	VERDICT_COUNT,
};

/* Operations on a device between two moments. */
struct io_counts {
	bool known;
	bool bytes_known;
	bool flushes_known;
	int64_t reads;
	int64_t writes;
	int64_t read_bytes;
	int64_t written_bytes;
	int64_t flushes;
};

/* One command or action of a trial. */
struct step {
	enum rung rung;
	const char *command; /* as a shell would read it, or what was done */
	int exit_code;       /* -1: did not exit by itself */
	int signal;
	bool timed_out;
	const char *output; /* what it printed, bounded; "" */
	const char *errors;
	const char *kernel; /* kernel log lines it caused; "" */
	int64_t started_wall_ns;
	int64_t wall_ns;
	int64_t user_ns;
	int64_t system_ns;
	int64_t voluntary_switches;
	int64_t involuntary_switches;
	int64_t major_faults;
	struct io_counts io;
};

/* One value of one metric.  "pass" counts from 1; 0 is the trial's own value
 * (the median pass), and the only one that is ranked. */
struct sample {
	const char *metric;
	const char *unit;
	enum better better;
	int pass;
	double value;
};

/* A time series inside a trial: row-major, "columns" names of values. */
struct trial_curve {
	const char *name;
	double interval_s;
	const char *const *columns;
	size_t column_count;
	double *values;
	size_t row_count;
};

struct outcome {
	size_t trial; /* planned_trial.index */
	enum verdict verdict;
	const char *reason; /* for a person; "" when ok */
	enum rung failed_rung;
	int64_t started_wall_ns;
	int64_t ended_wall_ns;
	struct step *steps;
	size_t step_count;
	size_t step_capacity;
	struct sample *samples;
	size_t sample_count;
	size_t sample_capacity;
	struct trial_curve *curves;
	size_t curve_count;
	const char *in_force; /* options read back; NULL: never mounted */
	const char *notes;    /* "atimes not reset", ...; "" */
	/* the cell cannot run at all: the system rejected its options */
	bool cell_rejected;
};

const char *verdict_name(enum verdict verdict);
int verdict_parse(const char *text, enum verdict *verdict);

/* A new outcome for a trial, verdict aborted, in the arena. */
struct outcome *outcome_new(struct arena *arena, size_t trial);

/* A new, zeroed step at the end of the list; valid until the next call. */
struct step *outcome_add_step(
    struct outcome *outcome, struct arena *arena, enum rung rung);

void outcome_add_sample(struct outcome *outcome, struct arena *arena,
    const struct metric *metric, int pass, double value);

/* Sets verdict and reason unless one other than aborted or ok is set: the
 * first trouble is the one that counts. */
void outcome_fail(struct outcome *outcome, enum verdict verdict, enum rung rung,
    const char *reason);

#endif
