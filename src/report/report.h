/*
 * A ranking as people and programs read it.
 *
 * Each format is one file ending in one "const struct report_format", named
 * in formats.def.  Formats are pure: they append text to a buffer, work out
 * nothing about the data, and print nothing themselves.  The same input gives
 * the same bytes on every host.
 */
#ifndef MM_REPORT_REPORT_H
#define MM_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "model/plan.h"
#include "model/ranking.h"
#include "model/results.h"

/* One workload in one metric. */
struct report_workload {
	const struct results_table *table;
	const struct ranking *ranking; /* NULL: not ranked yet */
	/* its labelled sessions held against each other; NULL: one only */
	const struct comparison *sessions;
};

/* What is reported.  Everything is borrowed; lists may be empty. */
struct report_input {
	const char *program; /* "mountmatrix 1.0" */
	const char *path;    /* the results file, as the user named it */
	const char *again;   /* the command that runs it again; NULL */
	const struct plan *plan;
	bool is_imported;
	const struct session *sessions;
	size_t session_count;
	const struct report_workload *workloads;
	size_t workload_count;
	const struct overall *overall; /* NULL: one workload only */
	const struct failure *failures;
	size_t failure_count;
	const char *const *warnings; /* of the run, not of one ranking */
	size_t warning_count;
	size_t trials_pending; /* a night that has not finished */
	bool is_running;       /* its run is at work on it now */
};

/* What a comparison of results files is reported from. */
struct comparison_input {
	const char *program;
	const struct comparison *const *comparisons; /* one per metric */
	size_t comparison_count;
	const char *const *warnings; /* hosts, trees, options that differ */
	size_t warning_count;
	bool has_threshold;   /* --fail-if-slower */
	double threshold_pct; /* its percentage */
};

struct report_format {
	const char *name; /* "text" */
	const char *summary;
	void (*render)(const struct report_input *input, struct buffer *out);
	/* NULL: this format has no comparison */
	void (*compare)(
	    const struct comparison_input *input, struct buffer *out);
	/* around and between the reports of several results files; NULL: a
	 * document of this format holds one report */
	const char *several_first, *several_between, *several_last;
};

/* By name; NULL when there is none. */
const struct report_format *report_find(const char *name);

/* All of them, in the order of formats.def, NULL-ended. */
const struct report_format *const *report_formats(void);

#endif
