/*
 * Whether access times can be what a matrix tells apart: they cannot where no
 * cell of a filesystem wrote any.
 *
 * HAMMER2 has none; UFS moves those of files that are read and never a
 * folder's, so that a walk of names alone shows nothing of noatime.  Pure.
 */
#ifndef MM_ANALYSIS_ATIMES_H
#define MM_ANALYSIS_ATIMES_H

#include "base/arena.h"
#include "model/plan.h"
#include "model/results.h"

/*
 * Sentences, in the arena, for each filesystem whose cells differ in a factor
 * of access times: that the probes found no cell to write one, or none that
 * this workload would see, or that the devices' counters stayed at nothing.
 * Where a running cell was not probed, the probes say nothing.  Returns how
 * many.
 */
size_t atimes_unwritten(const struct plan *plan,
    const struct results_tables *tables, const char ***sentences,
    struct arena *arena);

#endif
