/*
 * The mount table.
 *
 * Texts live in the arena given; names are decoded (Linux writes a blank as
 * \040).  On systems with one set of options per mount, super_options is "".
 */
#ifndef MM_PLATFORM_MOUNTS_H
#define MM_PLATFORM_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"

struct mount_entry {
	const char *source; /* "/dev/loop0", "tmpfs", a HAMMER label */
	const char *mountpoint;
	const char *type;
	const char *root;    /* the part of the filesystem that is shown: "/" */
	const char *options; /* of this mount: "rw,relatime" */
	const char *super_options; /* of the filesystem: "rw,data=ordered" */
	dev_t device;              /* st_dev of the files on it */
	uint64_t id;               /* Linux: mount id, else 0 */
	uint64_t name_space;       /* the mount namespace it was seen in */
	bool read_only;            /* by the mount or by the filesystem */
};

struct mount_list {
	struct mount_entry *items;
	size_t count;
	/* false: some namespaces could not be read (other users' processes) */
	bool is_complete;
};

/* The mounts this process sees, oldest first. */
int platform_mounts(
    struct arena *arena, struct mount_list *list, struct error *err);

/* The mounts of every mount namespace that a process lives in, this one's
 * first.  The same as platform_mounts on systems without namespaces. */
int platform_mounts_all_namespaces(
    struct arena *arena, struct mount_list *list, struct error *err);

/* The topmost mount at exactly this canonical path, or NULL. */
const struct mount_entry *mount_list_at(
    const struct mount_list *list, const char *mountpoint);

/* The topmost mount that the canonical path is on, by name, or NULL. */
const struct mount_entry *mount_list_holding(
    const struct mount_list *list, const char *path);

/* Every option in force as one text without repeats: "rw,noatime,commit=5". */
char *mount_options_in_force(
    struct arena *arena, const struct mount_entry *entry);

/* True when the comma-separated text has this option; "commit" also matches
 * "commit=5". */
bool mount_options_have(const char *options, const char *option);

/*
 * The kernel's full account of a mounted filesystem's options, where it gives
 * one beyond the mount table (Linux ext4: /proc/fs/ext4/DEV/options): one
 * option a line, or NULL.
 */
char *platform_mount_report(
    struct arena *arena, const struct mount_entry *entry);

/*
 * Linux's mountinfo text.  Lines that are not of its form are passed over and
 * counted in "*bad"; never fails.
 */
void mountinfo_parse(const char *text, size_t size, struct arena *arena,
    struct mount_list *list, size_t *bad);

struct swap_list {
	const char **paths; /* devices and files */
	size_t count;
};

/* Appends the path itself, not a copy. */
void swap_list_add(
    struct arena *arena, struct swap_list *list, const char *path);

/* Linux's /proc/swaps text. */
void swaps_parse(
    const char *text, size_t size, struct arena *arena, struct swap_list *list);

/* Where this system swaps to. */
int platform_swaps(
    struct arena *arena, struct swap_list *list, struct error *err);

#endif
