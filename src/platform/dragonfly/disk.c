/* Disks of DragonFly: their slices are names that begin alike. */
#include <sys/types.h>

#include <sys/diskslice.h>
#include <sys/ioctl.h>

#include <string.h>

#include "platform/bsd/bsd.h"
#include "platform/bsd/vnconfig.h"
#include "platform/text.h"

const enum disk_naming bsd_naming = NAMING_SLICES;

char
bsd_raw_letter(void)
{
	return 'c';
}

bool
bsd_disk_size(int fd, int64_t *size, int64_t *sector)
{
	struct partinfo info;

	memset(&info, 0, sizeof info);
	if (ioctl(fd, DIOCGPART, &info) == -1 || info.media_blksize <= 0)
		return false;
	*size = (int64_t)info.media_size;
	*sector = info.media_blksize;
	return true;
}

/* Slices and partitions are nodes that begin with its name. */
void
bsd_disk_details(struct arena *arena, struct device_info *info)
{
	struct name_list nodes;
	struct name_list children = { 0 };
	struct name_list parents = { 0 };

	name_list_folder(arena, &nodes, "/dev");
	for (size_t i = 0; i < nodes.count; i++) {
		const char *node = nodes.names[i];

		if (!disk_names_overlap(node, info->name, bsd_naming, 'c') ||
		    strcmp(node, info->name) == 0)
			continue;
		name_list_add(arena,
		    strlen(node) > strlen(info->name) ? &children : &parents,
		    node);
	}
	info->children = children.names;
	info->child_count = children.count;
	info->parents = parents.names;
	info->parent_count = parents.count;
}

void
bsd_disk_ancestors(
    struct arena *arena, const char *name, struct name_list *list)
{
	*list = (struct name_list){ 0 };
	name_list_add(arena, list, name);
	name_list_add(arena, list, disk_of_name(arena, name));
}

/* The kernel keeps no account of who uses a disk. */
void
bsd_disk_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses)
{
	(void)info;
	(void)arena;
	(void)uses;
}

void
bsd_file_disks(struct arena *arena, struct file_disk_list *list)
{
	bsd_vnconfig_list(arena, list);
}
