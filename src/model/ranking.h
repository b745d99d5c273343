/*
 * What an analysis says: everything a report prints, and nothing it must
 * still work out.
 *
 * Made by analysis_rank and its fellows in an arena; borrows the texts of the
 * series_table it was made from.  Percentages are of the kind "5.2" for 5.2 %.
 * A figure that cannot be given is NAN (test with isnan), a place that
 * cannot be given is 0.  "Slower" always means worse, also for rates.  Cells
 * are known by their index in the series_table.
 */
#ifndef MM_MODEL_RANKING_H
#define MM_MODEL_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/series.h"

/* Where a cell stands, in the order in which rows are sorted. */
enum standing {
	STANDING_RANKED,
	STANDING_VALUES,     /* has values, no place: single runs, no noise */
	STANDING_APART,      /* never met the others in a block */
	STANDING_TIMEOUT,    /* slower than the limit, at least once */
	STANDING_STALLED,    /* a rate of 0: no ratio can be given */
	STANDING_ZERO,       /* a value of 0: no ratio can be given */
	STANDING_UNRELIABLE, /* failed in more than half of the blocks */
	STANDING_FAILED,     /* no run finished */
	STANDING_NOT_RUN,    /* rejected, inapplicable, unsafe, or none tried */
};

/* "ranked", "unreliable", ... */
const char *standing_name(enum standing standing);

/* Marks of a row, or-ed. */
enum {
	MARK_TWO_RUNS = 1 << 0,    /* a place through the others' noise only */
	MARK_ONE_RUN = 1 << 1,     /* a single run beside replicated ones */
	MARK_FLAGGED = 1 << 2,     /* `?`: a run is unlikely, kept */
	MARK_SET_ASIDE = 1 << 3,   /* `!`: a run is left out, in print */
	MARK_ERRATIC = 1 << 4,     /* more such runs than may be set aside */
	MARK_OWN_SPREAD = 1 << 5,  /* noisier than the rest: wider ranges */
	MARK_CLOCK = 1 << 6,       /* the clock's step is all of its noise */
	MARK_MAY_BE_BEST = 1 << 7, /* `*`: one-sided Dunnett (Gupta) subset */
	MARK_OUT_EARLY = 1 << 8,   /* dropped by racing: wider range */
	MARK_BASELINE = 1 << 9,
};

struct ranking_row {
	size_t cell;
	enum standing standing;
	unsigned marks;

	/* place, rank range; letters = cells sharing one are not told apart */
	int place;
	bool tied;
	int rank_lo, rank_hi;
	const char *letters;

	/* geometric mean, corrected for missing blocks, in the metric's unit;
	 * its 95 % interval (NAN under 3 runs) */
	double estimate;
	double ci_lo, ci_hi;

	/* against the best ranked cell, and against the baseline (NAN when
	 * there is none), with simultaneous 95 % intervals */
	double slower_pct, slower_lo, slower_hi;
	double baseline_pct, baseline_lo, baseline_hi;

	/* the values as they are, in the metric's unit */
	double minimum, maximum;
	double mean;                         /* arithmetic */
	double median, median_lo, median_hi; /* interval from 6 runs on */
	double median_level;                 /* its exact coverage in % */

	double own_cv_pct;  /* this cell's spread; NAN under 3 runs */
	double used_cv_pct; /* what its comparisons used */

	size_t runs;   /* values used */
	size_t blocks; /* blocks in which it was tried */
	size_t failed, failed_blocks, timed_out, stalled;
	size_t flagged, set_aside;
	double limit;        /* the time limit that was reached, else NAN */
	int out_after_block; /* racing dropped it then, else 0 */

	/* ranks with every flagged run put back, when they differ, else 0 */
	int all_rank_lo, all_rank_hi;
};

/* The noise of this run: how large a difference must be to be seen. */
struct ranking_noise {
	bool known;
	double s;       /* standard deviation of one run, log scale */
	double cv_pct;  /* the same as a coefficient of variation */
	double df;      /* degrees of freedom */
	double hsd_pct; /* smallest difference of two cells told apart */
	double hsd_in_groups_pct; /* after step-down; NAN if no groups */
	double pair_pct; /* the same for one pair chosen before, no more */
	int blocks;      /* complete passes so far */
	int blocks_for_1pct;
	int blocks_for_half_pct, blocks_for_2pct, blocks_for_5pct;
	double hours_per_block; /* from the cells' own times; NAN unknown */
	double clock_pct; /* what the clock alone contributes; 0 if fine */
	bool is_clock;    /* s was raised to the clock's step */
	double s_with_flagged_pct; /* before runs were set aside, else NAN */
	const char *taken_from;    /* "2026-01-31": of an earlier session */
	const double *q;           /* studentized range of each step */
	size_t step_count;
};

