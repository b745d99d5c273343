/*
 * One trial while it runs: what the rungs of the ladder share.
 *
 * Private to src/trial/.  A rung is a function that returns
 *
 *     RUNG_DONE    go on with the next one
 *     RUNG_FAILED  the subject failed: the outcome says how; unwind
 *     -1           the harness failed (err), or a cancellation came
 *                  (kind ERROR_CANCELLED); unwind
 */
#ifndef MM_TRIAL_TRIAL_H
#define MM_TRIAL_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/proc.h"
#include "fs/driver.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "platform/attach.h"
#include "platform/counters.h"
#include "platform/kernel_log.h"
#include "platform/memory.h"
#include "tree/tree.h"
#include "trial/guard.h"
#include "trial/night.h"
#include "trial/undo.h"
#include "workload/workload.h"

enum { RUNG_DONE = 0, RUNG_FAILED = 1 };

/* A target while its trials run: what is done once a night. */
struct target_state {
	const struct target *target;
	const char *path; /* canonical: image file, device, folder */
	/* of the image that was made: only this very file is attached */
	const char *identity;
	const char **more_devices; /* canonical, as many as it has */
	/* of a device and of those, as the night found them */
	const char **device_identities;
	int *lock_fds; /* one per device */
	size_t lock_count;
	bool is_ready;
	const char *source;   /* mountpoint: what is mounted there by itself */
	dev_t device;         /* of the files there */
	const char *type;     /* of that filesystem */
	const char *original; /* and its options */
	const char *restated; /* the list that puts them back in place */
	bool is_busy;         /* mountpoint: cannot be unmounted */
	bool was_vacated;     /* and was unmounted at least once */
	const char *busy_by;  /* who uses it: "in use by pid 12 (sh): ..." */
};

/* A night's own things, borrowed by every trial. */
struct night_state {
	struct night *night;
	struct arena *arena;
	struct undo *undo;
	struct kernel_log kernel_log;
	struct target_state *targets;
	char *folder;       /* mount points are below it */
	char *mountpoint;   /* folder/m */
	char *beside;       /* folder/b */
	bool *probed;       /* one per cell */
	bool *verified;     /* one per cell: contents compared once */
	bool *mounted_once; /* one per cell: its options were accepted */
	int64_t started_ns;
	size_t known;       /* trials of the plan when the session began */
	size_t done_before; /* trials finished in earlier sessions */
	size_t finished;    /* in this one */
	int64_t trial_ns;   /* sum of their times */
	bool is_kept;
	bool is_stuck;
	const char *stuck_reason;
};

/* Runs in each child before anything else: it must not outlive the worker
 * (without a PID namespace it would keep the mount and the journal's lock),
 * and may be limited. */
struct child_setup {
	pid_t parent;
	struct memory_limit *limit; /* NULL: none */
};

struct trial {
	struct night_state *state;
	const struct planned_trial *planned;
	struct cell *cell;
	const struct workload_spec *spec; /* NULL: only a try of the cell */
	const struct workload *workload;
	struct workload_keys *keys;
	const struct driver *driver;
	struct target_state *target;
	const struct tree *tree; /* NULL: none */
	const struct tree_spec *tree_spec;
	bool is_populated_by_us;

	struct arena *arena;
	struct outcome *outcome;
	const char *device; /* "" for none */
	const char *unit;
	struct attachment attachment; /* fd -1: none */
	int *held; /* devices opened exclusively until mkfs */
	size_t held_count;
	size_t held_capacity;
	const char *mountpoint; /* where the filesystem under test is */
	const char *work;       /* the workload's folder in it */
	const char *tree_folder;
	bool is_mounted;
	bool is_cooled;
	bool is_direct;
	bool is_unsafe;   /* the guard refused */
	bool is_in_place; /* options changed without unmounting */
	struct workload_result result;
	struct memory_limit limit;
	struct child_setup setup; /* of the workload */
	bool is_limited;
	struct io_counts measured_io; /* measure and flush together */
	double elapsed_s;             /* the workload's own; < 0: none */
	int64_t began_ns;
};

/* --- the kernel (kernel.c) ----------------------------------------------- */

/* What the kernel said since this was asked last; "" for nothing. */
const char *trial_kernel_said(struct trial *trial);

/* The name that the kernel has for the device: "loop0", "dm-3"; "" for none. */
const char *trial_kernel_name(struct trial *trial);

/* --- steps (step.c) ------------------------------------------------------ */

int trial_child_setup(void *context);

/* Time and device counters around something that runs in a child. */
struct span {
	const char *counted;
	struct device_counters before;
	bool is_counted;
	int64_t wall_ns;
};

void span_begin(struct trial *trial, struct span *span);

/* Records it as a step, without output. */
struct step *span_end(struct trial *trial, struct span *span, enum rung rung,
    const char *what, const struct proc_result *result);

