/*
 * A filesystem driver: a table of how to make, tune, mount, check and read
 * back one filesystem, on every system that has it.
 *
 * One file per driver ends in one const struct; drivers.def lists them.
 * Drivers build argument vectors and read texts; they never run anything, so
 * a plan for any system can be made on any system.
 *
 * The name of a system and its version are those of system/system.h:
 * "freebsd" and "14" ("" stands for the newest).
 */
#ifndef MM_FS_DRIVER_H
#define MM_FS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/matrix.h"
#include "model/option.h"

/*
 * The command lines of one driver on some systems.  Several commands of one
 * rung stand one after the other, "; " between them.  Placeholders are those
 * of model/command.h, and "%o": in make and tune the words of the options
 * (a tune command is left out when there are none), in mount the -o list
 * (an empty one takes the "-o" before it away).
 */
struct recipe {
	const char *systems; /* as in system/system.h */
	/* used only when this token is on; such rows stand first */
	const char *token;
	/* tokens emitted when nothing of their group is asked for, because
	 * the maker's own default differs by version ("ufs2") */
	const char *usual;
	const char *make;    /* NULL: nothing is made */
	const char *tune;    /* NULL: none */
	const char *mount;   /* NULL: nothing is mounted */
	const char *unmount; /* NULL: "umount %m" where something is mounted */
	const char *check;   /* after the trial; NULL: none */
	const char *detach;  /* after unmounting, before the device goes */
	/* of 5 fsynced files how many a power cut left, in tests; NULL: not
	 * tested, or the flushes that are counted tell */
	const char *durability;
	/* flags of make and tune whose values are one comma-separated list:
	 * a second "-O x" is joined to the first */
	const char *joined;
};

/*
 * Something to read once it is mounted.  "parse" turns the text (standard
 * output, then standard error) into words "noatime,data=ordered" in the
 * words of the option tables; it skips what it does not know.  A text that
 * tells of several mounts is searched for the mount point (NULL: the first).
 */
struct readback {
	const char *systems;
	const char *command; /* placeholders as in a recipe */
	char *(*parse)(
	    const char *text, const char *mountpoint, struct arena *arena);
};

#define TARGET_BIT(kind) (1U << (kind))

struct driver {
	const char *name;
	const char *summary;    /* one line for "list filesystems" */
	const char *systems;    /* where it can be used */
	const char *type;       /* as in the mount table */
	unsigned targets;       /* TARGET_BIT of each kind it takes */
	int64_t minimum_bytes;  /* smallest target; 0: any */
	enum risk risk;         /* of its defaults */
	const char *risk_group; /* an option of this group replaces it */
	bool is_volatile; /* unmounting loses the contents: never cooled */
	bool takes_more_devices; /* the maker takes several */
	bool is_user_space; /* a program serves it: the kernel knows none of
			     * its options */
	const char *remark; /* what a report must say beside it, or NULL */
	/* words of the mount table that name places, not options */
	const char *places;
	const struct recipe *recipes; /* ended by systems == NULL */
	const struct option *options; /* ended by token == NULL */
	const struct readback
	    *readbacks; /* ended by command == NULL; or NULL */
};

/* Every driver, in the order of drivers.def; NULL beyond the last. */
const struct driver *fs_driver_at(size_t index);

/* By name; NULL when there is none. */
const struct driver *fs_driver_find(const char *name);

/* The nearest name of a driver that can be meant, or NULL. */
const char *fs_driver_nearest(const char *name);

/* True when the driver can be used on that system. */
bool fs_driver_on(
    const struct driver *driver, const char *system, const char *version);

/* True when it takes targets of that kind. */
bool fs_driver_takes(const struct driver *driver, enum target_kind kind);

/* The row of a token that acts at that stage, or NULL. */
const struct option *fs_option_at(const struct driver *driver,
    const char *token, enum stage stage, const char *system,
    const char *version);

/*
 * The row of a token, also by another name of the same thing ("su" is
 * softupdates, "trim" is discard); NULL when this driver has none on that
 * system.  A row whose token ends in "=*" takes any value: for "commit=30" a
 * copy is made in the arena with the value in every text.
 *
 * A token that acts at two stages has two rows; this is the first, and the
 * commands of a cell take in both.
 */
const struct option *fs_option_find(const struct driver *driver,
    const char *token, const char *system, const char *version,
    struct arena *arena);

/*
 * Who has the token, and in which versions: "ufs (freebsd:8-, dragonfly), ffs
 * (netbsd)", in the arena; NULL when no driver on any system does.
 */
const char *fs_option_owners(const char *token, struct arena *arena);

/* The driver's token (on that system) that can be meant, or NULL. */
const char *fs_option_nearest(const struct driver *driver, const char *token,
    const char *system, const char *version);

/* The token that this is another name of ("su": "softupdates"), or itself. */
const char *fs_token_name(const char *token);

/* Another name and, in "*token", the token it stands for; NULL beyond the
 * last. */
const char *fs_token_alias(size_t index, const char **token);

/* The stages that the row's token acts at on the row's systems: "make+tune",
 * in the arena. */
const char *fs_option_stages(const struct driver *driver,
    const struct option *option, struct arena *arena);

/*
 * The rows of a driver, for the order of its tokens: every token once, in table
 * order, those of other systems included.  Returns how many; "*rows" is in
 * the arena.
 */
size_t fs_options_list(const struct driver *driver, const struct option ***rows,
    struct arena *arena);

#endif
