/* Rung guard: nothing is written to before it was asked about. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "trial/strays.h"
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
		if (guard_check(request, false, arena, report, fd, err) == -1)
			return -1;
		if (!is_only_open(report) || clock_now_ns() >= until)
			return 0;
		clock_sleep_ms(RETRY_MS);
	}
}

static void
hold(struct trial *trial, int fd)
{
	if (trial->held_count == trial->held_capacity)
		trial->held =
		    arena_grow(trial->arena, trial->held, trial->held_count,
			&trial->held_capacity, sizeof *trial->held);
	trial->held[trial->held_count++] = fd;
}

void
trial_let_go(struct trial *trial)
{
	while (trial->held_count > 0)
		(void)close(trial->held[--trial->held_count]);
}

/* One device, held from here to mkfs when it may be destroyed. */
static int
guard_one(
    struct trial *trial, const char *path, bool is_image, struct error *err)
{
	const struct night_options *options = trial->state->night->options;
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
	};
	struct guard_report report;
	int64_t began = clock_now_ns();
	int fd;

	/* size and serial number are the first one's */
	if (path != trial->device) {
		target.size_bytes = 0;
		target.serial = NULL;
	} else
		request.need_bytes = trial->driver->minimum_bytes;
	if (guard_patiently(&request, trial->arena, &report, &fd, err) == -1)
		return error_wrap(err, "guard");
	if (fd != -1)
		hold(trial, fd);
	(void)trial_note_step(trial, RUNG_GUARD,
	    arena_printf(trial->arena, "may '%s' be destroyed?", path),
	    clock_now_ns() - began);
	if (report.is_safe)
		return RUNG_DONE;
	trial->is_unsafe = true;
	return trial_fail(trial, VERDICT_FAILED, RUNG_GUARD,
	    guard_report_text(&report, trial->arena));
}

static int
guard_target(struct trial *trial, struct error *err)
{
	const struct target *target = trial->target->target;
	struct error why = { 0 };
	size_t first = trial->held_count;
	int result =
	    guard_one(trial, trial->device, target->kind == TARGET_IMAGE, err);

	for (size_t i = 0; i < target->more_device_count && result == RUNG_DONE;
	     i++)
		result = guard_one(trial, target->more_devices[i], false, err);
	/* nothing is written before all of them may be */
	for (size_t i = first; i < trial->held_count && result == RUNG_DONE;
	     i++)
		if (platform_erase_signatures(trial->held[i], &why) == -1)
			result = trial_fail(
			    trial, VERDICT_FAILED, RUNG_GUARD, why.text);
	return result;
}

static int
describe_known(struct trial *trial, struct device_info *known, size_t *count,
    struct error *err)
{
	const struct target *target = trial->target->target;

	*count = 0;
	if (trial->device[0] != '\0' &&
	    platform_device_describe(
		trial->device, trial->arena, &known[(*count)++], err) == -1)
		return -1;
	for (size_t i = 0; i < target->more_device_count; i++)
		if (platform_device_describe(target->more_devices[i],
			trial->arena, &known[(*count)++], err) == -1)
			return -1;
	return 0;
}

/* What else the cell's commands would write to. */
static int
guard_strays(struct trial *trial, struct error *err)
{
	const struct cell *cell = trial->cell;
	struct stray_list strays = { 0 };
	struct device_info *known = arena_array(trial->arena,
	    trial->target->target->more_device_count + 1, sizeof *known);
	size_t known_count;
	int result = RUNG_DONE;

	if (describe_known(trial, known, &known_count, err) == -1)
		return error_wrap(err, "guard");
	for (size_t i = 0; i < cell->command_count; i++) {
		const struct command *command = &cell->commands[i];
		const char *line;

		if (command->rung == RUNG_ATTACH ||
		    command->rung == RUNG_DETACH)
			continue;
		if (strays_find(trial_words(trial, command->argv, &line), known,
			known_count, trial->arena, &strays, err) == -1)
			return error_wrap(err, "guard");
	}
	for (size_t i = 0; i < strays.count && result == RUNG_DONE; i++)
		result = guard_one(trial, strays.paths[i], false, err);
	return result;
}

int
rung_guard(struct trial *trial, struct error *err)
{
	int result = RUNG_DONE;

	/* an existing filesystem is mounted from what it is on */
	if (trial->target->target->kind == TARGET_MOUNTPOINT)
		return RUNG_DONE;
	result = guard_strays(trial, err);
	if (result == RUNG_DONE && is_made_new(trial) &&
	    trial_has(trial, RUNG_MAKE))
		result = guard_target(trial, err);
	else
		trial_let_go(trial);
	return result;
}
