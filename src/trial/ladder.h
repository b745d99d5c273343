/*
 * The ladder: a table of rungs, climbed in order until one fails; then all
 * that was done is undone, last first.  Private to src/trial/.
 */
#ifndef MM_TRIAL_LADDER_H
#define MM_TRIAL_LADDER_H

#include <stdbool.h>

#include "base/error.h"

struct trial;

/*
 * Runs one trial that was set up with trial_begin, to its verdict.  "is_try"
 * leaves out everything between reading back and unmounting.  -1 when the
 * harness failed or a cancellation came; all is unwound then too.
 *
 * With "keep" a failed trial is not unwound; "*kept" says so.
 */
int ladder_climb(
    struct trial *trial, bool is_try, bool keep, bool *kept, struct error *err);

#endif
