#include "base/clock.h"

#include <errno.h>
#include <time.h>

static const int64_t SECOND_NS = 1000000000;

static int64_t
read_clock(clockid_t id)
{
	struct timespec now;

	(void)clock_gettime(id, &now);
	return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

int64_t
clock_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t
clock_wall_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

char *
clock_iso8601(struct arena *arena, int64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / SECOND_NS);
	struct tm parts;
	char text[32];

	if (gmtime_r(&seconds, &parts) == NULL ||
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		return arena_strdup(arena, "unknown");
	return arena_strdup(arena, text);
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
