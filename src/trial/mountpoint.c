#include "trial/mountpoint.h"

#include <string.h>

#include "base/argv.h"
#include "platform/mounts.h"
#include "system/system.h"
#include "trial/cell_state.h"
#include "trial/inplace.h"
#include "trial/trial.h"
#include "trial/unmount.h"

static const int64_t UPDATE_NS = 60 * INT64_C(1000000000);

/* Another mount of the same filesystem keeps it alive when this one is
 * unmounted, and mounting anew would change nothing. */
static int
refuse_others(const struct mount_list *list, const struct mount_entry *ours,
    struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct mount_entry *entry = &list->items[i];

		if (entry->device == ours->device &&
		    strcmp(entry->mountpoint, ours->mountpoint) != 0)
			return error_set_kind(err, ERROR_HOST,
			    "'%s' is mounted at '%s' too: unmount that first, since a filesystem mounted twice keeps its options",
			    ours->source, entry->mountpoint);
	}
	return 0;
}

/* The same in other mount namespaces.  Most are told of an unmount and follow
 * it (services of systemd), so this is looked at afterwards. */
static int
find_elsewhere(struct trial *trial, struct error *err)
{
	struct mount_list all = { 0 };

	if (platform_mounts_all_namespaces(trial->arena, &all, err) == -1)
		return -1;
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].device == trial->target->device)
			return trial_fail(trial, VERDICT_FAILED, RUNG_MOUNT,
			    arena_printf(trial->arena,
				"'%s' is still mounted at '%s' in another mount namespace (%llu), and would keep its options",
				trial->target->source, all.items[i].mountpoint,
				(unsigned long long)all.items[i].name_space));
	return RUNG_DONE;
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

/* What takes back every option that a cell of this target turns on; needed
 * only where an update leaves what it does not name. */
static const char *
off_forms(struct night_state *state, const struct target_state *target,
    const struct system *system)
{
	const struct plan *plan = state->night->plan;
	const char *forms = "";

	for (size_t i = 0; i < plan->cell_count && system->update_adds; i++) {
		struct cell *cell = &plan->cells[i];
		const struct driver *driver = fs_driver_find(cell->driver);

		if (driver == NULL ||
		    strcmp(cell->target, target->target->title) != 0)
			continue;
		cell_bind_rows(state, cell);
		for (size_t j = 0; j < cell->on_count; j++) {
			const struct option *row = cell->on[j];

			forms = inplace_add_off_forms(
			    forms, driver, row, system->name, state->arena);
		}
	}
	return forms;
}

static const struct system *
system_of(const struct plan *plan)
{
	struct error ignored = { 0 };
	const struct system *system;
	const char *version;

	return system_find(plan->system, &system, &version, &ignored) == 0
		   ? system
		   : NULL;
}

/* The words of the system's update command for this list. */
static struct argv
update_words(const struct system *system, const char *list,
    const char *mountpoint, struct arena *arena)
{
	const struct argv_substitution pairs[] = { { 'o', list },
		{ 'm', mountpoint } };
	struct error ignored = { 0 };
	struct argv in, out;

	argv_init(&in, arena);
	argv_init(&out, arena);
	(void)argv_split(&in, system->update, &ignored);
	argv_substitute(&out, &in, pairs, 2);
	return out;
}

/* The line that puts the options back without unmounting; "" for none. */
static const char *
restore_line(struct night_state *state, struct target_state *target)
{
	const struct system *system = system_of(state->night->plan);
	struct argv words;

	target->restated = target->original;
	if (system == NULL || system->update == NULL)
		return "";
	target->restated =
	    inplace_restore(target->original, off_forms(state, target, system),
		system->plain_atime, state->arena);
	words =
	    update_words(system, target->restated, target->path, state->arena);
	return argv_quote(&words);
}

/* "mount -t ufs -o noatime %d %m" with one more option. */
static const char *const *
with_option(const char *const *argv, const char *option, struct arena *arena)
{
	struct argv words;
	bool is_said = false;

	argv_init(&words, arena);
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (i > 0 && !is_said && strcmp(argv[i - 1], "-o") == 0) {
			argv_pushf(&words, "%s,%s", argv[i], option);
			is_said = true;
			continue;
		}
		argv_push(&words, argv[i]);
	}
	if (is_said)
		return words.items;
	argv_init(&words, arena);
	argv_push(&words, argv[0]);
	argv_push(&words, "-o");
	argv_push(&words, option);
	argv_extend(&words, argv + 1);
	return words.items;
}

static void
add_option(struct cell *cell, const char *option, struct arena *arena)
{
	cell->asked = arena_printf(arena, "%s%s%s", cell->asked,
	    cell->asked[0] != '\0' ? "," : "", option);
	for (size_t i = 0; i < cell->command_count; i++)
		if (cell->commands[i].rung == RUNG_MOUNT)
			cell->commands[i].argv =
			    with_option(cell->commands[i].argv, option, arena);
}

