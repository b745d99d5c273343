#include "platform/names.h"

#include <ctype.h>
#include <string.h>

char *
disk_base_name(struct arena *arena, const char *path, enum disk_naming naming)
{
	static const char folder[] = "/dev/";
	const char *name = path;

	if (strncmp(path, folder, sizeof folder - 1) == 0)
		name = path + sizeof folder - 1;
	else if (path[0] == '/' && strrchr(path, '/') != NULL)
		name = strrchr(path, '/') + 1;
	/* "raid0a" is no raw "aid0a": a raw name has an r before a disk's */
	if (naming == NAMING_LETTERS && name[0] == 'r' &&
	    strncmp(name, "raid", 4) != 0)
		name++;
	return arena_strdup(arena, name);
}

/* The length of the driver's name and its unit: 3 of "da0s1d". */
static size_t
disk_length(const char *name)
{
	size_t length = 0;

	while (isalpha((unsigned char)name[length]))
		length++;
	if (length == 0 || !isdigit((unsigned char)name[length]))
		return strlen(name);
	while (isdigit((unsigned char)name[length]))
		length++;
	return length;
}

char *
disk_of_name(struct arena *arena, const char *name)
{
	return arena_strndup(arena, name, disk_length(name));
}

int
disk_part_of_name(const char *name)
{
	const char *part = name + disk_length(name);

	if (part[0] == '\0' || part[1] != '\0')
		return -1;
	if (part[0] >= 'a' && part[0] <= 'z')
		return part[0] - 'a';
	return part[0] >= 'A' && part[0] <= 'Z' ? part[0] - 'A' + 26 : -1;
}

/* "s1" of "s1c", "" of "c" and of "s0": other words for the whole. */
static size_t
slice_length(const char *part)
{
	size_t length = strlen(part);

	if (length > 0 && part[length - 1] == 'c')
		length--;
	if (length == 2 && strncmp(part, "s0", 2) == 0)
		length = 0;
	return length;
}

static bool
slices_overlap(const char *a, const char *b)
{
	size_t a_length = slice_length(a);
	size_t b_length = slice_length(b);
	size_t shorter = a_length < b_length ? a_length : b_length;
	const char *longer = a_length < b_length ? b : a;

	if (strncmp(a, b, shorter) != 0)
		return false;
	/* "p1" is no part of "p10" */
	return a_length == b_length || shorter == 0 ||
	       !isdigit((unsigned char)longer[shorter]);
}

static bool
is_whole_letter(const char *part, char raw_letter)
{
	return part[0] == '\0' || (part[0] == raw_letter && part[1] == '\0');
}

bool
disk_names_overlap(
    const char *a, const char *b, enum disk_naming naming, char raw_letter)
{
	size_t length = disk_length(a);

	if (strcmp(a, b) == 0)
		return true;
	if (disk_length(b) != length || strncmp(a, b, length) != 0)
		return false;
	a += length;
	b += length;
	if (naming == NAMING_SLICES)
		return slices_overlap(a, b);
	return strcmp(a, b) == 0 || is_whole_letter(a, raw_letter) ||
	       is_whole_letter(b, raw_letter);
}

/* Adds the parts of "a:b" up to the end. */
static void
add_devices(
    struct arena *arena, const char *text, size_t size, struct name_list *list)
{
	const char *end = text + size;

	while (text < end) {
		const char *colon = memchr(text, ':', (size_t)(end - text));
		const char *stop = colon != NULL ? colon : end;

		if (stop > text)
			name_list_add(arena, list,
			    arena_strndup(arena, text, (size_t)(stop - text)));
		text = stop + 1;
	}
}

/* The word after the heading: "	Label               h2". */
static char *
value_after(struct arena *arena, char *line, const char *heading)
{
	char *text = text_trim(arena, line);
	size_t length = strlen(heading);

	if (strncmp(text, heading, length) != 0)
		return NULL;
	return text_trim(arena, text + length);
}

static bool
hammer_devices(struct arena *arena, const char *label, const char *info,
    struct name_list *devices)
{
	size_t size = info != NULL ? strlen(info) : 0;
	size_t position = 0;
	bool is_wanted = false;
	char *line;

	while (text_next_line(arena, info, size, &position, &line)) {
		char *value = value_after(arena, line, "Label");

		if (value != NULL)
			is_wanted = strcmp(value, label) == 0;
		value = value_after(arena, line, "HAMMER Volumes");
		if (value != NULL && is_wanted)
			add_devices(arena, value, strlen(value), devices);
	}
	return devices->count > 0;
}

bool
mount_source_devices(struct arena *arena, const struct mount_entry *entry,
    const char *hammer_info, struct name_list *devices)
{
	const char *source = entry->source;
	const char *at = strrchr(source, '@');

	*devices = (struct name_list){ 0 };
	if (strcmp(entry->type, "hammer") == 0 && source[0] != '/')
		return hammer_devices(arena, source, hammer_info, devices);
	if (source[0] != '/')
		return true; /* tmpfs, procfs, a pool's dataset */
	if (strcmp(entry->type, "hammer2") != 0)
		at = NULL;
	add_devices(arena, source,
	    at != NULL ? (size_t)(at - source) : strlen(source), devices);
	return true;
}
