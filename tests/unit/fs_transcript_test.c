/*
 * What real BSD kernels and their tools said (fixtures/bsd), read by the
 * parsers and the classification.  The golden file has one line for each
 * command: what it was taken for, and the words read back.  REGENERATE=1
 * writes it anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "fs/bsd_options.h"
#include "fs/classify.h"
#include "fs/driver.h"
#include "fs/readback.h"

/* One command of a transcript and what came of it. */
struct block {
	const char *command;
	int exit_code;
	struct buffer output;
	struct buffer errors;
	struct buffer kernel;
	size_t lines;
};

struct totals {
	size_t commands;
	size_t lines;
	size_t failed;
	size_t words;
};

static struct arena *arena;

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The command without "[as uid 1001] ". */
static const char *
bare(const char *command)
{
	const char *end = command[0] == '[' ? strchr(command, ']') : NULL;

	return end == NULL ? command : end + 2;
}

/* What the program would run such a command for. */
static enum rung
rung_of(const char *command)
{
	command = bare(command);
	if (begins(command, "newfs"))
		return RUNG_MAKE;
	if (begins(command, "tunefs"))
		return RUNG_TUNE;
	if (begins(command, "umount"))
		return RUNG_UNMOUNT;
	if (begins(command, "fsck"))
		return RUNG_CHECK;
	if (begins(command, "sysctl"))
		return RUNG_SYSCTL;
	if (begins(command, "mdconfig -d") || begins(command, "vnconfig -u"))
		return RUNG_DETACH;
	if (begins(command, "mdconfig -l") || begins(command, "vnconfig -l"))
		return RUNG_READBACK;
	if (begins(command, "mdconfig") || begins(command, "vnconfig"))
		return RUNG_ATTACH;
	if (strcmp(command, "mount") == 0 || begins(command, "mount |") ||
	    begins(command, "mount -v") || begins(command, "mount -p"))
		return RUNG_READBACK;
	if (begins(command, "mount"))
		return RUNG_MOUNT;
	return RUNG_READBACK;
}

/* The words a driver would read back from it; NULL: it is not read. */
static const char *
words_of(const struct block *block)
{
	const char *command = bare(block->command);
	const char *output = buffer_text(&block->output);
	const char *both =
	    arena_printf(arena, "%s%s", output, buffer_text(&block->errors));

	if (begins(command, "mount -p"))
		return NULL;
	if (rung_of(command) == RUNG_READBACK && begins(command, "mount"))
		return bsd_parse_mount(output, "/mnt", arena);
	if (begins(command, "tunefs -p") || begins(command, "tunefs -N"))
		return bsd_parse_tunefs(both, NULL, arena);
	if (begins(command, "dumpfs"))
		return bsd_parse_dumpfs(both, NULL, arena);
	if (begins(command, "hammer2 stat"))
		return fs_driver_find("hammer2")->readbacks[1].parse(
		    both, NULL, arena);
	if (begins(command, "sysctl vfs.hammer.fsync_mode") &&
	    strchr(command, '=') == NULL)
		return fs_driver_find("hammer")->readbacks[1].parse(
		    both, NULL, arena);
	return NULL;
}

static const char *
check_name(enum fs_check check)
{
	static const char *const names[] = { "clean", "corrupt",
		"checker failed" };

	return names[check];
}

static void
take(struct buffer *out, const struct block *block, struct totals *totals)
{
	struct fs_said said = {
		.started = true,
		.exit_code = block->exit_code,
		.output = buffer_text(&block->output),
		.errors = buffer_text(&block->errors),
		.kernel = buffer_text(&block->kernel),
	};
	enum rung rung = rung_of(block->command);
	enum fs_failure failure = fs_classify(rung, &said);
	const char *words = words_of(block);

	buffer_printf(out, "%s\n  %d %s: ", block->command, block->exit_code,
	    rung_name(rung));
	if (rung == RUNG_CHECK)
		buffer_puts(
		    out, check_name(fs_check_verdict("fsck_ffs", &said)));
	else
		buffer_puts(out, fs_failure_name(failure));
	if (failure != FAILURE_NONE && rung != RUNG_CHECK)
		buffer_printf(out, " (%s)", fs_reason(rung, &said, arena));
	if (words != NULL && words[0] != '\0')
		buffer_printf(out, " [%s]", words);
	buffer_putc(out, '\n');
	totals->commands++;
	totals->lines += block->lines;
	totals->failed += failure != FAILURE_NONE;
	totals->words += words != NULL && words[0] != '\0';
	if (block->exit_code != 0 && rung != RUNG_CHECK &&
	    rung != RUNG_READBACK && failure == FAILURE_OTHER)
		fail_msg("'%s' is not understood: %s", block->command,
		    buffer_text(&block->errors));
}

