/*
 * Every use of a device: a walk over what it is made of (upwards, each of
 * these by itself) and over what is made of it (downwards, all of it).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "platform/device.h"
#include "platform/linux/sysfs.h"
#include "platform/linux/writers.h"
#include "platform/mounts.h"
#include "platform/text.h"

enum { MEMBERS_MAX = 1024 };

/* One device of the family, and how it came in: "" for the target itself. */
struct member {
	dev_t id;
	ino_t inode; /* an image file: the inode on the filesystem "id" */
	bool is_image;
	const char *name;
	const char *relation;
};

struct family {
	struct arena *arena;
	struct member *items;
	size_t count;
	struct device_uses *uses;
};

static void
add_use(struct family *family, enum device_use_kind kind,
    const struct member *member, const char *text)
{
	struct device_uses *uses = family->uses;
	const char *relation = member->relation;

	uses->items = arena_append(
	    family->arena, uses->items, uses->count, sizeof *uses->items);
	uses->items[uses->count++] = (struct device_use){
		.kind = kind,
		.text = relation[0] == '\0'
			    ? arena_strdup(family->arena, text)
			    : arena_printf(family->arena, "its %s '%s' is %s",
				  relation, member->name, text),
	};
}

static bool
add_member(
    struct family *family, dev_t id, const char *name, const char *relation)
{
	for (size_t i = 0; i < family->count; i++)
		if (!family->items[i].is_image && family->items[i].id == id)
			return false;
	if (id == 0 || family->count >= MEMBERS_MAX)
		return false;
	family->items = arena_append(
	    family->arena, family->items, family->count, sizeof *family->items);
	family->items[family->count++] = (struct member){
		.id = id,
		.name = arena_strdup(family->arena, name),
		.relation = relation,
	};
	return true;
}

static void
add_by_name(struct family *family, const char *name, const char *relation)
{
	const char *folder = sysfs_folder_of_name(family->arena, name);

	if (folder != NULL)
		(void)add_member(family, sysfs_device(family->arena, folder),
		    name, relation);
}

/* What the members are made of: appended, so that the loop also goes over the
 * new ones. */
static void
add_parents(struct family *family)
{
	for (size_t i = 0; i < family->count; i++) {
		char *folder = sysfs_folder(family->arena, family->items[i].id);
		struct loop_backing backing;
		struct name_list slaves;

		if (folder == NULL)
			continue;
		if (sysfs_is_partition(folder))
			add_by_name(family,
			    sysfs_name(sysfs_disk(family->arena, folder)),
			    "disk");
		if (sysfs_loop_backing(
			family->arena, sysfs_name(folder), &backing))
			(void)add_member(family, backing.block, backing.path,
			    "backing device");
		name_list_folder(family->arena, &slaves,
		    arena_printf(family->arena, "%s/slaves", folder));
		for (size_t k = 0; k < slaves.count; k++)
			add_by_name(family, slaves.names[k], "part");
	}
}

static bool
is_backed_by(const struct loop_backing *backing, const struct member *member)
{
	if (member->is_image)
		return backing->block == 0 && backing->device == member->id &&
		       backing->inode == member->inode;
	/* the device itself, or a file of a filesystem on it */
	return backing->block == member->id ||
	       (backing->block == 0 && backing->device == member->id);
}

static void
add_loops(struct family *family, const struct member *member)
{
	struct name_list loops;
	struct loop_backing backing;

	sysfs_loops(family->arena, &loops);
	for (size_t i = 0; i < loops.count; i++) {
		if (!sysfs_loop_backing(
			family->arena, loops.names[i], &backing) ||
		    !is_backed_by(&backing, member))
			continue;
		add_use(family, USE_BACKING, member,
		    arena_printf(family->arena,
			"attached to the loop device '%s'", loops.names[i]));
		add_by_name(family, loops.names[i], "loop device");
	}
}

