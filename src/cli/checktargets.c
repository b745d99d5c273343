/* The targets of "check": room, and what the guard says. */
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/checkup.h"
#include "fs/driver.h"
#include "platform/filesystem.h"
#include "platform/host.h"
#include "trial/guard_list.h"
#include "trial/words.h"

/* --- the guard ------------------------------------------------------------ */

/* The words that "run" would run, as far as they are known before. */
static void
take_commands(const struct checkup *checkup, const struct cell *cell,
    struct guard_case *asked)
{
	struct arena *arena = checkup->args->arena;
	const char *device = asked->device;
	const struct word_values values = {
		.device = device[0] != '\0' ? device : NULL,
		.raw = device[0] != '\0'
			   ? words_raw_name(
				 checkup->prepared.plan.system, device, arena)
			   : NULL,
		.from = asked->target->more_devices,
		.to = asked->more_devices,
		.replaced = asked->target->more_device_count,
	};
	const char *const **words =
	    arena_array(arena, cell->command_count + 1, sizeof *words);

	for (size_t i = 0; i < cell->command_count; i++) {
		enum rung rung = cell->commands[i].rung;

		asked->is_made |= rung == RUNG_MAKE;
		if (rung != RUNG_ATTACH && rung != RUNG_DETACH)
			words[asked->command_count++] = words_fill(
			    cell->commands[i].argv, &values, arena, NULL);
	}
	asked->commands = words;
}

/* By the names that "run" will use. */
static const char *const *
more_devices_of(const struct target *target, struct arena *arena)
{
	const char **names =
	    arena_array(arena, target->more_device_count + 1, sizeof *names);

	for (size_t i = 0; i < target->more_device_count; i++)
		names[i] = device_resolve(target->more_devices[i], arena);
	return names;
}

static int
list_devices(const struct checkup *checkup, const struct target *target,
    const struct cell *cell, struct guard_subjects *list, struct error *err)
{
	const struct cli_args *args = checkup->args;
	const struct driver *driver = fs_driver_find(cell->driver);
	const char **destroy;
	struct guard_case asked = {
		.target = target,
		.device = target->kind == TARGET_DEVICE
			      ? device_resolve(target->path, args->arena)
			      : "",
		.more_devices = more_devices_of(target, args->arena),
		.minimum_bytes = driver != NULL ? driver->minimum_bytes : 0,
		.destroy_count = cli_values(args, "destroy", &destroy),
		/* where "run" puts them unless told otherwise */
		.results_path = access("results", F_OK) == 0 ? "results" : NULL,
		.program_path = platform_program_path(args->arena),
	};

	asked.destroy = destroy;
	take_commands(checkup, cell, &asked);
	return guard_list(&asked, args->arena, list, err);
}

static const struct target *
target_of(const struct plan *plan, const struct cell *cell)
{
	for (size_t i = 0; i < plan->target_count; i++)
		if (strcmp(plan->targets[i].title, cell->target) == 0)
			return &plan->targets[i];
	return NULL;
}

bool
checkup_names_more(struct checkup *checkup, const struct cell *cell)
{
	const struct target *target = target_of(&checkup->prepared.plan, cell);
	struct guard_subjects list = { 0 };
	struct error ignored = { 0 };

	return target == NULL || target->more_device_count > 0 ||
	       list_devices(checkup, target, cell, &list, &ignored) == -1 ||
	       list.stray_count > 0;
}

/* What was asked and said of a target already: cells mostly write to the
 * same. */
struct said {
	const char **texts;
	size_t count;
	size_t capacity;
};

/* False when it is new, and is remembered. */
static bool
was_said(struct said *said, struct arena *arena, const char *text)
{
	for (size_t i = 0; i < said->count; i++)
		if (strcmp(said->texts[i], text) == 0)
			return true;
	if (said->count == said->capacity)
		said->texts = arena_grow(arena, said->texts, said->count,
		    &said->capacity, sizeof *said->texts);
	said->texts[said->count++] = text;
	return false;
}

static void
say_once(struct checkup *checkup, struct said *said,
    const struct target *target, const char *verdict, const char *text)
{
	if (was_said(said, checkup->args->arena, text))
		return;
	checkup_say(checkup, "target", target->title, verdict, text);
	checkup->unsafe_targets += strcmp(verdict, "unsafe") == 0;
}

static void
ask_device(struct checkup *checkup, const struct target *target,
    const struct guard_subject *subject, struct said *said)
{
	const struct guard_request *request = &subject->request;
	struct arena *arena = checkup->args->arena;
	struct guard_report report = { 0 };
	struct error err = { 0 };
	int fd = -1;

	if (was_said(said, arena,
		arena_printf(arena, "asked %s %lld %d", request->path,
		    (long long)request->need_bytes, request->is_one_of_many)))
		return;
	if (guard_ask(subject, arena, &report, &fd, &err) == -1) {
		say_once(checkup, said, target, "unsafe",
		    arena_strdup(arena, err.text));
		return;
	}
	if (fd != -1)
		(void)close(fd);
	if (report.is_safe)
		say_once(checkup, said, target, "safe", request->path);
	else
		say_once(checkup, said, target, "unsafe",
		    guard_report_text(&report, arena));
}

static void
check_devices(struct checkup *checkup, const struct target *target)
{
	const struct plan *plan = &checkup->prepared.plan;
	struct arena *arena = checkup->args->arena;
	struct said said = { 0 };

	for (size_t i = 0; i < plan->cell_count; i++) {
		const struct cell *cell = &plan->cells[i];
		struct guard_subjects list = { 0 };
		struct error err = { 0 };

		if (!cell_status_runs(cell->status) ||
		    strcmp(cell->target, target->title) != 0)
			continue;
		if (list_devices(checkup, target, cell, &list, &err) == -1)
			say_once(checkup, &said, target, "unsafe",
			    arena_strdup(arena, err.text));
		for (size_t k = 0; k < list.count; k++)
			ask_device(checkup, target, list.items[k], &said);
	}
}

/* --- room ------------------------------------------------------------------
 */

static void
check_room(struct checkup *checkup, const struct target *target)
{
	struct arena *arena = checkup->args->arena;
	struct filesystem_room room;
	struct error err = { 0 };
	char *text;

	if (target->kind == TARGET_IMAGE) {
		if (platform_room(checkup->scratch, &room, &err) == -1)
			return;
		text = arena_printf(arena, "%s of %s free beside the results",
		    units_format_size(arena, target->size_bytes),
		    units_format_size(arena, room.free_bytes));
		if (room.free_bytes < target->size_bytes) {
			checkup->problems++;
			checkup_say(checkup, "target", target->title,
			    "too small", text);
		} else
			checkup_say(
			    checkup, "target", target->title, "ok", text);
		return;
	}
	if (target->kind == TARGET_DIRECTORY ||
	    target->kind == TARGET_MOUNTPOINT) {
		if (platform_room(target->path, &room, &err) == -1) {
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
