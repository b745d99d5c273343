/* From a matrix file to a plan with its command lines: config, plan, fs and
 * tree joined for check, plan and run. */
#ifndef MM_CLI_PREPARE_H
#define MM_CLI_PREPARE_H

#include "base/arena.h"
#include "base/error.h"
#include "cli/cli.h"
#include "model/matrix.h"
#include "model/plan.h"
#include "platform/isolate.h"
#include "tree/tree.h"

struct prepared {
	struct matrix matrix;
	struct plan plan;
	const char *complaints; /* of a wrong file, all in one; else NULL */
	/* one per plan.trees; NULL until prepare_trees */
	struct tree **trees;
};

/*
 * Reads the file and makes the plan.  Takes --platform, --rounds, --budget,
 * --seed, --baseline, --only, --shard and --yes from "args" where the command
 * has them.  A wrong matrix file is reported to standard error, all of it,
 * and gives -1 with kind ERROR_USAGE and an empty text.
 */
int prepare_plan(const struct cli_args *args, const char *path,
    struct prepared *prepared, struct error *err);

/*
 * Makes every device and image target a small image of the program's own, for
 * trying cells without touching what the matrix file names.
 */
int prepare_scratch_targets(
    struct prepared *prepared, struct arena *arena, struct error *err);

/* Loads the trees that some workload uses, and notes their facts in the
 * plan. */
int prepare_trees(struct plan *plan, struct tree ***trees, struct arena *arena,
    struct error *err);

/* The same, going on past those that cannot be read: each leaves its error in
 * "errors", which has room for all trees.  The index of the first such tree,
 * plan->tree_count when there is none. */
size_t prepare_each_tree(struct plan *plan, struct tree ***trees,
    struct error *errors, struct arena *arena);

void prepare_free_trees(const struct plan *plan, struct tree **trees);

/* May this user, isolated so, make and mount on the target at all? */
bool prepare_may_use(
    const struct target *target, const struct isolation *isolation);

/* cli_fail, but silent for a text that was reported already. */
int prepare_fail(const struct error *err);

#endif
