/*
 * What a target is, and every use of it that was found.
 *
 * The guard decides; this only looks, each time anew.  Devices are compared
 * by number, through partitions, holders and loop devices, never by name
 * alone.  Nothing here writes, except platform_erase_signatures.
 */
#ifndef MM_PLATFORM_DEVICE_H
#define MM_PLATFORM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"

enum device_kind {
	DEVICE_ABSENT, /* nothing of that name */
	DEVICE_DISK,   /* a block device; on BSD a disk's node, raw or not */
	DEVICE_IMAGE,  /* a regular file */
	DEVICE_DIRECTORY,
	DEVICE_OTHER, /* a terminal, a pipe: never a target */
};

/* Unknown texts are "", unknown numbers -1. */
struct device_info {
	enum device_kind kind;
	const char *path; /* canonical, links followed: "/dev/loop0" */
	const char *name; /* the kernel's: "sda1" */
	dev_t id;         /* of a device its own, else of what holds it */
	ino_t inode;
	int64_t size_bytes;
	int64_t sector_bytes;
	int64_t physical_sector_bytes;
	int64_t start_bytes; /* of a partition on its disk; 0 for a disk */
	const char *disk;    /* the whole disk's name; its own for a disk */
	const char *model;
	const char *serial;
	const char *sequence; /* of no other disk, since the system started */
	const char *write_cache;  /* "write back", "write through" */
	const char *scheduler;    /* "none", "mq-deadline" */
	const char *backing_file; /* of a loop, md, vn or vnd device */
	int is_rotational;
	bool is_partition;
	bool is_loop; /* made from a file or from memory */
	bool is_read_only;
	const char **parents; /* disks and devices it is made of, names */
	size_t parent_count;
	const char **children; /* partitions and holders, names */
	size_t child_count;
};

/* Describes what the path leads to.  A path to nothing is DEVICE_ABSENT, not
 * an error. */
int platform_device_describe(const char *path, struct arena *arena,
    struct device_info *info, struct error *err);

/* The path without links, or as it is when it leads to nothing. */
const char *device_resolve(const char *path, struct arena *arena);

/* True when both are the same device or the same file. */
bool device_is_same(const struct device_info *a, const struct device_info *b);

/* Text that stays the same while the name leads to the same disk: its size with
 * its serial number, which one that is plugged in again keeps; or with the file
 * behind a loop device; or else with number and sequence number. */
const char *device_identity(
    const struct device_info *info, struct arena *arena);

enum device_use_kind {
	USE_MOUNTED,   /* it, a parent, a child, or a file on it as loop */
	USE_SWAP,      /* active swap */
	USE_SYSTEM,    /* holds /, /boot, /usr or the like */
	USE_HOLDER,    /* part of a RAID, volume group, pool, crypt device */
	USE_BACKING,   /* a loop device is attached to it */
	USE_PARTITION, /* has partitions */
	USE_OPEN,      /* somebody, perhaps the caller, holds it exclusively */
	USE_WRITER,    /* another program has it open for writing */
	USE_UNSEEN,    /* something could not be looked at; why */
};

struct device_use {
	enum device_use_kind kind;
	const char
	    *text; /* "mounted on '/home' (mount namespace 4026531841)" */
};

struct device_uses {
	struct device_use *items;
	size_t count;
};

/* Every use of the device, image or directory that can be found. */
int platform_device_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses, struct error *err);

/* 1 when the path (which exists) is on the device or image, through any
 * number of partitions, holders and loops; 0 when not; -1 when unknown. */
int platform_path_is_on(const char *path, const struct device_info *info,
    struct arena *arena, struct error *err);

enum signature_kind {
	SIGNATURE_FILESYSTEM,
	SIGNATURE_SWAP,
	SIGNATURE_MEMBER, /* of a RAID, volume group, pool; or encrypted */
	SIGNATURE_PARTITIONS,
	SIGNATURE_UNKNOWN, /* several that contradict each other, or other */
};

struct signature {
	enum signature_kind kind;
	const char *type; /* "ext4", "swap", "linux_raid_member", "dos" */
	const char *uuid; /* "" when it has none */
	const char *label;
};

struct signature_list {
	struct signature *items;
	size_t count;
};

/* What is written on the device or image, read through an open descriptor
 * or, with fd -1, through info->path. */
int platform_signatures(const struct device_info *info, int fd,
    struct arena *arena, struct signature_list *list, struct error *err);

/*
 * Opens it for writing so that nobody else can use it, where the system
 * knows how (Linux O_EXCL on a block device; a lock on an image file).  The
 * descriptor, or -1 with kind ERROR_HOST when it is in use.
 */
int platform_open_exclusive(const char *path, struct error *err);

/* Zeroes the first and last MiB through a descriptor that the guard opened,
 * so that no old filesystem can still be found after the next make. */
int platform_erase_signatures(int fd, struct error *err);

#endif
