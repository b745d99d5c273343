#include "cli/cli.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/plain.h"
#include "base/suggest.h"
#include "base/units.h"

#define COMMAND(name) extern const struct cli_command command_##name;
#include "cli/commands.def"
#undef COMMAND

const struct cli_command *const cli_commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
	NULL,
};

int
cli_fail(const struct error *err)
{
	(void)fflush(stdout);
	(void)fprintf(stderr, "mountmatrix: %s\n", err->text);
	switch (err->kind) {
	case ERROR_USAGE:
		return EXIT_USAGE;
	case ERROR_HOST:
	case ERROR_INTERNAL:
	case ERROR_CANCELLED:
		break;
	}
	return EXIT_HOST;
}

void
cli_say(const char *format, ...)
{
	char text[ERROR_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	(void)fprintf(stderr, "%s\n", plain_make(text));
}

bool
cli_has(const struct cli_args *args, const char *name)
{
	return cli_value(args, name) != NULL;
}

const char *
cli_value(const struct cli_args *args, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < args->option_count; i++)
		if (strcmp(args->names[i], name) == 0)
			value = args->values[i];
	return value;
}

size_t
cli_values(const struct cli_args *args, const char *name, const char ***values)
{
	size_t count = 0;

	*values =
	    arena_array(args->arena, args->option_count + 1, sizeof **values);
	for (size_t i = 0; i < args->option_count; i++)
		if (strcmp(args->names[i], name) == 0)
			(*values)[count++] = args->values[i];
	return count;
}

int
cli_integer(const struct cli_args *args, const char *name, int64_t least,
    int64_t standard, int64_t *value, struct error *err)
{
	const char *text = cli_value(args, name);

	*value = standard;
	if (text == NULL)
		return 0;
	if (units_parse_integer(text, value, err) == -1)
		return error_wrap(err, "--%s", name);
	if (*value < least)
		return error_set_kind(err, ERROR_USAGE,
		    "--%s: '%s' is less than %lld", name, text,
		    (long long)least);
	return 0;
}

char *
cli_json_string(struct arena *arena, const char *text)
{
	struct buffer out;
	char *copy;

	buffer_init(&out);
	buffer_putc(&out, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			buffer_putc(&out, '\\');
		if ((unsigned char)*text < ' ')
			buffer_printf(&out, "\\u%04x", (unsigned char)*text);
		else
			buffer_putc(&out, *text);
	}
	buffer_putc(&out, '"');
	copy = arena_strdup(arena, buffer_text(&out));
	buffer_reset(&out);
	return copy;
}

static const struct cli_command *
find_command(const char *name)
{
	const char *names[32];
	const char *nearest;
	size_t count = 0;

	for (; cli_commands[count] != NULL; count++) {
		if (strcmp(cli_commands[count]->name, name) == 0)
			return cli_commands[count];
		names[count] = cli_commands[count]->name;
	}
	nearest = suggest_nearest(name, names, count);
	(void)fprintf(stderr, "mountmatrix: there is no command '%s'", name);
	if (nearest != NULL)
		(void)fprintf(stderr, "; did you mean '%s'?", nearest);
	(void)fputs("; see 'mountmatrix --help'\n", stderr);
	return NULL;
}

static int
run_command(const struct cli_command *command, int argc, char **argv)
{
	struct cli_args args = { .arena = arena_new(),
		.command = command->name };
	int status = EXIT_USAGE;

	if (argc > 0 &&
	    (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
		cli_print_help(command);
		status = EXIT_ALL_OK;
	} else if (cli_parse(command, argc, argv, &args) == 0)
		status = command->exec(&args);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		(void)fputs("mountmatrix: cannot write the output\n", stderr);
		status = EXIT_HOST;
	}
	arena_free(args.arena);
	return status;
}

/*
 * Begun with a standard descriptor closed, the next file opened would have its
 * number: a disk that the guard holds, a lock or the journal would then get
 * what is printed.  For reading only: what is printed still fails.
 */
static void
fill_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		(void)close(fd);
}

int
cli_main(int argc, char **argv)
{
	const struct cli_command *command;

	fill_standard_descriptors();
	if (argc < 2) {
		cli_print_usage();
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		if (argc < 3) {
			cli_print_usage();
			return EXIT_ALL_OK;
		}
		command = find_command(argv[2]);
		if (command == NULL)
			return EXIT_USAGE;
		cli_print_help(command);
		return EXIT_ALL_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		(void)puts("mountmatrix " MM_VERSION);
		return EXIT_ALL_OK;
	}
	command = find_command(argv[1]);
	if (command == NULL)
		return EXIT_USAGE;
	return run_command(command, argc - 2, argv + 2);
}
