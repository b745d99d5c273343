/*
 * The guard: may this target be destroyed?
 *
 * guard_gather looks (through platform/), guard_judge decides, by rules over
 * facts alone, so that each rule can be tested without a device.  Both are
 * called anew before every make; a verdict is never kept.
 *
 * Only image files that the program made itself, in this run, pass without
 * having been named on the command line as well.
 */
#ifndef MM_TRIAL_GUARD_H
#define MM_TRIAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/matrix.h"
#include "platform/device.h"

/* What the user said about it. */
struct guard_request {
	const struct target *target;
	const char *path; /* to be destroyed: the device, or the image */
	const char *const *destroy; /* --destroy, as given */
	size_t destroy_count;
	const char *label;        /* what this program's makes carry */
	const char *results_path; /* NULL: none */
	const char *program_path;
	bool is_own_image; /* attached to a file that this run made */
	bool is_stray; /* followed by its name, whatever that leads to then */
	bool is_one_of_many; /* the filesystem is over several devices */
	int64_t need_bytes;  /* at least; 0: any */
};

/* What was found. */
struct guard_facts {
	struct device_info info;
	struct device_uses uses;
	struct signature_list signatures;
	bool signatures_known;
	const char *signatures_error;
	bool is_named;            /* a --destroy is the same device */
	const char *destroy_note; /* a --destroy that is something else */
	/* 1 on it, 0 not, -1 unknown */
	int holds_results;
	int holds_program;
	int holds_folder;
	bool is_replaced;       /* the name led to another device meanwhile */
	bool is_open_elsewhere; /* the exclusive open failed */
	const char *open_error;
};

/* One refusal: what was found, and how to go on. */
struct guard_refusal {
	const char *rule; /* "mounted", "signature", ... */
	const char *text;
};

struct guard_report {
	bool is_safe; /* no refusal */
	struct guard_refusal *refusals;
	size_t count;
};

/* Looks.  "fd" is the guard's own descriptor or -1. */
int guard_gather(const struct guard_request *request, int fd,
    struct arena *arena, struct guard_facts *facts, struct error *err);

/* Decides.  Pure. */
void guard_judge(const struct guard_facts *facts,
    const struct guard_request *request, struct arena *arena,
    struct guard_report *report);

/*
 * All of it: opens exclusively, gathers, judges.  "*fd" is the held
 * descriptor when safe (give it to proc_job.release_fds), else -1.  With
 * "erase" old signatures are zeroed through it.
 */
int guard_check(const struct guard_request *request, bool erase,
    struct arena *arena, struct guard_report *report, int *fd,
    struct error *err);

/* The refusals as one text for a person: "; " between. */
char *guard_report_text(const struct guard_report *report, struct arena *arena);

/* "mountmatrix" label, at most 12 characters (xfs's limit). */
extern const char GUARD_LABEL[];

#endif
