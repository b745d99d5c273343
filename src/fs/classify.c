#include "fs/classify.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "fs/failures.h"

static const char *const names[FAILURE_COUNT] = {
	[FAILURE_NONE] = "ok",
	[FAILURE_REJECTED] = "rejected",
	[FAILURE_NO_FILESYSTEM] = "no such filesystem",
	[FAILURE_BUSY] = "busy",
	[FAILURE_IN_USE] = "in use",
	[FAILURE_UNCLEAN] = "unclean",
	[FAILURE_TOO_SMALL] = "wrong size",
	[FAILURE_NO_PROGRAM] = "no such program",
	[FAILURE_NO_DEVICE] = "no such device",
	[FAILURE_NOT_THERE] = "not there",
	[FAILURE_NO_SPACE] = "no space",
	[FAILURE_PERMISSION] = "not permitted",
	[FAILURE_OTHER] = "failed",
};

enum fs_failure
fs_classify(enum rung rung, const struct fs_said *said)
{
	const struct failure_rule *rule;

	if (!said->started || said->exit_code == 127)
		return FAILURE_NO_PROGRAM;
	rule = failure_rule_for(rung, said);
	if (rule != NULL)
		return rule->failure;
	return said->exit_code == 0 ? FAILURE_NONE : FAILURE_OTHER;
}

const char *
fs_failure_name(enum fs_failure failure)
{
	return names[failure];
}

/* The line around "at", without a time stamp ("[  12.345] ") before it. */
static char *
line_around(const char *text, const char *at, struct arena *arena)
{
	const char *start = at, *end = at + strcspn(at, "\r\n");

	while (start > text && start[-1] != '\n')
		start--;
	if (*start == '[' && strchr(start, ']') != NULL &&
	    strchr(start, ']') < end)
		start = strchr(start, ']') + 1;
	start += strspn(start, " \t");
	while (end > start && strchr(" \t", end[-1]) != NULL)
		end--;
	return arena_strndup(arena, start, (size_t)(end - start));
}

/* The line that has the words, or NULL. */
static char *
line_with(const char *text, const char *words, struct arena *arena)
{
	const char *at = text == NULL ? NULL : strstr(text, words);

	return at == NULL ? NULL : line_around(text, at, arena);
}

/* The first or last line that says something; "". */
static char *
some_line(const char *text, bool last, struct arena *arena)
{
	const char *at;

	if (text == NULL || text[strspn(text, " \t\r\n")] == '\0')
		return arena_strdup(arena, "");
	at = text + strspn(text, " \t\r\n");
	if (last) {
		at = text + strlen(text);
		while (strchr(" \t\r\n", at[-1]) != NULL)
			at--;
		at--;
	}
	return line_around(text, at, arena);
}

/* Does the program only guess, so that the kernel has the true reason? */
static bool
guesses(const struct fs_said *said)
{
	static const char *const guess[] = { "wrong fs type", "bad option",
		"incorrect super block", "mount: Invalid argument",
		"Operation not permitted" };

	for (size_t i = 0; i < sizeof guess / sizeof guess[0]; i++)
		if (failure_says(said->errors, guess[i]))
			return true;
	return false;
}

/* The line that the rule went by. */
static char *
line_of_rule(const struct failure_rule *rule, const struct fs_said *said,
    struct arena *arena)
{
	char *line = line_with(said->kernel, rule->text, arena);

	if (line == NULL)
		line = line_with(said->errors, rule->text, arena);
	if (line == NULL)
		line = line_with(said->output, rule->text, arena);
	return line;
}

/* "Usage: mkfs.xfs": what is wrong is said before it. */
static bool
is_usage(const char *line)
{
	static const char usage[] = "usage:";

	return line != NULL && strncasecmp(line, usage, sizeof usage - 1) == 0;
}

char *
fs_reason(enum rung rung, const struct fs_said *said, struct arena *arena)
{
	const struct failure_rule *rule = failure_rule_for(rung, said);
	char *line = NULL;

	if (rule != NULL)
		line = line_of_rule(rule, said, arena);
	if (is_usage(line))
		line = NULL;
	if ((line == NULL || line_with(said->kernel, line, arena) == NULL) &&
	    guesses(said) && said->kernel != NULL && said->kernel[0] != '\0')
		line = some_line(said->kernel, true, arena);
	if (line == NULL)
		line = some_line(said->errors, false, arena);
	if (line[0] == '\0')
		line = some_line(said->kernel, true, arena);
	return line[0] == '\0' ? some_line(said->output, true, arena) : line;
}
