#include "platform/mounts.h"

#include <string.h>

#include "base/buffer.h"
#include "platform/text.h"

const struct mount_entry *
mount_list_at(const struct mount_list *list, const char *mountpoint)
{
	for (size_t i = list->count; i-- > 0;)
		if (strcmp(list->items[i].mountpoint, mountpoint) == 0)
			return &list->items[i];
	return NULL;
}

static bool
is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	if (strcmp(folder, "/") == 0)
		return path[0] == '/';
	return strncmp(path, folder, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0');
}

const struct mount_entry *
mount_list_holding(const struct mount_list *list, const char *path)
{
	const struct mount_entry *best = NULL;

	/* a later mount on the same path covers the earlier one */
	for (size_t i = 0; i < list->count; i++) {
		const struct mount_entry *entry = &list->items[i];

		if (is_below(path, entry->mountpoint) &&
		    (best == NULL ||
			strlen(entry->mountpoint) >= strlen(best->mountpoint)))
			best = entry;
	}
	return best;
}

/* The length of the option at the start: commas inside quotes belong to it. */
static size_t
option_length(const char *options)
{
	bool quoted = false;
	size_t i;

	for (i = 0; options[i] != '\0'; i++) {
		if (options[i] == '"')
			quoted = !quoted;
		if (options[i] == ',' && !quoted)
			break;
	}
	return i;
}

static bool
has_exactly(const char *options, const char *option, size_t size)
{
	while (*options != '\0') {
		size_t length = option_length(options);

		if (length == size && strncmp(options, option, size) == 0)
			return true;
		options += length;
		options += *options == ',';
	}
	return false;
}

bool
mount_options_have(const char *options, const char *option)
{
	size_t size = strlen(option);

	while (*options != '\0') {
		size_t length = option_length(options);

		if (strncmp(options, option, size) == 0 &&
		    (length == size || (length > size && options[size] == '=')))
			return true;
		options += length;
		options += *options == ',';
	}
	return false;
}

char *
mount_options_in_force(struct arena *arena, const struct mount_entry *entry)
{
	const char *more = entry->super_options;
	struct buffer buffer;
	char *text;

	buffer_init(&buffer);
	buffer_puts(&buffer, entry->options);
	while (*more != '\0') {
		size_t length = option_length(more);
		/* a mount of its own may be read-only on a writable super */
		bool is_rw = length == 2 && strncmp(more, "rw", 2) == 0;

		if (length > 0 && !is_rw &&
		    !has_exactly(entry->options, more, length)) {
			if (buffer.length > 0)
				buffer_putc(&buffer, ',');
			buffer_append(&buffer, more, length);
		}
		more += length;
		more += *more == ',';
	}
	text = arena_strdup(arena, buffer_text(&buffer));
	buffer_reset(&buffer);
	return text;
}

void
swap_list_add(struct arena *arena, struct swap_list *list, const char *path)
{
	list->paths =
	    arena_append(arena, list->paths, list->count, sizeof *list->paths);
	list->paths[list->count++] = path;
}
