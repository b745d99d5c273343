/*
 * Whether a path lies on a device, through any number of layers: the file's
 * filesystem, its block device, the disk of a partition, the parts of a
 * volume, the file behind a loop device, and so on down.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "platform/device.h"
#include "platform/linux/sysfs.h"
#include "platform/mounts.h"
#include "platform/text.h"

enum { LAYERS_MAX = 256 };

struct stack {
	struct arena *arena;
	const struct mount_list *mounts;
	const struct device_info *wanted;
	dev_t seen[LAYERS_MAX];
	size_t count;
	bool is_found;
};

static void
visit(struct stack *stack, dev_t id)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->seen[i] == id)
			return;
	if (stack->count < LAYERS_MAX)
		stack->seen[stack->count++] = id;
	if (stack->wanted->kind == DEVICE_DISK && stack->wanted->id == id)
		stack->is_found = true;
}

/* A filesystem with a number of its own (btrfs) names a device. */
static void
visit_sources(struct stack *stack, dev_t id)
{
	for (size_t i = 0; i < stack->mounts->count; i++) {
		const struct mount_entry *entry = &stack->mounts->items[i];
		struct stat status;

		if (entry->device == id && entry->source[0] == '/' &&
		    stat(entry->source, &status) == 0 &&
		    S_ISBLK(status.st_mode))
			visit(stack, status.st_rdev);
	}
}

static void
visit_names(struct stack *stack, const struct name_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *folder =
		    sysfs_folder_of_name(stack->arena, names->names[i]);

		if (folder != NULL)
			visit(stack, sysfs_device(stack->arena, folder));
	}
}

static void
visit_below(struct stack *stack, dev_t id)
{
	char *folder = sysfs_folder(stack->arena, id);
	const struct device_info *wanted = stack->wanted;
	struct loop_backing backing;
	struct name_list slaves;

	if (folder == NULL) {
		visit_sources(stack, id);
		return;
	}
	if (sysfs_is_partition(folder))
		visit(stack, sysfs_device(stack->arena,
				 sysfs_disk(stack->arena, folder)));
	name_list_folder(stack->arena, &slaves,
	    arena_printf(stack->arena, "%s/slaves", folder));
	visit_names(stack, &slaves);
	if (!sysfs_loop_backing(stack->arena, sysfs_name(folder), &backing))
		return;
	visit(stack, backing.block != 0 ? backing.block : backing.device);
	if (wanted->kind == DEVICE_IMAGE && backing.block == 0 &&
	    backing.device == wanted->id && backing.inode == wanted->inode)
		stack->is_found = true;
}

int
platform_path_is_on(const char *path, const struct device_info *info,
    struct arena *arena, struct error *err)
{
	struct mount_list mounts;
	struct stack stack = {
		.arena = arena, .mounts = &mounts, .wanted = info
	};
	struct stat status;

	if (stat(path, &status) == -1)
		return error_errno(err, "cannot look at '%s'", path);
	if (platform_mounts(arena, &mounts, err) == -1)
		return -1;
	visit(&stack, S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev);
	for (size_t i = 0; i < stack.count && !stack.is_found; i++)
		visit_below(&stack, stack.seen[i]);
	return stack.is_found;
}
