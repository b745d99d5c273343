#include "trial/ladder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "trial/trial.h"

static const struct {
	int (*climb)(struct trial *trial, struct error *err);
	enum rung rung;
	bool is_in_try;
} ladder[] = {
	{ rung_attach, RUNG_ATTACH, true },
	{ rung_guard, RUNG_GUARD, true },
	{ rung_make, RUNG_MAKE, true },
	{ rung_tune, RUNG_TUNE, true },
	{ rung_mount, RUNG_MOUNT, true },
	{ rung_prop, RUNG_PROP, true },
	{ rung_sysctl, RUNG_SYSCTL, true },
	{ rung_readback, RUNG_READBACK, true },
	{ rung_populate, RUNG_POPULATE, false },
	{ rung_settle, RUNG_SETTLE, false },
	{ rung_cool, RUNG_COOL, false },
	{ rung_measure, RUNG_MEASURE, false },
	{ rung_look_before, RUNG_PROBE, false },
	{ rung_flush, RUNG_FLUSH, false },
	{ rung_look_after, RUNG_PROBE, false },
	{ rung_unmount, RUNG_UNMOUNT, true },
	{ rung_check, RUNG_CHECK, true },
	{ rung_restore, RUNG_RESTORE, true },
	{ rung_detach, RUNG_DETACH, true },
};

/* Lets go in the reverse order; the descriptor that keeps the device goes
 * between what is mounted from it and the record of its attaching. */
static size_t
unwind(struct trial *trial, size_t mark)
{
	struct undo *undo = trial->state->undo;
	struct undo_report report = { night_say, NULL, trial->state };
	struct error ignored = { 0 };
	size_t left = 0;

	trial_let_go(trial);
	if (trial->attachment.fd != -1) {
		left = undo_rollback(undo, mark + 1, &report, trial->arena);
		/* what is still mounted keeps its device: no use waiting */
		(void)platform_detach(&trial->attachment,
		    left == 0 ? trial_detach_ns(trial) : 0, &ignored);
		trial->attachment.fd = -1;
	}
	return left + undo_rollback(undo, mark, &report, trial->arena);
}

static int
climb(struct trial *trial, bool is_try, struct error *err)
{
	for (size_t i = 0; i < sizeof ladder / sizeof ladder[0]; i++) {
		int result;

		if (is_try && !ladder[i].is_in_try)
			continue;
		if (proc_is_cancelled())
			return error_set_kind(
			    err, ERROR_CANCELLED, "stopped by a signal");
		if (trial_announce(trial, ladder[i].rung, err) == -1)
			return -1;
		result = ladder[i].climb(trial, err);
		if (result == RUNG_FAILED)
			trial_explain(trial);
		if (result != RUNG_DONE)
			return result;
	}
	trial_judge_kernel(trial);
	if (trial->outcome->verdict == VERDICT_ABORTED)
		trial->outcome->verdict = VERDICT_OK;
	return RUNG_DONE;
}

static void
note_clock_step(struct trial *trial, const struct clock_pair *began)
{
	int64_t step = clock_step_ns(began);

	if (step != 0)
		trial_remark(
		    trial, arena_printf(trial->arena,
			       "the clock was set by %+.1f s meanwhile",
			       (double)step / 1e9));
}

static void
report_left(struct trial *trial, size_t left)
{
	if (left == 0)
		return;
	trial->state->is_stuck = true;
	if (trial->state->stuck_reason == NULL)
		trial->state->stuck_reason = arena_printf(trial->state->arena,
		    "%s: something could not be undone after a failed trial",
		    trial->cell->key);
}

/* What the kernel said of the unwinding belongs to this trial, and not to the
 * first step of the next. */
static void
keep_last_words(struct trial *trial)
{
	struct outcome *outcome = trial->outcome;
	const char *said = trial_kernel_said(trial);
	struct step *last;

	if (outcome->step_count == 0 || said[0] == '\0')
		return;
	last = &outcome->steps[outcome->step_count - 1];
	last->kernel = arena_printf(trial->arena, "%s%s", last->kernel, said);
}

int
ladder_climb(
    struct trial *trial, bool is_try, bool keep, bool *kept, struct error *err)
{
	size_t mark = undo_mark(trial->state->undo);
	struct clock_pair began = clock_pair_now();
	int result;

	trial->outcome->started_wall_ns = began.wall_ns;
	/* from between two trials */
	(void)trial_kernel_said(trial);
	result = climb(trial, is_try, err);
	*kept = keep && result == RUNG_FAILED && trial->is_mounted;
	if (!*kept)
		report_left(trial, unwind(trial, mark));
	keep_last_words(trial);
	trial->outcome->ended_wall_ns = clock_wall_ns();
	note_clock_step(trial, &began);
	return result == -1 ? -1 : 0;
}
