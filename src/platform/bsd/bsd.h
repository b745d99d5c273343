/*
 * What the BSDs do in ways of their own, asked by what they do alike.  Each
 * of freebsd/, dragonfly/, netbsd/ and openbsd/ has these functions.
 */
#ifndef MM_PLATFORM_BSD_BSD_H
#define MM_PLATFORM_BSD_BSD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/bsd_text.h"
#include "platform/counters.h"
#include "platform/device.h"
#include "platform/flags.h"
#include "platform/host.h"
#include "platform/names.h"

/* --- sysctl -------------------------------------------------------------- */

/* As sysctlbyname(3), to read; OpenBSD knows a few names. */
int bsd_sysctl(const char *name, void *bytes, size_t *size);

/* All of a value that may be long, with a NUL behind it, or NULL. */
char *bsd_sysctl_bytes(struct arena *arena, const char *name, size_t *size);

/* A text, or "". */
char *bsd_sysctl_text(struct arena *arena, const char *name);

/* A number of 4 or 8 bytes, or -1. */
int64_t bsd_sysctl_number(const char *name);

/*
 * A table of the kernel, of items of "item" bytes; "*count" is how many, 0
 * where it cannot be read or has items of another size.  "wanted" is the part
 * of the question that says for how many there is room, or NULL.
 */
void *bsd_sysctl_table(struct arena *arena, int *mib, u_int parts, size_t item,
    int *wanted, size_t *count);

/* A path, or NULL. */
char *bsd_sysctl_path(struct arena *arena, int *mib, u_int parts);

/* The time of the boot as the clock now has it, in microseconds. */
int64_t bsd_boot_us(void);

/* --- processes ----------------------------------------------------------- */

struct bsd_process {
	pid_t pid;
	pid_t parent;
	pid_t group;
	/* one that stays when the clock is set: since the boot on systems that
	 * keep it so, else since 1970 */
	int64_t start_us;
	char state; /* as ps: R, S, I, D (uninterruptible), T, Z */
	char name[32];
	char wait[32];
};

/* All of them (pid 0), or the one, in the arena. */
size_t bsd_processes(
    struct arena *arena, pid_t pid, struct bsd_process **processes);

/* Asks the kernel to end this process with its parent, where it can. */
void bsd_follow_parent(void);

/* --- disks --------------------------------------------------------------- */

extern const enum disk_naming bsd_naming;

/* The letter of the partition that is the whole disk. */
char bsd_raw_letter(void);

/* The size and sector size of an open device; false when it is no disk. */
bool bsd_disk_size(int fd, int64_t *size, int64_t *sector);

/* Model, serial number, parents, children, start: what is known beyond. */
void bsd_disk_details(struct arena *arena, struct device_info *info);

/* Names (base names) of what the device is made of, itself first. */
void bsd_disk_ancestors(
    struct arena *arena, const char *name, struct name_list *list);

/* Uses that the kernel tells of by itself, beyond mounts and swap. */
void bsd_disk_uses(const struct device_info *info, struct arena *arena,
    struct device_uses *uses);

/* Disks that are files (md, vn, vnd). */
void bsd_file_disks(struct arena *arena, struct file_disk_list *list);

/* Counters of the whole disk of that name; false when it has none. */
bool bsd_disk_counters(
    struct arena *arena, const char *disk, struct device_counters *counters);

/* --- mounts -------------------------------------------------------------- */

/* Words by the system's own symbols, since a bit means other things on other
 * systems; "" for what tells nothing of options.  Ends with the word NULL. */
extern const struct flag_word bsd_flag_words[];

/* Calls bsd_mount_add for each; returns how many, or what getmntinfo(3)
 * returned, with errno. */
int bsd_mount_table(struct arena *arena, struct mount_list *list);

/* The flags in force where the path is; -1 with errno. */
int bsd_mount_flags(const char *path, uint64_t *flags);

/* The size of one record of a folder; <dirent.h> has the struct. */
struct dirent;
size_t bsd_record_size(const struct dirent *record);

/* --- the machine --------------------------------------------------------- */

/* Names of numbers worth keeping with a result, for sysctl; NULL ends. */
extern const char *const bsd_fact_names[];

/* Options of the kernel that slow it down: "no", "" where it does not tell. */
char *bsd_debugging(struct arena *arena);

/* The kernel's message buffer as text, NULs dropped, or NULL. */
char *bsd_messages(struct arena *arena, size_t *size);

/* --- helps, in bsd/ ------------------------------------------------------ */

/* Standard output of a program, "" when it fails to run. */
char *bsd_output_of(struct arena *arena, const char *const *argv);

/* The base name of the device at the path, by its number where known. */
char *bsd_device_name(
    struct arena *arena, const char *path, dev_t id, bool is_block);

/* Names of the devices below the mounted filesystem; false: unknown. */
bool bsd_mount_devices(struct arena *arena, const struct mount_entry *entry,
    struct name_list *devices);

/* Adds a use for every mount that touches the disk of that base name. */
void bsd_find_mounts(struct arena *arena, const char *name,
    const char *relation, const struct mount_list *mounts,
    struct device_uses *uses);

/* Appends what the system's own table says of one mount. */
void bsd_mount_add(struct arena *arena, struct mount_list *list,
    const char *source, const char *mountpoint, const char *type,
    uint64_t flags);

/* The mount that the path is on, or NULL. */
const struct mount_entry *bsd_mount_of(
    struct arena *arena, const char *path, struct mount_list *list);

#endif
