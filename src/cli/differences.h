/*
 * What else differs between results that are laid side by side: hosts, disks,
 * tools, programs, targets, trees, workloads and options in force.  Each is a
 * sentence; nothing here judges.
 */
#ifndef MM_CLI_DIFFERENCES_H
#define MM_CLI_DIFFERENCES_H

#include <stddef.h>

#include "base/arena.h"
#include "model/plan.h"
#include "model/results.h"

/* A list of sentences that grows in an arena. */
struct sentences {
	struct arena *arena;
	const char **items;
	size_t count, capacity;
};

/* Appends a text, which is kept as it is, not copied. */
void sentences_add(struct sentences *list, const char *text);

/* One side: a results file, or a session of one. */
struct difference_side {
	const char *label;
	const struct plan *plan;
	const struct session *session; /* NULL: nothing is known of the host */
};

/* Hosts and tools; what changes from hour to hour is left out. */
void differences_of_sessions(struct sentences *sentences,
    const struct difference_side *a, const struct difference_side *b);

/* Targets, trees, workloads and options in force, of two plans. */
void differences_of_plans(struct sentences *sentences,
    const struct difference_side *a, const struct difference_side *b);

#endif
