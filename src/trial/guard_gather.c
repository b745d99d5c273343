/* The looking: facts out of platform/, each time anew. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/device.h"
#include "trial/guard.h"

static const char *
describe_other(const struct device_info *named)
{
	switch (named->kind) {
	case DEVICE_DISK:
		return ", another device";
	case DEVICE_IMAGE:
		return ", another file";
	case DEVICE_ABSENT:
	case DEVICE_DIRECTORY:
	case DEVICE_OTHER:
		break;
	}
	return ", which is no disk";
}

/* What is written to as a disk is; a file only by the words of a maker. */
static bool
may_be_made_over(
    const struct guard_request *request, const struct device_info *info)
{
	return info->kind == DEVICE_DISK ||
	       (info->kind == DEVICE_IMAGE && request->is_stray);
}

/* Is one of the names after --destroy the same device, by number? */
static int
look_for_name(const struct guard_request *request, struct arena *arena,
    struct guard_facts *facts, struct error *err)
{
	for (size_t i = 0; i < request->destroy_count; i++) {
		struct device_info named = { 0 };

		if (platform_device_describe(
			request->destroy[i], arena, &named, err) == -1)
			return -1;
		if (device_is_same(&named, &facts->info))
			facts->is_named = true;
		else
			facts->destroy_note =
			    arena_printf(arena, "--destroy names '%s'%s",
				request->destroy[i], describe_other(&named));
	}
	return 0;
}

static int
is_on(const char *path, const struct device_info *info, struct arena *arena)
{
	struct error ignored = { 0 };

	return path != NULL ? platform_path_is_on(path, info, arena, &ignored)
			    : 0;
}

/* The folder of a results file that is still to be made. */
static const char *
existing(const char *path, struct arena *arena)
{
	const char *slash;

	if (path == NULL || access(path, F_OK) == 0)
		return path;
	slash = strrchr(path, '/');
	if (slash == NULL)
		return ".";
	return slash == path
		   ? "/"
		   : arena_strndup(arena, path, (size_t)(slash - path));
}

/* Whoever holds the device exclusively has just proved that nobody else
 * does; what was found open is the guard's own descriptor. */
static void
drop_own_hold(struct device_uses *uses)
{
	size_t kept = 0;

	for (size_t i = 0; i < uses->count; i++)
		if (uses->items[i].kind != USE_OPEN)
			uses->items[kept++] = uses->items[i];
	uses->count = kept;
}

int
guard_gather(const struct guard_request *request, int fd, struct arena *arena,
    struct guard_facts *facts, struct error *err)
{
	struct error why = { 0 };

	*facts = (struct guard_facts){ .destroy_note = "" };
	if (platform_device_describe(request->path, arena, &facts->info, err) ==
	    -1)
		return -1;
	if (!may_be_made_over(request, &facts->info))
		return 0;
	if (look_for_name(request, arena, facts, err) == -1 ||
	    platform_device_uses(&facts->info, arena, &facts->uses, err) == -1)
		return -1;
	if (fd != -1)
		drop_own_hold(&facts->uses);
	facts->signatures_known =
	    request->is_own_image || platform_signatures(&facts->info, fd,
					 arena, &facts->signatures, &why) == 0;
	facts->signatures_error = arena_strdup(arena, why.text);
	facts->holds_results =
	    is_on(existing(request->results_path, arena), &facts->info, arena);
	facts->holds_program =
	    is_on(request->program_path, &facts->info, arena);
	facts->holds_folder = is_on(".", &facts->info, arena);
	return 0;
}

/* A link, or a node of udev's, may change between the open and the look. */
static bool
is_another(int fd, const struct device_info *info)
{
	struct stat held, seen;

	if (info->kind != DEVICE_DISK && info->kind != DEVICE_IMAGE)
		return false;
	if (fstat(fd, &held) == -1 || stat(info->path, &seen) == -1)
		return true;
	return info->kind == DEVICE_DISK
		   ? held.st_rdev != seen.st_rdev
		   : held.st_dev != seen.st_dev || held.st_ino != seen.st_ino;
}

int
guard_check(const struct guard_request *request, bool erase,
    struct arena *arena, struct guard_report *report, int *fd,
    struct error *err)
{
	struct error why = { 0 };
	struct guard_facts facts;
	int held = platform_open_exclusive(request->path, &why);

	*fd = -1;
	if (guard_gather(request, held, arena, &facts, err) == -1) {
		if (held != -1)
			(void)close(held);
		return -1;
	}
	facts.is_replaced = held != -1 && is_another(held, &facts.info);
	facts.is_open_elsewhere = held == -1;
	facts.open_error = arena_strdup(arena, why.text);
	guard_judge(&facts, request, arena, report);
	if (report->is_safe && erase &&
	    platform_erase_signatures(held, err) == -1) {
		(void)close(held);
		return -1;
	}
	if (report->is_safe && held > 0)
		*fd = held;
	else if (held != -1)
		(void)close(held);
	return 0;
}
