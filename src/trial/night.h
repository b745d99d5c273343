/*
 * A night: the pending trials of a plan, one after the other, to the end.
 *
 * night_run climbs the ladder (ladder.h) for each trial and tells what came
 * of it through hooks, which the command line joins with the store.  It
 * never prints, never opens the store and never reads a matrix file.  It is
 * to be called inside the isolated child (platform/isolate.h), with the trees
 * loaded and the lock of the results file held by the caller; the targets'
 * locks it takes itself.
 *
 * What the subject does (mkfs fails, the disk is full, a workload hangs) is
 * in the outcomes, and the night goes on.  -1 with "err" is the harness's own
 * trouble, a hook's -1 among it, and ends the night after everything was
 * unwound.
 *
 * Ends early, in order, and says so in "end": a cancellation
 * (proc_set_cancel), the budget (at a block's end, when the next block would
 * not fit), a process that cannot be killed, or block_done's wish.
 */
#ifndef MM_TRIAL_NIGHT_H
#define MM_TRIAL_NIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "tree/tree.h"

struct night_options {
	/* undo journals and locks; platform_state_directory */
	const char *state_directory;
	/* mount points are made in a new folder below it; NULL: /run, or
	 * the state folder where there is no /run */
	const char *work_directory;
	/* where image = "auto" is made: beside the results */
	const char *image_directory;
	/* must not lie on a target; NULL: not checked */
	const char *results_path;
	/* one line on who this is, for other runs that want the same target;
	 * NULL: the number of this process */
	const char *owner;
	/* the program's own file, likewise; NULL: not checked */
	const char *program_path;
	/* --destroy, as given */
	const char *const *destroy;
	size_t destroy_count;
	/* leave the first failed trial mounted and end the night there; the
	 * file is made and says so to whoever cleans up, and the caller pins
	 * the mounts to it afterwards (platform_isolate_pin); NULL: nothing */
	bool keep;
	const char *keep_file;
	/* what earlier sessions of this run used up of the budget */
	int64_t spent_ns;
	/* most time for one command of a trial (not the workload); 0: each
	 * kind has its own, half an hour to four */
	int64_t step_timeout_ns;
	/* predicted time of one block; 0: measured as the night goes */
	int64_t block_ns;
};

enum night_event_kind {
	NIGHT_TRIAL_BEGINS,
	NIGHT_STEP_BEGINS,
	NIGHT_TRIAL_ENDS, /* "outcome" is set */
	NIGHT_MESSAGE,    /* "text" is set: a thing undone, a cell rejected */
};

/* For a live line.  Everything is borrowed for the call. */
struct night_event {
	enum night_event_kind kind;
	const struct planned_trial *trial; /* NULL outside of trials */
	const struct cell *cell;
	const struct workload_spec *workload;
	enum rung step;
	const struct outcome *outcome;
	const char *text;
	size_t done;          /* trials finished, of this session and before */
	size_t total;         /* those, and what is still to be run */
	bool is_tried_again;  /* at its end: once more, at the block's end */
	int64_t elapsed_ns;   /* of this session */
	int64_t remaining_ns; /* estimate; -1: not yet known */
};

/* A hook left out (NULL) is passed over.  Each returns -1 with "err" set to
 * end the night. */
struct night_hooks {
	/* before anything of the trial happens; durable when it returns */
	int (*begin_trial)(void *context, const struct planned_trial *trial,
	    struct error *err);
	int (*finish_trial)(void *context, const struct planned_trial *trial,
	    const struct outcome *outcome, struct error *err);
	/* status, reason, in_force or a probe's finding is new */
	int (*cell_changed)(
	    void *context, const struct cell *cell, struct error *err);
	/* a failed trial will be tried again: index and position are set */
	int (*add_trial)(void *context, const struct planned_trial *trial,
	    struct error *err);
	/* a block is complete; 1: enough, end the night here.  May set the
	 * status of cells that need no more runs. */
	int (*block_done)(void *context, int block, struct error *err);
	int (*progress)(
	    void *context, const struct night_event *event, struct error *err);
	void *context;
};

enum night_end {
	NIGHT_COMPLETE,
	NIGHT_CANCELLED, /* a signal */
	NIGHT_BUDGET,
	NIGHT_STUCK,  /* a process that nothing ends; or a mount that stays */
	NIGHT_ENOUGH, /* block_done said so */
	NIGHT_KEPT,   /* "keep": a failed trial was left mounted */
};

struct night {
	/* cells and the list of trials (retries are appended) change; the
	 * arrays must come from an arena that outlives the night */
	struct plan *plan;
	const struct night_options *options;
	const struct night_hooks *hooks;
	/* one per plan->trees; NULL for one that no workload here uses */
	const struct tree *const *trees;
	/* one per trial: finished before; NULL: none */
	const bool *done;
	/* one per cell: took the machine down twice; NULL: none */
	const bool *panicked;
	/* set by night_run */
	enum night_end end;
	const char *end_reason; /* for a person; "" when complete */
	const char *kept;       /* where the kept trial is mounted; NULL */
	size_t trials_ok;
	size_t trials_not_ok;
};

/* Runs it.  Texts set in cells and in the night live in the arena. */
int night_run(struct night *night, struct arena *arena, struct error *err);

/*
 * Tries one cell without measuring: attach, guard, make, mount, read back,
 * unmount, check, detach.  The cell's status, reason and in_force are set as
 * in a night (cell_changed is called).  "night" needs neither trees nor trials.
 */
int night_try_cell(struct night *night, size_t cell, struct arena *arena,
    struct outcome **outcome, struct error *err);

/* "complete", "stopped by a signal", ... */
const char *night_end_name(enum night_end end);

#endif
