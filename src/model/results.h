/*
 * What a results file holds beside plan and outcomes, in the words that the
 * store, importers and reports share.
 *
 * All texts and arrays live in the arena they were read into.  Times of day
 * are nanoseconds since 1970; 0 is not known.
 */
#ifndef MM_MODEL_RESULTS_H
#define MM_MODEL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/facts.h"
#include "model/matrix.h"
#include "model/outcome.h"
#include "model/series.h"

/* One sitting: one start of the program on one kernel. */
struct session {
	int64_t id;          /* row in the store; 0 before it is stored */
	const char *label;   /* "8.2-RELEASE"; "" */
	const char *boot_id; /* changes when the machine starts again; "" */
	const char *program; /* "mountmatrix 1.0" */
	struct fact_list host;
	struct fact_list tools; /* name and version of every tool used */
	int64_t started_wall_ns;
	int64_t ended_wall_ns; /* 0: it never said good-bye */
};

/* A trial that did not end well, at its last attempt. */
struct failure {
	const char *cell;     /* key */
	const char *workload; /* title */
	int block;
	bool is_warm_up;
	enum verdict verdict;
	enum rung rung;     /* where it failed */
	const char *reason; /* for a person; "" */
	int64_t trial;      /* index in the plan */
	int64_t started_wall_ns;
};

/* A figure that stands beside a ranked one and is not ranked itself: flush
 * time, device writes.  One value per cell of the table, the geometric
 * mean of its finished runs as for the ranked figure (the median where one of
 * them is 0); NAN where there is none. */
struct companion {
	const char *metric;
	const char *unit;
	double *values;
};

/* All there is to say of one workload in one ranked metric. */
struct results_table {
	struct series_table *series;
	struct companion *companions;
	size_t companion_count;
	bool is_flushed; /* the ranked figure includes the flush */
};

struct results_tables {
	struct results_table *items;
	size_t count;
};

/* What an imported log comes to: outcomes of a plan that somebody else ran.
 * Outcome i is of trial outcomes[i].trial. */
struct imported {
	struct plan *plan;
	struct session *sessions;
	size_t session_count;
	struct outcome *outcomes;
	size_t *outcome_sessions; /* index of the session of each */
	size_t outcome_count;
	const char *const *warnings;
	size_t warning_count;
};

#endif
