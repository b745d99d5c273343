/* What is in a section of an outline. */
#include <string.h>

#include "config/outline.h"

const char *
outline_name(const struct outline_section *section, struct arena *arena)
{
	return arena_printf(arena, "%s '%s'", section->name, section->title);
}

struct outline_key *
outline_key(const struct outline_section *section, const char *name)
{
	for (size_t i = 0; i < section->key_count; i++)
		if (strcmp(section->keys[i].name, name) == 0)
			return &section->keys[i];
	return NULL;
}

const struct outline_section *
outline_find(
    const struct outline_section *in, const char *name, const char *title)
{
	for (size_t i = 0; i < in->section_count; i++)
		if (strcmp(in->sections[i]->name, name) == 0 &&
		    strcmp(in->sections[i]->title, title) == 0)
			return in->sections[i];
	return NULL;
}