/* Another loop device on the same file as the target, which is one. */
static void
add_twins(struct family *family)
{
	const struct member self = family->items[0];
	struct name_list loops;
	struct loop_backing own;
	struct loop_backing other;

	if (!sysfs_loop_backing(family->arena, self.name, &own))
		return;
	sysfs_loops(family->arena, &loops);
	for (size_t i = 0; i < loops.count; i++) {
		if (strcmp(loops.names[i], self.name) == 0 ||
		    !sysfs_loop_backing(
			family->arena, loops.names[i], &other) ||
		    other.device != own.device || other.inode != own.inode)
			continue;
		add_use(family, USE_BACKING, &self,
		    arena_printf(family->arena,
			"on the same file as the loop device '%s'",
			loops.names[i]));
		add_by_name(family, loops.names[i], "twin");
	}
}

static void
add_named(struct family *family, const struct member *member,
    const struct name_list *names, enum device_use_kind kind)
{
	for (size_t i = 0; i < names->count; i++) {
		add_use(family, kind, member,
		    arena_printf(family->arena,
			kind == USE_HOLDER ? "held by '%s'"
					   : "divided, '%s' is a partition",
			names->names[i]));
		add_by_name(family, names->names[i],
		    kind == USE_HOLDER ? "holder" : "partition");
	}
}

/* Partitions, holders and loops of every member, appended. */
static void
add_children(struct family *family)
{
	for (size_t i = 0; i < family->count; i++) {
		const struct member member = family->items[i];
		char *folder = sysfs_folder(family->arena, member.id);
		struct name_list names;

		add_loops(family, &member);
		if (member.is_image || folder == NULL)
			continue;
		sysfs_partitions(family->arena, folder, &names);
		add_named(family, &member, &names, USE_PARTITION);
		name_list_folder(family->arena, &names,
		    arena_printf(family->arena, "%s/holders", folder));
		add_named(family, &member, &names, USE_HOLDER);
	}
}

static bool
is_mount_of(const struct mount_entry *entry, const struct member *member)
{
	struct stat status;

	if (member->is_image)
		return false;
	if (entry->device == member->id)
		return true;
	return entry->source[0] == '/' && stat(entry->source, &status) == 0 &&
	       S_ISBLK(status.st_mode) && status.st_rdev == member->id;
}

/* Filesystems that the kernel has open, also where no mount shows it: a
 * detached mount, another device of a btrfs. */
static bool
has_hidden_filesystem(struct arena *arena, const char *name)
{
	static const char *const types[] = { "ext4", "xfs", "f2fs" };
	struct name_list pools;

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (access(arena_printf(arena, "/sys/fs/%s/%s", types[i], name),
			F_OK) == 0)
			return true;
	name_list_folder(arena, &pools, "/sys/fs/btrfs");
	for (size_t i = 0; i < pools.count; i++)
		if (access(arena_printf(arena, "/sys/fs/btrfs/%s/devices/%s",
			       pools.names[i], name),
			F_OK) == 0)
			return true;
	return false;
}

static void
find_mounts(struct family *family, const struct member *member,
    const struct mount_list *mounts)
{
	bool is_found = false;

	for (size_t i = 0; i < mounts->count; i++) {
		const struct mount_entry *entry = &mounts->items[i];
		bool is_own = entry->name_space == mounts->items[0].name_space;
		bool is_repeat = is_found && !is_own;

		if (!is_mount_of(entry, member) || is_repeat)
			continue;
		add_use(family, USE_MOUNTED, member,
		    is_own ? arena_printf(family->arena, "mounted on '%s'",
				 entry->mountpoint)
			   : arena_printf(family->arena,
				 "mounted on '%s' in another mount namespace",
				 entry->mountpoint));
		is_found = true;
	}
	if (!is_found && !member->is_image &&
	    has_hidden_filesystem(family->arena, member->name))
		add_use(family, USE_MOUNTED, member,
		    "mounted, where no process sees it");
}

