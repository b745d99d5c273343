#include "trial/guard_list.h"

#include <string.h>

#include "base/clock.h"
#include "trial/strays.h"

static const int64_t PATIENCE_NS = 3 * INT64_C(1000000000);
enum { RETRY_MS = 100 };

/* A device is written to also where nothing is made on it: by a workload, by
 * the mount alone. */
static bool
is_written(const struct guard_case *asked)
{
	return asked->target->kind == TARGET_DEVICE ||
	       (asked->is_made && asked->target->kind == TARGET_IMAGE);
}

static void
add(const struct guard_case *asked, const char *path, bool is_stray,
    struct arena *arena, struct guard_subjects *list)
{
	struct guard_subject *subject = arena_alloc(arena, sizeof *subject);
	bool is_first = !is_stray && path == asked->device;

	*subject = (struct guard_subject){
		.target = *asked->target,
		.is_stray = is_stray,
		.request = {
			.path = path,
			.destroy = asked->destroy,
			.destroy_count = asked->destroy_count,
			.label = GUARD_LABEL,
			.results_path = asked->results_path,
			.program_path = asked->program_path,
			.is_own_image =
			    is_first && asked->target->kind == TARGET_IMAGE,
			.is_stray = is_stray,
			.need_bytes = is_first ? asked->minimum_bytes : 0,
		},
	};
	subject->request.target = &subject->target;
	if (!is_first) {
		subject->target.size_bytes = 0;
		subject->target.serial = NULL;
	}
	list->items[list->count++] = subject;
	list->stray_count += is_stray;
}

/* The target's own devices are no strays. */
static int
describe_known(const struct guard_case *asked, struct arena *arena,
    struct device_info *known, size_t *count, struct error *err)
{
	const struct target *target = asked->target;

	*count = 0;
	if (asked->device[0] != '\0' &&
	    platform_device_describe(
		asked->device, arena, &known[(*count)++], err) == -1)
		return -1;
	for (size_t i = 0; i < target->more_device_count; i++)
		if (platform_device_describe(asked->more_devices[i], arena,
			&known[(*count)++], err) == -1)
			return -1;
	return 0;
}

static int
find_strays(const struct guard_case *asked, struct arena *arena,
    struct stray_list *strays, struct error *err)
{
	struct device_info *known = arena_array(
	    arena, asked->target->more_device_count + 1, sizeof *known);
	size_t count;

	if (describe_known(asked, arena, known, &count, err) == -1)
		return -1;
	for (size_t i = 0; i < asked->command_count; i++)
		if (strays_find(asked->commands[i], known, count, arena, strays,
			err) == -1)
			return -1;
	return 0;
}

int
guard_list(const struct guard_case *asked, struct arena *arena,
    struct guard_subjects *list, struct error *err)
{
	const struct target *target = asked->target;
	struct stray_list strays = { 0 };

	*list = (struct guard_subjects){ 0 };
	/* an existing filesystem is mounted from what it is on */
	if (target->kind == TARGET_MOUNTPOINT)
		return 0;
	if (find_strays(asked, arena, &strays, err) == -1)
		return error_wrap(err, "guard");
	list->items = arena_array(arena,
	    strays.count + target->more_device_count + 1, sizeof *list->items);
	for (size_t i = 0; i < strays.count; i++)
		add(asked, strays.paths[i], true, arena, list);
	if (is_written(asked) && asked->device[0] != '\0')
		add(asked, asked->device, false, arena, list);
	for (size_t i = 0; is_written(asked) && i < target->more_device_count;
	     i++)
		add(asked, asked->more_devices[i], false, arena, list);
	for (size_t i = 0; i < list->count; i++)
		list->items[i]->request.is_one_of_many = list->count > 1;
	return 0;
}

static bool
is_only_open(const struct guard_report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (strcmp(report->refusals[i].rule, "open") != 0)
			return false;
	return report->count > 0;
}

int
guard_ask(const struct guard_subject *subject, struct arena *arena,
    struct guard_report *report, int *fd, struct error *err)
{
	int64_t until = clock_now_ns() + PATIENCE_NS;

	for (;;) {
		if (guard_check(
			&subject->request, false, arena, report, fd, err) == -1)
			return error_wrap(err, "guard");
		if (!is_only_open(report) || clock_now_ns() >= until)
			return 0;
		clock_sleep_ms(RETRY_MS);
	}
}
