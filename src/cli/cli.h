/*
 * The command line: one file per command, joined here and nowhere else.
 *
 * Commands print results to standard output and messages to standard error;
 * no other folder prints.  A command returns an exit status; a harness error
 * in "err" is turned into one by cli_fail.
 */
#ifndef MM_CLI_CLI_H
#define MM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/argv.h"
#include "base/error.h"

#define MM_VERSION "0.1"

enum exit_status {
	EXIT_ALL_OK = 0,
	EXIT_CELLS = 1, /* finished, some cells are not ok */
	EXIT_USAGE = 2, /* command line or matrix file wrong */
	EXIT_HOST = 3,  /* this host cannot: no root, no tool, unsafe */
};

/* One option of a command.  "argument" names its value in the help; NULL for
 * a flag.  Lists end with a row whose name is NULL. */
struct cli_option {
	const char *name; /* "rounds" */
	char letter;      /* 'o', or 0 */
	const char *argument;
	const char *help;
};

/* What was given: options in order, and the words that are none. */
struct cli_args {
	struct arena *arena;
	const char *command;
	const char **names;
	const char **values;
	size_t option_count;
	const char **words;
	size_t word_count;
};

struct cli_command {
	const char *name;
	const char *arguments; /* "FILE", for the usage line */
	const char *summary;
	const char *help; /* more, after the options; NULL: nothing */
	const struct cli_option *options;
	size_t words_least;
	size_t words_most; /* SIZE_MAX: any number */
	int (*exec)(const struct cli_args *args);
};

/* Runs the program; the exit status. */
int cli_main(int argc, char **argv);

/* All commands, in the order of commands.def; NULL-ended. */
extern const struct cli_command *const cli_commands[];

/* True when the option was given. */
bool cli_has(const struct cli_args *args, const char *name);

/* Its last value, or NULL. */
const char *cli_value(const struct cli_args *args, const char *name);

/* All of its values, in order; the count is returned. */
size_t cli_values(
    const struct cli_args *args, const char *name, const char ***values);

/* "a,b,c" as a list in the arena, without what is empty; the count is
 * returned. */
size_t cli_split_commas(
    struct arena *arena, const char *text, const char ***items);

/* Its value as a whole number of at least "least"; "standard" when it was not
 * given. */
int cli_integer(const struct cli_args *args, const char *name, int64_t least,
    int64_t standard, int64_t *value, struct error *err);

/* Prints one line as a message; control characters become blanks. */
void cli_say(const char *format, ...) MM_PRINTF(1, 2);

/* Prints "mountmatrix: TEXT" and returns the status that the kind asks for. */
int cli_fail(const struct error *err);

/* Reads the words of a command line.  Prints what is wrong and returns -1. */
int cli_parse(const struct cli_command *command, int argc, char **argv,
    struct cli_args *args);

/* The help of one command, and of the program. */
void cli_print_help(const struct cli_command *command);
void cli_print_usage(void);

/* JSON text of a string, quotes included, in the arena. */
char *cli_json_string(struct arena *arena, const char *text);

#endif
