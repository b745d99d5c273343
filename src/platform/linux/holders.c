/* Who keeps a mount busy, and who writes to a device: by looking through
 * every process of the host that this one may look into. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "platform/linux/host_proc.h"
#include "platform/linux/sysfs.h"
#include "platform/linux/writers.h"
#include "platform/mounts.h"
#include "platform/text.h"

static const char *
process_name(struct arena *arena, pid_t pid)
{
	char *name = host_proc_text(arena, pid, "comm");

	if (name == NULL)
		return "";
	name[strcspn(name, "\n")] = '\0';
	return name;
}

static void
add(struct arena *arena, struct process_list *list, pid_t pid, const char *what)
{
	list->items =
	    arena_append(arena, list->items, list->count, sizeof *list->items);
	list->items[list->count++] = (struct process_entry){
		.pid = pid,
		.name = pid != 0 ? process_name(arena, pid) : "",
		.what = what,
	};
}

static char *
link_text(struct arena *arena, const char *path)
{
	char text[4096];
	ssize_t length =
	    readlinkat(host_proc_fd(), path, text, sizeof text - 1);

	return length < 0 ? arena_strdup(arena, "")
			  : arena_strndup(arena, text, (size_t)length);
}

/* The names of a process's open descriptors; empty when closed to us. */
static size_t
descriptor_paths(struct arena *arena, pid_t pid, const char ***paths)
{
	char folder[64];
	const struct dirent *entry;
	size_t count = 0;
	DIR *directory;
	int fd;

	*paths = NULL;
	(void)snprintf(folder, sizeof folder, "%d/fd", (int)pid);
	fd = openat(host_proc_fd(), folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	directory = fd != -1 ? fdopendir(fd) : NULL;
	if (directory == NULL)
		return 0;
	while ((entry = readdir(directory)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		*paths = arena_append(arena, *paths, count, sizeof **paths);
		(*paths)[count++] =
		    arena_printf(arena, "%s/%s", folder, entry->d_name);
	}
	(void)closedir(directory);
	return count;
}

static bool
is_on(const char *path, dev_t device)
{
	struct stat status;

	return fstatat(host_proc_fd(), path, &status, 0) == 0 &&
	       status.st_dev == device;
}

/* "7f00-7f10 r-xp 00000000 fd:00 1234  /m/lib.so": the numbers are hex. */
static bool
is_map_of(char *line, dev_t device)
{
	char *word = NULL;
	char *end;
	unsigned long major;

	for (int i = 0; i < 4; i++)
		word = text_next_word(&line);
	if (word == NULL)
		return false;
	major = strtoul(word, &end, 16);
	return *end == ':' &&
	       makedev((unsigned int)major,
		   (unsigned int)strtoul(end + 1, NULL, 16)) == device;
}

static const char *
mapped_file(struct arena *arena, pid_t pid, dev_t device)
{
	char *text = host_proc_text(arena, pid, "maps");
	size_t size = text != NULL ? strlen(text) : 0;
	size_t position = 0;
	char *line;

	while (text_next_line(arena, text, size, &position, &line)) {
		const char *path = strchr(line, '/');

		if (path != NULL && is_map_of(line, device))
			return path;
	}
	return NULL;
}

/* The first reason why the process holds the filesystem, or NULL. */
static const char *
hold_of(struct arena *arena, pid_t pid, dev_t device)
{
	static const char *const links[] = { "cwd", "root", "exe" };
	static const char *const words[] = { "current folder", "root folder",
		"program" };
	const char **paths;
	const char *map;
	size_t count;

	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
		char *path = arena_printf(arena, "%d/%s", (int)pid, links[i]);

		if (is_on(path, device))
			return arena_printf(
			    arena, "%s '%s'", words[i], link_text(arena, path));
	}
	count = descriptor_paths(arena, pid, &paths);
	for (size_t i = 0; i < count; i++)
		if (is_on(paths[i], device))
			return arena_printf(arena, "open file '%s'",
			    link_text(arena, paths[i]));
	map = mapped_file(arena, pid, device);
	return map != NULL ? arena_printf(arena, "mapped file '%s'", map)
			   : NULL;
}

/* Holds that are no process: mounts below, loops on its files, swap. */
static void
add_other_holds(struct arena *arena, const char *mountpoint, dev_t device,
    struct process_list *list)
{
	struct error ignored = { 0 };
	struct mount_list mounts = { 0 };
	struct swap_list swaps = { 0 };
	struct name_list loops;
	struct loop_backing backing;
	struct stat status;
	size_t length = strlen(mountpoint);

	(void)platform_mounts(arena, &mounts, &ignored);
	for (size_t i = 0; i < mounts.count; i++)
		if (strncmp(mounts.items[i].mountpoint, mountpoint, length) ==
			0 &&
		    mounts.items[i].mountpoint[length] == '/')
			add(arena, list, 0,
			    arena_printf(arena, "mount below it on '%s'",
				mounts.items[i].mountpoint));
	sysfs_loops(arena, &loops);
	for (size_t i = 0; i < loops.count; i++)
		if (sysfs_loop_backing(arena, loops.names[i], &backing) &&
		    backing.block == 0 && backing.device == device)
			add(arena, list, 0,
			    arena_printf(arena, "loop device '%s' on '%s'",
				loops.names[i], backing.path));
	(void)platform_swaps(arena, &swaps, &ignored);
	for (size_t i = 0; i < swaps.count; i++)
		if (stat(swaps.paths[i], &status) == 0 &&
		    S_ISREG(status.st_mode) && status.st_dev == device)
			add(arena, list, 0,
			    arena_printf(
				arena, "swap on '%s'", swaps.paths[i]));
}

int
platform_mount_holders(const char *mountpoint, struct arena *arena,
    struct process_list *list, struct error *err)
{
	struct stat status;
	pid_t *pids;
	size_t count;

	*list = (struct process_list){ 0 };
	if (stat(mountpoint, &status) == -1)
		return error_errno(err, "cannot look at '%s'", mountpoint);
	count = host_proc_pids(arena, &pids);
	for (size_t i = 0; i < count; i++) {
		const char *what = hold_of(arena, pids[i], status.st_dev);

		if (what != NULL)
			add(arena, list, pids[i], what);
	}
	add_other_holds(arena, mountpoint, status.st_dev, list);
	return 0;
}

static bool
is_written(struct arena *arena, const char *path, dev_t id, ino_t inode)
{
	const char *number = strrchr(path, '/') + 1;
	struct stat status;
	const char *info;
	const char *flags;
	bool is_same;

	if (fstatat(host_proc_fd(), path, &status, 0) == -1)
		return false;
	is_same = inode != 0 ? S_ISREG(status.st_mode) && status.st_dev == id &&
				   status.st_ino == inode
			     : S_ISBLK(status.st_mode) && status.st_rdev == id;
	if (!is_same)
		return false;
	info = host_proc_text(arena, (pid_t)text_number(path, 0),
	    arena_printf(arena, "fdinfo/%s", number));
	flags = info != NULL ? strstr(info, "flags:") : NULL;
	return flags != NULL && (strtol(flags + strlen("flags:"), NULL, 8) &
				    O_ACCMODE) != O_RDONLY;
}

/* True when the process is this one or an ancestor: the run itself holds
 * what it attached. */
static bool
is_own(struct arena *arena, pid_t pid)
{
	pid_t own = host_proc_self();

	for (int depth = 0; depth < 16 && own > 1; depth++) {
		const char *text;
		const char *rest;

		if (own == pid)
			return true;
		text = host_proc_text(arena, own, "stat");
		rest = text != NULL ? strrchr(text, ')') : NULL;
		/* ") S 123 ..." */
		if (rest == NULL || strlen(rest) < 5)
			return false;
		own = (pid_t)text_number(rest + 4, 0);
	}
	return false;
}

void
linux_writers(
    struct arena *arena, dev_t id, ino_t inode, struct process_list *list)
{
	pid_t *pids;
	size_t count = host_proc_pids(arena, &pids);

	*list = (struct process_list){ 0 };
	for (size_t i = 0; i < count; i++) {
		const char **paths;
		size_t opened = descriptor_paths(arena, pids[i], &paths);

		for (size_t k = 0; k < opened; k++) {
			if (!is_written(arena, paths[k], id, inode) ||
			    is_own(arena, pids[i]))
				continue;
			add(arena, list, pids[i], paths[k]);
			break;
		}
	}
}
