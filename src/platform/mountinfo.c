/* Linux's mount table and swap list as texts: see proc_pid_mountinfo(5). */
#include <stdlib.h>
#include <string.h>

#include "platform/mounts.h"
#include "platform/text.h"

static bool
is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Undoes \040 and the like, in place. */
static void
decode_octal(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; to++) {
		if (from[0] == '\\' && is_octal(from[1]) && is_octal(from[2]) &&
		    is_octal(from[3])) {
			int value = (from[1] - '0') * 64 + (from[2] - '0') * 8 +
				    (from[3] - '0');

			*to = (char)(unsigned char)value;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* "98:0" */
static bool
parse_device(const char *text, dev_t *device)
{
	char *end;
	unsigned long major = strtoul(text, &end, 10);
	unsigned long minor;

	if (end == text || *end != ':')
		return false;
	text = end + 1;
	minor = strtoul(text, &end, 10);
	if (end == text || *end != '\0')
		return false;
	*device =
	    platform_make_device((unsigned int)major, (unsigned int)minor);
	return true;
}

/*
 * "36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/sda rw,errors=x":
 * optional fields end at the lone "-"; a source may be empty.
 */
static bool
parse_line(char *line, struct mount_entry *entry)
{
	char *words[6];
	char *word;
	char *type;
	char *source;
	const char *super;

	for (size_t i = 0; i < 6; i++) {
		words[i] = text_next_word(&line);
		if (words[i] == NULL || words[i][0] == '\0')
			return false;
	}
	do
		word = text_next_word(&line);
	while (word != NULL && strcmp(word, "-") != 0);
	type = text_next_word(&line);
	source = text_next_word(&line);
	super = line != NULL ? line : "";
	if (type == NULL || source == NULL ||
	    !parse_device(words[2], &entry->device))
		return false;
	decode_octal(words[3]);
	decode_octal(words[4]);
	decode_octal(type);
	decode_octal(source);
	entry->type = type;
	entry->source = source;
	entry->id = strtoul(words[0], NULL, 10);
	entry->root = words[3];
	entry->mountpoint = words[4];
	entry->options = words[5];
	entry->super_options = super;
	entry->read_only = mount_options_have(words[5], "ro") ||
			   mount_options_have(super, "ro");
	return true;
}

void
mountinfo_parse(const char *text, size_t size, struct arena *arena,
    struct mount_list *list, size_t *bad)
{
	size_t position = 0;
	char *line;

	*list = (struct mount_list){ .is_complete = true };
	*bad = 0;
	while (text_next_line(arena, text, size, &position, &line)) {
		struct mount_entry entry = { 0 };

		if (line[0] == '\0')
			continue;
		if (!parse_line(line, &entry)) {
			(*bad)++;
			continue;
		}
		list->items = arena_append(
		    arena, list->items, list->count, sizeof *list->items);
		list->items[list->count++] = entry;
	}
}

void
swaps_parse(
    const char *text, size_t size, struct arena *arena, struct swap_list *list)
{
	static const char removed[] = "\\040(deleted)";
	size_t position = 0;
	char *line;

	*list = (struct swap_list){ 0 };
	while (text_next_line(arena, text, size, &position, &line)) {
		char *end;

		/* the heading is the only line that is no path */
		if (line[0] != '/')
			continue;
		line[strcspn(line, " \t")] = '\0';
		end = strstr(line, removed);
		if (end != NULL && end[sizeof removed - 1] == '\0')
			*end = '\0';
		decode_octal(line);
		swap_list_add(arena, list, line);
	}
}
