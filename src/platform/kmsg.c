/* Records of Linux's /dev/kmsg: "6,339,5140900,-;text\n KEY=value\n". */
#include <ctype.h>
#include <string.h>

#include "platform/kernel_log.h"

static int
hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0'
					 : tolower((unsigned char)c) - 'a' + 10;
}

char *
kmsg_clean(struct arena *arena, const char *record, size_t size)
{
	const char *text = memchr(record, ';', size);
	const char *end;
	char *clean;
	char *to;

	if (text == NULL || !isdigit((unsigned char)record[0]))
		return NULL;
	text++;
	end = memchr(text, '\n', size - (size_t)(text - record));
	if (end == NULL)
		end = record + size;
	clean = arena_alloc(arena, (size_t)(end - text) + 1);
	to = clean;
	while (text < end) {
		if (end - text >= 4 && text[0] == '\\' && text[1] == 'x' &&
		    hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0) {
			int code = hex_digit(text[2]) * 16 + hex_digit(text[3]);

			/* control characters would spoil the line */
			*to++ = code < ' ' || code == 127 ? ' ' : (char)code;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
	return clean;
}
