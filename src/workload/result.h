/* Filling in a workload_result.  Only workload/ includes this. */
#ifndef MM_WORKLOAD_RESULT_H
#define MM_WORKLOAD_RESULT_H

#include "workload/workload.h"

/* Appends; the sample's texts must live in the arena. */
void result_add_sample(struct workload_result *result, struct arena *arena,
    const struct sample *sample);

void result_add_note(
    struct workload_result *result, struct arena *arena, const char *text);

/* Sets verdict and reason from how the process ended; true when it ended
 * well. */
bool result_judge_process(struct workload_result *result, struct arena *arena);

#endif
