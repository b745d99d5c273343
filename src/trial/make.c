/* Rungs make and tune. */
#include "trial/trial.h"

/* A filesystem of several folders (overlay) has them on a mount of their
 * own beside the mount point. */
static int
record_beside(struct trial *trial, struct error *err)
{
	if (trial->target->target->kind != TARGET_MEMORY ||
	    !trial_has(trial, RUNG_MAKE))
		return 0;
	return undo_push(
	    trial->state->undo, UNDO_MOUNT, trial->state->beside, "", err);
}

int
rung_make(struct trial *trial, struct error *err)
{
	if (record_beside(trial, err) == -1)
		return -1;
	return trial_commands(trial, RUNG_MAKE, err);
}

int
rung_tune(struct trial *trial, struct error *err)
{
	return trial_commands(trial, RUNG_TUNE, err);
}
