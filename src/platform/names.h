/*
 * Names of disks and their parts on the BSDs: which of them share bytes.
 * Pure; inside platform/ only.
 */
#ifndef MM_PLATFORM_NAMES_H
#define MM_PLATFORM_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "platform/mounts.h"
#include "platform/text.h"

enum disk_naming {
	NAMING_SLICES,  /* FreeBSD, DragonFly: ada0p5, da0s1d, vbd1s0 */
	NAMING_LETTERS, /* NetBSD, OpenBSD: wd0e, and rwd0e for it raw */
};

/* "wd0e" of "/dev/rwd0e", "ufs/vol1" of "/dev/ufs/vol1", "vbd1" of "vbd1". */
char *disk_base_name(
    struct arena *arena, const char *path, enum disk_naming naming);

/* "da0" of "da0s1d"; a name of another form is its own disk. */
char *disk_of_name(struct arena *arena, const char *name);

/* The place of a partition's letter in its disk label: 4 of "wd0e", 27 of
 * "sd0B"; -1 for a name without one ("wd0", "dk3"). */
int disk_part_of_name(const char *name);

/*
 * True when the two base names can mean the same bytes: equal, or one a part
 * of the other.  Partitions of one disk label are taken as apart with slices,
 * and with letters except for the raw one ('c' or 'd').
 */
bool disk_names_overlap(
    const char *a, const char *b, enum disk_naming naming, char raw_letter);

/*
 * The devices that a mount's source names: "/dev/da0s1d"; "/dev/vbd1@DATA"
 * and "/dev/a:/dev/b@DATA" of HAMMER2; a HAMMER label by the output of
 * "hammer info".  False when it is a label of unknown devices.
 */
bool mount_source_devices(struct arena *arena, const struct mount_entry *entry,
    const char *hammer_info, struct name_list *devices);

#endif
