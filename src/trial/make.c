/* Rungs guard, make and tune. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "trial/trial.h"

static const int64_t PATIENCE_NS = 3 * INT64_C(1000000000);
enum { RETRY_MS = 100 };

static bool
is_made_new(const struct trial *trial)
{
	enum target_kind kind = trial->target->target->kind;

	return kind == TARGET_IMAGE || kind == TARGET_DEVICE;
}

/* Somebody who looks at every device (udev, losetup) has it open for a
 * moment: no reason to give a cell up. */
static bool
is_only_open(const struct guard_report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (strcmp(report->refusals[i].rule, "open") != 0)
			return false;
	return report->count > 0;
}

static int
guard_patiently(const struct guard_request *request, struct arena *arena,
    struct guard_report *report, int *fd, struct error *err)
{
	int64_t until = clock_now_ns() + PATIENCE_NS;

	for (;;) {
		if (guard_check(request, true, arena, report, fd, err) == -1)
			return -1;
		if (!is_only_open(report) || clock_now_ns() >= until)
			return 0;
		clock_sleep_ms(RETRY_MS);
	}
}

/* One device; the first keeps its descriptor until mkfs. */
static int
guard_one(struct trial *trial, const char *path, struct error *err)
{
	const struct night_options *options = trial->state->night->options;
	bool is_image = trial->target->target->kind == TARGET_IMAGE;
	struct target target = *trial->target->target;
	struct guard_request request = {
		.target = &target,
		.path = path,
		.destroy = options->destroy,
		.destroy_count = options->destroy_count,
		.label = GUARD_LABEL,
		.results_path = options->results_path,
		.program_path = options->program_path,
		.is_own_image = is_image,
		.need_bytes = trial->driver->minimum_bytes,
	};
	struct guard_report report;
	int64_t began = clock_now_ns();
	int fd;

	/* size and serial number are the first one's */
	if (path != trial->device) {
		target.size_bytes = 0;
		target.serial = NULL;
	}
	if (guard_patiently(&request, trial->arena, &report, &fd, err) == -1)
		return error_wrap(err, "guard");
	if (trial->guard_fd == -1)
		trial->guard_fd = fd;
	else if (fd != -1)
		(void)close(fd);
	(void)trial_note_step(trial, RUNG_GUARD,
	    arena_printf(trial->arena, "may '%s' be destroyed?", path),
	    clock_now_ns() - began);
	if (report.is_safe)
		return RUNG_DONE;
	trial->is_unsafe = true;
	return trial_fail(trial, VERDICT_FAILED, RUNG_GUARD,
	    guard_report_text(&report, trial->arena));
}

int
rung_guard(struct trial *trial, struct error *err)
{
	const struct target *target = trial->target->target;
	int result;

	if (!is_made_new(trial) || !trial_has(trial, RUNG_MAKE))
		return RUNG_DONE;
	result = guard_one(trial, trial->device, err);
	for (size_t i = 0; i < target->more_device_count && result == RUNG_DONE;
	     i++)
		result = guard_one(trial, target->more_devices[i], err);
	return result;
}

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
