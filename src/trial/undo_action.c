#include "trial/undo_action.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/argv.h"
#include "base/clock.h"
#include "base/proc.h"
#include "platform/attach.h"
#include "platform/isolate.h"
#include "platform/memory.h"
#include "platform/mounts.h"
#include "trial/blame.h"
#include "trial/inplace.h"
#include "trial/unmount.h"

static const int64_t PATIENCE_NS = 3 * INT64_C(1000000000);
static const int64_t COMMAND_TIMEOUT_NS = 60 * INT64_C(1000000000);
enum { RETRY_MS = 200 };

const char *
undo_identity_of(struct arena *arena, const char *path)
{
	struct stat status;

	if (lstat(path, &status) == -1)
		return "";
	return arena_printf(arena, "%llu:%llu",
	    (unsigned long long)status.st_dev,
	    (unsigned long long)status.st_ino);
}

/* The number of a removed file is soon another's: what somebody put there
 * since is seldom a plain file that nobody else may read. */
static bool
is_private_file(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
	       (status->st_mode & 07177) == 0;
}

/* Is what is there now what was recorded?  One that was never identified (the
 * machine went down while it was made) must at least be a plain file of ours
 * that is no older than the record. */
static bool
is_ours(const struct undo_entry *entry, struct arena *arena)
{
	struct stat status;

	if (entry->identity[0] != '\0')
		return strcmp(entry->identity,
			   undo_identity_of(arena, entry->subject)) == 0;
	return lstat(entry->subject, &status) == 0 &&
	       is_private_file(&status) && status.st_nlink == 1 &&
	       status.st_mtime >= entry->wall_ns / 1000000000 - 1;
}

static enum undo_result
act_file(const struct undo_entry *entry, struct arena *arena, const char **text)
{
	struct stat status;

	if (lstat(entry->subject, &status) == -1)
		return UNDO_GONE;
	if (!is_private_file(&status) || !is_ours(entry, arena)) {
		*text = arena_printf(arena,
		    "'%s' is not the file that was made: left as it is",
		    entry->subject);
		return UNDO_GONE;
	}
	if (unlink(entry->subject) == -1) {
		*text = arena_printf(arena, "cannot remove '%s': %s",
		    entry->subject, strerror(errno));
		return UNDO_LEFT;
	}
	*text = arena_printf(arena, "removed '%s'", entry->subject);
	return UNDO_DONE;
}

static enum undo_result
act_folder(
    const struct undo_entry *entry, struct arena *arena, const char **text)
{
	if (rmdir(entry->subject) == 0) {
		*text = arena_printf(
		    arena, "removed the folder '%s'", entry->subject);
		return UNDO_DONE;
	}
	if (errno == ENOENT || errno == ENOTDIR)
		return UNDO_GONE;
	*text = arena_printf(arena, "cannot remove the folder '%s': %s",
	    entry->subject, strerror(errno));
	return UNDO_LEFT;
}

static int
remove_item(
    const char *path, const struct stat *status, int kind, struct FTW *position)
{
	(void)status;
	(void)position;
	return kind == FTW_DP ? rmdir(path) : unlink(path);
}

/* Never through a link, never onto another filesystem; one that was never
 * identified has nothing in it yet. */
