/*
 * A results file: the resolved plan and all that came of it, in one SQLite
 * database.  The only door to sqlite3.h.
 *
 * Calling sequence of a night:
 *
 *     store_create, or store_open(STORE_WRITE) to resume
 *     store_begin_session
 *     store_progress, then for each trial
 *             store_begin_trial        the attempt is born "aborted"
 *             store_finish_trial       verdict, steps, samples, curves, and
 *                                      what was learnt about the cell
 *     store_end_session, store_close
 *
 * Each call that changes anything is one transaction and is on the medium
 * when it returns (journal_mode=DELETE, synchronous=EXTRA): a trial is there
 * whole or not at all.  The file has mode 0600 and is never overwritten.
 * Others may read while a run writes; a locked file is waited for, 5 s.
 *
 * Nothing here ranks, averages over blocks, or prints.  What is read from a
 * file is checked: a damaged or hostile one gives an error, never a crash.
 * Everything handed out lives in the arena given.  Functions return 0, or -1
 * with a message that names the file.
 */
#ifndef MM_STORE_STORE_H
#define MM_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/results.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE };

/*
 * A new file with the whole plan in it; one that exists is refused
 * (ERROR_USAGE).  In the plan's workloads "metric" and "charge" should be
 * resolved: "metric" may name several, blanks between, each ranked alone;
 * NULL is the first sample of its trials; CHARGE_DEFAULT is read as own.
 */
int store_create(struct store **store, const char *path,
    const struct plan *plan, struct error *err);

/* Opens what store_create made; any other file is refused with its reason. */
int store_open(struct store **store, const char *path, enum store_mode mode,
    struct error *err);

/* NULL is allowed. */
void store_close(struct store *store);

const char *store_path(const struct store *store);

/* The plan as stored, commands included: resume needs nothing else.  Trials
 * are in the order of their index; added ones are at the end. */
int store_load_plan(struct store *store, struct arena *arena,
    struct plan **plan, struct error *err);

/*
 * What makes two plans the same plan, for merge: titles, seed, workloads,
 * cells, commands and trees, but not where a target lies, nor trials, since
 * shards have different ones.
 */
uint64_t store_plan_digest(const struct plan *plan);

/*
 * Judges what the last sitting left as the next one would, for a program that
 * is about to start that in this boot: what store_progress says before it
 * and after it is then the same.
 */
int store_judge_crashes(
    struct store *store, const char *boot_id, struct error *err);

/* Starts a sitting; its id is set.  Also judges what earlier sittings left:
 * a trial in which the machine went down (no end of the session, and the
 * next one has another boot id) stays aborted, and the second one in a cell
 * makes both "panic". */
int store_begin_session(
    struct store *store, struct session *session, struct error *err);

/* "load": the load averages then, kept as the host's fact "load_at_end";
 * NULL: not known. */
int store_end_session(struct store *store, int64_t ended_wall_ns,
    const char *load, struct error *err);

/* All sittings, oldest first. */
int store_sessions(struct store *store, struct arena *arena,
    struct session **sessions, size_t *count, struct error *err);

/* How far the night is: what night_run has to know. */
struct store_progress {
	bool *done; /* per trial: has a finished attempt */
	size_t trial_count;
	int *aborted;   /* per trial: attempts that were cut off */
	bool *panicked; /* per cell: took the machine down twice; passed over */
	size_t cell_count;
	size_t pending;   /* trials not done in cells that can run */
	int64_t spent_ns; /* of the budget, by all sessions so far */
};

int store_progress(struct store *store, struct arena *arena,
    struct store_progress *progress, struct error *err);

/* Appends a trial (a failed one again, at the end of its block); its index
 * must be the number of trials so far. */
int store_add_trial(
    struct store *store, const struct planned_trial *trial, struct error *err);

/* Needs a session. */
int store_begin_trial(struct store *store, size_t trial,
    int64_t started_wall_ns, struct error *err);

/*
 * Ends the open attempt of outcome->trial with everything in it.  "cell",
 * unless NULL, is written in the same transaction, as store_update_cell does.
 */
int store_finish_trial(struct store *store, const struct outcome *outcome,
    const struct cell *cell, struct error *err);

/* Status, reason, duplicate_of, in_force, risk and probes of one cell. */
int store_update_cell(
    struct store *store, const struct cell *cell, struct error *err);

/* A figure beside all others that a person may want later ("stopped at",
 * "budget left"); replaces one of the same name. */
int store_note(struct store *store, const char *name, const char *value,
    struct error *err);

/* Counts for a status line. */
struct store_summary {
	const char *title;
	bool is_imported;
	size_t cells, workloads, trials;
	size_t finished; /* trials with a finished attempt, warm-ups too */
	size_t failed;   /* of those, not ok */
	size_t aborted_attempts;
	size_t sessions;
	int64_t started_wall_ns, last_wall_ns;
	/* the attempt that is open: running now, or cut off */
	bool has_open;
	size_t open_trial;
	int64_t open_since_ns;
};

int store_summarise(struct store *store, struct arena *arena,
    struct store_summary *summary, struct error *err);

/* Which tables to build.  Zero-initialised: all of them. */
struct store_filter {
	const char *workload; /* title; NULL: every one */
	const char *metric;   /* sample name; NULL: the ranked ones */
};

/*
 * One table per ranked metric, in the plan's order of workloads.  Every cell
 * and every attempt is in it: failures without a value, warm-ups marked.
 * traverse with cache = both gives "elapsed" and "elapsed_warm"; a sweep each
 * of its "iops@4K", "iops@64K"; with charge = flushed the sample
 * "NAME_flushed" ranks where there is one.  Curves with an interval get their
 * reads and writes from the columns "read" and "write", else from the sum of
 * "read_..." and "write_...", and their size from "blogs" or "size".  A filter
 * that names nothing is an error (ERROR_USAGE) that lists what there is.
 */
int store_tables(struct store *store, const struct store_filter *filter,
    struct arena *arena, struct results_tables *tables, struct error *err);

/* Trials whose last attempt is not ok, in running order. */
int store_failures(struct store *store, struct arena *arena,
    struct failure **failures, size_t *count, struct error *err);

/*
 * What finished attempts remarked on beside their figures, most frequent
 * first, one text each: "find, 4 of 12 runs: warm: this target cannot be
 * cooled".  Warm-ups are left out.
 */
int store_remarks(struct store *store, struct arena *arena, const char ***texts,
    size_t *count, struct error *err);

/* Everything recorded of one trial's last attempt, for "why". */
int store_load_outcome(struct store *store, size_t trial, struct arena *arena,
    struct outcome **outcome, struct error *err);

/* A results file made of an imported log. */
int store_create_imported(
    const char *path, const struct imported *imported, struct error *err);

/* A new file out of shards of one plan; refuses plans that differ. */
int store_merge(
    const char *out, const char *const *in, size_t count, struct error *err);

/* SQLite's own check and ours (every row refers to one that exists). */
int store_check_integrity(struct store *store, struct error *err);

#endif
