/*
 * The uses of a disk: by names and the mount table, since the BSDs protect
 * little by themselves (a read-only mount, swap, a second disk over the same
 * file, on DragonFly even a HAMMER2 that is mounted writable).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/attach.h"
#include "platform/bsd/bsd.h"
#include "platform/device.h"
#include "platform/mounts.h"
#include "platform/text.h"

enum { LAYERS_MAX = 16 };

static void
add(struct arena *arena, struct device_uses *uses, enum device_use_kind kind,
    const char *text)
{
	uses->items =
	    arena_append(arena, uses->items, uses->count, sizeof *uses->items);
	uses->items[uses->count++] =
	    (struct device_use){ .kind = kind, .text = text };
}

bool
bsd_mount_devices(struct arena *arena, const struct mount_entry *entry,
    struct name_list *devices)
{
	static const char *const ask[] = { "hammer", "info", NULL };
	const char *info = NULL;
	struct name_list paths;
	bool is_known;

	if (strcmp(entry->type, "hammer") == 0)
		info = bsd_output_of(arena, ask);
	is_known = mount_source_devices(arena, entry, info, &paths);
	*devices = (struct name_list){ 0 };
	for (size_t i = 0; i < paths.count; i++) {
		struct stat status;
		const char *path = paths.names[i];

		if (stat(path, &status) == 0 &&
		    (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
			path = bsd_device_name(arena, path, status.st_rdev,
			    S_ISBLK(status.st_mode));
		else
			path = disk_base_name(arena, path, bsd_naming);
		name_list_add(arena, devices, path);
	}
	return is_known;
}

const struct mount_entry *
bsd_mount_of(struct arena *arena, const char *path, struct mount_list *list)
{
	struct error ignored = { 0 };
	char *real = realpath(path, NULL);
	const struct mount_entry *entry = NULL;

	if (real != NULL && platform_mounts(arena, list, &ignored) == 0)
		entry = mount_list_holding(list, real);
	free(real);
	return entry;
}

/* Whether what is on "a" lies on the bytes of "b": by its own name, or by
 * exactly "b" among what it is made of (that its disk also has "b" as
 * another partition says nothing). */
static bool
is_same_or_below(struct arena *arena, const char *a, const char *b)
{
	struct name_list names;

	if (disk_names_overlap(a, b, bsd_naming, bsd_raw_letter()))
		return true;
	bsd_disk_ancestors(arena, a, &names);
	return name_list_has(&names, b);
}

static bool
do_touch(struct arena *arena, const char *a, const char *b)
{
	return is_same_or_below(arena, a, b) || is_same_or_below(arena, b, a);
}

void
bsd_find_mounts(struct arena *arena, const char *name, const char *relation,
    const struct mount_list *mounts, struct device_uses *uses)
{
	for (size_t i = 0; i < mounts->count; i++) {
		const struct mount_entry *entry = &mounts->items[i];
		struct name_list devices;

		if (!bsd_mount_devices(arena, entry, &devices))
			add(arena, uses, USE_UNSEEN,
			    arena_printf(arena,
				"perhaps part of the %s '%s' on '%s', whose "
				"disks could not be found",
				entry->type, entry->source, entry->mountpoint));
		for (size_t k = 0; k < devices.count; k++)
			if (do_touch(arena, devices.names[k], name)) {
				add(arena, uses, USE_MOUNTED,
				    arena_printf(arena,
					"%smounted on '%s' (from '%s')",
					relation, entry->mountpoint,
					entry->source));
				break;
			}
	}
}

static void
find_swap(struct arena *arena, const struct device_info *info,
    struct device_uses *uses)
{
	struct error err = { 0 };
	struct swap_list swaps;
	struct stat status;

	if (platform_swaps(arena, &swaps, &err) == -1) {
		add(arena, uses, USE_UNSEEN,
		    arena_printf(arena, "perhaps swap: %s", err.text));
		return;
	}
	for (size_t i = 0; i < swaps.count; i++) {
		const char *path = swaps.paths[i];
		bool is_it;

		if (info->kind == DEVICE_IMAGE)
			is_it = stat(path, &status) == 0 &&
				status.st_dev == info->id &&
				status.st_ino == info->inode;
		else
			is_it = do_touch(arena,
			    disk_base_name(arena, path, bsd_naming),
			    info->name);
		if (is_it)
			add(arena, uses, USE_SWAP,
			    arena_printf(arena, "active swap ('%s')", path));
	}
}

/* The same file, told by path or by mount point and inode. */
static bool
is_file_of(const struct file_disk *disk, dev_t device, ino_t inode)
{
	struct stat status;

	if (disk->file[0] != '\0')
		return stat(disk->file, &status) == 0 &&
		       status.st_dev == device && status.st_ino == inode;
	return disk->folder[0] != '\0' && stat(disk->folder, &status) == 0 &&
	       status.st_dev == device && disk->inode == inode;
}

static bool
is_same_file(const struct file_disk *a, const struct file_disk *b)
{
	struct stat status;

	if (a->file[0] != '\0')
		return stat(a->file, &status) == 0 &&
		       is_file_of(b, status.st_dev, status.st_ino);
	return strcmp(a->folder, b->folder) == 0 && a->inode == b->inode;
}

