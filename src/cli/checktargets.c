/* The targets of "check": room, and what the guard says. */
#include <unistd.h>

#include "base/units.h"
#include "cli/checkup.h"
#include "cli/targets.h"
#include "platform/filesystem.h"

static struct targets_case
case_of(const struct checkup *checkup)
{
	struct targets_case asked = {
		.plan = &checkup->prepared.plan,
		/* where "run" puts them unless told otherwise */
		.results_path = access("results", F_OK) == 0 ? "results" : NULL,
		.image_folder = access("results", F_OK) == 0 ? "results" : ".",
		.arena = checkup->args->arena,
	};
	const char **destroy;

	asked.destroy_count = cli_values(checkup->args, "destroy", &destroy);
	asked.destroy = destroy;
	return asked;
}

bool
checkup_names_more(const struct checkup *checkup, const struct cell *cell)
{
	struct targets_case asked = case_of(checkup);

	return targets_names_more(&asked, cell);
}

static void
say_target(
    void *context, const struct target *target, bool is_safe, const char *text)
{
	checkup_say(context, "target", target->title,
	    is_safe ? "safe" : "unsafe", text);
}

static void
check_devices(struct checkup *checkup, const struct target *target)
{
	struct targets_case asked = case_of(checkup);
	struct targets_report report = { say_target, checkup };

	checkup->unsafe_targets += targets_ask(&asked, target, &report);
}

static void
check_room(struct checkup *checkup, const struct target *target)
{
	struct arena *arena = checkup->args->arena;
	struct filesystem_room room;
	struct error err = { 0 };
	const char *text;

	if (target->kind == TARGET_IMAGE) {
		struct targets_case asked = case_of(checkup);

		if (targets_image_room(&asked, target, &text, &err) == -1) {
			checkup->problems++;
			checkup_say(checkup, "target", target->title, "no room",
			    err.text);
		} else
			checkup_say(
			    checkup, "target", target->title, "ok", text);
		return;
	}
	if (target->kind == TARGET_DIRECTORY ||
	    target->kind == TARGET_MOUNTPOINT) {
		struct targets_case asked = case_of(checkup);

		if ((!cli_has(checkup->args, "platform") &&
			targets_folder(&asked, target, &err) == -1) ||
		    platform_room(target->path, &room, &err) == -1) {
			checkup->problems++;
			checkup_say(checkup, "target", target->title, "missing",
			    err.text);
			return;
		}
		checkup_say(checkup, "target", target->title, "ok",
		    arena_printf(arena, "%s free on %s",
			units_format_size(arena, room.free_bytes),
			target->path));
		return;
	}
	checkup_say(checkup, "target", target->title, "ok",
	    units_format_size(arena, target->size_bytes));
}

void
checkup_targets(struct checkup *checkup)
{
	const struct plan *plan = &checkup->prepared.plan;

	for (size_t i = 0; i < plan->target_count; i++) {
		const struct target *target = &plan->targets[i];

		if (!cli_has(checkup->args, "platform") &&
		    !prepare_may_use(target, &checkup->isolation)) {
			checkup->problems++;
			checkup_say(checkup, "target", target->title,
			    "needs root", "'run' will refuse it");
			continue;
		}
		if (!cli_has(checkup->args, "platform"))
			check_devices(checkup, target);
		if (target->kind != TARGET_DEVICE)
			check_room(checkup, target);
	}
}
