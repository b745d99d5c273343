/*
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT: caught, so that what was begun is undone
 * before the program ends by them.
 *
 * The handler only counts and makes base/proc end the children; a signal that
 * was ignored when the program began (nohup, a shell's "&") stays ignored.
 */
#ifndef MM_CLI_STOP_H
#define MM_CLI_STOP_H

#include "base/error.h"
#include "platform/isolate.h"

/* From here on; children and isolated workers inherit it. */
int stop_catch(struct error *err);

/* The last signal that came, or 0. */
int stop_signal(void);

/* Passes on to the isolated process what came so far: SIGTERM, and SIGKILL
 * when it was asked for three times. */
void stop_forward(const struct isolate *isolate);

/* Waits until the isolated process has ended, passing signals on. */
void stop_watch(const struct isolate *isolate);

/* Ends the program by the signal that came; returns when none did. */
void stop_raise(void);

#endif
