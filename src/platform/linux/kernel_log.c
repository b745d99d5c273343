#include "platform/kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

enum { RECORD_SIZE = 8192 };

void
platform_kernel_log_open(struct kernel_log *log)
{
	*log = (struct kernel_log){ .fd = -1 };
	log->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log->fd == -1 || lseek(log->fd, 0, SEEK_END) == -1) {
		(void)snprintf(log->reason, sizeof log->reason,
		    "cannot read '/dev/kmsg': %s", strerror(errno));
		platform_kernel_log_close(log);
		return;
	}
	log->is_available = true;
}

static void
append_line(struct buffer *buffer, const char *line, size_t limit, size_t *cut)
{
	size_t length = strlen(line) + 1;

	if (*cut > 0 || buffer->length + length > limit) {
		*cut += length;
		return;
	}
	buffer_puts(buffer, line);
	buffer_putc(buffer, '\n');
}

char *
platform_kernel_log_since(
    struct kernel_log *log, struct arena *arena, size_t limit)
{
	char record[RECORD_SIZE];
	struct buffer buffer;
	size_t cut = 0;
	char *text;

	buffer_init(&buffer);
	while (log->fd != -1) {
		ssize_t size = read(log->fd, record, sizeof record);

		if (size > 0) {
			text = kmsg_clean(arena, record, (size_t)size);
			if (text != NULL)
				append_line(&buffer, text, limit, &cut);
		} else if (size == -1 && errno == EPIPE) {
			append_line(&buffer, "(older lines were overwritten)",
			    limit, &cut);
		} else if (size == 0 || errno != EINTR) {
			break;
		}
	}
	if (cut > 0)
		buffer_printf(&buffer, "(%zu bytes more)\n", cut);
	text = arena_strdup(arena, buffer_text(&buffer));
	buffer_reset(&buffer);
	return text;
}

void
platform_kernel_log_close(struct kernel_log *log)
{
	if (log->fd != -1)
		(void)close(log->fd);
	log->fd = -1;
	log->is_available = false;
}
