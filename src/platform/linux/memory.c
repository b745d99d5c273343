#include "platform/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "platform/mounts.h"
#include "platform/text.h"

enum { REMOVE_TRIES = 200, REMOVE_POLL_MS = 10 };

static bool
is_unified_with_memory(struct arena *arena, const struct mount_entry *entry)
{
	char *line;
	char *word;

	if (strcmp(entry->type, "cgroup2") != 0)
		return false;
	line =
	    text_first_line(arena, "%s/cgroup.controllers", entry->mountpoint);
	while ((word = text_next_word(&line)) != NULL)
		if (strcmp(word, "memory") == 0)
			return true;
	return false;
}

/* The hierarchy that owns memory; v1 and v2 may both be mounted. */
static const char *
find_hierarchy(struct arena *arena, bool *is_unified, struct error *err)
{
	struct mount_list list;

	if (platform_mounts(arena, &list, err) == -1)
		return NULL;
	for (size_t i = 0; i < list.count; i++) {
		const struct mount_entry *entry = &list.items[i];

		*is_unified = is_unified_with_memory(arena, entry);
		if (*is_unified ||
		    (strcmp(entry->type, "cgroup") == 0 &&
			mount_options_have(entry->super_options, "memory")))
			return entry->mountpoint;
	}
	(void)error_set_kind(err, ERROR_HOST,
	    "no control group hierarchy that owns memory is mounted");
	return NULL;
}

/* In v2 a folder's parent must hand the controller down. */
static void
enable_controller(struct arena *arena, const char *hierarchy)
{
	struct error ignored = { 0 };

	(void)text_write(
	    arena_printf(arena, "%s/cgroup.subtree_control", hierarchy),
	    "+memory", &ignored);
}

static int
set_limit(
    struct arena *arena, const struct memory_limit *limit, struct error *err)
{
	struct error ignored = { 0 };
	const char *file =
	    limit->is_unified ? "memory.max" : "memory.limit_in_bytes";
	const char *value =
	    arena_printf(arena, "%lld", (long long)limit->bytes);

	if (text_write(arena_printf(arena, "%s/%s", limit->path, file), value,
		err) == -1)
		return -1;
	if (!limit->is_unified)
		return 0;
	/* swapping out would only hide that the memory is full */
	(void)text_write(arena_printf(arena, "%s/memory.swap.max", limit->path),
	    "0", &ignored);
	/* all of it at once: what goes on without one of its processes does
	 * less work; a kernel before 4.19 has no such file */
	(void)text_write(
	    arena_printf(arena, "%s/memory.oom.group", limit->path), "1",
	    &ignored);
	return 0;
}

int
platform_memory_limit_create(const char *name, int64_t bytes,
    struct arena *arena, struct memory_limit *limit, struct error *err)
{
	const char *hierarchy;

	*limit = (struct memory_limit){ .bytes = bytes };
	hierarchy = find_hierarchy(arena, &limit->is_unified, err);
	if (hierarchy == NULL)
		return PLATFORM_ABSENT;
	limit->path = arena_printf(arena, "%s/mountmatrix-%s", hierarchy, name);
	if (limit->is_unified)
		enable_controller(arena, hierarchy);
	if (mkdir(limit->path, 0755) == -1 && errno != EEXIST) {
		(void)error_errno(
		    err, "cannot make the control group '%s'", limit->path);
		err->kind = ERROR_HOST;
		return PLATFORM_ABSENT;
	}
	if (set_limit(arena, limit, err) == -1) {
		(void)rmdir(limit->path);
		err->kind = ERROR_HOST;
		return PLATFORM_ABSENT;
	}
	return 0;
}

int
platform_memory_limit_join(void *context)
{
	const struct memory_limit *limit = context;
	struct error ignored = { 0 };
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/cgroup.procs", limit->path);
	/* "0" is the writer itself, whatever its PID namespace */
	return text_write(path, "0", &ignored);
}

int64_t
platform_memory_limit_kills(const struct memory_limit *limit)
{
	struct arena *arena = arena_new();
	const char *text = text_file(arena, "%s/%s", limit->path,
	    limit->is_unified ? "memory.events" : "memory.oom_control");
	const char *found = text != NULL ? strstr(text, "oom_kill ") : NULL;
	int64_t kills = -1;

	if (found != NULL)
		kills = text_number(found + strlen("oom_kill "), -1);
	arena_free(arena);
	return kills;
}

int
platform_memory_limit_remove(const char *path, struct error *err)
{
	/* a process that has just ended still counts for a moment */
	for (int i = 0; i < REMOVE_TRIES; i++) {
		if (rmdir(path) == 0 || errno == ENOENT)
			return 0;
		if (errno != EBUSY)
			break;
		clock_sleep_ms(REMOVE_POLL_MS);
	}
	return error_errno(err, "cannot remove the control group '%s'", path);
}
