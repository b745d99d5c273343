/*
 * An option of a filesystem: one row of a driver's table.
 *
 * The rows are constant data, written in fs/ and declared in a matrix file
 * with "option NAME { ... }".  Fragments are written for the stage the option
 * acts at:
 *
 *     attach, make, tune   words added to that command ("-O ^has_journal"),
 *                          split at blanks
 *     mount                an item of the -o list ("noatime")
 *     prop, sysctl         a whole command line, split at blanks
 *
 * and may contain the placeholders of model/command.h.
 */
#ifndef MM_MODEL_OPTION_H
#define MM_MODEL_OPTION_H

#include <stdbool.h>

/* In the order in which they act. */
enum stage {
	STAGE_ATTACH,
	STAGE_MAKE,
	STAGE_TUNE,
	STAGE_MOUNT,
	STAGE_PROP,
	STAGE_SYSCTL,
	STAGE_COUNT,
};

/* What is given up, mildest first; the order is the order of badness. */
enum risk {
	RISK_SAFE_PLUS, /* stronger than the default */
	RISK_SAFE,      /* the default's guarantees */
	RISK_FUNC,      /* meaning or space only */
	RISK_WINDOW,    /* recent work lost at a crash */
	RISK_STALE,     /* contents of files may be old */
	RISK_FLUSH,     /* fsync is not on the medium */
	RISK_WRECK,     /* the filesystem may be beyond repair */
	RISK_VOLATILE,  /* everything is lost by design */
	RISK_COUNT,
};

/* What changing it on a mounted filesystem does (never used between cells,
 * only for in-place targets). */
enum remount { REMOUNT_UNKNOWN, REMOUNT_OK, REMOUNT_REFUSED, REMOUNT_IGNORED };

struct option {
	const char *token;   /* "noatime", "data=ordered" */
	const char *summary; /* one line for "list options" and the manual */
	enum stage stage;
	const char *on;    /* fragment when asked for */
	const char *off;   /* fragment when a toggle is off; NULL: nothing */
	const char *group; /* at most one of a group in a cell; NULL: none */
	const char *conflicts; /* tokens refused beside it, blanks between */
	const char *implies;   /* tokens that come with it */
	const char *voids;     /* tokens that have no effect beside it */
	/* of "minfree=*": what it implies and voids holds for smaller values
	 * only; 0: for all */
	int below;
	/* the read-back word that proves it ("noatime"; "!relatime" for the
	 * absence of one; NULL: leaves no trace, trust the probes) */
	const char *readback;
	/* what it comes to, for finding duplicates: options with the same
	 * text do the same; "" is the default's own behaviour; NULL: as token
	 */
	const char *effect;
	enum risk risk;
	/* of 5 fsynced files how many a power cut left with it on, in tests
	 * ("0 of 5"); NULL: as without it */
	const char *durability;
	enum remount remount;
	/* where: "linux", "freebsd:5-", "freebsd:-4 dragonfly"; NULL: all */
	const char *systems;
	/* true where no real run can try it here, with the reason */
	const char *untried;
};

const char *stage_name(enum stage stage);
int stage_parse(const char *text, enum stage *stage);

const char *risk_name(enum risk risk);
int risk_parse(const char *text, enum risk *risk);

/* "recent work lost at a crash", for legends under a table. */
const char *risk_meaning(enum risk risk);

/* The worse of two. */
enum risk risk_worse(enum risk a, enum risk b);

/* What two options give up together: the worse, and what is stronger than the
 * default only where neither gives anything up.  RISK_SAFE adds nothing. */
enum risk risk_together(enum risk a, enum risk b);

const char *remount_name(enum remount remount);

/* True when the option is the default's own behaviour. */
bool option_is_default(const struct option *option);

/* True when it is, and its off form says something else: "reflink=1" that is
 * off means "reflink=0". */
bool option_off_departs(const struct option *option);

/* True when the blank-separated list (NULL is empty) has the word; an item
 * "commit=*" stands for every word that begins so. */
bool option_list_has(const char *list, const char *word);

#endif