/* What an option does in one setting of the others. */
struct effect_context {
	const char *given; /* "without su", "with su" */
	double pct, ci_lo, ci_hi;
};

/*
 * What a set of options does on average: one option is a main effect, two an
 * interaction.  "pct" is the change in time; for a rate, of the time it
 * stands for (so a negative one is good in both).
 */
struct effect {
	const char *const *options;
	size_t option_count;
	const char *name; /* "noatime:su" */
	double log;       /* on the log scale */
	double pct, ci_lo, ci_hi;
	double p;
	bool
	    significant; /* Holm over all of the family's effects; Lenth: all */
	bool suspected;  /* Lenth, one effect only */
	bool estimable;  /* false: these combinations do not exist */
	bool assumes_no_interaction; /* one that involves it cannot be seen */
	/* of the first option, by the others: for a main effect of a full
	 * matrix every setting, for a pair without and with the second */
	const struct effect_context *contexts;
	size_t context_count;
};

/* A factor of several levels: is there any difference, and where. */
struct factor_level {
	const char *level;
	double pct; /* against the factor's best level */
	double pct_lo, pct_hi;
	int rank_lo, rank_hi;
};

struct factor_test {
	const char *factor;
	double f, df1, df2, p;
	bool significant;
	bool estimable;
	const struct factor_level *levels;
	size_t level_count;
};

enum effects_method {
	EFFECTS_NONE,       /* see "reason" */
	EFFECTS_FULL,       /* every combination exists and was repeated */
	EFFECTS_REGRESSION, /* holes, or factors of several levels */
	EFFECTS_LENTH,      /* one block, all combinations */
	EFFECTS_POOLED,     /* one block, effects of three and more as noise */
};

/* Lenth's pseudo standard error: effects of a matrix that ran once. */
struct lenth {
	double s0, pse;                    /* log scale */
	double df;                         /* Lenth's own m/3 */
	double critical_one, critical_all; /* by simulation */
	double margin_one_pct, margin_all_pct;
	double me, sme; /* Lenth's own t margins, log scale, not used */
	/* the effects that are not significant, taken as noise of one run */
	double rest_cv_pct, rest_df;
	double rest_half_width;   /* of an effect's 95 % interval, log scale */
	double rest_pair_pct;     /* two single runs, one pair */
	double rest_any_pair_pct; /* two single runs, any of all pairs */
};

struct by_options_row {
	size_t cell;
	double estimate; /* predicted, in the metric's unit */
	double slower_pct;
	int place;
	bool tied;
	int rank_lo, rank_hi;
};

/* The sharper, second table: cells predicted from the effects found. */
struct by_options {
	bool available;
	const char *reason;     /* why not */
	const size_t *selected; /* indices into the family's effects */
	size_t selected_count;
	double lof_f, lof_df1, lof_df2, lof_p;
	double scheffe;
	double half_width_pct; /* of one effect */
	const struct by_options_row *rows;
	size_t row_count;
};

/* The option effects of one family of cells. */
struct ranking_effects {
	const char *family;
	enum effects_method method;
	const char *reason;
	const char *const *factors;
	size_t factor_count;
	double s, df;
	double half_width_pct; /* 95 % half width of one effect; NAN holes */
	const struct effect *effects;
	size_t effect_count;
	const struct factor_test *factor_tests;
	size_t factor_test_count;
	const struct lenth *lenth; /* with EFFECTS_LENTH, else NULL */
	struct by_options by_options;
};

/* Two cells that are the same thing: what is claimed between them is false. */
struct ranking_control {
	size_t cell, duplicate;
	double pct, ci_lo, ci_hi; /* duplicate against cell, simultaneous */
	bool compared;            /* both have values and a noise */
	bool claimed;             /* this run's own false alarm */
};

/* A run that does not fit. */
struct ranking_outlier {
	size_t run; /* index in the table's runs */
	double t, df, p;
	double excess_pct;
	bool set_aside;
};

struct block_effect {
	int block;
	double pct;
	size_t runs;
};

/* Did the night drift? */
struct ranking_drift {
	const struct block_effect *blocks;
	size_t block_count;
	double position_pct; /* change over one block, from its place in it */
	double position_t, position_p;
	bool position_warn;
	double lag1, lag1_t, lag1_p; /* neighbours in time are alike */
	bool lag1_warn;
};

/* A stretch of a curve with one level. */
struct curve_phase {
	size_t curve; /* index in the table's curves */
	size_t cell;
	const char *series;
	size_t start; /* first interval, from 1 */
	size_t length;
	double start_s;
	double mean, median;
	bool is_steady;
};

