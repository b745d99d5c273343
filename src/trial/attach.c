/* Rungs attach and detach: a target becomes a device, or a folder. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "platform/cache.h"
#include "platform/platform.h"
#include "system/system.h"
#include "trial/trial.h"
#include "trial/undo_action.h"

static const int64_t DETACH_NS = 30 * INT64_C(1000000000);
static const int64_t PATIENCE_NS = 5 * INT64_C(1000000000);
enum { UNITS = 8, RETRY_MS = 200 };

static const struct system_attach *
system_way(const struct trial *trial)
{
	const struct plan *plan = trial->state->night->plan;
	struct error ignored = { 0 };
	const struct system *system;
	const char *version;

	if (system_find(plan->system, &system, &version, &ignored) == -1)
		return NULL;
	return system_attach_of(system, plan->system_version);
}

/* The unit is in what the command printed, or it was chosen beforehand. */
static int
find_device(struct trial *trial, const struct system_attach *way)
{
	const struct step *step =
	    &trial->outcome->steps[trial->outcome->step_count - 1];

	if (way->prints != NULL)
		trial->unit =
		    system_attached_unit(way, step->output, trial->arena);
	if (trial->unit == NULL)
		return trial_fail(trial, VERDICT_FAILED, RUNG_ATTACH,
		    arena_printf(trial->arena, "no device in the answer '%s'",
			step->output));
	trial->device = system_attached_device(way, trial->unit, trial->arena);
	return RUNG_DONE;
}

/* A system that attaches by a command.  Where that wants to be told a unit,
 * the first one that it takes. */
static int
attach_by_command(struct trial *trial, struct error *err)
{
	const struct system_attach *way = system_way(trial);
	int result = RUNG_FAILED;

	if (way == NULL || !trial_has(trial, RUNG_ATTACH))
		return trial_fail(trial, VERDICT_FAILED, RUNG_ATTACH,
		    "this system cannot attach image files");
	for (int unit = 0; unit < UNITS && result == RUNG_FAILED; unit++) {
		trial->unit = arena_printf(trial->arena, "%d", unit);
		trial->outcome->verdict = VERDICT_ABORTED;
		trial->outcome->reason = "";
		result = trial_commands(trial, RUNG_ATTACH, err);
		if (way->prints != NULL)
			break;
	}
	return result == RUNG_DONE ? find_device(trial, way) : result;
}

/* How the journal would detach it. */
static const char *
detach_detail(const struct trial *trial)
{
	const struct system_attach *way = system_way(trial);

	return way == NULL ? ""
			   : arena_printf(trial->arena, "%s\n%s", way->detach,
				 way->device);
}

/* The line of the plan, for the record: done by ioctl, with direct I/O. */
static const char *
attach_line(struct trial *trial)
{
	const char *line = "attach";

	for (size_t i = 0; i < trial->cell->command_count; i++)
		if (trial->cell->commands[i].rung == RUNG_ATTACH)
			(void)trial_words(
			    trial, trial->cell->commands[i].argv, &line);
	return line;
}

static int
refuse_image(struct trial *trial)
{
	return trial_fail(trial, VERDICT_FAILED, RUNG_ATTACH,
	    arena_printf(trial->arena,
		"'%s' is not the image that was made: left as it is",
		trial->target->path));
}

/* As undo_identity_of says it. */
static const char *
opened_identity(const struct trial *trial)
{
	return arena_printf(trial->arena, "%llu:%llu",
	    (unsigned long long)trial->attachment.file_device,
	    (unsigned long long)trial->attachment.file_inode);
}

/* Another file of that name is somebody's: it must not be made over. */
static int
look_at_image(struct trial *trial)
{
	const char *path = trial->target->path;
	const char *now = undo_identity_of(trial->arena, path);

	if (now[0] == '\0')
		return trial_fail(trial, VERDICT_FAILED, RUNG_ATTACH,
		    arena_printf(trial->arena,
			"the image '%s' was removed by somebody", path));
	return strcmp(now, trial->target->identity) != 0 ? refuse_image(trial)
							 : RUNG_DONE;
}

static int
attach_image(struct trial *trial, struct error *err)
{
	struct error why = { 0 };
	const char *image = trial->target->path;
	int64_t began = clock_now_ns();
	int result = look_at_image(trial);

	if (result != RUNG_DONE)
		return result;
	if (undo_push(trial->state->undo, UNDO_ATTACH, image,
		detach_detail(trial), err) == -1 ||
	    undo_identify(trial->state->undo, UNDO_ATTACH, image, err) == -1)
		return -1;
	/* pages of the image kept from the making would make "cold" warm */
	(void)platform_cache_drop_file(image, &why);
	result = platform_attach(image, trial->target->target->sector_size,
	    trial->arena, &trial->attachment, &why);
	if (result == PLATFORM_ABSENT)
		return attach_by_command(trial, err);
	(void)trial_note_step(
	    trial, RUNG_ATTACH, attach_line(trial), clock_now_ns() - began);
	if (result == -1) {
		trial->attachment.fd = -1;
		return trial_fail(trial, VERDICT_FAILED, RUNG_ATTACH, why.text);
	}
	/* turned between the look and the opening: let go by the unwinding */
	if (strcmp(opened_identity(trial), trial->target->identity) != 0)
		return refuse_image(trial);
	trial->device = trial->attachment.device;
	trial->is_direct = trial->attachment.direct_io;
	if (!trial->is_direct)
		trial_remark(
		    trial, arena_printf(trial->arena,
			       "warm: the image is not on direct I/O (%s)",
			       trial->attachment.note));
	return RUNG_DONE;
}

