/* "boot id:pid:start time" names one process and none after it. */
#include <string.h>

#include "base/clock.h"
#include "platform/host.h"
#include "platform/process.h"
#include "platform/text.h"

enum { POLL_MS = 20 };

static bool
is_alive(const char *identity)
{
	struct arena *arena = arena_new();
	const char *first = strchr(identity, ':');
	const char *last = strrchr(identity, ':');
	const char *boot = platform_boot_id(arena);
	bool alive = first != NULL && first != last &&
		     strncmp(identity, boot, (size_t)(first - identity)) == 0 &&
		     platform_is_alive(arena, (pid_t)text_number(first + 1, 0),
			 text_number(last + 1, -1));

	arena_free(arena);
	return alive;
}

int
platform_wait_gone(const char *identity, int64_t timeout_ns)
{
	int64_t until = clock_now_ns() + timeout_ns;

	while (is_alive(identity)) {
		if (clock_now_ns() >= until)
			return 1;
		clock_sleep_ms(POLL_MS);
	}
	return 0;
}
