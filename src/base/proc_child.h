/*
 * The child's side of proc.h, from the fork to the exec; for proc*.c only.
 */
#ifndef MM_BASE_PROC_CHILD_H
#define MM_BASE_PROC_CHILD_H

#include "base/proc.h"

/* The three pipes: output, errors, and one that tells by its bytes (an errno)
 * that exec failed, by its end that it did not. */
enum { OUTPUT, ERRORS, EXEC, PIPES };

/*
 * Becomes what the job says, in a forked child.  "go" is a pipe whose end is
 * the sign that the parent has let go of the job's descriptors, or -1 twice
 * where there are none.
 */
_Noreturn void proc_child_run(
    const struct proc_job *job, const int write_ends[PIPES], const int go[2]);

/* $PATH, or where it is not set: */
const char *proc_search_path(void);
extern const char PROC_STANDARD_PATH[];

#endif