static void
block_reset(struct block *block)
{
	buffer_clear(&block->output);
	buffer_clear(&block->errors);
	buffer_clear(&block->kernel);
	block->command = NULL;
	block->lines = 0;
	block->exit_code = 0;
}

/* Adds a transcript's line to its part; true when it was one. */
static bool
add_line(struct block *block, const char *line)
{
	struct {
		const char *mark;
		struct buffer *part;
	} parts[] = {
		{ "out|", &block->output },
		{ "err|", &block->errors },
		{ "con|", &block->kernel },
	};

	for (size_t i = 0; i < 3; i++)
		if (begins(line, parts[i].mark)) {
			buffer_printf(
			    parts[i].part, "%s\n", line + 4 + (line[4] == ' '));
			block->lines++;
			return true;
		}
	return false;
}

static void
read_transcript(const char *text, struct buffer *out, struct totals *totals)
{
	struct block block = { 0 };

	buffer_init(&block.output);
	buffer_init(&block.errors);
	buffer_init(&block.kernel);
	for (const char *at = text; *at != '\0';) {
		size_t size = strcspn(at, "\n");
		const char *line = arena_strndup(arena, at, size);

		at += size;
		at += *at == '\n' ? 1 : 0;
		/* a kernel line belongs to the command after it */
		if (block.command != NULL &&
		    (line[0] == '$' || begins(line, "con|"))) {
			take(out, &block, totals);
			block_reset(&block);
		}
		if (line[0] == '$') {
			block.command = line + 2;
			block.lines++;
		} else if (begins(line, "rc ")) {
			block.exit_code = atoi(line + 3);
			block.lines++;
		} else if (!add_line(&block, line)) {
			assert_true(line[0] == '#' || line[0] == '\0');
		}
	}
	if (block.command != NULL)
		take(out, &block, totals);
	buffer_reset(&block.output);
	buffer_reset(&block.errors);
	buffer_reset(&block.kernel);
}

static void
compare(const char *path, const char *text)
{
	struct buffer wanted;
	struct error err = { 0 };

	if (getenv("REGENERATE") != NULL) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		assert_true(fputs(text, file) >= 0);
		assert_int_equal(fclose(file), 0);
		return;
	}
	buffer_init(&wanted);
	if (buffer_read_file(&wanted, path, 1 << 20, &err) == -1)
		fail_msg("%s", err.text);
	assert_string_equal(text, buffer_text(&wanted));
	buffer_reset(&wanted);
}

static void
understood(const char *system)
{
	struct buffer text, out;
	struct totals totals = { 0 };
	struct error err = { 0 };

	arena = arena_new();
	buffer_init(&text);
	buffer_init(&out);
	if (buffer_read_file(&text,
		arena_printf(arena, "fixtures/bsd/%s.txt", system), 1 << 20,
		&err) == -1)
		fail_msg("%s", err.text);
	read_transcript(buffer_text(&text), &out, &totals);
	printf("# parsed %zu lines of %zu commands of %s: %zu failures "
	       "classified, %zu read-backs\n",
	    totals.lines, totals.commands, system, totals.failed, totals.words);
	compare(arena_printf(arena, "tests/golden/transcript-%s.txt", system),
	    buffer_text(&out));
	buffer_reset(&text);
	buffer_reset(&out);
	arena_free(arena);
}

static void
freebsd_is_understood(void **state)
{
	(void)state;
	understood("freebsd");
}

static void
netbsd_is_understood(void **state)
{
	(void)state;
	understood("netbsd");
}

static void
dragonfly_is_understood(void **state)
{
	(void)state;
	understood("dragonfly");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(freebsd_is_understood),
		cmocka_unit_test(netbsd_is_understood),
		cmocka_unit_test(dragonfly_is_understood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