static void
find_swap(struct family *family, const struct member *member)
{
	struct error ignored = { 0 };
	struct swap_list swaps;
	struct stat status;

	if (platform_swaps(family->arena, &swaps, &ignored) == -1)
		return;
	for (size_t i = 0; i < swaps.count; i++) {
		bool is_swap;

		if (stat(swaps.paths[i], &status) == -1)
			continue;
		if (member->is_image)
			is_swap = status.st_dev == member->id &&
				  status.st_ino == member->inode;
		else
			is_swap = S_ISBLK(status.st_mode)
				      ? status.st_rdev == member->id
				      : status.st_dev == member->id;
		if (is_swap)
			add_use(family, USE_SWAP, member,
			    arena_printf(family->arena, "active swap ('%s')",
				swaps.paths[i]));
	}
}

/*
 * Somebody's exclusive hold also shows when nothing else does: a mount in a
 * namespace that this process may not look into, of the whole disk too.
 */
static void
find_opener(struct family *family, const struct member *member)
{
	const char *path = arena_printf(family->arena, "/dev/%s", member->name);
	int fd;

	if (member->is_image)
		return;
	fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);
	if (fd != -1)
		(void)close(fd);
	else if (errno == EBUSY)
		add_use(family, USE_OPEN, member,
		    "held exclusively (mounted, swap, RAID, or a program)");
	else if (errno == EACCES || errno == EPERM)
		add_use(family, USE_UNSEEN, member,
		    "closed to this user: its uses cannot all be seen");
}

static void
find_writers(struct family *family, const struct member *member)
{
	struct process_list writers;

	linux_writers(family->arena, member->id,
	    member->is_image ? member->inode : 0, &writers);
	for (size_t i = 0; i < writers.count; i++)
		add_use(family, USE_WRITER, member,
		    arena_printf(family->arena,
			"open for writing in '%s' (process %ld)",
			writers.items[i].name, (long)writers.items[i].pid));
}

static void
find_system(struct family *family, const struct device_info *info)
{
	static const char *const places[] = { "/", "/boot", "/boot/efi", "/usr",
		"/etc", "/var", "/lib/modules", "/proc/self/exe" };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		struct error ignored = { 0 };

		if (platform_path_is_on(
			places[i], info, family->arena, &ignored) == 1)
			add_use(family, USE_SYSTEM, &family->items[0],
			    arena_printf(
				family->arena, "what '%s' is on", places[i]));
	}
}

static void
begin_family(struct family *family, const struct device_info *info)
{
	family->items =
	    arena_append(family->arena, NULL, 0, sizeof *family->items);
	family->items[0] = (struct member){
		.id = info->id,
		.inode = info->inode,
		.is_image = info->kind == DEVICE_IMAGE,
		.name = info->name,
		.relation = "",
	};
	family->count = 1;
}

/*
 * A sibling partition's use is no use of this one: of what the target is
 * made of, each is looked at by itself; the walk down begins at the target.
 */
int
platform_device_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses, struct error *err)
{
	struct family above = { .arena = arena, .uses = uses };
	struct family below = { .arena = arena, .uses = uses };
	struct mount_list mounts;

	*uses = (struct device_uses){ 0 };
	if (info->kind != DEVICE_DISK && info->kind != DEVICE_IMAGE)
		return 0;
	if (platform_mounts_all_namespaces(arena, &mounts, err) == -1)
		return -1;
	begin_family(&above, info);
	begin_family(&below, info);
	if (info->kind == DEVICE_DISK) {
		add_parents(&above);
		add_twins(&below);
	}
	add_children(&below);
	for (size_t i = 1; i < above.count; i++) {
		find_mounts(&above, &above.items[i], &mounts);
		find_swap(&above, &above.items[i]);
	}
	for (size_t i = 0; i < below.count; i++) {
		find_mounts(&below, &below.items[i], &mounts);
		find_swap(&below, &below.items[i]);
		find_opener(&below, &below.items[i]);
		find_writers(&below, &below.items[i]);
	}
	find_system(&below, info);
	return 0;
}
