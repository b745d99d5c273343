/*
 * Time, in nanoseconds.
 *
 * clock_now_ns is monotonic and the only clock that measurements use;
 * clock_wall_ns is the time of day, for records.
 */
#ifndef MM_BASE_CLOCK_H
#define MM_BASE_CLOCK_H

#include <stdint.h>

#include "base/arena.h"

/* Nanoseconds from an arbitrary fixed point; never goes back. */
int64_t clock_now_ns(void);

/* Nanoseconds since 1970-01-01 UTC; may jump when the clock is set. */
int64_t clock_wall_ns(void);

/* Both clocks at one moment. */
struct clock_pair {
	int64_t now_ns;
	int64_t wall_ns;
};

struct clock_pair clock_pair_now(void);

/* By how much the time of day was set since then, or ran on while the machine
 * slept; 0 for less than a second, which is how clocks are kept right. */
int64_t clock_step_ns(const struct clock_pair *began);

/* "2026-11-30T19:03:52Z" for a time of day in nanoseconds. */
char *clock_iso8601(struct arena *arena, int64_t wall_ns);

/* Sleeps, also across signals. */
void clock_sleep_ms(int64_t milliseconds);

#endif
