/* Rungs make and tune. */
#include <errno.h>

#include "platform/attach.h"
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

/* A maker that discards what it makes over has given the room back. */
static int
keep_room(struct trial *trial)
{
	const struct target *target = trial->target->target;
	struct error why = { 0 };
	int errno_value;

	if (target->kind != TARGET_IMAGE ||
	    platform_image_reserve(trial->target->path, target->size_bytes,
		&errno_value, &why) == 0)
		return RUNG_DONE;
	return trial_fail(trial,
	    errno_value == ENOSPC ? VERDICT_NO_SPACE : VERDICT_FAILED,
	    RUNG_MAKE, why.text);
}

int
rung_make(struct trial *trial, struct error *err)
{
	int result;

	if (record_beside(trial, err) == -1)
		return -1;
	result = trial_commands(trial, RUNG_MAKE, err);
	return result == RUNG_DONE ? keep_room(trial) : result;
}

int
rung_tune(struct trial *trial, struct error *err)
{
	return trial_commands(trial, RUNG_TUNE, err);
}
