/* Where a new results file goes, for run, import and merge. */
#ifndef MM_CLI_OUTPUT_H
#define MM_CLI_OUTPUT_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Makes the folder of a results file that is about to be made, for its owner
 * only, when just that folder is missing, and says so unless it is the usual
 * "results"; -1 with ERROR_USAGE when more is.
 */
int output_make_folder(
    const char *path, struct arena *arena, struct error *err);

#endif