struct curve_series {
	size_t curve;
	size_t cell;
	const char *series;
	enum curve_role role;
	double sigma; /* noise of the square-root scale */
	double total, mean;
	size_t first_phase, phase_count; /* in ranking.phases */
	bool has_steady;
	double steady_mean, steady_median;
	size_t stalled;       /* intervals; writes only */
	size_t longest_stall; /* intervals */
	size_t first_stall;   /* first stalled interval, from 1; 0 none */
	double interval_s;
};

/* Two cells' read (or write) rates at the same data-set sizes. */
struct equal_size {
	size_t cell, other;
	const char *series;
	double size_lo, size_hi;
	size_t size_count;
	double ratio;                /* cell over other, geometric mean */
	double time_s, other_time_s; /* to size_hi */
	double final_ratio;          /* of the totals, for the contrast */
	bool available;
};

/* One cell is not worse at reads and writes, and better at one of them. */
struct curve_dominance {
	size_t cell, other;
	double read_ratio, write_ratio; /* of rates, cell over other */
	bool is_proven; /* beyond noise; false: single runs, as measured */
};

struct ranking {
	const struct series_table *table;
	double alpha;        /* 0.05, after racing 0.04 */
	bool is_single_runs; /* one run per cell: no places */
	bool has_blocks;
	size_t cell_count; /* cells that take part in the ranking */

	struct ranking_row *rows; /* ranked first, by place */
	size_t row_count;
	struct ranking_noise noise;
	const struct ranking_effects *effects;
	size_t effects_count;
	const struct ranking_control *controls;
	size_t control_count;
	const struct ranking_outlier *outliers;
	size_t outlier_count;
	struct ranking_drift drift;

	const struct curve_phase *phases;
	size_t phase_count;
	const struct curve_series *series;
	size_t series_count;
	const struct equal_size *equal_sizes;
	size_t equal_size_count;
	const struct curve_dominance *dominances;
	size_t dominance_count;

	const char *const *warnings; /* sentences, lower case, no full stop */
	size_t warning_count;
	/* the first ones, of the design; the others say in words what
	 * outliers, drift and controls above hold in figures */
	size_t design_warning_count;
};

/* The row of a cell, or NULL. */
const struct ranking_row *ranking_find(
    const struct ranking *ranking, size_t cell);

/*
 * Are two ranked cells told apart?  Their ranges may overlap all the same:
 * each range also has room for the others.
 */
bool ranking_differs(
    const struct ranking_row *row, const struct ranking_row *other);

/* One cell over several workloads. */
struct overall_row {
	const char *key;
	int place;
	bool tied;
	int rank_lo, rank_hi;
	double slower_pct, slower_lo, slower_hi; /* than the best overall */
	double mean_rank;                        /* over the workloads */
	bool undominated; /* nothing beats it at every workload */
};

/* "A is faster at find, B at postmark": both beyond noise. */
struct overall_tradeoff {
	const char *key, *other;
	const char *workload, *other_workload;
	double pct, other_pct; /* how much slower the other one is */
};

struct overall {
	bool available;
	const char *reason;
	const char *const *workloads; /* "find elapsed" */
	size_t workload_count;
	const struct overall_row *rows;
	size_t row_count;
	const struct overall_tradeoff *tradeoffs;
	size_t tradeoff_count;
	double s_pct, df; /* cell x workload interaction */
	double hsd_pct;
	const char *caveat;
};

enum change { CHANGE_UNKNOWN, CHANGE_NONE, CHANGE_SLOWER, CHANGE_FASTER };

struct comparison_row {
	const char *key;
	const char *from, *to; /* labels */
	double from_estimate, to_estimate;
	size_t from_runs, to_runs;
	double pct, ci_lo, ci_hi; /* simultaneous 95 % interval */
	enum change change;
	bool beyond_threshold; /* slower by more than asked, beyond noise */
	bool is_lost;          /* had values, and was run without giving one */
	const char *reason;    /* why there is no figure */
};

/* All cells that two sides share, taken together. */
struct comparison_overall {
	const char *from, *to;
	bool available;
	bool is_paired;    /* the same cells on both sides ... */
	size_t pair_count; /* ... and how many */
	double pct, ci_lo, ci_hi, p, df;
	size_t from_cells, to_cells;
};

/* The same cells in two or more sessions: one workload, one metric. */
struct comparison {
	const char *workload, *metric, *unit;
	enum better better;
	const char *const *sides;
	size_t side_count;
	const struct comparison_row *rows;
	size_t row_count;
	const struct comparison_overall
	    *overall; /* of each side to the first */
	size_t overall_count;
	bool noise_known;
	double cv_pct, df;
	double smallest_pct; /* smallest change that could be seen */
	bool confounded;     /* sides were not interleaved in time */
	bool any_beyond_threshold, any_lost, any_compared;
	const char *const *warnings;
	size_t warning_count;
};

#endif
