/*
 * What a target needs once a night: its lock, and for an image the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "platform/attach.h"
#include "platform/device.h"
#include "platform/lock.h"
#include "trial/mountpoint.h"
#include "trial/target.h"
#include "trial/trial.h"
#include "trial/undo_action.h"

int
target_lock(const char *path, const char *title, const char *owner,
    struct arena *arena, struct error *err)
{
	struct device_info info = { 0 };
	struct lock_request request = {
		.key = path,
		.name = path,
		.owner = owner,
	};
	int fd;

	if (platform_device_describe(path, arena, &info, err) == -1)
		return -1;
	if (info.kind == DEVICE_DISK)
		request.key = arena_printf(
		    arena, "device-%llx", (unsigned long long)info.id);
	fd = platform_lock(arena, &request, err);
	return fd == -1 ? error_wrap(err, "target '%s'", title) : fd;
}

static int
lock_path(struct night_state *state, struct target_state *target,
    const char *path, struct error *err)
{
	int fd = target_lock(path, target->target->title,
	    state->night->options->owner, state->arena, err);

	if (fd == -1)
		return -1;
	target->lock_fds[target->lock_count++] = fd;
	return 0;
}

static int
lock_target(
    struct night_state *state, struct target_state *target, struct error *err)
{
	const struct target *named = target->target;

	if (named->kind == TARGET_MEMORY)
		return 0;
	if (lock_path(state, target, target->path, err) == -1)
		return -1;
	for (size_t i = 0; i < named->more_device_count; i++)
		if (lock_path(state, target, target->more_devices[i], err) ==
		    -1)
			return -1;
	return 0;
}

/* Absolute: whoever cleans up after a crash is in some other folder. */
static const char *
image_path(struct night_state *state, const struct target *target)
{
	const char *folder = state->night->options->image_directory;
	char *canonical = realpath(folder != NULL ? folder : ".", NULL);
	const char *path = target->path;

	if (target->image_is_auto)
		path = arena_printf(state->arena, "%s/mountmatrix-%s-%llx.img",
		    canonical != NULL ? canonical : folder, target->title,
		    (unsigned long long)clock_wall_ns());
	free(canonical);
	return path;
}

static int
make_image(
    struct night_state *state, struct target_state *target, struct error *err)
{
	char *canonical;

	if (access(target->path, F_OK) == 0)
		return error_set_kind(err, ERROR_HOST,
		    "target '%s': the image '%s' exists already; the program makes and removes it itself, so name a new one or remove it",
		    target->target->title, target->path);
	if (undo_push(state->undo, UNDO_FILE, target->path, "", err) == -1)
		return -1;
	if (platform_image_create(
		target->path, target->target->size_bytes, err) == -1)
		return error_wrap(err, "target '%s'", target->target->title);
	if (undo_identify(state->undo, UNDO_FILE, target->path, err) == -1)
		return -1;
	/* before any link is followed that somebody may have put there */
	target->identity = undo_identity_of(state->arena, target->path);
	canonical = realpath(target->path, NULL);
	if (canonical != NULL)
		target->path = arena_strdup(state->arena, canonical);
	free(canonical);
	return 0;
}

/* What somebody did to the image meanwhile; NULL: nothing that another image
 * would help against. */
static const char *
image_damage(const struct night_state *state, const struct target_state *target)
{
	struct stat status;

	if (lstat(target->path, &status) == -1)
		return errno == ENOENT ? "removed" : NULL;
	if (strcmp(undo_identity_of(state->arena, target->path),
		target->identity) != 0 ||
	    status.st_size == (off_t)target->target->size_bytes)
		return NULL;
	return "cut";
}

/* What is left of the night needs one as large as the others had. */
static int
make_image_again(
    struct night_state *state, struct target_state *target, struct error *err)
{
	const char *path = target->path;
	const char *damage;

	if (target->target->kind != TARGET_IMAGE)
		return 0;
	damage = image_damage(state, target);
	if (damage == NULL)
		return 0;
	if (unlink(path) == -1 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s'", path);
	if (undo_forget(state->undo, UNDO_FILE, path, err) == -1)
		return -1;
	night_say(
	    state, arena_printf(state->arena,
		       "the image '%s' was %s by somebody; it is made again",
		       path, damage));
	return make_image(state, target, err);
}

static int
find_existing(
    struct night_state *state, struct target_state *target, struct error *err)
{
	char *canonical = realpath(target->target->path, NULL);

	if (canonical == NULL) {
		(void)error_errno(err, "target '%s': '%s'",
		    target->target->title, target->target->path);
		err->kind = ERROR_HOST;
		return -1;
	}
	target->path = arena_strdup(state->arena, canonical);
	free(canonical);
	return 0;
}

/* Resolved once, like the first: what is asked about is what is made. */
static void
resolve_more(struct night_state *state, struct target_state *target)
{
	for (size_t i = 0; i < target->target->more_device_count; i++)
		target->more_devices[i] = device_resolve(
		    target->target->more_devices[i], state->arena);
}

const char *
target_device(const struct target_state *target, size_t index)
{
	return index == 0 ? target->path : target->more_devices[index - 1];
}

const char *
target_device_identity(
    const struct target_state *target, size_t index, struct arena *arena)
{
	struct error ignored = { 0 };
	struct device_info info;

	if (platform_device_describe(
		target_device(target, index), arena, &info, &ignored) == -1)
		return "";
	return device_identity(&info, arena);
}

/* A disk that is pulled leaves its name to the next one. */
static void
remember_devices(struct night_state *state, struct target_state *target)
{
	if (target->target->kind != TARGET_DEVICE)
		return;
	for (size_t i = 0; i <= target->target->more_device_count; i++)
		target->device_identities[i] =
		    target_device_identity(target, i, state->arena);
}

int
target_prepare(
    struct night_state *state, struct target_state *target, struct error *err)
{
	if (target->is_ready)
		return make_image_again(state, target, err);
	target->path = "";
	resolve_more(state, target);
	switch (target->target->kind) {
	case TARGET_IMAGE:
		target->path = image_path(state, target->target);
		if (make_image(state, target, err) == -1)
			return -1;
		break;
	case TARGET_MEMORY:
		break;
	case TARGET_DEVICE:
	case TARGET_DIRECTORY:
	case TARGET_MOUNTPOINT:
		if (find_existing(state, target, err) == -1)
			return -1;
		break;
	}
	if (lock_target(state, target, err) == -1)
		return -1;
	if (target->target->kind == TARGET_MOUNTPOINT &&
	    mountpoint_prepare(state, target, err) == -1)
		return -1;
	remember_devices(state, target);
	target->is_ready = true;
	return 0;
}
