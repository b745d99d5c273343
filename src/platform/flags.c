#include "platform/flags.h"

#include <inttypes.h>

#include "base/buffer.h"

char *
flags_in_words(
    struct arena *arena, const struct flag_word *table, uint64_t flags)
{
	struct buffer buffer;
	uint64_t left = flags;
	char *text;

	buffer_init(&buffer);
	for (const struct flag_word *row = table; row->word != NULL; row++) {
		if (row->flag == 0 || (left & row->flag) != row->flag)
			continue;
		left &= ~row->flag;
		if (row->word[0] == '\0')
			continue;
		if (buffer.length > 0)
			buffer_putc(&buffer, ',');
		buffer_puts(&buffer, row->word);
	}
	if (left != 0)
		buffer_printf(&buffer, "%s0x%" PRIx64,
		    buffer.length > 0 ? "," : "", left);
	text = arena_strdup(arena, buffer_text(&buffer));
	buffer_reset(&buffer);
	return text;
}
