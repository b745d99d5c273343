/* The kernel's log, and its name for a trial's device. */
#include <stdlib.h>
#include <string.h>

#include "platform/mounts.h"
#include "trial/trial.h"

enum { KERNEL_LIMIT = 8192 };

const char *
trial_kernel_said(struct trial *trial)
{
	return platform_kernel_log_since(
	    &trial->state->kernel_log, trial->arena, KERNEL_LIMIT);
}

/* The device that a folder's files are on; "" when it has none. */
static const char *
device_below(struct trial *trial)
{
	struct error ignored = { 0 };
	struct mount_list list = { 0 };
	const struct mount_entry *entry = NULL;

	if (platform_mounts(trial->arena, &list, &ignored) == 0)
		entry = mount_list_holding(&list, trial->target->path);
	return entry != NULL && entry->source[0] == '/' ? entry->source : "";
}

/* A name below /dev/mapper is a link. */
const char *
trial_kernel_name(struct trial *trial)
{
	bool is_folder = trial->target->target->kind == TARGET_DIRECTORY;
	const char *device = is_folder ? device_below(trial) : trial->device;
	char *real = realpath(device, NULL);
	const char *path = real != NULL ? real : device;
	const char *slash = strrchr(path, '/');
	const char *name =
	    arena_strdup(trial->arena, slash != NULL ? slash + 1 : path);

	free(real);
	return name;
}
