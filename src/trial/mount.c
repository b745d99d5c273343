/* Rungs mount, prop and cool. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "platform/cache.h"
#include "platform/mounts.h"
#include "trial/blame.h"
#include "trial/mountpoint.h"
#include "trial/trial.h"

int
trial_make_folder(struct trial *trial, enum rung rung, const char *path)
{
	if (mkdir(path, 0755) == 0 || errno == EEXIST)
		return RUNG_DONE;
	return trial_fail(trial,
	    errno == ENOSPC ? VERDICT_NO_SPACE : VERDICT_FAILED, rung,
	    arena_printf(trial->arena, "cannot make the folder '%s': %s", path,
		strerror(errno)));
}

/* With what the command said beside its exit 0. */
static const char *
nothing_mounted(const struct trial *trial)
{
	const struct outcome *outcome = trial->outcome;
	const char *said =
	    outcome->step_count > 0
		? blame_first_line(
		      outcome->steps[outcome->step_count - 1].errors,
		      trial->arena)
		: "";

	return arena_printf(trial->arena,
	    "the mount command says it is done, but nothing is mounted%s%s",
	    said[0] != '\0' ? ": " : "", said);
}

/* Exit 0 proves nothing: fuse2fs says so with nothing mounted, and a
 * write-protected device is mounted read-only. */
static int
look_at_mount(struct trial *trial, enum rung rung, struct error *err)
{
	struct mount_list list = { 0 };
	const struct mount_entry *entry;

	if (platform_mounts(trial->arena, &list, err) == -1)
		return -1;
	entry = mount_list_at(&list, trial->mountpoint);
	if (entry == NULL) {
		trial->is_mounted = false;
		return trial_fail(
		    trial, VERDICT_FAILED, rung, nothing_mounted(trial));
	}
	if (entry->read_only && !mount_options_have(trial->cell->asked, "ro"))
		return trial_fail(trial, VERDICT_FAILED, rung,
		    "mounted read-only, though read-only was not asked for (is the source write-protected?)");
	return RUNG_DONE;
}

int
mount_cell(struct trial *trial, enum rung rung, struct error *err)
{
	int result;

	if (!trial_has(trial, RUNG_MOUNT)) {
		trial->is_mounted = true;
		return RUNG_DONE;
	}
	if (trial->target->target->kind == TARGET_MOUNTPOINT) {
		/* the target's own record puts the original back */
	} else if (undo_push(trial->state->undo, UNDO_MOUNT, trial->mountpoint,
		       "", err) == -1)
		return -1;
	result = trial_commands(trial, RUNG_MOUNT, err);
	if (result != RUNG_DONE)
		return result;
	trial->is_mounted = true;
	return look_at_mount(trial, rung, err);
}

int
rung_mount(struct trial *trial, struct error *err)
{
	int result;

	if (trial->target->target->kind == TARGET_MOUNTPOINT) {
		result = mountpoint_vacate(trial, err);
		if (result != RUNG_DONE)
			return result;
	}
	result =
	    trial->is_in_place ? RUNG_DONE : mount_cell(trial, RUNG_MOUNT, err);
	if (result == RUNG_DONE)
		trial->state->mounted_once[trial->cell->index] = true;
	return result;
}

int
rung_prop(struct trial *trial, struct error *err)
{
	return trial_commands(trial, RUNG_PROP, err);
}

/* For a populated tree only: what was just made and mounted is cold. */
int
rung_cool(struct trial *trial, struct error *err)
{
	struct error why = { 0 };
	int result;

	if (trial->tree == NULL || trial->spec == NULL ||
	    trial->spec->cache == CACHE_WARM)
		return RUNG_DONE;
	if (trial->driver->is_volatile || !trial_has(trial, RUNG_MOUNT)) {
		trial_remark(trial, "warm: this target cannot be cooled");
		return RUNG_DONE;
	}
	result = unmount_cell(trial, RUNG_COOL, NULL, err);
	if (result != RUNG_DONE)
		return result;
	if (trial->target->target->kind == TARGET_IMAGE && !trial->is_direct)
		(void)platform_cache_drop_file(trial->target->path, &why);
	result = mount_cell(trial, RUNG_COOL, err);
	trial->is_cooled = result == RUNG_DONE;
	return result;
}
