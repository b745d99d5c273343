#include "platform/kernel_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/bsd/bsd.h"

/* Remembers the buffer's text; the log has it until the close. */
static void
remember(struct kernel_log *log, const char *text, size_t size)
{
	free(log->seen);
	log->seen = malloc(size + 1);
	log->seen_size = 0;
	if (log->seen == NULL)
		return;
	memcpy(log->seen, text, size);
	log->seen_size = size;
}

void
platform_kernel_log_open(struct kernel_log *log)
{
	struct arena *arena = arena_new();
	size_t size;
	const char *text;

	*log = (struct kernel_log){ .fd = -1 };
	text = bsd_messages(arena, &size);
	if (text == NULL) {
		(void)snprintf(log->reason, sizeof log->reason,
		    "cannot read the message buffer: %s", strerror(errno));
	} else {
		remember(log, text, size);
		log->is_available = true;
	}
	arena_free(arena);
}

char *
platform_kernel_log_since(
    struct kernel_log *log, struct arena *arena, size_t limit)
{
	size_t size;
	const char *text;
	const char *news;
	size_t length;
	size_t kept;

	if (!log->is_available)
		return arena_strdup(arena, "");
	text = bsd_messages(arena, &size);
	if (text == NULL)
		return arena_strdup(arena, "");
	news = text + msgbuf_news(log->seen, log->seen_size, text, size);
	length = size - (size_t)(news - text);
	remember(log, text, size);
	if (length <= limit)
		return arena_strndup(arena, news, length);
	for (kept = limit; kept > 0 && news[kept - 1] != '\n'; kept--)
		continue;
	return arena_printf(
	    arena, "%.*s(%zu bytes more)\n", (int)kept, news, length - kept);
}

void
platform_kernel_log_close(struct kernel_log *log)
{
	free(log->seen);
	log->seen = NULL;
	log->seen_size = 0;
	log->is_available = false;
}
