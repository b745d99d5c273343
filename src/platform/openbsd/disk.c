/* Disks of OpenBSD: label partitions by letter. */
#include <sys/param.h>

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

char
bsd_raw_letter(void)
{
	return 'c';
}

/* The whole disk's where the name tells no partition. */
static size_t
part_of_name(const char *name)
{
	int part = disk_part_of_name(name);

	return part < 0 ? 2 : (size_t)part;
}

bool
bsd_disk_size(int fd, int64_t *size, int64_t *sector)
{
	struct disklabel label;
	struct stat status;
	const char *name;
	size_t part;

	if (fstat(fd, &status) == -1 || ioctl(fd, DIOCGDINFO, &label) == -1)
		return false;
	name = devname(
	    status.st_rdev, S_ISBLK(status.st_mode) ? S_IFBLK : S_IFCHR);
	part = part_of_name(name != NULL ? name : "c");
	if (part >= label.d_npartitions || label.d_secsize == 0)
		return false;
	*size =
	    (int64_t)(DL_GETPSIZE(&label.d_partitions[part]) * label.d_secsize);
	*sector = label.d_secsize;
	return true;
}

static int
read_label(struct arena *arena, const char *name, struct disklabel *label)
{
	int fd = open(arena_printf(arena, "/dev/r%s", name),
	    O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc;

	if (fd == -1)
		return -1;
	rc = ioctl(fd, DIOCGDINFO, label);
	(void)close(fd);
	return rc;
}

void
bsd_disk_details(struct arena *arena, struct device_info *info)
{
	struct disklabel label;
	size_t part = part_of_name(info->name);

	if (read_label(arena, info->name, &label) == -1)
		return;
	info->model = text_trim(arena,
	    arena_strndup(arena, label.d_packname, sizeof label.d_packname));
	info->serial = arena_printf(arena, "%02x%02x%02x%02x%02x%02x%02x%02x",
	    label.d_uid[0], label.d_uid[1], label.d_uid[2], label.d_uid[3],
	    label.d_uid[4], label.d_uid[5], label.d_uid[6], label.d_uid[7]);
	if (part < label.d_npartitions)
		info->start_bytes =
		    (int64_t)(DL_GETPOFFSET(&label.d_partitions[part]) *
			      label.d_secsize);
}

void
bsd_disk_ancestors(
    struct arena *arena, const char *name, struct name_list *list)
{
	*list = (struct name_list){ 0 };
	name_list_add(arena, list, name);
	name_list_add(arena, list, disk_of_name(arena, name));
}

static bool
do_overlap(const struct partition *a, const struct partition *b)
{
	uint64_t a_end = DL_GETPOFFSET(a) + DL_GETPSIZE(a);
	uint64_t b_end = DL_GETPOFFSET(b) + DL_GETPSIZE(b);

	return DL_GETPSIZE(a) != 0 && DL_GETPSIZE(b) != 0 &&
	       DL_GETPOFFSET(a) < b_end && DL_GETPOFFSET(b) < a_end;
}

/* Letters of one label may lie over each other: the mounts of those count;
 * and a RAID or crypt volume shows by its part's type only. */
void
bsd_disk_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses)
{
	struct disklabel label;
	struct mount_list mounts;
	struct error ignored = { 0 };
	size_t own = part_of_name(info->name);

	if (read_label(arena, info->name, &label) == -1 ||
	    own >= label.d_npartitions || own == 2 ||
	    platform_mounts(arena, &mounts, &ignored) == -1)
		return;
	if (label.d_partitions[own].p_fstype == FS_RAID) {
		uses->items = arena_append(
		    arena, uses->items, uses->count, sizeof *uses->items);
		uses->items[uses->count++] =
		    (struct device_use){ .kind = USE_HOLDER,
			    .text = "of type RAID in the disk's label" };
	}
	for (size_t i = 0; i < label.d_npartitions && i < 26; i++)
		if (i != own && i != 2 &&
		    do_overlap(
			&label.d_partitions[i], &label.d_partitions[own]))
			bsd_find_mounts(arena,
			    arena_printf(arena, "%s%c", info->disk,
				(char)('a' + (int)i)),
			    "its bytes are also of a partition that is ",
			    &mounts, uses);
}

void
bsd_file_disks(struct arena *arena, struct file_disk_list *list)
{
	bsd_vnconfig_list(arena, list);
}
