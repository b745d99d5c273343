#include "platform/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "platform/linux/host_proc.h"
#include "platform/text.h"

dev_t
platform_make_device(unsigned int major, unsigned int minor)
{
	return makedev(major, minor);
}

static void
mark_namespace(struct mount_list *list, uint64_t name_space)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].name_space = name_space;
}

int
platform_mounts(struct arena *arena, struct mount_list *list, struct error *err)
{
	char *text = text_file(arena, "/proc/self/mountinfo");
	struct stat status;
	size_t bad;

	if (text == NULL)
		return error_errno(err, "cannot read '/proc/self/mountinfo'");
	mountinfo_parse(text, strlen(text), arena, list, &bad);
	if (bad > 0)
		return error_set(err,
		    "'/proc/self/mountinfo': %zu lines are not understood",
		    bad);
	if (stat("/proc/self/ns/mnt", &status) == 0)
		mark_namespace(list, status.st_ino);
	return 0;
}

struct seen_namespaces {
	uint64_t *items;
	size_t count;
};

static bool
was_seen(const struct seen_namespaces *seen, uint64_t id)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->items[i] == id)
			return true;
	return false;
}

static void
mark_seen(struct arena *arena, struct seen_namespaces *seen, uint64_t id)
{
	seen->items =
	    arena_append(arena, seen->items, seen->count, sizeof *seen->items);
	seen->items[seen->count++] = id;
}

static void
append_mounts(
    struct arena *arena, struct mount_list *list, const struct mount_list *more)
{
	for (size_t i = 0; i < more->count; i++) {
		list->items = arena_append(
		    arena, list->items, list->count, sizeof *list->items);
		list->items[list->count++] = more->items[i];
	}
}

/* Adds the mounts that this process sees, unless its namespace was seen. */
static void
add_process(struct arena *arena, pid_t pid, struct seen_namespaces *seen,
    struct mount_list *list)
{
	struct mount_list more;
	struct stat status;
	char path[64];
	char *text;
	size_t bad;

	(void)snprintf(path, sizeof path, "%d/ns/mnt", (int)pid);
	errno = 0;
	if (fstatat(host_proc_fd(), path, &status, 0) == 0) {
		if (was_seen(seen, status.st_ino))
			return;
		text = host_proc_text(arena, pid, "mountinfo");
		if (text != NULL) {
			mountinfo_parse(text, strlen(text), arena, &more, &bad);
			mark_namespace(&more, status.st_ino);
			append_mounts(arena, list, &more);
			mark_seen(arena, seen, status.st_ino);
			return;
		}
	}
	/* a process that ended meanwhile is no loss */
	if (errno == EACCES || errno == EPERM)
		list->is_complete = false;
}

int
platform_mounts_all_namespaces(
    struct arena *arena, struct mount_list *list, struct error *err)
{
	struct seen_namespaces seen = { 0 };
	struct stat status;
	pid_t *pids;
	size_t count = host_proc_pids(arena, &pids);

	if (platform_mounts(arena, list, err) == -1)
		return -1;
	if (stat("/proc/self/ns/mnt", &status) == 0)
		mark_seen(arena, &seen, status.st_ino);
	for (size_t i = 0; i < count; i++)
		add_process(arena, pids[i], &seen, list);
	return 0;
}

char *
platform_mount_report(struct arena *arena, const struct mount_entry *entry)
{
	const char *name = strrchr(entry->source, '/');

	if (name == NULL || strncmp(entry->type, "ext", 3) != 0)
		return NULL;
	return text_file(arena, "/proc/fs/ext4/%s/options", name + 1);
}

int
platform_swaps(struct arena *arena, struct swap_list *list, struct error *err)
{
	char *text = text_file(arena, "/proc/swaps");

	(void)err;
	*list = (struct swap_list){ 0 };
	/* a kernel without swap has no such file */
	if (text != NULL)
		swaps_parse(text, strlen(text), arena, list);
	return 0;
}
