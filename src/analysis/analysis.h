/*
 * From runs to a ranking that can be believed.
 *
 * Pure functions: no I/O, no clock, no randomness.  The same table always
 * gives the same answer.  Results are made in the arena given and borrow the
 * texts of their tables.  Nothing fails: what the data cannot carry is said
 * in the result.
 *
 * Everything works on y = ln(value) (y = -ln(value) for a rate), in complete
 * randomised blocks, with missing runs allowed.  Claims between cells come
 * from a step-down Tukey test over all pairs; special.h and tukey.h have the
 * distributions.
 */
#ifndef MM_ANALYSIS_ANALYSIS_H
#define MM_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "model/ranking.h"
#include "model/series.h"

/* Zero-initialised options are the usual ones. */
struct analysis_options {
	double alpha;       /* chance of any false claim; 0 means 0.05 */
	bool is_raced;      /* cells were dropped on the way: alpha 0.04 */
	bool keep_outliers; /* set nothing aside */
	bool skip_planning; /* blocks needed are not worked out */
	/* a noise measured earlier on this machine, for single runs */
	double earlier_s, earlier_df;
	const char *earlier_date;
};

/* Ranks one workload in one metric. */
struct ranking *analysis_rank(const struct series_table *table,
    const struct analysis_options *options, struct arena *arena);

/*
 * Several workloads together: geometric mean ratios over the cells that all
 * of them ranked, the error being how cells and workloads disagree; and the
 * trade-offs that an average hides.
 */
struct overall *analysis_overall(const struct ranking *const *rankings,
    size_t count, const struct analysis_options *options, struct arena *arena);

/*
 * The same cells over the sessions of one table, or over several tables
 * (then side i is table i, called labels[i]).  "threshold_pct" asks for cells
 * that are slower by more than that beyond noise; 0 or less asks for any.
 */
struct comparison *analysis_compare(const struct series_table *const *tables,
    const char *const *labels, size_t count, double threshold_pct,
    struct arena *arena);

/* One look of a race: after a block, who goes on. */
enum { RACE_FIRST_BLOCK = 3 };

enum race_stop { RACE_GO_ON, RACE_ONE_LEFT, RACE_RESOLVED };

struct race_look {
	int look; /* 1, 2, ... */
	double alpha, q, s, df;
	double half_pct; /* half width between the cells still in */
	size_t leader;   /* cell */
	bool *is_active; /* of each cell of the table, after the look */
	size_t *dropped; /* cells that this look dropped */
	size_t dropped_count;
	size_t active_count;
	enum race_stop stop;
};

/*
 * Looks at everything so far.  "is_active" says which cells were still in (of
 * table->cell_count); "look" counts from 1; the race stops when the cells
 * still in are equal to within "resolve_pct".  Cells are never taken in
 * again, and no cell is dropped before RACE_FIRST_BLOCK blocks.
 */
struct race_look *race_look(const struct series_table *table,
    const bool *is_active, int look, double resolve_pct, struct arena *arena);

#endif
