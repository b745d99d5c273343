#include "fs/failures.h"

#include <stddef.h>
#include <string.h>

#define AT(rung) (1U << (rung))
#define ALL_RUNGS 0U
#define MAKING                                                                 \
	(AT(RUNG_MAKE) | AT(RUNG_TUNE) | AT(RUNG_ATTACH) | AT(RUNG_READBACK))
#define MOUNTING (AT(RUNG_MOUNT) | AT(RUNG_COOL))
#define ENDING (AT(RUNG_UNMOUNT) | AT(RUNG_DETACH))

/* The first one that fits decides. */
static const struct failure_rule rules[] = {
	/* rights first: the rest of the line is often a guess */
	{ .text = "must be superuser", .failure = FAILURE_PERMISSION },
	{ .text = "Permission denied", .failure = FAILURE_PERMISSION },
	{ .text = "permission denied", .failure = FAILURE_PERMISSION },
	{ .text = "only root can", .failure = FAILURE_PERMISSION },

	/* failures that end with 0 */
	{ .rungs = MOUNTING,
	    .text = "fuse: unknown option",
	    .failure = FAILURE_REJECTED,
	    .even_at_zero = true },
	{ .rungs = MOUNTING,
	    .text = "fuse: mount failed",
	    .failure = FAILURE_REJECTED,
	    .even_at_zero = true },
	{ .rungs = MOUNTING,
	    .text = "fuse: invalid argument",
	    .failure = FAILURE_REJECTED,
	    .even_at_zero = true },
	{ .rungs = AT(RUNG_TUNE),
	    .text = "cannot be enabled until fsck is run",
	    .failure = FAILURE_UNCLEAN,
	    .even_at_zero = true },
	{ .rungs = AT(RUNG_TUNE) | AT(RUNG_MAKE),
	    .text = ".sujournal already exists",
	    .failure = FAILURE_REJECTED,
	    .even_at_zero = true },
	{ .rungs = AT(RUNG_TUNE) | AT(RUNG_MAKE),
	    .text = "journaling cannot be enabled",
	    .failure = FAILURE_REJECTED,
	    .even_at_zero = true },
	{ .rungs = AT(RUNG_TUNE),
	    .text = "are mutually exclusive",
	    .failure = FAILURE_REJECTED,
	    .even_at_zero = true },
	{ .rungs = AT(RUNG_ATTACH),
	    .text = "No such file or directory",
	    .failure = FAILURE_NO_DEVICE,
	    .even_at_zero = true },

	/* unclean: the BSDs say so in one place or the other */
	{ .text = "Filesystem is not clean", .failure = FAILURE_UNCLEAN },
	{ .text = "needs journal recovery", .failure = FAILURE_UNCLEAN },
	{ .text = "please fsck", .failure = FAILURE_UNCLEAN },

	/* the program or the kernel part is missing */
	{ .text = "unknown filesystem type", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "Operation not supported by device",
	    .failure = FAILURE_NO_FILESYSTEM },
	{ .rungs = MOUNTING,
	    .text = " not found for ",
	    .failure = FAILURE_NO_PROGRAM },
	{ .rungs = MOUNTING,
	    .text = " not found in ",
	    .failure = FAILURE_NO_PROGRAM },

	/* somebody is in the way */
	{ .rungs = ENDING, .text = "target is busy", .failure = FAILURE_BUSY },
	{ .rungs = ENDING, .text = "Device busy", .failure = FAILURE_BUSY },
	{ .rungs = ENDING, .text = "resource busy", .failure = FAILURE_BUSY },
	{ .rungs = ENDING, .text = "pool is busy", .failure = FAILURE_BUSY },
	{ .rungs = ENDING, .text = "dataset is busy", .failure = FAILURE_BUSY },
	{ .rungs = ENDING,
	    .text = "Device or resource busy",
	    .failure = FAILURE_BUSY },
	{ .rungs = MOUNTING,
	    .text = "mount point is busy",
	    .failure = FAILURE_BUSY },
	{ .rungs = MOUNTING,
	    .text = "already mounted",
	    .failure = FAILURE_IN_USE },
	{ .text = "Device busy", .failure = FAILURE_IN_USE },
	{ .text = "Device or resource busy", .failure = FAILURE_IN_USE },
	{ .text = "is mounted", .failure = FAILURE_IN_USE },
	{ .text = "in use by the system", .failure = FAILURE_IN_USE },
	{ .text = "contains a mounted filesystem", .failure = FAILURE_IN_USE },
	{ .text = "appears to contain an existing filesystem",
	    .failure = FAILURE_IN_USE },
	{ .text = "is part of active pool", .failure = FAILURE_IN_USE },
	{ .text = "use '-f' to override", .failure = FAILURE_IN_USE },
	{ .text = "failed to open disk for writing",
	    .failure = FAILURE_IN_USE },
	{ .text = "open for write: Operation not permitted",
	    .failure = FAILURE_IN_USE },
	{ .text = "could not open special device",
	    .failure = FAILURE_PERMISSION },

	/* nothing there to undo */
	{ .rungs = ENDING,
	    .text = "not mounted",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "not currently mounted",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "no mount point specified",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "not a file system root directory",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "unknown file system",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "Device not configured",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "No such device or address",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "No such file or directory",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "no such pool",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "failed: Invalid argument",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = ": Invalid argument",
	    .failure = FAILURE_NOT_THERE },
	{ .rungs = ENDING,
	    .text = "Operation not permitted",
	    .failure = FAILURE_PERMISSION },

	/* sizes */
	{ .text = "block size too small", .failure = FAILURE_REJECTED },
	{ .text = "minimum size", .failure = FAILURE_TOO_SMALL },
	{ .text = "must have at least", .failure = FAILURE_TOO_SMALL },
	{ .text = "filesystem too small", .failure = FAILURE_TOO_SMALL },
	{ .text = "too small", .failure = FAILURE_TOO_SMALL },
	{ .text = "less than 10GB unless", .failure = FAILURE_TOO_SMALL },
	{ .text = "must be larger than", .failure = FAILURE_TOO_SMALL },
	{ .text = "Log size must be at least", .failure = FAILURE_TOO_SMALL },
	{ .text = "maximum file system size", .failure = FAILURE_TOO_SMALL },
	{ .text = "write: Undefined error", .failure = FAILURE_TOO_SMALL },
	{ .text = "write (boot/aux)", .failure = FAILURE_TOO_SMALL },
	{ .text = "No space left on device",
	    .failure = FAILURE_NO_SPACE,
	    .is_no_room = true },
	{ .text = "filesystem full",
	    .failure = FAILURE_NO_SPACE,
	    .is_no_room = true },
	{ .text = "file system is full",
	    .failure = FAILURE_NO_SPACE,
	    .is_no_room = true },
	{ .text = "disk full",
	    .failure = FAILURE_NO_SPACE,
	    .is_no_room = true },
	{ .text = "Cannot allocate memory", .failure = FAILURE_NO_SPACE },

	/* words that only the kernel has for a refused option */
	{ .rungs = MOUNTING,
	    .text = "Unknown parameter",
	    .failure = FAILURE_REJECTED,
	    .where = KERNEL_ONLY },
	{ .rungs = MOUNTING,
	    .text = "Bad value for",
	    .failure = FAILURE_REJECTED,
	    .where = KERNEL_ONLY },
	{ .rungs = MOUNTING,
	    .text = "no longer supported",
	    .failure = FAILURE_REJECTED,
	    .where = KERNEL_ONLY },

	/* the kernel found nothing of that kind: no option is to blame */
	{ .rungs = MOUNTING,
	    .text = "VFS: Can't find",
	    .failure = FAILURE_NO_FILESYSTEM,
	    .where = KERNEL_ONLY },
	{ .rungs = MOUNTING,
	    .text = "bad magic number",
	    .failure = FAILURE_NO_FILESYSTEM,
	    .where = KERNEL_ONLY },
	{ .rungs = MOUNTING,
	    .text = "Invalid superblock magic",
	    .failure = FAILURE_NO_FILESYSTEM,
	    .where = KERNEL_ONLY },

	/* options and arguments */
	{ .text = "option not supported", .failure = FAILURE_REJECTED },
	{ .text = "mount option <", .failure = FAILURE_REJECTED },
	{ .text = "illegal option", .failure = FAILURE_REJECTED },
	{ .text = "unknown option", .failure = FAILURE_REJECTED },
	{ .text = "invalid option", .failure = FAILURE_REJECTED },
	{ .text = "unrecognized option", .failure = FAILURE_REJECTED },
	{ .text = "bad option", .failure = FAILURE_REJECTED },
	{ .text = "wrong fs type", .failure = FAILURE_REJECTED },
	{ .text = "does not support", .failure = FAILURE_REJECTED },
	{ .rungs = MOUNTING,
	    .text = ": Operation not supported",
	    .failure = FAILURE_REJECTED },
	{ .text = "bad file system format", .failure = FAILURE_REJECTED },
	{ .text = "suffix for format", .failure = FAILURE_REJECTED },
	{ .text = "greater than the maximum", .failure = FAILURE_REJECTED },
	{ .text = "unknown optimization", .failure = FAILURE_REJECTED },
	{ .text = "bad free space", .failure = FAILURE_REJECTED },
	{ .text = "bad minimum percentage", .failure = FAILURE_REJECTED },
	{ .text = "bad soft updates", .failure = FAILURE_REJECTED },
	{ .text = "must be >=", .failure = FAILURE_REJECTED },
	{ .text = "Cannot enable soft updates journaling, tunefs",
	    .failure = FAILURE_NO_PROGRAM },
	{ .text = "invalid property", .failure = FAILURE_REJECTED },
	{ .text = "must be one of", .failure = FAILURE_REJECTED },
	{ .text = "Invalid filesystem option", .failure = FAILURE_REJECTED },
	{ .text = "Invalid value", .failure = FAILURE_REJECTED },
	{ .text = "unrecognized filesystem feature",
	    .failure = FAILURE_REJECTED },
	{ .text = "invalid checksum type", .failure = FAILURE_REJECTED },
	{ .text = "unknown oid", .failure = FAILURE_REJECTED },
	{ .text = "unknown suffix", .failure = FAILURE_REJECTED },
	{ .text = "unknown type", .failure = FAILURE_REJECTED },
	{ .text = "must specify", .failure = FAILURE_REJECTED },
	{ .text = "Bad address", .failure = FAILURE_REJECTED },
	{ .text = "top level name", .failure = FAILURE_REJECTED },
	{ .text = "A filesystem label must be specified",
	    .failure = FAILURE_REJECTED },

	/* no filesystem there */
	{ .text = "incorrect super block", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "bad magic number", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "bad superblock", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "cannot find filesystem superblock",
	    .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "Cannot find file system superblock",
	    .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "could not find super-block",
	    .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "filesystem not recognized",
	    .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "unknown file system", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "No root volume found", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "no valid volume headers", .failure = FAILURE_NO_FILESYSTEM },
	{ .text = "PFS label not found", .failure = FAILURE_NO_FILESYSTEM },

	/* no device, or not one */
	{ .text = "No such file or directory", .failure = FAILURE_NO_DEVICE },
	{ .text = "does not exist", .failure = FAILURE_NO_DEVICE },
	{ .text = "could not find special device",
	    .failure = FAILURE_NO_DEVICE },
	{ .text = "Exactly one disk device", .failure = FAILURE_NO_DEVICE },
	{ .text = "at least one special file", .failure = FAILURE_NO_DEVICE },
	{ .text = "is a block device. use raw device",
	    .failure = FAILURE_NO_DEVICE },
	{ .text = "Block device required", .failure = FAILURE_NO_DEVICE },
	{ .text = "partition type is not", .failure = FAILURE_NO_DEVICE },
	{ .text = "not a character-special device",
	    .failure = FAILURE_NO_DEVICE },
	{ .text = "can't read disk label", .failure = FAILURE_NO_DEVICE },
	{ .text = "no valid label", .failure = FAILURE_NO_DEVICE },
	{ .text = "unable to retrieve geometry", .failure = FAILURE_NO_DEVICE },
	{ .text = "no default sector size", .failure = FAILURE_NO_DEVICE },
	{ .text = "Unsupported file type", .failure = FAILURE_NO_DEVICE },
	{ .text = "is not a regular file", .failure = FAILURE_NO_DEVICE },
	{ .text = "Is a directory", .failure = FAILURE_NO_DEVICE },
	{ .text = "Not a directory", .failure = FAILURE_NO_DEVICE },
	{ .text = "short read", .failure = FAILURE_NO_DEVICE },
	{ .text = "Device not configured", .failure = FAILURE_NO_DEVICE },
	{ .text = "not currently mounted", .failure = FAILURE_NOT_THERE },
	{ .text = "nknown special file or file system",
	    .failure = FAILURE_NO_DEVICE },

	/* what is left says little by itself */
	{ .text = "Operation not permitted", .failure = FAILURE_PERMISSION },
	{ .text = "Invalid argument", .failure = FAILURE_REJECTED },
	{ .text = "usage:", .failure = FAILURE_REJECTED },
	{ .text = "Usage:", .failure = FAILURE_REJECTED },
};

bool
failure_says(const char *text, const char *words)
{
	return text != NULL && strstr(text, words) != NULL;
}

static bool
fits(
    const struct failure_rule *rule, enum rung rung, const struct fs_said *said)
{
	if (rule->rungs != ALL_RUNGS && (rule->rungs & AT(rung)) == 0)
		return false;
	if (said->exit_code == 0 && !rule->even_at_zero)
		return false;
	return failure_says(said->kernel, rule->text) ||
	       (rule->where == ANYWHERE &&
		   (failure_says(said->errors, rule->text) ||
		       (said->exit_code != 0 &&
			   failure_says(said->output, rule->text))));
}

const struct failure_rule *
failure_rule_for(enum rung rung, const struct fs_said *said)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (fits(&rules[i], rung, said))
			return &rules[i];
	return NULL;
}

bool
fs_says_no_room(const char *text)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (rules[i].is_no_room &&
		    strcasestr(text, rules[i].text) != NULL)
			return true;
	return false;
}
