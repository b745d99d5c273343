/*
 * What a failed command means: a verdict and a reason, out of its exit, its
 * words (which fs/classify.h knows) and the kernel's.  Pure.
 */
#ifndef MM_TRIAL_BLAME_H
#define MM_TRIAL_BLAME_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/proc.h"
#include "model/outcome.h"

struct blame {
	enum verdict verdict;
	/* the system does not take these options at all, ever */
	bool is_rejected;
	const char *reason; /* "mkfs.ext4: exit 1: invalid blocks count" */
};

/* "what" is the command's line or name; "kernel" the lines it caused. */
void blame_command(enum rung rung, const char *what,
    const struct proc_result *result, const char *kernel, struct arena *arena,
    struct blame *blame);

/* The same for a checker: which of its exits and words mean damage.
 * VERDICT_OK for a clean one, and for one that is not installed. */
void blame_check(const char *what, const struct proc_result *result,
    struct arena *arena, struct blame *blame);

/* The first line that says the machine or the device is in trouble (I/O
 * error, corruption, oops, OOM), or NULL.  Lines about other devices than
 * "device" ("loop0"; "" for none) are passed over. */
const char *blame_kernel_trouble(
    const char *kernel, const char *device, struct arena *arena);

/* The same, of lines that name this device ("sda1") or the disk it is a part
 * of ("sda") only. */
const char *blame_device_trouble(
    const char *kernel, const char *device, struct arena *arena);

/* The lines without those that are about other devices only. */
char *blame_without_others(
    const char *kernel, const char *device, struct arena *arena);

/* The line that says which process was killed for want of memory, be it the
 * machine's or that of somebody's limit; NULL: none. */
const char *blame_killed(const char *kernel, struct arena *arena);

/* The first line that is not blank, without "NAME: WARNING" noise, at most
 * 200 bytes; "" for none. */
const char *blame_first_line(const char *text, struct arena *arena);

#endif
