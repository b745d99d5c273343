/*
 * Faults at a step of a cell's first trial, for night.c: a shell command, a
 * child of the program itself that goes wrong, a clock that is set.
 *
 * The clock is the program's own (base/clock.h) with an offset: what is
 * defined here is not taken from the library.
 */
#ifndef MM_TESTS_INJECT_H
#define MM_TESTS_INJECT_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/command.h"

enum inject_kind { INJECT_AT, INJECT_CHILD, INJECT_CLOCK };
enum { INJECTIONS = 128 };

struct injection {
	enum inject_kind kind;
	size_t cell;
	enum rung rung;
	const char *what;
};

static struct injection injections[INJECTIONS];
static size_t injection_count;
static const char *child_fault; /* of a child of this step; NULL: none */
static long children_before;    /* so many are spared first */
static pid_t faulty_parent;
static int64_t clock_offset_ns;
static int64_t clock_pending_ns; /* with the next child of this step */

/* "--at STEP COMMAND" and the like; false when it is something else. */
static bool
inject_option(size_t cell, char **words)
{
	static const char *const names[] = { "--at", "--child", "--clock" };

	for (int i = 0; i < 3; i++) {
		struct injection *injection = &injections[injection_count];

		if (strcmp(words[0], names[i]) != 0)
			continue;
		if (injection_count == INJECTIONS ||
		    rung_parse(words[1], &injection->rung) == -1) {
			(void)fprintf(stderr, "no step '%s'\n", words[1]);
			exit(2);
		}
		injection->kind = (enum inject_kind)i;
		injection->cell = cell;
		injection->what = words[2];
		injection_count++;
		return true;
	}
	return false;
}

static void
inject_at(size_t cell, enum rung rung)
{
	child_fault = NULL;
	clock_pending_ns = 0;
	for (size_t i = 0; i < injection_count; i++) {
		const struct injection *injection = &injections[i];

		if (injection->cell != cell || injection->rung != rung)
			continue;
		if (injection->kind == INJECT_AT)
			(void)!system(injection->what);
		else if (injection->kind == INJECT_CLOCK)
			clock_pending_ns =
			    strtoll(injection->what, NULL, 10) * 1000000000;
		else {
			const char *colon = strchr(injection->what, ':');

			child_fault = injection->what;
			children_before =
			    colon != NULL ? strtol(colon + 1, NULL, 10) : 0;
			faulty_parent = getpid();
		}
	}
}

static bool
is_fault(const char *word)
{
	return strncmp(child_fault, word, strlen(word)) == 0;
}

/* In the parent, after a fork: one child is enough. */
static void
inject_parent(void)
{
	clock_offset_ns += clock_pending_ns;
	clock_pending_ns = 0;
	if (children_before > 0)
		children_before--;
	else
		child_fault = NULL;
}

/* In every child, before anything else. */
static void
inject_child(void)
{
	if (child_fault == NULL || children_before > 0 ||
	    getppid() != faulty_parent)
		return;
	(void)signal(SIGTERM, SIG_DFL);
	if (is_fault("exit"))
		_exit(1);
	if (is_fault("garbage"))
		_exit(0);
	/* not to a sanitizer's handler */
	(void)signal(SIGSEGV, SIG_DFL);
	if (is_fault("signal"))
		(void)raise(SIGSEGV);
	for (;;)
		(void)pause();
}

/* --- the clock ----------------------------------------------------------- */

int64_t
clock_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
clock_wall_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + clock_offset_ns;
}

char *
clock_iso8601(struct arena *times, int64_t wall_ns)
{
	return arena_printf(times, "%lld", (long long)wall_ns);
}

void
clock_sleep_ms(int64_t milliseconds)
{
	struct timespec left = {
		.tv_sec = (time_t)(milliseconds / 1000),
		.tv_nsec = (long)(milliseconds % 1000) * 1000000,
	};

	while (nanosleep(&left, &left) == -1 && errno == EINTR)
		continue;
}

#endif