/* What was mounted read-only stays so in every cell, since nothing is to be
 * written, and what guards the host from its programs stays too. */
static void
keep_guards(struct night_state *state, const struct target_state *target)
{
	static const char *const guards[] = { "ro", "nosuid", "nodev",
		"noexec" };
	const struct plan *plan = state->night->plan;

	for (size_t i = 0; i < plan->cell_count; i++) {
		struct cell *cell = &plan->cells[i];

		if (strcmp(cell->target, target->target->title) != 0)
			continue;
		for (size_t k = 0; k < sizeof guards / sizeof guards[0]; k++)
			if (mount_options_have(target->original, guards[k]) &&
			    !mount_options_have(cell->asked, guards[k]))
				add_option(cell, guards[k], state->arena);
	}
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
	if (refuse_others(&list, entry, err) == -1 ||
	    refuse_covered(&list, entry, err) == -1)
		return error_wrap(err, "target '%s'", target->target->title);
	target->source = entry->source;
	target->type = entry->type;
	target->device = entry->device;
	target->original = mount_options_in_force(state->arena, entry);
	keep_guards(state, target);
	return undo_push(state->undo, UNDO_REMOUNT, target->path,
	    arena_printf(state->arena, "%s\n%s\n%s\n%s", target->source,
		target->type, target->original, restore_line(state, target)),
	    err);
}

static const char *
obstacle(struct trial *trial)
{
	cell_bind_rows(trial->state, trial->cell);
	return inplace_obstacle(trial->cell, trial->target->original,
	    system_of(trial->state->night->plan), trial->arena);
}

/* For a cell of options that can be changed so. */
static int
update_in_place(struct trial *trial, struct error *err)
{
	const struct system *system = system_of(trial->state->night->plan);
	struct proc_job job = { .timeout_ns = UPDATE_NS };
	struct proc_result result;
	struct argv words;
	const char *line;
	const char *why = obstacle(trial);

	if (why != NULL)
		return trial_fail(trial, VERDICT_FAILED, RUNG_MOUNT,
		    arena_printf(trial->arena, "%s; not changed in place: %s",
			trial->target->busy_by, why));
	if (system == NULL)
		return error_set(err, "there is no system '%s'",
		    trial->state->night->plan->system);
	words = update_words(system,
	    inplace_restate(trial->target->restated, trial->cell->asked,
		system->plain_atime, trial->arena),
	    trial->target->path, trial->arena);
	line = argv_quote(&words);
	job.argv = words.items;
	if (trial_run(trial, RUNG_MOUNT, &job, line, &result, err) == -1)
		return -1;
	if (!proc_succeeded(&result))
		return trial_blame(trial, RUNG_MOUNT, line, &result);
	trial->is_in_place = true;
	trial->is_mounted = true;
	trial_remark(
	    trial, "warm: it is in use, so its options were changed in place");
	return RUNG_DONE;
}

/* In use by something that will not go away: not asked again, so that all
 * cells that can be measured are measured in the same way. */
static int
give_up_unmounting(struct trial *trial, struct error *err)
{
	struct night_state *state = trial->state;
	const char *reason = trial->outcome->reason;
	const char *own = arena_printf(
	    trial->arena, "%s: ", rung_name(trial->outcome->failed_rung));

	if (strncmp(reason, own, strlen(own)) == 0)
		reason += strlen(own);
	trial->target->is_busy = true;
	trial->target->busy_by = arena_strdup(state->arena, reason);
	night_say(state,
	    arena_printf(trial->arena,
		"'%s': %s; options are changed in place where that is possible",
		trial->target->path, trial->target->busy_by));
	trial->outcome->verdict = VERDICT_ABORTED;
	trial->outcome->reason = "";
	return update_in_place(trial, err);
}

int
mountpoint_vacate(struct trial *trial, struct error *err)
{
	const char *found =
	    unmount_source_at(trial->arena, trial->target->path);
	int result;

	if (found == NULL)
		return find_elsewhere(trial, err);
	if (strcmp(found, trial->target->source) != 0)
		return trial_fail(trial, VERDICT_FAILED, RUNG_MOUNT,
		    arena_printf(trial->arena,
			"'%s' has '%s' mounted now, not '%s'",
			trial->target->path, found, trial->target->source));
	if (trial->target->is_busy)
		return update_in_place(trial, err);
	result = unmount_cell(trial, RUNG_MOUNT, NULL, err);
	trial->target->was_vacated |= result == RUNG_DONE;
	if (result == RUNG_DONE)
		return find_elsewhere(trial, err);
	if (result != RUNG_FAILED || trial->target->was_vacated ||
	    trial->outcome->verdict != VERDICT_FAILED)
		return result;
	return give_up_unmounting(trial, err);
}
