/*
 * A resolved plan: everything a night needs, in flat texts.
 *
 * Made from a matrix by plan/ and fs/, stored whole, printed by "plan", run
 * by trial/.  Trials are in the order in which they will run.
 */
#ifndef MM_MODEL_PLAN_H
#define MM_MODEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cell.h"
#include "model/matrix.h"

/* Block 0 holds the warm-up trials: run, recorded, marked, never analysed. */
struct planned_trial {
	size_t index;
	int block;
	int position; /* within the block, from 1 */
	size_t cell;
	size_t workload;
	bool is_warm_up;
	bool is_retry; /* a failed one, again at the end of its block */
};

/* What a tree holds, known once it has been loaded. */
struct tree_facts {
	const char *title;
	int64_t entries;
	int64_t files;
	int64_t directories;
	int64_t bytes;
	uint64_t digest;
};

struct plan {
	const char *title;
	const char *matrix_path;
	const char *matrix_text;
	const char *system;         /* "linux", "freebsd" */
	const char *system_version; /* "14"; "" when it does not matter */
	uint64_t seed;
	int64_t rounds;
	int64_t budget_ns;
	const char *baseline;
	int64_t memory_limit_bytes;
	/* which part of the matrix was asked for: patterns of cells and a
	 * shard of so many (0: all of it) */
	const char *const *only;
	size_t only_count;
	int shard, shard_count;
	struct target *targets;
	size_t target_count;
	struct tree_spec *trees;
	size_t tree_count;
	struct tree_facts *tree_facts; /* tree_count of them */
	struct workload_spec *workloads;
	size_t workload_count;
	struct cell *cells;
	size_t cell_count;
	struct planned_trial *trials;
	size_t trial_count;
};

/* By title; NULL when there is none. */
const struct target *plan_target(const struct plan *plan, const char *title);

/* Index of the cell with the key, or NO_CELL. */
size_t plan_find_cell(const struct plan *plan, const char *key);

#endif
