#include "trial/mountpoint.h"

#include <string.h>

#include "platform/mounts.h"
#include "trial/trial.h"
#include "trial/unmount.h"

/* Another mount of the same filesystem keeps it alive when this one is
 * unmounted, and mounting anew would change nothing. */
static int
refuse_others(struct night_state *state, const struct mount_entry *ours,
    struct error *err)
{
	struct mount_list all = { 0 };

	if (platform_mounts_all_namespaces(state->arena, &all, err) == -1)
		return -1;
	for (size_t i = 0; i < all.count; i++) {
		const struct mount_entry *entry = &all.items[i];
		bool is_same_place =
		    entry->name_space == ours->name_space &&
		    strcmp(entry->mountpoint, ours->mountpoint) == 0;

		if (entry->device != ours->device || is_same_place)
			continue;
		return error_set_kind(err, ERROR_HOST,
		    "'%s' is mounted at '%s' too%s: unmount that first, since a filesystem mounted twice keeps its options",
		    ours->source, entry->mountpoint,
		    entry->name_space != ours->name_space
			? " (in another mount namespace)"
			: "");
	}
	return 0;
}

static int
refuse_covered(const struct mount_list *list, const struct mount_entry *ours,
    struct error *err)
{
	size_t length = strlen(ours->mountpoint);

	for (size_t i = 0; i < list->count; i++) {
		const char *other = list->items[i].mountpoint;

		if (strncmp(other, ours->mountpoint, length) == 0 &&
		    other[length] == '/')
			return error_set_kind(err, ERROR_HOST,
			    "'%s' has '%s' mounted in it: unmount that first",
			    ours->mountpoint, other);
	}
	return 0;
}

int
mountpoint_prepare(
    struct night_state *state, struct target_state *target, struct error *err)
{
	struct mount_list list = { 0 };
	const struct mount_entry *entry;

	if (!target->target->remount)
		return error_set_kind(err, ERROR_HOST,
		    "target '%s': say 'remount = true' to have '%s' unmounted and mounted anew",
		    target->target->title, target->path);
	if (platform_mounts(state->arena, &list, err) == -1)
		return -1;
	entry = mount_list_at(&list, target->path);
	if (entry == NULL)
		return error_set_kind(err, ERROR_HOST,
		    "target '%s': '%s' is not a mount point",
		    target->target->title, target->path);
	if (refuse_others(state, entry, err) == -1 ||
	    refuse_covered(&list, entry, err) == -1)
		return error_wrap(err, "target '%s'", target->target->title);
	target->source = entry->source;
	target->type = entry->type;
	target->original = mount_options_in_force(state->arena, entry);
	return undo_push(state->undo, UNDO_REMOUNT, target->path,
	    arena_printf(state->arena, "%s\n%s\n%s", target->source,
		target->type, target->original),
	    err);
}

int
mountpoint_vacate(struct trial *trial, struct error *err)
{
	const char *found =
	    unmount_source_at(trial->arena, trial->target->path);

	if (found == NULL)
		return RUNG_DONE;
	if (strcmp(found, trial->target->source) != 0)
		return trial_fail(trial, VERDICT_FAILED, RUNG_MOUNT,
		    arena_printf(trial->arena,
			"'%s' has '%s' mounted now, not '%s'",
			trial->target->path, found, trial->target->source));
	return unmount_cell(trial, RUNG_MOUNT, NULL, err);
}
