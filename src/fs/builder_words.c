#include <string.h>

#include "fs/builder.h"
#include "fs/readback.h"

/* Does the argv have the words, one after the other? */
static bool
has_words(const struct argv *argv, const struct argv *words)
{
	for (size_t i = 0; i + words->count <= argv->count; i++) {
		size_t same = 0;

		while (same < words->count &&
		       strcmp(argv->items[i + same], words->items[same]) == 0)
			same++;
		if (same == words->count)
			return true;
	}
	return false;
}

/* Adds a fragment's words unless they are there already. */
static int
add_fragment(struct builder *build, struct argv *words, const char *fragment,
    struct error *err)
{
	struct argv more;

	if (fragment == NULL || fragment[0] == '\0')
		return 0;
	argv_init(&more, build->arena);
	if (argv_split(&more, fragment, err) == -1)
		return -1;
	if (!has_words(words, &more))
		argv_extend(words, more.items);
	return 0;
}

const char *
builder_fragment(const struct builder *build, const struct picked *item)
{
	if (item->is_on)
		return item->row->on;
	return picked_off_is_moot(&build->picked, item->row) ? NULL
							     : item->row->off;
}

/*
 * Do the section's own arguments of the maker say the fragment's flag with
 * another value?  "-O 1" beside "-O 2", "-O compression=lz4" beside "-O
 * compression=off": zpool takes a property once only.  A flag with a list of
 * words ("-O ^has_journal") says other things each time.
 */
static bool
section_says(const struct builder *build, const char *fragment)
{
	const struct filesystem *filesystem = build->filesystem;
	size_t flag = strcspn(fragment, " ");
	const char *value = fragment + flag + strspn(fragment + flag, " ");
	size_t key = strcspn(value, "=");
	bool is_list = build->recipe != NULL &&
		       option_list_has(build->recipe->joined,
			   arena_strndup(build->arena, fragment, flag));

	for (size_t i = 0; i + 1 < filesystem->make_argument_count; i++) {
		const char *word = filesystem->make_arguments[i];
		const char *next = filesystem->make_arguments[i + 1];

		if (strlen(word) != flag || strncmp(word, fragment, flag) != 0)
			continue;
		if (value[key] == '\0'
			? !is_list
			: strncmp(next, value, key) == 0 && next[key] == '=')
			return true;
	}
	return false;
}

/* Does the cell say anything about this group, on or off? */
static bool
group_is_asked(const struct builder *build, const char *group)
{
	if (group == NULL)
		return false;
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];

		if (item->row->group != NULL &&
		    strcmp(item->row->group, group) == 0 &&
		    builder_fragment(build, item) != NULL)
			return true;
	}
	return false;
}

/* Adds what the maker must be told where nobody asks otherwise. */
static int
add_usual(struct builder *build, enum stage stage, struct argv *words,
    struct error *err)
{
	struct words usual;

	words_init(&usual, build->arena);
	words_add_list(&usual, build->recipe->usual);
	for (size_t i = 0; i < usual.count; i++) {
		const struct option *row = fs_option_at(build->driver,
		    usual.items[i], stage, build->system, build->version);

		if (row != NULL && !group_is_asked(build, row->group) &&
		    (stage != STAGE_MAKE || !section_says(build, row->on)) &&
		    add_fragment(build, words, row->on, err) == -1)
			return -1;
	}
	return 0;
}

int
builder_stage_words(struct builder *build, enum stage stage, struct argv *words,
    struct error *err)
{
	argv_init(words, build->arena);
	if (build->recipe != NULL && add_usual(build, stage, words, err) == -1)
		return -1;
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];
		const char *fragment = builder_fragment(build, item);

		if (item->row->stage != stage || fragment == NULL ||
		    (!item->is_on && stage == STAGE_MAKE &&
			section_says(build, fragment)))
			continue;
		if (add_fragment(build, words, fragment, err) == -1)
			return -1;
	}
	return 0;
}

/* Is the section's own mount option one of that row's group? */
static bool
section_has_group(const struct builder *build, const char *group)
{
	const struct filesystem *filesystem = build->filesystem;

	for (size_t i = 0; group != NULL && i < filesystem->mount_option_count;
	     i++) {
		const struct option *row =
		    fs_option_find(build->driver, filesystem->mount_options[i],
			build->system, build->version, build->arena);

		if (row != NULL && row->group != NULL &&
		    strcmp(row->group, group) == 0)
			return true;
	}
	return false;
}

char *
builder_mount_list(struct builder *build)
{
	const struct filesystem *filesystem = build->filesystem;
	struct words list;

	words_init(&list, build->arena);
	for (size_t i = 0; i < filesystem->mount_option_count; i++)
		words_add(&list, filesystem->mount_options[i]);
	for (size_t i = 0; i < build->picked.count; i++) {
		const struct picked *item = &build->picked.items[i];
		const char *fragment = builder_fragment(build, item);

		if (item->row->stage == STAGE_MOUNT && fragment != NULL &&
		    (item->is_on ||
			!section_has_group(build, item->row->group)))
			words_add_list(&list, fragment);
	}
	return words_text(&list);
}
