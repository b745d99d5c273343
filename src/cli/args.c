/* Reading a command's words, and the help made from the same tables. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/cli.h"

static int
complain(const struct cli_command *command, const char *text)
{
	(void)fprintf(stderr,
	    "mountmatrix %s: %s; see 'mountmatrix %s --help'\n", command->name,
	    text, command->name);
	return -1;
}

static size_t
option_names(const struct cli_command *command, const char **names, size_t most)
{
	size_t count = 0;

	for (const struct cli_option *option = command->options;
	     option != NULL && option->name != NULL && count < most; option++)
		names[count++] = option->name;
	return count;
}

/* The row for "--name", "--name=value", "-n" or "-nvalue"; "*value" is what
 * follows in the same word, or NULL. */
static const struct cli_option *
find_option(
    const struct cli_command *command, const char *word, const char **value)
{
	*value = NULL;
	for (const struct cli_option *option = command->options;
	     option != NULL && option->name != NULL; option++) {
		size_t length = strlen(option->name);

		if (word[1] != '-') {
			if (option->letter == '\0' || word[1] != option->letter)
				continue;
			if (word[2] != '\0')
				*value = word + 2;
			return option;
		}
		if (strncmp(word + 2, option->name, length) != 0)
			continue;
		if (word[2 + length] == '=')
			*value = word + 3 + length;
		if (word[2 + length] == '\0' || *value != NULL)
			return option;
	}
	return NULL;
}

static int
unknown_option(
    const struct cli_command *command, struct arena *arena, const char *word)
{
	const char *names[32];
	size_t count = option_names(command, names, 32);
	const char *nearest = NULL;

	if (word[1] == '-')
		nearest = suggest_nearest(word + 2, names, count);
	if (nearest != NULL)
		return complain(command,
		    arena_printf(arena,
			"there is no option '%s'; did you mean '--%s'?", word,
			nearest));
	return complain(
	    command, arena_printf(arena, "there is no option '%s'", word));
}

/* One option word; returns how many words it took, or -1. */
static int
take_option(const struct cli_command *command, int left, char **argv,
    struct cli_args *args)
{
	const char *value;
	const struct cli_option *option = find_option(command, argv[0], &value);
	int taken = 1;

	if (option == NULL)
		return unknown_option(command, args->arena, argv[0]);
	if (option->argument == NULL && value != NULL)
		return complain(
		    command, arena_printf(args->arena, "--%s takes no value",
				 option->name));
	if (option->argument != NULL && value == NULL) {
		if (left < 2)
			return complain(
			    command, arena_printf(args->arena, "--%s needs %s",
					 option->name, option->argument));
		value = argv[1];
		taken = 2;
	}
	args->names[args->option_count] = option->name;
	args->values[args->option_count++] = value != NULL ? value : "";
	return taken;
}

static int
check_word_count(const struct cli_command *command, const struct cli_args *args)
{
	if (args->word_count < command->words_least)
		return complain(command,
		    arena_printf(args->arena, "needs %s", command->arguments));
	if (args->word_count > command->words_most)
		return complain(command, arena_printf(args->arena,
					     "does not know what to do with "
					     "'%s'",
					     args->words[command->words_most]));
	return 0;
}

int
cli_parse(const struct cli_command *command, int argc, char **argv,
    struct cli_args *args)
{
	size_t room = (size_t)argc + 1;
	bool only_words = false;

	args->names = arena_array(args->arena, room, sizeof *args->names);
	args->values = arena_array(args->arena, room, sizeof *args->values);
	args->words = arena_array(args->arena, room, sizeof *args->words);
	for (int i = 0; i < argc;) {
		int taken = 1;

		if (!only_words && strcmp(argv[i], "--") == 0)
			only_words = true;
		else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0')
			taken = take_option(command, argc - i, argv + i, args);
		else
			args->words[args->word_count++] = argv[i];
		if (taken == -1)
			return -1;
		i += taken;
	}
	return check_word_count(command, args);
}

void
cli_print_help(const struct cli_command *command)
{
	(void)printf("usage: mountmatrix %s%s %s\n\n%s\n", command->name,
	    command->options != NULL ? " [options]" : "", command->arguments,
	    command->summary);
	if (command->options != NULL)
		(void)puts("");
	for (const struct cli_option *option = command->options;
	     option != NULL && option->name != NULL; option++) {
		char left[64];
		char letter[8] = "";

		if (option->letter != '\0')
			(void)snprintf(
			    letter, sizeof letter, "-%c, ", option->letter);
		(void)snprintf(left, sizeof left, "%s--%s %s", letter,
		    option->name,
		    option->argument != NULL ? option->argument : "");
		(void)printf("  %-22s %s\n", left, option->help);
	}
	if (command->help != NULL)
		(void)printf("\n%s\n", command->help);
}

void
cli_print_usage(void)
{
	(void)puts("usage: mountmatrix COMMAND [options] ...\n\n"
		   "Which filesystem, made and mounted how, is best for this "
		   "work on this\ndisk, and how sure can we be?\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		(void)printf("  %-8s %s\n", cli_commands[i]->name,
		    cli_commands[i]->summary);
	(void)puts("\n'mountmatrix COMMAND --help' tells more of one; the "
		   "manual is mountmatrix(1).\n"
		   "Exit status: 0 all ok; 1 some cells are not ok; 2 usage or "
		   "matrix file\nwrong; 3 this host cannot (no root, no tool, "
		   "unsafe target).");
}

size_t
cli_split_commas(struct arena *arena, const char *text, const char ***items)
{
	size_t count = 0;

	*items = arena_array(arena, strlen(text) + 1, sizeof **items);
	while (*text != '\0') {
		size_t length = strcspn(text, ",");

		if (length > 0)
			(*items)[count++] = arena_strndup(arena, text, length);
		text += length;
		text += *text == ',';
	}
	return count;
}