/* Runs the job as a recorded step; "what" is its line in the record. */
int trial_run(struct trial *trial, enum rung rung, const struct proc_job *job,
    const char *what, struct proc_result *result, struct error *err);

/*
 * Runs each command of the cell for this rung, placeholders filled in, until
 * one does not succeed.  Its failure becomes the trial's (blame.h).
 */
int trial_commands(struct trial *trial, enum rung rung, struct error *err);

/* True when the cell has a command for the rung. */
bool trial_has(const struct trial *trial, enum rung rung);

/* Lets go of the devices that the guard holds. */
void trial_let_go(struct trial *trial);

/* A command of the plan with its placeholders filled in. */
const char *const *trial_words(
    struct trial *trial, const char *const *argv, const char **line);

/* The words of one command line with placeholders ("dumpe2fs -h %d"). */
const char *const *trial_line_words(
    struct trial *trial, const char *text, const char **line);

/* Records an action that is no command; the step is valid until the next. */
struct step *trial_note_step(
    struct trial *trial, enum rung rung, const char *what, int64_t wall_ns);

/* The trial fails with this reason, "make: ..." put before it. */
int trial_fail(struct trial *trial, enum verdict verdict, enum rung rung,
    const char *reason);

/* The failure of a child that was run with trial_run becomes the trial's. */
int trial_blame(struct trial *trial, enum rung rung, const char *what,
    const struct proc_result *result);

/*
 * What the kernel said makes the figures void: anything at all while they were
 * taken, and of this trial's device at any step, since what was measured was
 * not sound.  The rest is remarked upon.
 */
void trial_judge_kernel(struct trial *trial);

/* Says that the mounted filesystem has given up by itself, or NULL. */
const char *trial_gone_wrong(struct trial *trial);

/* A trial has failed: adds to the reason what the filesystem's state and the
 * kernel say of it. */
void trial_explain(struct trial *trial);

/* Adds a remark to the outcome. */
void trial_remark(struct trial *trial, const char *text);

/* Tells the progress hook that a rung begins. */
int trial_announce(struct trial *trial, enum rung rung, struct error *err);

/* Path whose device's counters belong to the trial; NULL: none. */
const char *trial_counted_path(const struct trial *trial);

/* --- rungs --------------------------------------------------------------- */

int rung_attach(struct trial *trial, struct error *err);
int rung_guard(struct trial *trial, struct error *err);
int rung_make(struct trial *trial, struct error *err);
int rung_tune(struct trial *trial, struct error *err);
int rung_mount(struct trial *trial, struct error *err);
int rung_prop(struct trial *trial, struct error *err);
int rung_sysctl(struct trial *trial, struct error *err);
int rung_readback(struct trial *trial, struct error *err);
int rung_populate(struct trial *trial, struct error *err);
int rung_settle(struct trial *trial, struct error *err);
int rung_cool(struct trial *trial, struct error *err);
int rung_measure(struct trial *trial, struct error *err);
int rung_look_before(struct trial *trial, struct error *err);
int rung_flush(struct trial *trial, struct error *err);
int rung_look_after(struct trial *trial, struct error *err);
int rung_unmount(struct trial *trial, struct error *err);
int rung_check(struct trial *trial, struct error *err);
int rung_restore(struct trial *trial, struct error *err);
int rung_detach(struct trial *trial, struct error *err);

/* --- pieces that several rungs use ---------------------------------------- */

/* mkdir; one that is there already is fine.  Trouble is the subject's. */
int trial_make_folder(struct trial *trial, enum rung rung, const char *path);

/* Mounts with the cell's commands, recorded under this rung. */
int mount_cell(struct trial *trial, enum rung rung, struct error *err);

/* Unmounts it; "*ns" (may be NULL) is the time of the first attempt. */
int unmount_cell(
    struct trial *trial, enum rung rung, int64_t *ns, struct error *err);

/* Writes back and waits, in a child; "*ns" (may be NULL) is its time. */
int sync_cell(
    struct trial *trial, enum rung rung, int64_t *ns, struct error *err);

/* How long a device that is still in use is waited for. */
int64_t trial_detach_ns(const struct trial *trial);

/* The atime and durability probes, on a mounted filesystem. */
int probe_cell(struct trial *trial, struct error *err);

/* Compares the tree on the mounted filesystem with the archive's. */
int verify_tree(struct trial *trial, struct error *err);

/* Makes ready what a target needs once a night: lock, image file. */
int target_prepare(
    struct night_state *state, struct target_state *target, struct error *err);

/* Fills in the numbers and calls the progress hook. */
int night_tell(struct night_state *state, const struct night_event *event,
    struct error *err);

/* Says a line through the progress hook, the hook's trouble ignored. */
void night_say(void *state, const char *text);

#endif
