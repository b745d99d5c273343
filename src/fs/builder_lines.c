#include <string.h>

#include "fs/builder.h"
#include "fs/readback.h"

static void
add_command(struct builder *build, enum rung rung, const struct argv *argv)
{
	struct cell *cell = build->cell;

	cell->commands = arena_grow(build->arena, cell->commands,
	    cell->command_count, &build->capacity, sizeof *cell->commands);
	cell->commands[cell->command_count++] =
	    (struct command){ rung, argv->items };
}

/*
 * Joins the values of a flag that is given more than once: "-O a ... -O b"
 * becomes "-O a,b", since such a maker takes the last one only.
 */
static void
join_flag(struct builder *build, struct argv *argv, const char *flag)
{
	size_t first = 0, kept = 1;

	for (size_t i = 1; i < argv->count; i++) {
		bool is_flag =
		    strcmp(argv->items[i], flag) == 0 && i + 1 < argv->count;

		if (is_flag && first != 0) {
			argv->items[first] = arena_printf(build->arena, "%s,%s",
			    argv->items[first], argv->items[i + 1]);
			i++;
			continue;
		}
		if (is_flag)
			first = kept + 1;
		argv->items[kept++] = argv->items[i];
	}
	argv->count = kept;
	argv->items[kept] = NULL;
}

static void
join_flags(struct builder *build, struct argv *argv)
{
	struct words flags;

	if (build->recipe == NULL || build->recipe->joined == NULL)
		return;
	words_init(&flags, build->arena);
	words_add_list(&flags, build->recipe->joined);
	for (size_t i = 0; i < flags.count; i++)
		join_flag(build, argv, flags.items[i]);
}

/* Puts the options' words where "%o" stands, else before the device. */
static void
insert_words(struct argv *out, const struct argv *in, const struct argv *words)
{
	bool placed = false;

	for (size_t i = 0; i < in->count; i++)
		placed = placed || strcmp(in->items[i], "%o") == 0;
	for (size_t i = 0; i < in->count; i++) {
		const char *word = in->items[i];

		if (!placed && (strncmp(word, "%d", 2) == 0 ||
				   strncmp(word, "%r", 2) == 0)) {
			argv_extend(out, words->items);
			placed = true;
		}
		if (strcmp(word, "%o") == 0)
			argv_extend(out, words->items);
		else
			argv_push(out, word);
	}
	if (!placed)
		argv_extend(out, words->items);
}

/* "%o" inside a word is the -o list; what it leaves empty goes. */
static void
insert_list(struct builder *build, struct argv *out, const struct argv *in,
    const char *list)
{
	for (size_t i = 0; i < in->count; i++) {
		const char *mark = strstr(in->items[i], "%o");
		char *word;
		size_t length;

		if (mark == NULL) {
			argv_push(out, in->items[i]);
			continue;
		}
		word = arena_printf(build->arena, "%.*s%s%s",
		    (int)(mark - in->items[i]), in->items[i], list, mark + 2);
		length = strlen(word);
		if (length > 0 && word[length - 1] == ',')
			word[--length] = '\0';
		if (length > 0) {
			argv_push(out, word);
		} else if (out->count > 0 &&
			   strcmp(out->items[out->count - 1], "-o") == 0) {
			out->items[--out->count] = NULL;
		}
	}
}

/* Replaces the size, which is known when the plan is made. */
static void
finish(struct builder *build, struct argv *out, const struct argv *in)
{
	struct argv_substitution size = { 'z',
		arena_printf(build->arena, "%lld",
		    (long long)build->target->size_bytes) };

	argv_init(out, build->arena);
	argv_substitute(out, in, &size, 1);
}

int
builder_add_line(struct builder *build, enum rung rung, const char *line,
    const struct argv *words, struct error *err)
{
	struct argv split, filled, done;

	argv_init(&split, build->arena);
	argv_init(&filled, build->arena);
	if (argv_split(&split, line, err) == -1)
		return error_wrap(
		    err, "filesystem '%s'", build->filesystem->title);
	if (split.count == 0)
		return 0;
	if (rung == RUNG_MOUNT)
		insert_list(build, &filled, &split, build->cell->asked);
	else if (words != NULL)
		insert_words(&filled, &split, words);
	else
		filled = split;
	join_flags(build, &filled);
	finish(build, &done, &filled);
	add_command(build, rung, &done);
	return 0;
}

int
builder_add_lines(struct builder *build, enum rung rung, const char *lines,
    const struct argv *words, struct error *err)
{
	bool is_marked = lines != NULL && strstr(lines, "%o") != NULL;

	for (const char *at = lines; at != NULL && *at != '\0';) {
		const char *end = strstr(at, "; ");
		size_t size = end == NULL ? strlen(at) : (size_t)(end - at);
		const char *line = arena_strndup(build->arena, at, size);
		bool takes = !is_marked || strstr(line, "%o") != NULL;

		if (builder_add_line(
			build, rung, line, takes ? words : NULL, err) == -1)
			return -1;
		at += size;
		at += end == NULL ? 0 : 2;
	}
	return 0;
}
