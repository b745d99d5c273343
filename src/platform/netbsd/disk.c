/* Disks of NetBSD: label partitions by letter, and wedges (dk0). */
#include <sys/param.h>

#include <sys/disk.h>
#include <sys/disklabel.h>
#include <sys/dkio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/bsd/vnconfig.h"
#include "platform/mounts.h"
#include "platform/text.h"

const enum disk_naming bsd_naming = NAMING_LETTERS;

enum { WEDGES_MAX = 64 };

char
bsd_raw_letter(void)
{
	int64_t part = bsd_sysctl_number("kern.rawpartition");

	return (char)('a' + (part >= 0 && part < 26 ? part : 3));
}

/* The partition of the label that the open node is, by its name. */
static bool
read_partition(int fd, struct disklabel *label, struct partition *partition)
{
	struct stat status;
	const char *name;
	int part;

	if (fstat(fd, &status) == -1 || ioctl(fd, DIOCGDINFO, label) == -1)
		return false;
	name = devname(
	    status.st_rdev, S_ISBLK(status.st_mode) ? S_IFBLK : S_IFCHR);
	part = name != NULL ? disk_part_of_name(name) : -1;
	if (part < 0 || part >= label->d_npartitions)
		return false;
	*partition = label->d_partitions[part];
	return true;
}

/*
 * DIOCGMEDIASIZE tells the size of the whole disk, whichever of its nodes is
 * asked (that of a wedge for a wedge); a partition's size is in the label,
 * whose numbers are too small for the whole of a large disk.
 */
bool
bsd_disk_size(int fd, int64_t *size, int64_t *sector)
{
	struct disklabel label;
	struct partition partition;
	u_int sector_size;
	off_t media = -1;

	if (ioctl(fd, DIOCGSECTORSIZE, &sector_size) == -1 ||
	    ioctl(fd, DIOCGMEDIASIZE, &media) == -1)
		media = -1;
	if (media != -1)
		*sector = sector_size;
	if (!read_partition(fd, &label, &partition)) {
		*size = media;
		return media != -1;
	}
	if (media == -1)
		*sector = label.d_secsize;
	*size = (int64_t)partition.p_size * label.d_secsize;
	if (media != -1 && partition.p_offset == 0 &&
	    partition.p_size == label.d_secperunit)
		*size = media;
	return true;
}

/* The raw node of a name: "wd0" has none of its own, its raw partition has. */
static int
open_raw(struct arena *arena, const char *name)
{
	const char *path = arena_printf(arena, "/dev/r%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd == -1)
		fd = open(arena_printf(arena, "%s%c", path, bsd_raw_letter()),
		    O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd;
}

static void
add_wedges(struct arena *arena, int fd, struct name_list *list)
{
	struct dkwedge_info *wedges =
	    arena_array(arena, WEDGES_MAX, sizeof *wedges);
	struct dkwedge_list answer = { .dkwl_buf = wedges,
		.dkwl_bufsize = WEDGES_MAX * sizeof *wedges };

	if (ioctl(fd, DIOCLWEDGES, &answer) == -1)
		return;
	for (u_int i = 0; i < answer.dkwl_ncopied; i++)
		name_list_add(arena, list,
		    arena_strndup(arena, wedges[i].dkw_devname,
			sizeof wedges[i].dkw_devname));
}

static const char *
wedge_parent(struct arena *arena, const char *name)
{
	struct dkwedge_info wedge;
	const char *parent = NULL;
	int fd;

	if (strncmp(name, "dk", 2) != 0)
		return NULL;
	fd = open_raw(arena, name);
	if (fd == -1)
		return NULL;
	memset(&wedge, 0, sizeof wedge);
	if (ioctl(fd, DIOCGWEDGEINFO, &wedge) == 0)
		parent = arena_strndup(
		    arena, wedge.dkw_parent, sizeof wedge.dkw_parent);
	(void)close(fd);
	return parent;
}

void
bsd_disk_details(struct arena *arena, struct device_info *info)
{
	struct name_list wedges = { 0 };
	struct name_list parents = { 0 };
	const char *parent = wedge_parent(arena, info->name);
	struct disklabel label;
	struct partition partition;
	int cache;
	int fd = open_raw(arena, info->name);

	if (parent != NULL) {
		name_list_add(arena, &parents, parent);
		info->disk = parent;
		info->is_partition = true;
	}
	if (fd != -1) {
		add_wedges(arena, fd, &wedges);
		if (parent == NULL && info->is_partition &&
		    read_partition(fd, &label, &partition))
			info->start_bytes =
			    (int64_t)partition.p_offset * label.d_secsize;
		if (ioctl(fd, DIOCGCACHE, &cache) == 0)
			info->write_cache = (cache & DKCACHE_WRITE) != 0
						? "write back"
						: "write through";
		(void)close(fd);
	}
	info->parents = parents.names;
	info->parent_count = parents.count;
	info->children = wedges.names;
	info->child_count = wedges.count;
}

void
bsd_disk_ancestors(
    struct arena *arena, const char *name, struct name_list *list)
{
	const char *parent = wedge_parent(arena, name);

	*list = (struct name_list){ 0 };
	name_list_add(arena, list, name);
	name_list_add(arena, list, disk_of_name(arena, name));
	if (parent != NULL)
		name_list_add(arena, list, parent);
}

static bool
do_overlap(const struct partition *a, const struct partition *b)
{
	uint64_t a_end = (uint64_t)a->p_offset + a->p_size;
	uint64_t b_end = (uint64_t)b->p_offset + b->p_size;

	return a->p_size != 0 && b->p_size != 0 && a->p_offset < b_end &&
	       b->p_offset < a_end;
}

/* Letters of one label may lie over each other: the mounts of those count. */
void
bsd_disk_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses)
{
	struct disklabel label;
	struct mount_list mounts;
	struct error ignored = { 0 };
	int part = disk_part_of_name(info->name);
	size_t own = part < 0 ? 0 : (size_t)part;
	int fd = open_raw(arena, info->name);

	if (fd == -1)
		return;
	if (ioctl(fd, DIOCGDINFO, &label) == 0 && own < label.d_npartitions &&
	    strcmp(info->disk, info->name) != 0 &&
	    platform_mounts(arena, &mounts, &ignored) == 0)
		for (size_t i = 0; i < label.d_npartitions; i++) {
			const char *name = arena_printf(
			    arena, "%s%c", info->disk, (char)('a' + (int)i));

			if (i != own &&
			    (char)('a' + (int)i) != bsd_raw_letter() &&
			    do_overlap(&label.d_partitions[i],
				&label.d_partitions[own]))
				bsd_find_mounts(arena, name,
				    "its bytes are also of a partition that is ",
				    &mounts, uses);
		}
	(void)close(fd);
}

void
bsd_file_disks(struct arena *arena, struct file_disk_list *list)
{
	bsd_vnconfig_list(arena, list);
}