/* Disks over the image, or over the same file as the target. */
static void
find_file_disks(struct arena *arena, const struct device_info *info,
    const struct mount_list *mounts, struct device_uses *uses)
{
	struct file_disk_list disks;
	const struct file_disk *own = NULL;

	bsd_file_disks(arena, &disks);
	for (size_t i = 0; i < disks.count; i++)
		if (strcmp(disks.items[i].name, info->disk) == 0)
			own = &disks.items[i];
	for (size_t i = 0; i < disks.count; i++) {
		const struct file_disk *disk = &disks.items[i];
		bool is_it =
		    info->kind == DEVICE_IMAGE
			? is_file_of(disk, info->id, info->inode)
			: own != NULL && disk != own && is_same_file(own, disk);

		if (!is_it)
			continue;
		add(arena, uses, USE_BACKING,
		    arena_printf(arena, "%s the disk '%s'",
			own == NULL ? "attached to" : "on the same file as",
			disk->name));
		bsd_find_mounts(arena, disk->name,
		    arena_printf(arena, "its '%s' is ", disk->name), mounts,
		    uses);
	}
}

static void
find_system(struct arena *arena, const struct device_info *info,
    struct device_uses *uses)
{
	static const char *const places[] = { "/", "/boot", "/usr", "/var",
		"/etc" };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		struct error ignored = { 0 };

		if (platform_path_is_on(places[i], info, arena, &ignored) == 1)
			add(arena, uses, USE_SYSTEM,
			    arena_printf(arena, "what '%s' is on", places[i]));
	}
}

int
platform_device_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses, struct error *err)
{
	struct mount_list mounts;

	*uses = (struct device_uses){ 0 };
	if (info->kind != DEVICE_DISK && info->kind != DEVICE_IMAGE)
		return 0;
	if (platform_mounts(arena, &mounts, err) == -1)
		return -1;
	if (info->kind == DEVICE_DISK)
		bsd_find_mounts(arena, info->name, "", &mounts, uses);
	find_swap(arena, info, uses);
	find_file_disks(arena, info, &mounts, uses);
	if (info->kind == DEVICE_DISK)
		bsd_disk_uses(info, arena, uses);
	find_system(arena, info, uses);
	return 0;
}

/* The file or folder behind a disk that is a file, or NULL. */
static const char *
place_behind(struct arena *arena, const char *name)
{
	struct file_disk_list disks;
	const char *disk = disk_of_name(arena, name);

	bsd_file_disks(arena, &disks);
	for (size_t i = 0; i < disks.count; i++)
		if (strcmp(disks.items[i].name, disk) == 0)
			return disks.items[i].file[0] != '\0'
				   ? disks.items[i].file
				   : disks.items[i].folder;
	return NULL;
}

static bool
is_image_behind(
    struct arena *arena, const char *name, const struct device_info *info)
{
	struct file_disk_list disks;
	const char *disk = disk_of_name(arena, name);

	bsd_file_disks(arena, &disks);
	for (size_t i = 0; i < disks.count; i++)
		if (strcmp(disks.items[i].name, disk) == 0 &&
		    is_file_of(&disks.items[i], info->id, info->inode))
			return true;
	return false;
}

int
platform_path_is_on(const char *path, const struct device_info *info,
    struct arena *arena, struct error *err)
{
	struct name_list places = { 0 };
	struct stat status;

	if (stat(path, &status) == -1)
		return error_errno(err, "cannot look at '%s'", path);
	name_list_add(arena, &places, path);
	for (size_t i = 0; i < places.count && i < LAYERS_MAX; i++) {
		struct mount_list mounts;
		struct name_list devices = { 0 };
		const struct mount_entry *entry =
		    bsd_mount_of(arena, places.names[i], &mounts);

		if (entry == NULL)
			return error_set(err,
			    "cannot find what '%s' is mounted from",
			    places.names[i]);
		(void)bsd_mount_devices(arena, entry, &devices);
		for (size_t k = 0; k < devices.count; k++) {
			const char *name = devices.names[k];
			const char *behind = place_behind(arena, name);

			if (info->kind == DEVICE_DISK
				? do_touch(arena, name, info->name)
				: is_image_behind(arena, name, info))
				return 1;
			if (behind != NULL)
				name_list_add(arena, &places, behind);
		}
	}
	return 0;
}

int
platform_attached_to(const char *image, struct arena *arena,
    struct name_list *devices, struct error *err)
{
	struct file_disk_list disks;
	struct stat status;

	*devices = (struct name_list){ 0 };
	if (stat(image, &status) == -1)
		return error_errno(err, "cannot look at '%s'", image);
	bsd_file_disks(arena, &disks);
	for (size_t i = 0; i < disks.count; i++)
		if (is_file_of(&disks.items[i], status.st_dev, status.st_ino))
			name_list_add(arena, devices,
			    arena_printf(
				arena, "/dev/%s", disks.items[i].name));
	return 0;
}
