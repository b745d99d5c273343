/* Disks of FreeBSD: what GEOM tells of them. */
#include <sys/types.h>

#include <sys/disk.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <string.h>

#include "platform/bsd/bsd.h"
#include "platform/geom.h"
#include "platform/mounts.h"
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
	u_int sector_size;
	off_t media;

	if (ioctl(fd, DIOCGMEDIASIZE, &media) == -1 ||
	    ioctl(fd, DIOCGSECTORSIZE, &sector_size) == -1)
		return false;
	*size = media;
	*sector = sector_size;
	return true;
}

static void
read_mesh(struct arena *arena, struct geom_mesh *mesh)
{
	size_t size;
	const char *text = bsd_sysctl_bytes(arena, "kern.geom.confxml", &size);

	geom_parse(text != NULL ? text : "", arena, mesh);
}

static void
describe_whole(const struct geom_mesh *mesh, struct device_info *info)
{
	const struct geom_provider *disk = geom_provider(mesh, info->disk);

	if (disk == NULL)
		return;
	info->model = disk->description;
	info->serial = disk->ident;
	if (strcmp(disk->rotation_rate, "0") == 0)
		info->is_rotational = 0;
	else if (text_number(disk->rotation_rate, 0) > 0)
		info->is_rotational = 1;
}

void
bsd_disk_details(struct arena *arena, struct device_info *info)
{
	struct geom_mesh mesh;
	struct name_list above;
	struct name_list below;
	const struct geom_provider *own;

	read_mesh(arena, &mesh);
	geom_ancestors(&mesh, info->name, arena, &below);
	geom_children(&mesh, info->name, arena, &above);
	info->parents = below.names + (below.count > 0);
	info->parent_count = below.count - (below.count > 0);
	info->children = above.names;
	info->child_count = above.count;
	if (below.count > 0)
		info->disk = below.names[below.count - 1];
	info->is_partition = below.count > 1;
	own = geom_provider(&mesh, info->name);
	if (own != NULL && own->start_bytes > 0)
		info->start_bytes = own->start_bytes;
	describe_whole(&mesh, info);
}

void
bsd_disk_ancestors(
    struct arena *arena, const char *name, struct name_list *list)
{
	struct geom_mesh mesh;

	read_mesh(arena, &mesh);
	geom_ancestors(&mesh, name, arena, list);
}

/* The guard itself may have it open for writing. */
static int
own_writes(struct arena *arena, const struct device_info *info)
{
	struct stat status;
	int count = 0;

	(void)arena;
	for (int fd = 0; fd < 256; fd++)
		if (fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) &&
		    status.st_rdev == info->id)
			count++;
	return count;
}

void
bsd_disk_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses)
{
	struct geom_mesh mesh;
	struct device_uses found = { 0 };

	read_mesh(arena, &mesh);
	geom_uses(&mesh, info->name, own_writes(arena, info), arena, &found);
	for (size_t i = 0; i < found.count; i++) {
		uses->items = arena_append(
		    arena, uses->items, uses->count, sizeof *uses->items);
		uses->items[uses->count++] = found.items[i];
	}
}

void
bsd_file_disks(struct arena *arena, struct file_disk_list *list)
{
	struct geom_mesh mesh;

	*list = (struct file_disk_list){ 0 };
	read_mesh(arena, &mesh);
	for (size_t i = 0; i < mesh.provider_count; i++) {
		const struct geom_provider *disk = &mesh.providers[i];

		if (disk->file[0] == '\0')
			continue;
		list->items = arena_append(
		    arena, list->items, list->count, sizeof *list->items);
		list->items[list->count++] = (struct file_disk){
			.name = disk->name, .file = disk->file, .folder = ""
		};
	}
}
