#include "cli/targets.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "fs/driver.h"
#include "platform/filesystem.h"
#include "platform/host.h"
#include "platform/mounts.h"
#include "trial/guard_list.h"
#include "trial/target.h"
#include "trial/words.h"

/* The words that "run" would run, as far as they are known before. */
static void
take_commands(const struct targets_case *asking, const struct cell *cell,
    struct guard_case *asked)
{
	struct arena *arena = asking->arena;
	const char *device = asked->device;
	const struct word_values values = {
		.device = device[0] != '\0' ? device : NULL,
		.raw = device[0] != '\0'
			   ? words_raw_name(asking->plan->system, device, arena)
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
list_devices(const struct targets_case *asking, const struct target *target,
    const struct cell *cell, struct guard_subjects *list, struct error *err)
{
	const struct driver *driver = fs_driver_find(cell->driver);
	struct arena *arena = asking->arena;
	struct guard_case asked = {
		.target = target,
		.device = target->kind == TARGET_DEVICE
			      ? device_resolve(target->path, arena)
			      : "",
		.more_devices = more_devices_of(target, arena),
		.minimum_bytes = driver != NULL ? driver->minimum_bytes : 0,
		.destroy = asking->destroy,
		.destroy_count = asking->destroy_count,
		.results_path = asking->results_path,
		.program_path = platform_program_path(arena),
	};

	take_commands(asking, cell, &asked);
	return guard_list(&asked, arena, list, err);
}

bool
targets_names_more(const struct targets_case *asked, const struct cell *cell)
{
	const struct target *target = plan_target(asked->plan, cell->target);
	struct guard_subjects list = { 0 };
	struct error ignored = { 0 };

	return target == NULL || target->more_device_count > 0 ||
	       list_devices(asked, target, cell, &list, &ignored) == -1 ||
	       list.stray_count > 0;
}

/* One target being asked about.  What was asked and said already is not
 * again: cells mostly write to the same. */
struct asking {
	const struct targets_case *asked;
	const struct target *target;
	const struct targets_report *report;
	const char **texts;
	size_t text_count;
	size_t capacity;
	size_t unsafe;
};

/* False when it is new, and is remembered. */
static bool
was_said(struct asking *asking, const char *text)
{
	for (size_t i = 0; i < asking->text_count; i++)
		if (strcmp(asking->texts[i], text) == 0)
			return true;
	asking->texts = arena_grow(asking->asked->arena, asking->texts,
	    asking->text_count, &asking->capacity, sizeof *asking->texts);
	asking->texts[asking->text_count++] = text;
	return false;
}

static void
say_once(struct asking *asking, bool is_safe, const char *text)
{
	text = arena_strdup(asking->asked->arena, text);
	if (was_said(asking, text))
		return;
	asking->unsafe += !is_safe;
	asking->report->say(
	    asking->report->context, asking->target, is_safe, text);
}

static void
ask_device(struct asking *asking, const struct guard_subject *subject)
{
	const struct guard_request *request = &subject->request;
	struct arena *arena = asking->asked->arena;
	struct guard_report report = { 0 };
	struct error err = { 0 };
	int fd = -1;

	if (was_said(asking,
		arena_printf(arena, "asked %s %lld %d", request->path,
		    (long long)request->need_bytes, request->is_one_of_many)))
		return;
	if (guard_ask(subject, arena, &report, &fd, &err) == -1) {
		say_once(asking, false, err.text);
		return;
	}
	if (fd != -1)
		(void)close(fd);
	if (report.is_safe)
		say_once(asking, true, request->path);
	/* a disk in use breaks ten rules: a line each, or nobody reads them */
	for (size_t i = 0; i < report.count; i++)
		say_once(asking, false, report.refusals[i].text);
}

size_t
targets_ask(const struct targets_case *asked, const struct target *target,
    const struct targets_report *report)
{
	struct asking asking = {
		.asked = asked, .target = target, .report = report
	};

	for (size_t i = 0; i < asked->plan->cell_count; i++) {
		const struct cell *cell = &asked->plan->cells[i];
		struct guard_subjects list = { 0 };
		struct error err = { 0 };

		if (!cell_status_runs(cell->status) ||
		    strcmp(cell->target, target->title) != 0)
			continue;
		if (list_devices(asked, target, cell, &list, &err) == -1)
			say_once(&asking, false, err.text);
		for (size_t k = 0; k < list.count; k++)
			ask_device(&asking, list.items[k]);
	}
	return asking.unsafe;
}

/* --- images ----------------------------------------------------------------
 */

/* Where the target's image will be: beside the results unless it is named. */
static const char *
image_folder(const struct targets_case *asked, const struct target *target)
{
	if (target->image_is_auto || target->path == NULL)
		return asked->image_folder;
	return dirname(arena_strdup(asked->arena, target->path));
}

static bool
has_cells(const struct plan *plan, const struct target *target)
{
	for (size_t i = 0; i < plan->cell_count; i++)
		if (cell_status_runs(plan->cells[i].status) &&
		    strcmp(plan->cells[i].target, target->title) == 0)
			return true;
	return false;
}

/* All images stay to the night's end: those on one filesystem add up. */
static int64_t
bytes_on(const struct targets_case *asked, dev_t device)
{
	const struct plan *plan = asked->plan;
	int64_t bytes = 0;

	for (size_t i = 0; i < plan->target_count; i++) {
		const struct target *target = &plan->targets[i];
		struct stat status;

		if (target->kind == TARGET_IMAGE && has_cells(plan, target) &&
		    stat(image_folder(asked, target), &status) == 0 &&
		    status.st_dev == device)
			bytes += target->size_bytes;
	}
	return bytes;
}

int
targets_image_room(const struct targets_case *asked,
    const struct target *target, const char **text, struct error *err)
{
	const char *folder = image_folder(asked, target);
	struct filesystem_room room;
	struct stat status;
	int64_t bytes;

	if (!target->image_is_auto && target->path != NULL &&
	    access(target->path, F_OK) == 0)
		return error_set_kind(err, ERROR_HOST,
		    "the image '%s' exists already; the program makes and removes it itself, so name a new one or remove it",
		    target->path);
	if (stat(folder, &status) == -1 || access(folder, W_OK) == -1) {
		(void)error_errno(err, "no image can be made in '%s'", folder);
		err->kind = ERROR_HOST;
		return -1;
	}
	if (platform_room(folder, &room, err) == -1)
		return -1;
	bytes = bytes_on(asked, status.st_dev);
	if (bytes < target->size_bytes)
		bytes = target->size_bytes;
	if (room.free_bytes < bytes)
		return error_set_kind(err, ERROR_HOST,
		    "%s of images do not fit in '%s', where %s are free; make room, make them smaller (size), or have the results on another disk (-o FILE)",
		    units_format_size(asked->arena, bytes), folder,
		    units_format_size(asked->arena, room.free_bytes));
	*text = arena_printf(asked->arena, "%s of %s free in '%s'",
	    units_format_size(asked->arena, target->size_bytes),
	    units_format_size(asked->arena, room.free_bytes), folder);
	return 0;
}

/* --- folders ---------------------------------------------------------------
 */

static int
is_mount_point(const char *path, struct arena *arena, struct error *err)
{
	struct mount_list list = { 0 };
	char *real = realpath(path, NULL);
	bool is_one;

	if (platform_mounts(arena, &list, err) == -1) {
		free(real);
		return -1;
	}
	is_one = mount_list_at(&list, real != NULL ? real : path) != NULL;
	free(real);
	return is_one;
}

/* The error of a folder that cannot be used, or 0. */
static int
folder_fault(const struct target *target)
{
	struct stat status;

	if (stat(target->path, &status) == -1)
		return errno;
	if (!S_ISDIR(status.st_mode))
		return ENOTDIR;
	if (target->kind == TARGET_DIRECTORY &&
	    access(target->path, W_OK | X_OK) == -1)
		return errno;
	return 0;
}

int
targets_folder(const struct targets_case *asked, const struct target *target,
    struct error *err)
{
	int fault;
	int is_one;

	if (target->kind != TARGET_DIRECTORY &&
	    target->kind != TARGET_MOUNTPOINT)
		return 0;
	fault = folder_fault(target);
	if (fault != 0)
		return error_set_kind(
		    err, ERROR_HOST, "'%s': %s", target->path, strerror(fault));
	if (target->kind == TARGET_DIRECTORY)
		return 0;
	is_one = is_mount_point(target->path, asked->arena, err);
	if (is_one == 0)
		return error_set_kind(
		    err, ERROR_HOST, "'%s' is not a mount point", target->path);
	return is_one == 1 ? 0 : -1;
}

/* --- before a run ----------------------------------------------------------
 */

static void
complain(
    void *context, const struct target *target, bool is_safe, const char *text)
{
	(void)context;
	if (!is_safe)
		(void)fprintf(stderr, "mountmatrix: target '%s': %s\n",
		    target->title, text);
}

/* A device that another run works on is in use in many ways: one is told. */
static int
ask_lock(const struct targets_case *asked, const struct target *target,
    struct error *err)
{
	if (target->kind != TARGET_DEVICE)
		return 0;
	for (size_t i = 0; i <= target->more_device_count; i++) {
		const char *path =
		    i == 0 ? target->path : target->more_devices[i - 1];
		int fd = target_lock(device_resolve(path, asked->arena),
		    target->title, NULL, asked->arena, err);

		if (fd == -1)
			return -1;
		(void)close(fd);
	}
	return 0;
}

int
targets_refuse(const struct targets_case *asked, struct error *err)
{
	static const struct targets_report report = { complain, NULL };
	const char *ignored;
	size_t unsafe = 0;

	for (size_t i = 0; i < asked->plan->target_count; i++) {
		const struct target *target = &asked->plan->targets[i];

		if (target->kind == TARGET_IMAGE &&
		    has_cells(asked->plan, target) &&
		    targets_image_room(asked, target, &ignored, err) == -1)
			return error_wrap(err, "target '%s'", target->title);
		if (has_cells(asked->plan, target) &&
		    targets_folder(asked, target, err) == -1)
			return error_wrap(err, "target '%s'", target->title);
		if (ask_lock(asked, target, err) == -1)
			return -1;
		unsafe += targets_ask(asked, target, &report);
	}
	if (unsafe == 0)
		return 0;
	return error_set_kind(
	    err, ERROR_HOST, "the guard refused a target: nothing was run");
}
