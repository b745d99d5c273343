/* From a results file to a printed report: store, analysis and report joined
 * for run, resume, report and compare. */
#ifndef MM_CLI_REPORTING_H
#define MM_CLI_REPORTING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/results.h"
#include "report/report.h"

struct reporting_options {
	const char *format;   /* NULL: text */
	const char *workload; /* NULL: every one */
	const char *metric;   /* NULL: the ranked ones */
	const char *baseline; /* key of a cell; NULL: as the matrix says */
	bool keep_outliers;
	bool is_own; /* by the run itself, which has ended */
};

/*
 * Prints the report of one results file to standard output.  "*cells_ok" says
 * whether every cell is ok, changed or duplicate-of and every trial done is
 * ok; it may be NULL.
 */
int reporting_print(const char *path, const struct reporting_options *options,
    struct arena *arena, bool *cells_ok, struct error *err);

/* The unit of what no run gave a value of, and which way is better: the store
 * knows only what was measured. */
void reporting_name_unmeasured(
    const struct plan *plan, const struct results_tables *tables);

/* The command that runs a plan again: "mountmatrix run FILE --seed 7". */
char *reporting_again(struct arena *arena, const struct plan *plan);

/* Makes the named cell the baseline of a table, alone, the tokens of its key
 * in any order; "default" is each filesystem's own.  -1 when there is none,
 * with the nearest. */
int reporting_set_baseline(
    struct series_table *table, const char *key, struct error *err);

#endif
