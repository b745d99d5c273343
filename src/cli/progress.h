/*
 * What a running night tells the terminal.
 *
 * The inner process writes events to a pipe; the outer one reads them and
 * keeps a live line on a terminal, or prints one plain line per finished
 * trial where there is none.
 */
#ifndef MM_CLI_PROGRESS_H
#define MM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"
#include "trial/night.h"

/* The inner side: one event as one line. -1 when the outer side is gone. */
int progress_send(int fd, const struct night_event *event);

/* A last word of the inner side that the outer one must print or keep. */
int progress_send_text(int fd, char kind, const char *text);

struct progress {
	FILE *out;
	bool is_terminal;
	bool is_quiet;
	struct buffer partial; /* a line that has not ended yet */
	char line[256];        /* what the live line says without the clock */
	int64_t started_ns;
	int64_t remaining_ns;
	int64_t remaining_at_ns;
	bool is_shown;
	char error[1024]; /* kind 'E': the harness's message */
	char ended[1024]; /* kind 'D': why the night ended early */
	char kept[1024];  /* kind 'K': where a failed trial is mounted */
};

/* "out" is where lines go (standard error). */
void progress_init(struct progress *progress, FILE *out, bool is_quiet);

/* Takes what has come from the pipe; 0 at its end, 1 while there is more. */
int progress_read(struct progress *progress, int fd);

/* Draws the live line again, with the time. */
void progress_tick(struct progress *progress);

/* Takes the live line away; a line that never ended is let go. */
void progress_end(struct progress *progress);

#endif
