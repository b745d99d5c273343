/* Rung guard: nothing is written to before it was asked about. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "trial/guard_list.h"
#include "trial/target.h"
#include "trial/trial.h"

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
    struct trial *trial, const struct guard_subject *subject, struct error *err)
{
	struct guard_report report;
	int64_t began = clock_now_ns();
	int fd;

	if (guard_ask(subject, trial->arena, &report, &fd, err) == -1)
		return -1;
	if (fd != -1)
		hold(trial, fd);
	(void)trial_note_step(trial, RUNG_GUARD,
	    arena_printf(
		trial->arena, "may '%s' be destroyed?", subject->request.path),
	    clock_now_ns() - began);
	if (report.is_safe)
		return RUNG_DONE;
	trial->is_unsafe = true;
	return trial_fail(trial, VERDICT_FAILED, RUNG_GUARD,
	    guard_report_text(&report, trial->arena));
}

/* What the cell's commands would be: all that could write to a device. */
static void
take_commands(struct trial *trial, struct guard_case *asked)
{
	const struct cell *cell = trial->cell;
	const char *const **words =
	    arena_array(trial->arena, cell->command_count + 1, sizeof *words);
	const char *line;

	for (size_t i = 0; i < cell->command_count; i++)
		if (cell->commands[i].rung != RUNG_ATTACH &&
		    cell->commands[i].rung != RUNG_DETACH)
			words[asked->command_count++] =
			    trial_words(trial, cell->commands[i].argv, &line);
	asked->commands = words;
}

/* While they are held: a disk that came under the name of one that was pulled,
 * or another file attached, was not named by anybody. */
static int
look_for_others(struct trial *trial)
{
	const struct target_state *target = trial->target;

	if (target->target->kind != TARGET_DEVICE)
		return RUNG_DONE;
	for (size_t i = 0; i <= target->target->more_device_count; i++) {
		if (strcmp(target_device_identity(target, i, trial->arena),
			target->device_identities[i]) == 0)
			continue;
		trial->is_unsafe = true;
		return trial_fail(trial, VERDICT_FAILED, RUNG_GUARD,
		    arena_printf(trial->arena,
			"'%s' is not the disk that it was when the night began; look which one it is, then resume",
			target_device(target, i)));
	}
	return RUNG_DONE;
}

/* Zeroed only when all of them may be: a stray is left to its maker. */
static int
erase_old(struct trial *trial, const struct guard_subjects *list)
{
	struct error why = { 0 };

	for (size_t i = list->stray_count; i < trial->held_count; i++)
		if (platform_erase_signatures(trial->held[i], &why) == -1)
			return trial_fail(
			    trial, VERDICT_FAILED, RUNG_GUARD, why.text);
	return RUNG_DONE;
}

int
rung_guard(struct trial *trial, struct error *err)
{
	const struct night_options *options = trial->state->night->options;
	struct guard_case asked = {
		.target = trial->target->target,
		.device = trial->device,
		.more_devices = trial->target->more_devices,
		.is_made = trial_has(trial, RUNG_MAKE),
		.minimum_bytes = trial->driver->minimum_bytes,
		.destroy = options->destroy,
		.destroy_count = options->destroy_count,
		.results_path = options->results_path,
		.program_path = options->program_path,
	};
	struct guard_subjects list;
	int result = RUNG_DONE;

	take_commands(trial, &asked);
	if (guard_list(&asked, trial->arena, &list, err) == -1)
		return -1;
	for (size_t i = 0; i < list.count && result == RUNG_DONE; i++)
		result = guard_one(trial, list.items[i], err);
	if (result == RUNG_DONE)
		result = look_for_others(trial);
	if (result == RUNG_DONE && asked.is_made)
		return erase_old(trial, &list);
	/* nothing is made: what is held would only be in the way */
	trial_let_go(trial);
	return result;
}
