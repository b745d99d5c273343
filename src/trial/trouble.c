/*
 * What the kernel, and the filesystem itself, say of a trial beside what the
 * commands say: figures that cannot be believed, and why something failed.
 */
#include <string.h>

#include "platform/mounts.h"
#include "trial/blame.h"
#include "trial/trial.h"

void
trial_judge_kernel(struct trial *trial)
{
	const struct outcome *outcome = trial->outcome;
	const char *device = trial_kernel_name(trial);

	for (size_t i = 0; i < outcome->step_count; i++) {
		const struct step *step = &outcome->steps[i];
		const char *any =
		    blame_kernel_trouble(step->kernel, device, trial->arena);
		const char *ours =
		    blame_device_trouble(step->kernel, device, trial->arena);

		/* before it was ours, it may have been somebody else's */
		if (step->rung == RUNG_ATTACH)
			continue;
		if (step->rung == RUNG_MEASURE || step->rung == RUNG_FLUSH)
			ours = any;
		if (ours != NULL)
			(void)trial_fail(trial, VERDICT_VOID, step->rung,
			    arena_printf(
				trial->arena, "the kernel said: %s", ours));
		else if (any != NULL)
			trial_remark(trial, arena_printf(trial->arena,
						"%s: the kernel said: %s",
						rung_name(step->rung), any));
	}
}

/* Linux's ext4 says emergency_ro since 6.14 and stays "rw"; before that, and
 * elsewhere, what went wrong is mounted read-only from then on. */
const char *
trial_gone_wrong(struct trial *trial)
{
	struct error ignored = { 0 };
	struct mount_list list = { 0 };
	const struct mount_entry *entry;

	if (!trial->is_mounted || !trial_has(trial, RUNG_MOUNT) ||
	    platform_mounts(trial->arena, &list, &ignored) == -1)
		return NULL;
	entry = mount_list_at(&list, trial->mountpoint);
	if (entry == NULL)
		return NULL;
	if (mount_options_have(entry->super_options, "shutdown"))
		return "the filesystem has shut itself down";
	if (mount_options_have(entry->super_options, "emergency_ro") ||
	    (entry->read_only && !mount_options_have(trial->cell->asked, "ro")))
		return "the filesystem has gone read-only";
	return NULL;
}

static void
add_reason(struct trial *trial, const char *before, const char *text)
{
	struct outcome *outcome = trial->outcome;

	if (text != NULL && strstr(outcome->reason, text) == NULL)
		outcome->reason = arena_printf(
		    trial->arena, "%s; %s%s", outcome->reason, before, text);
}

void
trial_explain(struct trial *trial)
{
	const struct outcome *outcome = trial->outcome;
	const char *kernel =
	    outcome->step_count > 0
		? outcome->steps[outcome->step_count - 1].kernel
		: "";

	/* before it is first mounted, mounting says so itself */
	if (outcome->failed_rung >= RUNG_POPULATE)
		add_reason(trial, "", trial_gone_wrong(trial));
	add_reason(trial, "the kernel says: ",
	    blame_kernel_trouble(
		kernel, trial_kernel_name(trial), trial->arena));
}
