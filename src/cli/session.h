/*
 * One sitting of a night: store, isolation, trial and progress joined, for
 * run and resume alike.
 *
 * The outer process keeps the terminal, the signals and the exit status; the
 * inner one, in its own mount and PID namespace where the system has them,
 * opens the store and runs the trials.
 */
#ifndef MM_CLI_SESSION_H
#define MM_CLI_SESSION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "cli/cli.h"
#include "model/plan.h"
#include "tree/tree.h"

struct session_job {
	const char *results; /* the file, made by store_create already */
	struct plan *plan;
	struct tree **trees;
	bool *done;     /* of each trial; NULL: none */
	bool *panicked; /* of each cell; NULL: none */
	const char *label;
	const char *const *destroy;
	size_t destroy_count;
	bool keep;
	bool quiet;
	int64_t spent_ns; /* of the budget, by earlier sittings */
};

/*
 * Runs it to its end and prints the report.  Returns the exit status; a
 * signal that ended the night is raised again instead of returning.
 */
int session_run(const struct session_job *job, struct arena *arena);

/*
 * Locks the results file against other runs, waiting a few seconds for one
 * that was just killed; the descriptor must stay open.  -1 with the owner.
 */
int session_lock(struct arena *arena, const char *results, struct error *err);

/* Undoes what dead runs left, and says so on standard error. */
int session_clean(struct arena *arena, struct error *err);

/* The facts of the host and of the targets' disks, and the versions of the
 * tools that the plan uses. */
struct session;
void session_describe(struct session *session, const struct plan *plan,
    const char *results, const char *label, struct arena *arena);

#endif
