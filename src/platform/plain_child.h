/* A child without namespaces, in its own process group; inside platform/. */
#ifndef MM_PLATFORM_PLAIN_CHILD_H
#define MM_PLATFORM_PLAIN_CHILD_H

#include "platform/isolate.h"

/* isolate->got is the caller's. */
int plain_child_start(
    const struct isolate_job *job, struct isolate *isolate, struct error *err);

int plain_child_wait(
    struct isolate *isolate, int *exit_code, int *signal, struct error *err);

/* Exit code, or -1 and the signal, of a wait status. */
void plain_child_status(int status, int *exit_code, int *signal);

#endif
