#include "trial/strays.h"

#include <stdbool.h>
#include <string.h>

static const char cuts[] = "=,:";

/* What the look at one command needs. */
struct search {
	const struct device_info *known;
	size_t known_count;
	struct arena *arena;
	struct stray_list *list;
};

static void
add(struct search *search, const char *path)
{
	struct stray_list *list = search->list;

	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->paths[i], path) == 0)
			return;
	if (list->count == list->capacity)
		list->paths = arena_grow(search->arena, list->paths,
		    list->count, &list->capacity, sizeof *list->paths);
	list->paths[list->count++] = path;
}

static int
look_at(struct search *search, const char *path, struct error *err)
{
	struct device_info info;

	if (platform_device_describe(path, search->arena, &info, err) == -1)
		return -1;
	if (info.kind != DEVICE_DISK)
		return 0;
	for (size_t i = 0; i < search->known_count; i++)
		if (device_is_same(&info, &search->known[i]))
			return 0;
	add(search, info.path);
	return 0;
}

static bool
has_tag(const char *piece)
{
	return strncmp(piece, "UUID=", 5) == 0 ||
	       strncmp(piece, "LABEL=", 6) == 0 ||
	       strncmp(piece, "PARTUUID=", 9) == 0 ||
	       strncmp(piece, "PARTLABEL=", 10) == 0;
}

/* A piece from here to its next cut, its next comma and its end: a name below
 * /dev/disk/by-path has colons in it. */
static int
look_from(struct search *search, const char *start, struct error *err)
{
	const size_t lengths[] = { strcspn(start, cuts), strcspn(start, ","),
		strlen(start) };

	if (has_tag(start))
		add(search, arena_strndup(search->arena, start, lengths[1]));
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		const char *piece =
		    arena_strndup(search->arena, start, lengths[i]);

		/* no path is longer */
		if (lengths[i] == 0 || lengths[i] > 4095 ||
		    (i > 0 && lengths[i] == lengths[i - 1]))
			continue;
		if (look_at(search, piece, err) == -1)
			return -1;
		if (strchr(piece, '/') == NULL &&
		    look_at(search,
			arena_printf(search->arena, "/dev/%s", piece),
			err) == -1)
			return -1;
	}
	return 0;
}

int
strays_find(const char *const *argv, const struct device_info *known,
    size_t known_count, struct arena *arena, struct stray_list *list,
    struct error *err)
{
	struct search search = { known, known_count, arena, list };

	for (; *argv != NULL; argv++) {
		const char *at = *argv;

		if (look_from(&search, at, err) == -1)
			return -1;
		while (*(at += strcspn(at, cuts)) != '\0')
			if (look_from(&search, ++at, err) == -1)
				return -1;
	}
	return 0;
}
