/*
 * Functions of our own that may hang or be killed, run as children, with a
 * fixed-size answer.  Private to src/trial/.
 *
 * A failing system call is the subject's: its number and what it was about
 * come back, and become the verdict with child_blame.
 */
#ifndef MM_TRIAL_CHILD_H
#define MM_TRIAL_CHILD_H

#include <stdint.h>

#include "base/error.h"
#include "base/proc.h"
#include "model/command.h"

struct trial;

enum { CHILD_VALUES = 4, CHILD_TEXT = 600 };

/* The answer, through a pipe. */
struct child_answer {
	int errno_value; /* 0: all well */
	int64_t values[CHILD_VALUES];
	char text[CHILD_TEXT]; /* what the errno is about, or a finding */
};

struct child_call {
	/* fills the answer; -1 with "err" for the harness's own trouble */
	int (*function)(
	    void *context, struct child_answer *answer, struct error *err);
	void *context;
	int64_t timeout_ns;
};

/*
 * Runs it as a recorded step.  RUNG_DONE with the answer; RUNG_FAILED when
 * the child died, timed out, or its answer has an errno; -1 when the harness
 * failed.
 */
int child_run(struct trial *trial, enum rung rung,
    const struct child_call *call, const char *what,
    struct child_answer *answer, struct error *err);

/* Formats answer->text. */
void child_say(struct child_answer *answer, const char *format, ...)
    MM_PRINTF(2, 3);

#endif
