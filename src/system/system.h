/*
 * Operating systems as tables: how each names devices, attaches an image
 * file and lets go of it.
 *
 * Every system is always compiled, so that a plan for any of them can be
 * printed anywhere.  Nothing here runs anything or asks the running system;
 * templates are command lines with the placeholders of model/command.h.
 *
 * A "systems" text, here and in fs/, is a blank-separated list of
 * "NAME", "NAME:N" (version N and its minor releases), "NAME:N-" (N and
 * later), "NAME:-N" (up to N, minor releases included) or "NAME:N-M", where N
 * may be a minor release itself ("openbsd:7.4-").  NULL is every system.  An
 * unknown version ("") is taken to be the newest, and one without its minor
 * release ("7") the newest of those.
 */
#ifndef MM_SYSTEM_SYSTEM_H
#define MM_SYSTEM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* How an image file becomes a device. */
struct system_attach {
	const char *systems; /* which versions do it so */
	const char *attach;  /* "mdconfig -a -t vnode -f %i" */
	const char *sector;  /* words that set a sector size, before "%i"'s
			      * option: "-S %s"; NULL: cannot */
	const char *detach;  /* "mdconfig -d -u %u" */
	const char *device;  /* "/dev/md%u" */
	/* the text before the unit in what attach prints ("md" of "md0");
	 * NULL: it prints nothing, the unit is chosen beforehand */
	const char *prints;
};

struct system {
	const char *name;    /* "freebsd", as "uname -s" in lower case */
	const char *summary; /* one line */
	const char *newest;  /* the version an unknown one stands for */
	bool has_raw_names;  /* /dev/rwd0e beside /dev/wd0e */
	const struct system_attach *attaches; /* ended by attach == NULL */
	/* sets the options of a mounted filesystem to exactly the list "%o"
	 * (and whatever of the filesystem's own is not named in it) */
	const char *update;
	bool update_adds; /* such an own option stays until it is taken back */
	/* the word for access times written at every read; NULL: it has none,
	 * the absence of others says so */
	const char *plain_atime;
};

/* Every system, in the order of systems.def; NULL beyond the last. */
const struct system *system_at(size_t index);

/*
 * "freebsd", "freebsd:14", "freebsd:12.1-RELEASE": the system, and its
 * version in "*version" ("14", "12.1"; "" when there is none), which points
 * into the text or to a constant.  -1 with the known names for anything else.
 */
int system_find(const char *text, const struct system **found,
    const char **version, struct error *err);

/* True when the list of systems (above) has this one in this version. */
bool system_matches(const char *systems, const char *name, const char *version);

/* Versions from "from" to "to"; "" is open.  Starts as { 0 }: none. */
struct system_span {
	bool has_any;
	const char *from;
	const char *to;
};

/* Widens the span by the versions of that system in the list. */
void system_span_add(struct system_span *span, const char *systems,
    const char *name, struct arena *arena);

/* "freebsd", "freebsd:9-", "freebsd:-4" or "freebsd:5-13". */
const char *system_span_text(
    const struct system_span *span, const char *name, struct arena *arena);

/* How this version attaches images; NULL when it cannot. */
const struct system_attach *system_attach_of(
    const struct system *system, const char *version);

/*
 * The unit in what the attach command printed: "0" of "md0\n" or
 * "/dev/loop0\n"; NULL when there is none in it.
 */
const char *system_attached_unit(const struct system_attach *attach,
    const char *output, struct arena *arena);

/* The device of a unit: "/dev/md0". */
const char *system_attached_device(
    const struct system_attach *attach, const char *unit, struct arena *arena);

/* The character device that makers want: "/dev/rwd0e" for "/dev/wd0e" where
 * the system has two names, else the device itself. */
const char *system_raw_name(
    const struct system *system, const char *device, struct arena *arena);

#endif
