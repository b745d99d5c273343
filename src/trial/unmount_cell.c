/* Rung unmount, and unmounting a cell wherever else it must be. */
#include <unistd.h>

#include "base/clock.h"
#include "platform/device.h"
#include "trial/trial.h"
#include "trial/unmount.h"

static const int64_t PATIENCE_NS = 5 * INT64_C(1000000000);

static const char *const *
unmount_words(struct trial *trial, const char **line)
{
	const char **standard = arena_array(trial->arena, 3, sizeof *standard);

	for (size_t i = 0; i < trial->cell->command_count; i++)
		if (trial->cell->commands[i].rung == RUNG_UNMOUNT)
			return trial_words(
			    trial, trial->cell->commands[i].argv, line);
	standard[0] = "umount";
	standard[1] = trial->mountpoint;
	return trial_words(trial, standard, line);
}

/*
 * A program in user space still writes and holds the device when umount is
 * back.  Waits until it has let go; what it took belongs to the unmount.
 */
static int64_t
wait_for_program(const struct trial *trial)
{
	int64_t start = clock_now_ns();
	struct error why = { 0 };

	if (!trial->driver->is_user_space || trial->device[0] != '/')
		return 0;
	while (clock_now_ns() - start < PATIENCE_NS) {
		int fd = platform_open_exclusive(trial->device, &why);

		if (fd != -1) {
			(void)close(fd);
			break;
		}
		clock_sleep_ms(10);
	}
	return clock_now_ns() - start;
}

int
unmount_cell(
    struct trial *trial, enum rung rung, int64_t *ns, struct error *err)
{
	struct unmount_job job = {
		.mountpoint = trial->mountpoint,
		.patience_ns = PATIENCE_NS,
		.timeout_ns = trial->state->night->options->step_timeout_ns,
	};
	struct unmount_result result;
	struct span span;
	const char *line;
	int64_t waited = 0;

	trial->is_mounted = false;
	if (!trial_has(trial, RUNG_MOUNT) || trial->is_in_place)
		return RUNG_DONE;
	job.argv = unmount_words(trial, &line);
	span_begin(trial, &span);
	if (unmount_path(&job, trial->arena, &result, err) == -1)
		return error_wrap(err, "%s", rung_name(rung));
	if (result.is_gone)
		waited = wait_for_program(trial);
	span_end(trial, &span, rung, line, &result.last)->output =
	    result.last.output;
	if (ns != NULL)
		*ns = result.first.wall_ns + waited;
	if (!result.is_gone) {
		trial->is_mounted = true;
		if (result.holders[0] == '\0')
			return trial_blame(trial, rung, line, &result.last);
		return trial_fail(trial, VERDICT_FAILED, rung,
		    arena_printf(trial->arena, "in use by %s", result.holders));
	}
	if (trial->target->target->kind == TARGET_MOUNTPOINT)
		return RUNG_DONE;
	return undo_forget(
	    trial->state->undo, UNDO_MOUNT, trial->mountpoint, err);
}

int
rung_unmount(struct trial *trial, struct error *err)
{
	if (!trial->is_mounted)
		return RUNG_DONE;
	return unmount_cell(trial, RUNG_UNMOUNT, NULL, err);
}