static enum undo_result
act_tree(const struct undo_entry *entry, struct arena *arena, const char **text)
{
	if (entry->identity[0] == '\0' || !is_ours(entry, arena))
		return act_folder(entry, arena, text);
	if (nftw(entry->subject, remove_item, 32,
		FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0) {
		*text = arena_printf(
		    arena, "removed the folder '%s'", entry->subject);
		return UNDO_DONE;
	}
	*text = arena_printf(arena, "cannot remove the folder '%s': %s",
	    entry->subject, strerror(errno));
	return UNDO_LEFT;
}

/* "0" of "/dev/md0" and the pattern "/dev/md%u"; NULL for another device. */
static const char *
unit_of(struct arena *arena, const char *device, const char *pattern)
{
	size_t prefix = strcspn(pattern, "%");

	if (strncmp(device, pattern, prefix) != 0)
		return NULL;
	device += prefix;
	return arena_strndup(arena, device, strspn(device, "0123456789"));
}

/* By the system's command, where it has no other way. */
static int
detach_by_command(const char *device, const char *detail, struct arena *arena,
    struct error *err)
{
	size_t length = strcspn(detail, "\n");
	const char *unit;
	struct argv_substitution pairs[] = { { 'd', device }, { 'u', NULL } };
	struct proc_job job = {
		.timeout_ns = COMMAND_TIMEOUT_NS,
		.ignores_cancel = true,
	};
	struct proc_result result;
	struct argv in, out;

	if (detail[length] != '\n')
		return error_set(err, "no command is known for it");
	unit = unit_of(arena, device, detail + length + 1);
	if (unit == NULL)
		return error_set(err, "it is another kind of device");
	pairs[1].value = unit;
	argv_init(&in, arena);
	argv_init(&out, arena);
	if (argv_split(&in, arena_strndup(arena, detail, length), err) == -1)
		return -1;
	argv_substitute(&out, &in, pairs, 2);
	job.argv = out.items;
	/* the system may be looking at it for a moment */
	for (int64_t until = clock_now_ns() + PATIENCE_NS;;
	     clock_sleep_ms(RETRY_MS)) {
		if (proc_run(&job, arena, &result, err) == -1)
			return -1;
		if (proc_succeeded(&result))
			return 0;
		if (!result.started || result.stuck || clock_now_ns() >= until)
			return error_set(
			    err, "%s", proc_describe(arena, &result));
	}
}

static enum undo_result
act_attach(
    const struct undo_entry *entry, struct arena *arena, const char **text)
{
	struct error err = { 0 };
	struct name_list devices = { 0 };
	enum undo_result result = UNDO_GONE;

	if (entry->identity[0] == '\0' || !is_ours(entry, arena) ||
	    platform_attached_to(entry->subject, arena, &devices, &err) != 0)
		return UNDO_GONE;
	for (size_t i = 0; i < devices.count; i++) {
		const char *device = devices.names[i];
		int code = platform_detach_device(device, PATIENCE_NS, &err);

		if (code == PLATFORM_ABSENT)
			code = detach_by_command(
			    device, entry->detail, arena, &err);
		if (code != 0) {
			*text = arena_printf(
			    arena, "cannot detach '%s': %s", device, err.text);
			return UNDO_LEFT;
		}
		*text = arena_printf(
		    arena, "detached '%s' from '%s'", device, entry->subject);
		result = UNDO_DONE;
	}
	return result;
}

/* Unmounts what came from the source, and nothing else. */
static enum undo_result
unmount_ours(const char *mountpoint, const char *source, struct arena *arena,
    const char **text)
{
	struct error err = { 0 };
	const struct unmount_job job = {
		.mountpoint = mountpoint,
		.patience_ns = PATIENCE_NS,
		.timeout_ns = COMMAND_TIMEOUT_NS,
	};
	struct unmount_result result;
	const char *found = unmount_source_at(arena, mountpoint);

	if (found == NULL)
		return UNDO_GONE;
	if (source[0] != '\0' && strcmp(found, source) != 0) {
		*text = arena_printf(arena,
		    "'%s' has '%s' mounted now, not '%s': left as it is",
		    mountpoint, found, source);
		return UNDO_GONE;
	}
	if (unmount_path(&job, arena, &result, &err) == -1 || !result.is_gone) {
		*text = arena_printf(arena, "cannot unmount '%s': %s%s%s",
		    mountpoint, proc_describe(arena, &result.last),
		    result.holders[0] != '\0' ? ": in use by " : "",
		    result.holders);
		return UNDO_LEFT;
	}
	*text = arena_printf(arena, "unmounted '%s'", mountpoint);
	return UNDO_DONE;
}

static enum undo_result
act_mount(
    const struct undo_entry *entry, struct arena *arena, const char **text)
{
	return unmount_ours(entry->subject, entry->detail, arena, text);
}

/* True when the options in force are those that are to be there again. */
static bool
is_as_before(
    struct arena *arena, const char *mountpoint, const char *const fields[4])
{
	struct error ignored = { 0 };
	struct mount_list list = { 0 };
	const struct mount_entry *entry;

	if (platform_mounts(arena, &list, &ignored) == -1)
		return false;
	entry = mount_list_at(&list, mountpoint);
	return entry != NULL && strcmp(entry->source, fields[0]) == 0 &&
	       strcmp(mount_options_in_force(arena, entry), fields[2]) == 0;
}

static enum undo_result
mount_again(const char *mountpoint, const char *const fields[4],
    struct arena *arena, const char **text)
{
	/* without the words that only mount tables have */
	const char *options = inplace_restate(fields[2], "", NULL, arena);
	const char *argv[] = { "mount", "-t", fields[1], "-o",
		options[0] != '\0' ? options : "rw", fields[0], mountpoint,
		NULL };
	struct proc_job job = { .argv = argv, .ignores_cancel = true };
	struct proc_result result;
	struct error err = { 0 };

	if (proc_run(&job, arena, &result, &err) == -1 ||
	    !proc_succeeded(&result)) {
		*text = arena_printf(arena,
		    "cannot mount '%s' at '%s' as it was (%s): %s %s",
		    fields[0], mountpoint, fields[2],
		    proc_describe(arena, &result),
		    blame_first_line(result.errors, arena));
		return UNDO_LEFT;
	}
	*text = arena_printf(arena, "mounted '%s' at '%s' as it was (%s)",
	    fields[0], mountpoint, fields[2]);
	return UNDO_DONE;
}

/* In use: the options only, where that brings back exactly what was. */
static enum undo_result
set_in_place(const char *mountpoint, const char *const fields[4],
    struct arena *arena, const char **text)
{
	struct proc_job job = {
		.timeout_ns = COMMAND_TIMEOUT_NS,
		.ignores_cancel = true,
	};
	struct proc_result result;
	struct error err = { 0 };
	struct argv argv;

	argv_init(&argv, arena);
	if (argv_split(&argv, fields[3], &err) == -1 || argv.count == 0)
		return UNDO_LEFT;
	job.argv = argv.items;
	if (proc_run(&job, arena, &result, &err) == -1 ||
	    !is_as_before(arena, mountpoint, fields))
		return UNDO_LEFT;
	*text = arena_printf(
	    arena, "set the options of '%s' back (%s)", mountpoint, fields[2]);
	return UNDO_DONE;
}

static enum undo_result
act_remount(
    const struct undo_entry *entry, struct arena *arena, const char **text)
{
	char *copy = arena_strdup(arena, entry->detail);
	const char *fields[4];

	for (int i = 0; i < 4; i++) {
		fields[i] = copy;
		copy += strcspn(copy, "\n");
		if (*copy == '\n')
			*copy++ = '\0';
	}
	if (is_as_before(arena, entry->subject, fields))
		return UNDO_GONE;
	if (access(entry->subject, F_OK) == -1) {
		*text = arena_printf(
		    arena, "the mount point '%s' is gone", entry->subject);
		return UNDO_GONE;
	}
	if (fields[0][0] == '/' && access(fields[0], F_OK) == -1) {
		*text = arena_printf(arena,
		    "'%s', which was mounted at '%s', is gone", fields[0],
		    entry->subject);
		return UNDO_GONE;
	}
	if (unmount_ours(entry->subject, fields[0], arena, text) == UNDO_LEFT)
		return set_in_place(entry->subject, fields, arena, text);
	if (unmount_source_at(arena, entry->subject) != NULL)
		return UNDO_GONE;
	return mount_again(entry->subject, fields, arena, text);
}

static enum undo_result
act_command(
    const struct undo_entry *entry, struct arena *arena, const char **text)
{
	struct error err = { 0 };
	struct argv argv;
	struct proc_result result = { 0 };
	struct proc_job job = {
		.timeout_ns = COMMAND_TIMEOUT_NS,
		.ignores_cancel = true,
	};

	argv_init(&argv, arena);
	if (argv_split(&argv, entry->subject, &err) == -1 || argv.count == 0)
		return UNDO_GONE;
	job.argv = argv.items;
	if (proc_run(&job, arena, &result, &err) == -1 ||
	    !proc_succeeded(&result)) {
		*text =
		    arena_printf(arena, "%s: '%s' failed: %s", entry->detail,
			entry->subject, proc_describe(arena, &result));
		return UNDO_LEFT;
	}
	*text = arena_strdup(arena, entry->detail);
	return UNDO_DONE;
}

static enum undo_result
act_cgroup(
    const struct undo_entry *entry, struct arena *arena, const char **text)
{
	struct error err = { 0 };

	if (access(entry->subject, F_OK) == -1)
		return UNDO_GONE;
	if (platform_memory_limit_remove(entry->subject, &err) == -1) {
		*text = arena_strdup(arena, err.text);
		return UNDO_LEFT;
	}
	*text = arena_printf(arena, "removed the group '%s'", entry->subject);
	return UNDO_DONE;
}

static enum undo_result
act_pin(const struct undo_entry *entry, struct arena *arena, const char **text)
{
	struct error err = { 0 };

	if (access(entry->subject, F_OK) == -1)
		return UNDO_GONE;
	if (platform_isolate_unpin(entry->subject, &err) == -1) {
		*text = arena_strdup(arena, err.text);
		return UNDO_LEFT;
	}
	*text = arena_printf(
	    arena, "let go of the kept mounts at '%s'", entry->subject);
	return UNDO_DONE;
}

static enum undo_result (*const acts[UNDO_KIND_COUNT])(
    const struct undo_entry *entry, struct arena *arena, const char **text) = {
	[UNDO_FILE] = act_file,
	[UNDO_FOLDER] = act_folder,
	[UNDO_TREE] = act_tree,
	[UNDO_ATTACH] = act_attach,
	[UNDO_MOUNT] = act_mount,
	[UNDO_REMOUNT] = act_remount,
	[UNDO_COMMAND] = act_command,
	[UNDO_CGROUP] = act_cgroup,
	[UNDO_PIN] = act_pin,
};

enum undo_result
undo_act(const struct undo_entry *entry, struct arena *arena, const char **text)
{
	*text = "";
	return acts[entry->kind](entry, arena, text);
}
