/*
 * The disks under a plan's targets: model, write cache, I/O scheduler and
 * where a partition starts, without which two nights cannot be laid side by
 * side.  Only looks; what a system does not tell is left out.
 */
#ifndef MM_CLI_DISKS_H
#define MM_CLI_DISKS_H

#include "base/arena.h"
#include "base/facts.h"
#include "model/plan.h"

/*
 * Adds a fact "disk" for the disk of all targets, or "disk of TITLE" for each
 * where they are not all on the same one.  An image that the program chooses
 * the place of lies beside the results file.  Targets in memory have none.
 */
void disks_facts(struct fact_list *facts, const struct plan *plan,
    const char *results, struct arena *arena);

#endif