/* A folder of our own in the user's, removed with all in it afterwards. */
static int
enter_directory(struct trial *trial, struct error *err)
{
	struct undo *undo = trial->state->undo;
	const char *folder = arena_printf(trial->arena, "%s/mountmatrix-%llx",
	    trial->target->path, (unsigned long long)clock_wall_ns());

	if (undo_push(undo, UNDO_TREE, folder, "", err) == -1)
		return -1;
	if (trial_make_folder(trial, RUNG_ATTACH, folder) != RUNG_DONE)
		return RUNG_FAILED;
	if (undo_identify(undo, UNDO_TREE, folder, err) == -1)
		return -1;
	trial->device = trial_has(trial, RUNG_MOUNT) ? folder : "";
	if (!trial_has(trial, RUNG_MOUNT))
		trial->mountpoint = folder;
	return RUNG_DONE;
}

int
rung_attach(struct trial *trial, struct error *err)
{
	switch (trial->target->target->kind) {
	case TARGET_IMAGE:
		return attach_image(trial, err);
	case TARGET_DIRECTORY:
		return enter_directory(trial, err);
	case TARGET_DEVICE:
		trial->device = trial->target->path;
		trial->is_direct = true;
		break;
	case TARGET_MOUNTPOINT:
		trial->device = trial->target->source;
		trial->mountpoint = trial->target->path;
		trial->is_direct = true;
		break;
	case TARGET_MEMORY:
		break;
	}
	return RUNG_DONE;
}

/* The plan's detach commands that are the system's own way of letting go are
 * done by platform_detach where that knows how. */
static bool
is_systems_own(const struct trial *trial, const char *program)
{
	const struct system_attach *way = system_way(trial);

	return trial->attachment.fd != -1 && way != NULL &&
	       strncmp(way->detach, program, strlen(program)) == 0 &&
	       way->detach[strlen(program)] == ' ';
}

/*
 * Tried again for a while: FreeBSD looks at a device once more when its last
 * writer has let go, and a disk that is looked at cannot be detached.
 */
static int
detach_patiently(struct trial *trial, const struct proc_job *job,
    const char *line, struct error *err)
{
	int64_t until = clock_now_ns() + PATIENCE_NS;
	struct proc_result result;

	for (;;) {
		if (trial_run(trial, RUNG_DETACH, job, line, &result, err) ==
		    -1)
			return -1;
		if (proc_succeeded(&result))
			return RUNG_DONE;
		if (!result.started || result.stuck || result.timed_out ||
		    clock_now_ns() >= until)
			return trial_blame(trial, RUNG_DETACH, line, &result);
		clock_sleep_ms(RETRY_MS);
	}
}

static int
detach_commands(struct trial *trial, struct error *err)
{
	for (size_t i = 0; i < trial->cell->command_count; i++) {
		const struct command *command = &trial->cell->commands[i];
		struct proc_job job = { .timeout_ns = DETACH_NS };
		const char *line;
		int result;

		if (command->rung != RUNG_DETACH ||
		    is_systems_own(trial, command->argv[0]))
			continue;
		job.argv = trial_words(trial, command->argv, &line);
		result = detach_patiently(trial, &job, line, err);
		if (result != RUNG_DONE)
			return result;
	}
	return RUNG_DONE;
}

int64_t
trial_detach_ns(const struct trial *trial)
{
	int64_t limit = trial->state->night->options->step_timeout_ns;

	return limit > 0 && limit < DETACH_NS ? limit : DETACH_NS;
}

int
rung_detach(struct trial *trial, struct error *err)
{
	struct error why = { 0 };
	int64_t began = clock_now_ns();
	int result = detach_commands(trial, err);

	if (result != RUNG_DONE)
		return result;
	if (trial->attachment.fd != -1) {
		const char *line =
		    arena_printf(trial->arena, "detach %s", trial->device);

		result = platform_detach(
		    &trial->attachment, trial_detach_ns(trial), &why);
		trial->attachment.fd = -1;
		(void)trial_note_step(
		    trial, RUNG_DETACH, line, clock_now_ns() - began);
		if (result == -1)
			return trial_fail(
			    trial, VERDICT_FAILED, RUNG_DETACH, why.text);
	}
	if (trial->target->target->kind != TARGET_IMAGE)
		return RUNG_DONE;
	return undo_forget(
	    trial->state->undo, UNDO_ATTACH, trial->target->path, err);
}
