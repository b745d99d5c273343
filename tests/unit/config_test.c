/*
 * Matrix files: what is said about wrong ones, and what right ones come to.
 *
 * Each case is a whole file; its complaints are compared word for word, with
 * the line of each.  "m.conf" stands in a scratch folder beside "tree.tar".
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "config/config.h"
#include "plan/plan_make.h"
#include "workload/workload.h"

/* --- files in a scratch folder -------------------------------------------- */

static char folder[] = "/tmp/mountmatrix-config-XXXXXX";

static char *
path_of(struct arena *arena, const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

static void
write_bytes(const char *name, const void *bytes, size_t size)
{
	struct arena *arena = arena_new();
	FILE *file = fopen(path_of(arena, name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	arena_free(arena);
}

static void
write_file(const char *name, const char *text)
{
	write_bytes(name, text, strlen(text));
}

static int
make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	write_file("tree.tar", "not looked into");
	return 0;
}

static int
remove_folder(void **state)
{
	static const char *const files[] = { "tree.tar", "m.conf", "a.conf",
		"usr.tar.zst", NULL };
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; files[i] != NULL; i++)
		unlink(path_of(arena, files[i]));
	for (int i = 0; i < 12; i++)
		unlink(path_of(arena, arena_printf(arena, "deep%d", i)));
	rmdir(path_of(arena, "sub"));
	arena_free(arena);
	return rmdir(folder);
}

/* --- one reading ---------------------------------------------------------- */

struct reading {
	struct arena *arena;
	struct matrix matrix;
	struct diagnostics diagnostics;
	struct error err;
	int status;
};

static void
read_for(struct reading *reading, const char *system)
{
	struct config_options options = { system, "" };

	memset(reading, 0, sizeof *reading);
	reading->arena = arena_new();
	reading->status = config_load(path_of(reading->arena, "m.conf"),
	    &options, reading->arena, &reading->matrix, &reading->diagnostics,
	    &reading->err);
}

/* All complaints, a line each, the scratch folder's name cut off. */
static char *
complaints(struct reading *reading)
{
	struct buffer buffer;
	char *text;
	size_t cut = strlen(folder) + 1;

	buffer_init(&buffer);
	for (size_t i = 0; i < reading->diagnostics.count; i++) {
		const char *line = diagnostic_format(
		    &reading->diagnostics.items[i], reading->arena);

		assert_memory_equal(line, folder, cut - 1);
		buffer_printf(&buffer, "%s\n", line + cut);
	}
	text = arena_strdup(reading->arena, buffer_text(&buffer));
	buffer_reset(&buffer);
	return text;
}

/* What every case may rely on, in one line so that lines can be counted. */
#define GOOD                                                                   \
	"target t { image = auto } tree usr { archive = tree.tar } "           \
	"filesystem ext4 { target = t } workload find { type = traverse tree = usr }\n"

struct wrong {
	const char *text;
	const char *expected; /* without the "m.conf:" of each line */
};

static void
check_wrong(const struct wrong *wrong)
{
	struct reading reading;
	struct buffer expected;

	write_file("m.conf", wrong->text);
	read_for(&reading, "linux");
	buffer_init(&expected);
	for (const char *line = wrong->expected; *line != '\0';) {
		size_t length = strcspn(line, "\n");

		buffer_puts(&expected, "m.conf:");
		buffer_append(&expected, line, length);
		buffer_putc(&expected, '\n');
		line += length + (line[length] == '\n');
	}
	assert_string_equal(complaints(&reading), buffer_text(&expected));
	assert_int_equal(reading.status, expected.length == 0 ? 0 : -1);
	if (reading.status == -1)
		assert_int_equal(reading.err.kind, ERROR_USAGE);
	buffer_reset(&expected);
	arena_free(reading.arena);
}

#define CHECK_ALL(cases)                                                       \
	for (size_t i_ = 0; i_ < sizeof(cases) / sizeof(cases)[0]; i_++)       \
	check_wrong(&(cases)[i_])

/* --- what libconfuse 3.3 gets wrong --------------------------------------- */

static void
lines_are_right_after_comments(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD
		    "# one\n// two\n\n/* three\nfour */ # five\nroundz = 1\n",
		    "7: unknown key 'roundz'; did you mean 'rounds'?" },
		{ GOOD "#\n#\nrounds = x # y\n",
		    "4: rounds: 'x' is not a whole number" },
		{ GOOD "title = \"a # b // c /* d\"\nrounds = x\n",
		    "3: rounds: 'x' is not a whole number" },
		{ GOOD "title = 'two\nlines'\nrounds = x\n",
		    "4: rounds: 'x' is not a whole number" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
comments_may_stand_inside_a_list(void **state)
{
	static const struct wrong cases[] = {
		{ "target t { image = auto }\n"
		  "tree usr { archive = tree.tar }\n"
		  "filesystem ext4 {\n"
		  "  toggle = { # why\n"
		  "    noatime, // this one\n"
		  "    /* and */ nobarier }\n"
		  "}\n"
		  "workload find { type = traverse }\n",
		    "6: filesystem 'ext4': toggle: no filesystem has an option "
		    "'nobarier'; did you mean 'nobarrier'?" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
what_is_not_closed_is_named_where_it_opens(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "target s {\n  image = auto\n",
		    "2: the '{' of target 's' is not closed" },
		{ GOOD "\n/* to the end\n\n",
		    "3: the comment that opens here is not closed" },
		{ GOOD "title = \"abc\nrounds = 3\n",
		    "2: the text that opens with \" here is not closed" },
		{ GOOD "title = 'abc\n\nrounds = 3\n",
		    "2: the text that opens with ' here is not closed" },
		{ GOOD "target s {\n  overwrite = { a,\n  b\n",
		    "3: the list that opens with '{' here is not closed" },
		{ GOOD "foo {\n  bar { }\n",
		    "2: unknown section 'foo'\n"
		    "2: the section that opens with '{' here is not closed" },
		{ GOOD "}\n", "2: '}' without a '{' before it" },
		{ GOOD "title = \"${HOME\"\nrounds = 3 # }\n",
		    "2: '${' without its '}'" },
		{ "target t {\n  image = auto\n\n"
		  "filesystem ext4 { target = t }\n",
		    "1: the '{' of target 't' is not closed\n"
		    "4: section 'filesystem' does not belong in target 't'; is "
		    "the '}' of line 1 missing?" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
repeated_keys_and_titles_are_errors(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "rounds = 3\nrounds = 4\nrounds = 5\n",
		    "3: 'rounds' is set twice; it was set before in line 2\n"
		    "4: 'rounds' is set twice; it was set before in line 2" },
		{ GOOD "target \"t\" { image = auto }\n"
		       "target t { sise = 3 }\n",
		    "2: there is another target 't', in line 1\n"
		    "3: there is another target 't', in line 1\n"
		    "3: unknown key 'sise' in target 't'; did you mean "
		    "'size'?" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
numbers_are_decimal_and_nothing_is_zero_by_accident(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "rounds = \"\"\nseed = ''\nbudget = \"\"\n",
		    "2: rounds: '' is not a whole number\n"
		    "3: seed: '' is not a whole number\n"
		    "4: budget: '' is not a time such as 90s, 5m or 8h" },
		{ GOOD "rounds = 0x10\n",
		    "2: rounds: '0x10' is not a whole number" },
		{ GOOD "rounds = 99999999999999999999\n",
		    "2: rounds: '99999999999999999999' is beyond any whole "
		    "number that is taken" },
		{ GOOD "rounds = 0\n",
		    "2: rounds: '0' is out of range, expected 1 to 1000000" },
		{ GOOD "rounds = 1000001\nseed = -1\n",
		    "2: rounds: '1000001' is out of range, expected 1 to "
		    "1000000\n"
		    "3: seed: '-1' is too small, expected at least 0" },
		{ GOOD "memory_limit = 5\n",
		    "2: memory_limit: '5' is too small, expected at least 1 "
		    "MiB" },
	};
	struct reading reading;

	(void)state;
	CHECK_ALL(cases);
	write_file("m.conf", GOOD "rounds = 010\n");
	read_for(&reading, "linux");
	assert_int_equal(reading.status, 0);
	assert_int_equal(reading.matrix.rounds, 10);
	arena_free(reading.arena);
	write_file("m.conf", GOOD "title = \"two\nlines\tof it\"\n");
	read_for(&reading, "linux");
	assert_int_equal(reading.status, 0);
	assert_string_equal(reading.matrix.title, "two lines of it");
	arena_free(reading.arena);
}

static void
escapes_that_end_a_text_are_refused(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "title = \"a\\0b\"\n",
		    "2: escape '\\0b\"?' is not a character; write \\\\ for a "
		    "backslash" },
		{ GOOD "title = \"a\\x00b\"\n",
		    "2: escape '\\x0' would end the text" },
		{ GOOD "title = \"a\\033[2Jb\"\n",
		    "2: title: character 2 of it is a control character" },
		{ GOOD "title = \"a\\9\"\n",
		    "2: escape '\\9\"?' is not a character; write \\\\ for a "
		    "backslash" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
files_that_are_no_text_are_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *expected;
	} cases[] = {
		{ "rounds = 3\nab\0cd", 16,
		    "m.conf:2: a NUL byte: this is not a text file\n" },
		{ "SQLite format 3\0\20", 17,
		    "m.conf:1: this is a results file, for 'report' and "
		    "'resume'; here a matrix file is wanted\n" },
		{ "\xff\xfer\0o\0", 6,
		    "m.conf:1: this is UTF-16; a matrix file is plain text or "
		    "UTF-8\n" },
	};
	struct reading reading;
	char *big;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		write_bytes("m.conf", cases[i].bytes, cases[i].size);
		read_for(&reading, "linux");
		assert_int_equal(reading.status, -1);
		assert_string_equal(complaints(&reading), cases[i].expected);
		arena_free(reading.arena);
	}
	big = malloc(1024 * 1024 + 1);
	assert_non_null(big);
	memset(big, '#', 1024 * 1024 + 1);
	write_bytes("m.conf", big, 1024 * 1024 + 1);
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    "m.conf: larger than 1 MiB: this is no matrix file\n");
	arena_free(reading.arena);
	write_bytes("m.conf", big, 1024 * 1024);
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    "m.conf: nothing to compare: no section filesystem NAME { ... }\n"
	    "m.conf: nothing to measure: no section workload NAME { ... }\n");
	arena_free(reading.arena);
	free(big);
}

static void
a_byte_order_mark_and_carriage_returns_are_passed_over(void **state)
{
	struct reading reading;

	(void)state;
	write_file("m.conf", "\xef\xbb\xbfrounds = 3\r\n" GOOD);
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.matrix.rounds, 3);
	arena_free(reading.arena);
}

static void
only_regular_files_are_read(void **state)
{
	struct reading reading;
	struct arena *arena = arena_new();
	const char *path = path_of(arena, "m.conf");

	(void)state;
	unlink(path);
	read_for(&reading, "linux");
	assert_string_equal(
	    complaints(&reading), "m.conf: No such file or directory\n");
	arena_free(reading.arena);
	assert_int_equal(mkdir(path, 0700), 0);
	read_for(&reading, "linux");
	assert_string_equal(
	    complaints(&reading), "m.conf: this is a folder, not a file\n");
	arena_free(reading.arena);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	read_for(&reading, "linux");
	assert_string_equal(
	    complaints(&reading), "m.conf: this is not a regular file\n");
	arena_free(reading.arena);
	assert_int_equal(unlink(path), 0);
	arena_free(arena);
}

static void
deep_nesting_is_no_danger(void **state)
{
	enum { DEEP = 200000 };
	struct reading reading;
	struct buffer text;

	(void)state;
	buffer_init(&text);
	buffer_puts(&text, GOOD);
	for (int i = 0; i < DEEP; i++)
		buffer_puts(&text, "a{");
	for (int i = 0; i < DEEP; i++)
		buffer_puts(&text, "}");
	write_bytes("m.conf", text.data, text.length);
	read_for(&reading, "linux");
	assert_string_equal(
	    complaints(&reading), "m.conf:2: unknown section 'a'\n");
	arena_free(reading.arena);
	buffer_reset(&text);
}

static void
complaints_without_end_are_cut(void **state)
{
	struct reading reading;
	struct buffer text;

	(void)state;
	buffer_init(&text);
	for (int i = 0; i < 20000; i++)
		buffer_puts(&text, "zzzz=1\n");
	write_bytes("m.conf", text.data, text.length);
	read_for(&reading, "linux");
	assert_int_equal(reading.diagnostics.count, 500);
	assert_int_equal(reading.diagnostics.dropped, 20000 - 500);
	assert_non_null(strstr(reading.err.text, "m.conf: 20000 errors"));
	arena_free(reading.arena);
	buffer_reset(&text);
}

/* Lists as long as a file can hold must not take minutes.  A sanitizer copies
 * a list at each word, so that there it is shorter. */
#ifdef __SANITIZE_ADDRESS__
enum { ENDLESS = 20000 };
#else
enum { ENDLESS = 100000 };
#endif

static void
endless_lists_are_refused_quickly(void **state)
{
	static const struct {
		const char *before, *item, *after, *name;
		int most;
	} cases[] = {
		{ "filesystem ext4 { toggle = {", "a,", "} }", "toggle", 64 },
		{ "filesystem ext4 { axis a { levels = {", "a,", "} } }",
		    "axis 'a'", 256 },
		{ "filesystem ext4 { skip = {", "a,", "} }", "skip", 10000 },
		{ "", "tree ${A}{}", "", "title '${A}'", 0 },
		{ "filesystem ext4 { only = {", "a+b,", "} }", "only", 10000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct reading reading;
		struct buffer text;
		const char *expected = cases[i].name;

		buffer_init(&text);
		buffer_puts(&text, "target t { } workload null { }\n");
		buffer_puts(&text, cases[i].before);
		for (int n = 0; n < ENDLESS && text.length < 1000000; n++)
			buffer_puts(&text, cases[i].item);
		buffer_puts(&text, cases[i].after);
		write_bytes("m.conf", text.data, text.length);
		read_for(&reading, "linux");
		if (cases[i].most > 0)
			expected = arena_printf(reading.arena,
			    "%s: a list of %d, at most %d are possible",
			    cases[i].name, (int)ENDLESS, cases[i].most);
		assert_non_null(strstr(complaints(&reading), expected));
		arena_free(reading.arena);
		buffer_reset(&text);
	}
}

static void
sections_are_counted(void **state)
{
	struct reading reading;
	struct buffer text;

	(void)state;
	buffer_init(&text);
	for (int i = 0; i < 60000; i++)
		buffer_printf(&text, "tree a%d{}\n", i);
	write_bytes("m.conf", text.data, text.length);
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    "m.conf:1001: more than 1000 sections in one place\n");
	arena_free(reading.arena);
	buffer_reset(&text);
}

/* --- include -------------------------------------------------------------- */

static void
included_files_are_read_in_their_place(void **state)
{
	struct reading reading;

	(void)state;
	write_file("a.conf", "rounds = 7 # seven\n");
	write_file("m.conf", GOOD "include(\"a.conf\") title = \"t\"\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.matrix.rounds, 7);
	assert_string_equal(reading.matrix.title, "t");
	assert_string_equal(
	    reading.matrix.text, GOOD "rounds = 7 # seven\n title = \"t\"\n");
	arena_free(reading.arena);

	write_file("a.conf", "\n\nroundz = 7\n");
	write_file("m.conf", GOOD "include(a.conf)\nbudget = x\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    "m.conf:3: budget: 'x' is not a time such as 90s, 5m or 8h\n"
	    "a.conf:3: unknown key 'roundz'; did you mean 'rounds'?\n");
	arena_free(reading.arena);

	/* inside a section, as libconfuse has it */
	write_file("a.conf", "size = 3G\n");
	write_file("m.conf",
	    "target t { include(a.conf) } tree usr { archive = tree.tar }\n"
	    "filesystem ext4 { } workload find { type = traverse }\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.matrix.targets[0].size_bytes, 3LL << 30);
	arena_free(reading.arena);
}

static void
includes_that_cannot_be_are_named(void **state)
{
	struct arena *arena = arena_new();
	struct reading reading;

	(void)state;
	assert_int_equal(mkdir(path_of(arena, "sub"), 0700), 0);
	write_file("a.conf", "include(\"m.conf\")\n");
	write_file("m.conf",
	    GOOD "include(\"nowhere\")\ninclude(\"sub\")\n"
		 "include(\"m.conf\")\ninclude(\"a.conf\")\nroundz = 1\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    arena_printf(arena,
		"m.conf:2: included file '%s/nowhere': No such file or "
		"directory\n"
		"m.conf:3: included file '%s/sub': this is a folder, not a "
		"file\n"
		"m.conf:4: included file '%s/m.conf': it includes itself\n"
		"m.conf:6: unknown key 'roundz'; did you mean 'rounds'?\n"
		"a.conf:1: included file '%s/m.conf': it includes itself\n",
		folder, folder, folder, folder));
	arena_free(reading.arena);
	write_file("a.conf", "rounds = 4\ntree t { archive = tree.tar }\n");
	write_file(
	    "m.conf", GOOD "include(\"a.conf\")\nrounds = 3\ntree t { }\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    arena_printf(arena,
		"m.conf:3: 'rounds' is set twice; it was set before in line 1 "
		"of '%s/a.conf'\n"
		"m.conf:4: there is another tree 't', in line 2 of "
		"'%s/a.conf'\n",
		folder, folder));
	arena_free(reading.arena);
	write_file("m.conf", GOOD "include(\"a\", \"b\")\n");
	read_for(&reading, "linux");
	assert_string_equal(
	    complaints(&reading), "m.conf:2: expected include(\"FILE\")\n");
	arena_free(reading.arena);
	arena_free(arena);
}

static void
includes_go_eight_deep(void **state)
{
	struct arena *arena = arena_new();
	struct reading reading;

	(void)state;
	for (int i = 1; i < 8; i++)
		write_file(arena_printf(arena, "deep%d", i),
		    arena_printf(arena, "include(deep%d)\n", i + 1));
	write_file("deep8", "rounds = 8\n");
	write_file("m.conf", GOOD "include(deep1)\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.matrix.rounds, 8);
	arena_free(reading.arena);
	write_file("deep8", "include(deep9)\n");
	write_file("deep9", "rounds = 9\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading),
	    arena_printf(arena,
		"deep8:1: included file '%s/deep9': includes go more than 8 "
		"deep\n",
		folder));
	arena_free(reading.arena);
	arena_free(arena);
}

/* Eight levels of twenty includes each would be 25 thousand million. */
static void
includes_do_not_multiply_without_end(void **state)
{
	struct arena *arena = arena_new();
	struct reading reading;

	(void)state;
	for (int i = 1; i < 8; i++) {
		const char *line =
		    arena_printf(arena, "include(deep%d)\n", i + 1);
		const char *text = "";

		for (int k = 0; k < 20; k++)
			text = arena_printf(arena, "%s%s", text, line);
		write_file(arena_printf(arena, "deep%d", i), text);
	}
	write_file("deep8", "\n");
	write_file("m.conf", GOOD "include(deep1)\n");
	read_for(&reading, "linux");
	assert_int_equal(reading.status, -1);
	assert_non_null(
	    strstr(complaints(&reading), "too many included files"));
	arena_free(reading.arena);
	arena_free(arena);
}

/* --- words and environment ------------------------------------------------ */

static void
names_of_the_environment_are_expanded(void **state)
{
	struct reading reading;

	(void)state;
	setenv("MM_TEST_ROUNDS", "12", 1);
	unsetenv("MM_TEST_NONE");
	write_file("m.conf",
	    GOOD "rounds = ${MM_TEST_ROUNDS}\n"
		 "title = \"a ${MM_TEST_ROUNDS} b ${MM_TEST_NONE:-c}\"\n"
		 "workload w { type = command  run = '${MM_TEST_ROUNDS}' }\n"
		 "include(${MM_TEST_NONE:-a}.conf)\n");
	write_file("a.conf", "seed = 5\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.matrix.rounds, 12);
	assert_int_equal(reading.matrix.seed, 5);
	assert_string_equal(reading.matrix.title, "a 12 b c");
	assert_string_equal(
	    reading.matrix.workloads[reading.matrix.workload_count - 1]
		.settings[0]
		.values[0],
	    "${MM_TEST_ROUNDS}");
	arena_free(reading.arena);
}

static void
bare_words_keep_all_their_characters(void **state)
{
	struct reading reading;

	(void)state;
	write_file("m.conf",
	    "target t { image = auto } tree usr { archive = tree.tar }\n"
	    "filesystem ext4 { toggle = { noatime, nobarrier }\n"
	    "  skip = { noatime+nobarrier } }\n"
	    "workload find { type = traverse }\n"
	    "title = a*b\\c$d/e//f+g\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_string_equal(reading.matrix.title, "a*b\\c$d/e//f+g");
	assert_int_equal(reading.matrix.filesystems[0].skip_count, 1);
	assert_int_equal(reading.matrix.filesystems[0].skip[0].count, 2);
	arena_free(reading.arena);
}

static void
lists_may_be_appended_to(void **state)
{
	struct reading reading;

	(void)state;
	write_file("m.conf",
	    "target t { image = auto } tree usr { archive = tree.tar }\n"
	    "filesystem ext4 { toggle = { noatime } toggle += { nobarrier }\n"
	    "  make = \"-m\" make += { \"0\", } }\n"
	    "workload find { type = traverse }\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.matrix.filesystems[0].factor_count, 2);
	assert_int_equal(reading.matrix.filesystems[0].make_argument_count, 2);
	assert_string_equal(
	    reading.matrix.filesystems[0].make_arguments[1], "0");
	arena_free(reading.arena);
}

/* --- syntax --------------------------------------------------------------- */

static void
a_mistake_of_syntax_is_said_in_words_and_ends_the_reading(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "roundz = 1\nrounds 6\nbudgett = 1\n",
		    "2: unknown key 'roundz'; did you mean 'rounds'?\n"
		    "3: expected '=' or a section's '{' after 'rounds', not "
		    "'6'" },
		{ GOOD "rounds = = 3\n",
		    "2: expected a value or a list in braces, not '='" },
		{ GOOD "rounds =\n",
		    "2: expected a value or a list in braces, not the end of "
		    "the file" },
		{ GOOD "title = { a b }\n",
		    "2: expected ',' or '}' in this list, not 'b'" },
		{ GOOD "title = { a, , b }\n",
		    "2: expected a value or '}', not ','" },
		{ GOOD "filesystem xfs target = t\n",
		    "2: expected '{' after filesystem 'xfs', not 'target'" },
		{ GOOD "= 3\n",
		    "2: expected the name of a key or section, not '='" },
		{ GOOD "rounds(3)\n",
		    "2: expected '=' or a section's '{' after 'rounds', not "
		    "'('" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
keys_and_sections_are_told_apart(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "rounds { x = 1 }\ntarget = \"t\"\n",
		    "2: 'rounds' is a key: write rounds = VALUE\n"
		    "3: 'target' is a section: write target NAME { ... }" },
		{ GOOD "tree { archive = x }\n",
		    "2: this tree has no title: write tree NAME { ... }" },
		{ GOOD "tree \"a b\" { archive = x }\ntree '' { }\n",
		    "2: title 'a b': use letters, digits and any of ._-, at "
		    "most 64\n"
		    "3: title '': use letters, digits and any of ._-, at most "
		    "64" },
		{ GOOD "title = { a, b }\nrounds = { }\n",
		    "2: title: expected one value, not a list of 2\n"
		    "3: rounds: expected one value, not a list of 0" },
		{ GOOD "xyzzy = 1\nplugh q { a = { b } }\n",
		    "2: unknown key 'xyzzy'\n"
		    "3: unknown section 'plugh'" },
	};

	(void)state;
	CHECK_ALL(cases);
}

/* --- targets and trees ---------------------------------------------------- */

static void
targets_are_of_one_kind_and_their_keys_fit(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "target u { image = auto\n device = /dev/x }\n",
		    "3: target 'u': it is 'image' already, it cannot be "
		    "'device' too" },
		{ GOOD "target u { memory = 1G size = 2G\n serial = x\n"
		       " remount = true }\n",
		    "2: target 'u': 'size' is for image and device targets, "
		    "and this one is memory\n"
		    "3: target 'u': 'serial' is for device targets, and this "
		    "one is memory\n"
		    "4: target 'u': 'remount' is for mountpoint targets, and "
		    "this one is memory" },
		{ GOOD "target u { device = sda1 }\n",
		    "2: target 'u': device: 'sda1' is not a full path" },
		{ GOOD "target u { image = auto size = 1000 sector_size = 513 "
		       "}\n",
		    "2: target 'u': size: '1000' is too small, expected at "
		    "least 1 MiB\n"
		    "2: target 'u': sector_size: '513' is not 512, 1024, 2048 "
		    "or 4096; did you mean '512'?" },
		{ GOOD "target u { mountpoint = /usr remount = maybe }\n",
		    "2: target 'u': remount: 'maybe' is not true or false" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
trees_have_an_archive_that_is_there(void **state)
{
	static const struct wrong cases[] = {
		{ GOOD "tree a { archive = nowhere.tar }\n"
		       "tree b { copies = 0 age = yesterday }\n",
		    "2: tree 'a': archive 'nowhere.tar': No such file or "
		    "directory\n"
		    "3: tree 'b': no archive: write archive = \"FILE\"\n"
		    "3: tree 'b': copies: '0' is out of range, expected 1 to "
		    "1000000\n"
		    "3: tree 'b': age: 'yesterday' is not a time such as 90s, "
		    "5m or 8h" },
	};

	(void)state;
	CHECK_ALL(cases);
}

/* --- filesystems ---------------------------------------------------------- */

#define TARGET "target t { image = auto } tree usr { archive = tree.tar } "
#define FIND "workload find { type = traverse }\n"

static void
filesystems_have_a_driver_and_a_target(void **state)
{
	static const struct wrong cases[] = {
		{ TARGET FIND "filesystem etx4 { }\n",
		    "2: filesystem 'etx4': driver: there is no driver 'etx4'; "
		    "did you mean 'ext4'? (the section's title; or set driver "
		    "= \"NAME\")" },
		{ TARGET FIND "filesystem a {\n driver = ext44 target = u }\n",
		    "3: filesystem 'a': target: there is no target 'u'; did "
		    "you mean 't'?\n"
		    "3: filesystem 'a': driver: there is no driver 'ext44'; "
		    "did you mean 'ext4'?" },
		{ TARGET FIND
		    "target u { image = auto }\nfilesystem ext4 { }\n",
		    "3: filesystem 'ext4': no target: write target = \"NAME\", "
		    "there are 2" },
		{ "tree usr { archive = tree.tar } " FIND "filesystem ext4 { "
		  "}\n",
		    "2: filesystem 'ext4': no target: write target NAME { ... "
		    "} outside, and target = \"NAME\" here" },
		{ "target t { directory = /tmp } tree usr { archive = tree.tar "
		  "} " FIND "filesystem ext4 {\n target = t }\n",
		    "3: filesystem 'ext4': ext4 cannot use target 't', which "
		    "is a directory; it takes an image, a device or a "
		    "mountpoint" },
		{ TARGET FIND "filesystem tmpfs { }\nfilesystem plain { }\n",
		    "2: filesystem 'tmpfs': tmpfs cannot use target 't', which "
		    "is an image; it takes memory\n"
		    "3: filesystem 'plain': plain cannot use target 't', which "
		    "is an image; it takes a directory" },
		{ TARGET FIND "filesystem ext4 { check = x }\n",
		    "2: filesystem 'ext4': 'check' is for driver custom, and "
		    "this is ext4" },
		{ "target d { device = /dev/a devices = { /dev/b, c } } "
		  "tree usr { archive = tree.tar } " FIND "filesystem ext4 {\n"
		  "}\n",
		    "1: target 'd': devices: 'c' is not a full path\n"
		    "2: filesystem 'ext4': target 'd' has several devices, and "
		    "ext4 takes one" },
		{ TARGET FIND "filesystem f {\n driver = custom\n"
			      " make = \"mkfs 'x %d\"\n"
			      " mount = 'mount %d \"%m'\n}\n",
		    "4: filesystem 'f': make: a quote is not closed in 'mkfs "
		    "'x %d'\n"
		    "5: filesystem 'f': mount: a quote is not closed in 'mount "
		    "%d \"%m'" },
		{ TARGET FIND "filesystem f { driver = custom make = { a, b } "
			      "}\n",
		    "2: filesystem 'f': make: expected one value, not a list "
		    "of 2\n"
		    "2: filesystem 'f': no mount: driver custom needs mount = "
		    "\"mount -t TYPE -o %o %d %m\"" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
tokens_are_known_or_declared(void **state)
{
	static const struct wrong cases[] = {
		{ TARGET FIND "filesystem ext4 { toggle = { noatmie,\n"
			      " data=ordered } }\n",
		    "3: expected ',' or '}' in this list, not '='" },
		{ TARGET FIND "filesystem ext4 { toggle = { noatmie,\n"
			      " xyzzyx } }\n",
		    "2: filesystem 'ext4': toggle: no filesystem has an option "
		    "'noatmie'; did you mean 'noatime'?\n"
		    "3: filesystem 'ext4': toggle: no filesystem has an option "
		    "'xyzzyx'" },
		{ TARGET FIND "filesystem ext4 {\n"
			      " axis data { levels = { ordered, writebak } }\n"
			      " axis atime { levels = { } }\n"
			      " axis x { levels = { noatime, noatime } } }\n",
		    "3: filesystem 'ext4': axis 'data': no filesystem has an "
		    "option 'data=writebak' or 'writebak'; did you mean "
		    "'writeback'?\n"
		    "4: filesystem 'ext4': axis 'atime': no levels: write "
		    "levels = { \"A\", \"B\" }\n"
		    "5: filesystem 'ext4': axis 'x': level 'noatime' is there "
		    "twice" },
		{ TARGET FIND
		    "filesystem ext4 { toggle = { lazyflush, "
		    "lazyflsh } \n"
		    " option lazyflush { stage = mount on = lazyflush } }\n",
		    "2: filesystem 'ext4': toggle: no filesystem has an option "
		    "'lazyflsh'; did you mean 'lazyflush'?" },
		{ TARGET FIND "filesystem ext4 { option a { stage = mont }\n"
			      " option b { risk = high on = b } }\n",
		    "2: option 'a': no on: an option needs stage and on\n"
		    "2: option 'a': stage: 'mont' is not attach, make, tune, "
		    "mount, prop or sysctl; did you mean 'mount'?\n"
		    "3: option 'b': no stage: an option needs stage and on\n"
		    "3: option 'b': risk: 'high' is not safe+, safe, func, "
		    "window, stale, flush, wreck or volatile" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
a_cell_has_one_option_of_a_group(void **state)
{
	static const struct wrong cases[] = {
		{ TARGET FIND "filesystem ext4 { toggle = { noatime,\n"
			      " strictatime } }\n",
		    "3: filesystem 'ext4': 'noatime' and 'strictatime' are of "
		    "one group (atime), a cell has one of them: write axis "
		    "atime { levels = { \"noatime\", \"strictatime\" } }" },
		{ TARGET FIND "filesystem ext4 { toggle = { noatime,\n"
			      " nobarrier,\n noatime } }\n",
		    "4: filesystem 'ext4': 'noatime' is there twice, before in "
		    "line 2" },
		{ TARGET FIND "filesystem ext4 { only = { default,\n"
			      " noatime,\n noatime+strictatime } }\n",
		    "4: filesystem 'ext4': only: 'noatime+strictatime' has two "
		    "of one group or axis" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
rules_name_what_the_filesystem_varies(void **state)
{
	static const struct wrong cases[] = {
		{ TARGET FIND "filesystem ext4 { toggle = { noatime }\n"
			      " skip = { noatme, noatime+, \"\" } }\n",
		    "3: filesystem 'ext4': skip: 'noatme' is no toggle and no "
		    "level of this filesystem; did you mean 'noatime'?\n"
		    "3: filesystem 'ext4': skip: 'noatime+' is not options "
		    "with '+' between\n"
		    "3: filesystem 'ext4': skip: '' is not options with '+' "
		    "between" },
		{ TARGET FIND "filesystem ext4 { only = { noatme } }\n",
		    "2: filesystem 'ext4': only: no filesystem has an option "
		    "'noatme'; did you mean 'noatime'?" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
a_baseline_is_the_key_of_a_cell(void **state)
{
	static const struct wrong cases[] = {
		{ TARGET FIND "filesystem ext4 { toggle = { noatime } }\n"
			      "baseline = \"ext4:noatme\"\n",
		    "3: baseline: filesystem 'ext4' has no option 'noatme' "
		    "that varies; did you mean 'noatime'?" },
		{ TARGET FIND "filesystem ext4 { toggle = { noatime } }\n"
			      "baseline = \"ext:default\"\n",
		    "3: baseline: there is no filesystem 'ext'; did you mean "
		    "'ext4'?" },
		{ TARGET FIND "filesystem ext4 { toggle = { noatime } }\n"
			      "baseline = noatime\n",
		    "3: baseline: 'noatime' is neither default nor the key of "
		    "a cell, FILESYSTEM:OPTIONS" },
		/* in one go with another, and none that follows from it */
		{ TARGET FIND "filesystem ext4 { toggle = { noatime } }\n"
			      "baseline = \"ext4:noatme\" rounds = x\n",
		    "3: rounds: 'x' is not a whole number\n"
		    "3: baseline: filesystem 'ext4' has no option 'noatme' "
		    "that varies; did you mean 'noatime'?" },
		{ TARGET FIND "filesystem ext4 { toggle = { noatme } }\n"
			      "baseline = \"ext4:noatime\"\n",
		    "2: filesystem 'ext4': toggle: no filesystem has an option "
		    "'noatme'; did you mean 'noatime'?" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
a_target_has_its_image_or_device_to_itself(void **state)
{
#define MORE                                                                   \
	" is that of target 'a' already; several filesystems can have one "    \
	"target"
	static const struct wrong cases[] = {
		{ "target a { image = /i }\ntarget b { image = auto }\n"
		  "target c { image = /i }\ntarget d { }\n"
		  "filesystem ext4 { target = a }\n"
		  "workload w { type = null }\n",
		    "3: target 'c': image: '/i'" MORE },
		{ "target a { device = /dev/x }\ntarget b {\n"
		  "device = /dev/x\n}\ntarget c { device = /dev/y }\n"
		  "filesystem ext4 { target = a }\n"
		  "workload w { type = null }\n",
		    "3: target 'b': device: '/dev/x'" MORE },
	};
#undef MORE

	(void)state;
	CHECK_ALL(cases);
}

static void
a_mountpoint_is_never_made_or_written_to(void **state)
{
	static const struct wrong cases[] = {
		{ "target usr { mountpoint = /usr }\nfilesystem ext4 { }\n" FIND,
		    "2: filesystem 'ext4': target 'usr' is not mounted anew: "
		    "it needs remount = true" },
		{ "target usr { mountpoint = /usr } filesystem ext4 {\n"
		  " toggle = { noatime } make = \"-m0\" }\n" FIND
		  "workload pm { type = null }\n"
		  "tree usr { archive = tree.tar }\n"
		  "workload w { type = traverse\n tree = usr }\n",
		    "2: filesystem 'ext4': make: target 'usr' is a mountpoint "
		    "and is never made\n"
		    "2: filesystem 'ext4': target 'usr' is not mounted anew: "
		    "it needs remount = true\n"
		    "7: workload 'w': tree 'usr' would be unpacked, and target "
		    "'usr' of filesystem 'ext4' is a mountpoint, where nothing "
		    "is written" },
	};
	struct reading reading;

	(void)state;
	CHECK_ALL(cases);
	write_file("m.conf",
	    "target usr { mountpoint = /usr remount = true }\n"
	    "filesystem ext4 { toggle = { noatime, nojournal } }\n" FIND);
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_null(reading.matrix.workloads[0].tree);
	assert_null(
	    reading.matrix.filesystems[0].factors[0].levels[1].inapplicable);
	assert_string_equal(
	    reading.matrix.filesystems[0].factors[1].levels[1].inapplicable,
	    "'nojournal' acts when a filesystem is made or tuned, and "
	    "mountpoint 'usr' stays as it is");
	arena_free(reading.arena);
}

/* --- workloads ------------------------------------------------------------ */

#define EXT4 "filesystem ext4 { } "

static void
workloads_are_known_and_so_are_their_keys(void **state)
{
	static const struct wrong cases[] = {
		{ TARGET EXT4 "\nworkload x { type = travers }\n",
		    "2: workload 'x': type: there is no workload 'travers'; "
		    "did you mean 'traverse'?" },
		{ TARGET EXT4 "\nworkload traverse { cahce = cold }\n",
		    "2: unknown key 'cahce' in workload 'traverse'; did you "
		    "mean 'cache'?" },
		{ TARGET EXT4 "\nworkload find { type = traverse\n"
			      " cache = luke\n passes = 0\n shell = true\n }\n",
		    "3: workload 'find': key 'cache': 'luke' is not one of "
		    "cold, warm, both\n"
		    "4: workload 'find': key 'passes': '0' is out of range (1 "
		    "to 1000)\n"
		    "5: workload 'find': traverse has no key 'shell'" },
		{ TARGET EXT4 "\nworkload find { type = traverse\n"
			      " metric = elapse charge = flush timeout = 0\n"
			      " memory_limit = 1 }\n",
		    "3: workload 'find': timeout: '0' is too small, expected "
		    "at least 1.0 s\n"
		    "3: workload 'find': charge: 'flush' is not own or "
		    "flushed\n"
		    "3: workload 'find': metric: traverse does not measure "
		    "'elapse'; did you mean 'elapsed'?\n"
		    "4: workload 'find': memory_limit: '1' is too small, "
		    "expected at least 1 MiB" },
		{ TARGET EXT4 "\nworkload find { type = traverse tree = usx }\n"
			      "workload n { type = null tree = usr }\n",
		    "2: workload 'find': tree: there is no tree 'usx'; did you "
		    "mean 'usr'?" },
		{ TARGET EXT4
		    "\nworkload c { type = command run = \"make -C %m\"\n"
		    " metric secs { pattern = \"took ([0-9]+)\" unit = s }\n"
		    " metric none { better = highest }\n"
		    " metric = sex }\n",
		    "4: metric 'none': better: 'highest' is not lower or "
		    "higher; did you mean 'higher'?\n"
		    "4: metric 'none': no pattern: write pattern = \"REGULAR "
		    "EXPRESSION\"\n"
		    "5: workload 'c': metric: command does not measure "
		    "'sex'" },
		{ "target t { } filesystem ext4 { }\n"
		  "workload find { type = traverse }\n",
		    "2: workload 'find': traverse needs a tree: write tree "
		    "NAME { archive = \"FILE\" } outside, and tree = "
		    "\"NAME\" here" },
		{ TARGET EXT4 "tree b { archive = tree.tar }\n"
			      "workload find { type = traverse }\n"
			      "workload null { }\n",
		    "2: workload 'find': traverse needs a tree: write tree = "
		    "\"NAME\"" },
	};

	(void)state;
	CHECK_ALL(cases);
}

/* The reason is the C library's own. */
static void
a_pattern_is_a_regular_expression(void **state)
{
	struct reading reading;

	(void)state;
	write_file("m.conf",
	    TARGET EXT4 "\nworkload c { type = command run = \"make -C %m\"\n"
			" metric secs { pattern = \"took ([0-9\" } }\n");
	read_for(&reading, "linux");
	assert_int_equal(reading.diagnostics.count, 1);
	assert_non_null(strstr(complaints(&reading),
	    "m.conf:3: metric 'secs': pattern 'took ([0-9': "));
	arena_free(reading.arena);
}

/* --- what a right file comes to ------------------------------------------- */

static void
a_whole_file_is_read_as_it_was_meant(void **state)
{
	struct reading reading;
	const struct matrix *m;
	const struct filesystem *fs;

	(void)state;
	write_file("m.conf",
	    "title = \"a night\"\n"
	    "target scratch { image = auto size = \"3G\" sector_size = 4096 }\n"
	    "target disk { device = \"/dev/disk/by-id/a b\" size = 20G\n"
	    "  serial = S1 overwrite = { \"old label\" } }\n"
	    "filesystem e4 {\n"
	    "  driver = ext4  target = scratch\n"
	    "  make = { \"-m\", \"0\" }  mount = nosuid\n"
	    "  axis data { levels = { ordered, writeback, journal } }\n"
	    "  axis atime { levels = { relatime, noatime, default } }\n"
	    "  toggle = { nobarrier, softupdates, lazyflush }\n"
	    "  option \"lazy=3,x/y\" { stage = mount on = lazy }\n"
	    "  option lazyflush { stage = mount on = lazyflush risk = func\n"
	    "    conflicts = { nobarrier, sync } }\n"
	    "  skip = { \"data=journal + nobarrier\" }\n"
	    "}\n"
	    "filesystem xfs { driver = ext4 target = disk\n"
	    "  only = { default, noatime, \"data=journal+noatime\" } }\n"
	    "tree usr { archive = tree.tar copies = 4 age = 2d }\n"
	    "workload find { type = traverse cache = both charge = own\n"
	    "  timeout = 90s memory_limit = 512M metric = elapsed }\n"
	    "workload build { type = command run = \"make -C %m\"\n"
	    "  metric secs { pattern = \"took ([0-9]+)\" unit = s\n"
	    "    better = higher } metric = secs }\n"
	    "rounds = 9 budget = 8h seed = 42 memory_limit = 1G\n"
	    "baseline = \"xfs:noatime\"\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(reading.status, 0);
	m = &reading.matrix;
	assert_string_equal(m->title, "a night");
	assert_int_equal(m->rounds, 9);
	assert_int_equal(m->budget_ns, 8LL * 3600 * 1000000000);
	assert_int_equal(m->seed, 42);
	assert_string_equal(m->baseline, "xfs:noatime");
	assert_int_equal(m->memory_limit_bytes, 1 << 30);
	assert_true(m->targets[0].image_is_auto);
	assert_int_equal(m->targets[0].size_bytes, 3LL << 30);
	assert_int_equal(m->targets[0].sector_size, 4096);
	assert_int_equal(m->targets[1].kind, TARGET_DEVICE);
	assert_string_equal(m->targets[1].path, "/dev/disk/by-id/a b");
	assert_string_equal(m->targets[1].overwrite[0], "old label");

	fs = &m->filesystems[0];
	assert_string_equal(fs->driver, "ext4");
	assert_ptr_equal(fs->target, &m->targets[0]);
	assert_string_equal(fs->mount_options[0], "nosuid");
	assert_int_equal(fs->factor_count, 5);
	assert_string_equal(fs->factors[0].levels[1].token, "nobarrier");
	assert_int_equal(fs->factors[0].levels[1].option->risk, RISK_FLUSH);
	assert_non_null(strstr(fs->factors[1].levels[1].inapplicable,
	    "ext4 on linux has no option 'softupdates'; it is one of ufs "
	    "(freebsd, dragonfly)"));
	assert_string_equal(
	    fs->factors[2].levels[1].option->conflicts, "nobarrier sync");
	assert_string_equal(fs->factors[3].name, "data");
	assert_string_equal(fs->factors[3].levels[2].token, "data=journal");
	assert_string_equal(fs->factors[4].levels[1].token, "noatime");
	assert_null(fs->factors[4].levels[2].token);
	assert_int_equal(fs->skip_count, 1);
	assert_string_equal(fs->skip[0].tokens[0], "data=journal");

	fs = &m->filesystems[1];
	assert_int_equal(fs->only_count, 3);
	assert_int_equal(fs->factor_count, 2);
	assert_true(fs->factors[0].is_toggle);

	assert_int_equal(m->trees[0].copies, 4);
	assert_int_equal(m->trees[0].age_ns, 2LL * 86400 * 1000000000);
	assert_string_equal(m->workloads[0].tree, "usr");
	assert_int_equal(m->workloads[0].cache, CACHE_BOTH);
	assert_int_equal(m->workloads[0].charge, CHARGE_OWN);
	assert_int_equal(m->workloads[0].timeout_ns, 90LL * 1000000000);
	assert_int_equal(m->workloads[0].memory_limit_bytes, 512 << 20);
	assert_int_equal(m->workloads[1].pattern_count, 1);
	assert_string_equal(m->workloads[1].metric, "secs");
	assert_int_equal(
	    m->workloads[1].patterns[0].metric.better, HIGHER_IS_BETTER);
	arena_free(reading.arena);
}

/* A plan is resumed from wherever its user is then. */
static void
paths_are_full_ones(void **state)
{
	char here[4096];
	struct reading reading;
	struct arena *scratch = arena_new();

	(void)state;
	assert_non_null(getcwd(here, sizeof here));
	if (mkdir(path_of(scratch, "sub"), 0700) == -1)
		assert_int_equal(errno, EEXIST);
	arena_free(scratch);
	write_file("m.conf",
	    "target t { image = \"x.img\" } target d { directory = \"y\" }\n"
	    "target b { directory = \"sub\" }\n"
	    "filesystem ext4 { target = t } filesystem plain { target = d }\n"
	    "filesystem p { driver = plain target = b }\n"
	    "tree usr { archive = Makefile } tree b { archive = tree.tar }\n"
	    "workload null { }\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_string_equal(reading.matrix.targets[0].path,
	    arena_printf(reading.arena, "%s/x.img", here));
	assert_string_equal(reading.matrix.targets[1].path,
	    arena_printf(reading.arena, "%s/y", here));
	/* beside the matrix file first, else from the current folder */
	assert_string_equal(reading.matrix.targets[2].path,
	    arena_printf(reading.arena, "%s/sub", folder));
	assert_string_equal(reading.matrix.trees[0].archive,
	    arena_printf(reading.arena, "%s/Makefile", here));
	assert_string_equal(reading.matrix.trees[1].archive,
	    arena_printf(reading.arena, "%s/tree.tar", folder));
	arena_free(reading.arena);
}

static void
every_value_has_a_default(void **state)
{
	struct reading reading;

	(void)state;
	write_file("m.conf",
	    "target t { }\nfilesystem ext4 { }\n"
	    "tree usr { archive = tree.tar }\nworkload traverse { }\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_string_equal(reading.matrix.title, "m.conf");
	assert_string_equal(reading.matrix.baseline, "default");
	assert_int_equal(reading.matrix.rounds, 6);
	assert_int_equal(reading.matrix.seed, 0);
	assert_true(reading.matrix.targets[0].image_is_auto);
	assert_int_equal(reading.matrix.targets[0].size_bytes, 2LL << 30);
	assert_string_equal(reading.matrix.workloads[0].type, "traverse");
	assert_string_equal(reading.matrix.workloads[0].tree, "usr");
	arena_free(reading.arena);
}

static void
tokens_are_bound_for_the_system_asked(void **state)
{
	struct reading reading;

	(void)state;
	write_file("m.conf",
	    TARGET FIND "filesystem ufs { toggle = { noatime, su, async } }\n");
	read_for(&reading, "freebsd");
	assert_string_equal(complaints(&reading), "");
	assert_null(reading.matrix.filesystems[0].inapplicable);
	assert_string_equal(
	    reading.matrix.filesystems[0].factors[1].name, "softupdates");
	assert_non_null(
	    reading.matrix.filesystems[0].factors[1].levels[1].option);
	arena_free(reading.arena);
	read_for(&reading, "linux");
	assert_int_equal(reading.status, 0);
	assert_string_equal(reading.matrix.filesystems[0].inapplicable,
	    "ufs is not a filesystem of linux");
	arena_free(reading.arena);
}

/* Two filesystems as a person writes them, and the cells they come to. */
static void
cells_of_two_filesystems_come_out_as_described(void **state)
{
	static const char *const keys[] = { "ext4:data=ordered",
		"ext4:data=writeback", "ext4:data=journal",
		"ext4:noatime+data=ordered", "ext4:data=writeback+nobarrier",
		"ext4:noatime+data=journal+nobarrier", "xfs:nobarrier" };
	struct plan_options options = { .seed = 1 };
	struct reading reading;
	struct plan plan;

	(void)state;
	write_file("m.conf", TARGET FIND
	    "filesystem ext4 { toggle = { nobarrier, noatime }\n"
	    "  axis data { levels = { ordered, writeback, journal } } }\n"
	    "filesystem xfs { toggle = nobarrier }\n");
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(plan_make(&reading.matrix, &options, reading.arena,
			     &plan, &reading.err),
	    0);
	assert_int_equal(plan.cell_count, 12 + 2);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		size_t found = plan_find_cell(&plan, keys[i]);

		assert_int_not_equal(found, NO_CELL);
		assert_int_equal(plan.cells[found].status, CELL_OK);
	}
	assert_true(plan.cells[0].is_baseline);
	arena_free(reading.arena);
}

/* Soft updates make async void: six states in eight cells, as was measured
 * without anybody's knowing in 2001. */
static void
the_study_of_2001_has_two_pairs_of_duplicates(void **state)
{
	struct plan_options options = { .seed = 1 };
	struct reading reading;
	struct plan plan;

	(void)state;
	write_file("m.conf",
	    TARGET FIND "filesystem ufs { toggle = { noatime, softupdates, "
			"async } }\n");
	read_for(&reading, "freebsd");
	assert_string_equal(complaints(&reading), "");
	assert_int_equal(plan_make(&reading.matrix, &options, reading.arena,
			     &plan, &reading.err),
	    0);
	assert_int_equal(plan.cell_count, 8);
	for (size_t i = 0; i < 8; i++) {
		const struct cell *cell = &plan.cells[i];
		bool both = strstr(cell->key, "softupdates") != NULL &&
			    strstr(cell->key, "async") != NULL;

		assert_int_equal(cell->status, both ? CELL_DUPLICATE : CELL_OK);
		if (both)
			assert_string_equal(
			    plan.cells[cell->duplicate_of].expected,
			    cell->expected);
	}
	arena_free(reading.arena);
}

/* Appends the line of a man page as it is read. */
static void
append_line(struct buffer *text, const char *line, size_t length)
{
	static const char *const from[] = { "\\(dq", "\\e", "\\&" };
	static const char *const to[] = { "\"", "\\", "" };

	for (size_t at = 0; at < length;) {
		size_t i = 0;

		while (i < 3 && strncmp(line + at, from[i], strlen(from[i])))
			i++;
		if (i == 3) {
			buffer_putc(text, line[at++]);
			continue;
		}
		buffer_puts(text, to[i]);
		at += strlen(from[i]);
	}
	buffer_putc(text, '\n');
}

/* Gives an example what it leaves out, and reads it. */
static void
check_example(struct buffer *text)
{
	struct reading reading;

	if (strstr(buffer_text(text), "target ") == NULL)
		buffer_puts(text, "target t { }\n");
	if (strstr(buffer_text(text), "workload ") == NULL)
		buffer_puts(text, "workload null { }\n");
	if (strstr(buffer_text(text), "tree usr") == NULL &&
	    strstr(buffer_text(text), "mountpoint") == NULL)
		buffer_puts(text, "tree usr { archive = tree.tar }\n");
	write_file("m.conf", buffer_text(text));
	read_for(&reading, "linux");
	assert_string_equal(complaints(&reading), "");
	arena_free(reading.arena);
}

static void
examples_of_the_manual_can_be_read(void **state)
{
	struct buffer page, example;
	struct error err = { 0 };
	bool is_inside = false;
	int count = 0;

	(void)state;
	write_file("usr.tar.zst", "not looked into");
	buffer_init(&page);
	buffer_init(&example);
	assert_int_equal(buffer_read_file(&page,
			     "src/config/mountmatrix.conf.5", 1 << 20, &err),
	    0);
	for (const char *line = buffer_text(&page); *line != '\0';) {
		size_t length = strcspn(line, "\n");

		if (strncmp(line, ".Ed", 3) == 0 && is_inside) {
			is_inside = false;
			if (strstr(buffer_text(&example), "\nfilesystem ") ||
			    strncmp(buffer_text(&example), "filesystem ", 11) ==
				0) {
				check_example(&example);
				count++;
			}
		} else if (is_inside) {
			append_line(&example, line, length);
		} else if (strncmp(line, ".Bd -literal", 12) == 0) {
			is_inside = true;
			buffer_clear(&example);
		}
		line += length + (line[length] == '\n');
	}
	assert_int_equal(count, 7);
	buffer_reset(&page);
	buffer_reset(&example);
}

/* The manual's part about one type of workload; all of it where it has none:
 * then the type has only the keys that all have. */
static char *
part_about(struct arena *arena, const char *page, const char *workload)
{
	const char *from =
	    strstr(page, arena_printf(arena, "\n.It Sy %s\n", workload));
	const char *to;

	if (from == NULL)
		return arena_strdup(arena, page);
	to = strstr(from + 1, "\n.It Sy ");
	if (to == NULL)
		to = strstr(from, "\n.El");
	assert_non_null(to);
	return arena_strndup(arena, from, (size_t)(to - from) + 1);
}

/* With the workload itself: "seed" of one is not "seed" of all. */
static void
keys_of_workloads_are_in_the_manual(void **state)
{
	static const char common[] = "passes threads seconds";
	const struct workload *const *workloads = workload_list();
	struct arena *arena = arena_new();
	struct error err = { 0 };
	struct buffer page;

	(void)state;
	buffer_init(&page);
	assert_int_equal(buffer_read_file(&page,
			     "src/config/mountmatrix.conf.5", 1 << 20, &err),
	    0);
	for (size_t i = 0; workloads[i] != NULL; i++) {
		const char *part =
		    part_about(arena, buffer_text(&page), workloads[i]->name);

		for (const struct workload_key *key = workloads[i]->keys;
		     key != NULL && key->name != NULL; key++) {
			const char *text = option_list_has(common, key->name)
					       ? buffer_text(&page)
					       : part;

			if (strstr(text, arena_printf(arena, "\n.Ic %s\n",
					     key->name)) == NULL &&
			    strstr(text, arena_printf(arena, "\n.Ic %s ",
					     key->name)) == NULL &&
			    strstr(text, arena_printf(arena, "\n.It Ic %s\n",
					     key->name)) == NULL)
				fail_msg(
				    "%s of %s", key->name, workloads[i]->name);
		}
	}
	buffer_reset(&page);
	arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_right_after_comments),
		cmocka_unit_test(comments_may_stand_inside_a_list),
		cmocka_unit_test(what_is_not_closed_is_named_where_it_opens),
		cmocka_unit_test(repeated_keys_and_titles_are_errors),
		cmocka_unit_test(
		    numbers_are_decimal_and_nothing_is_zero_by_accident),
		cmocka_unit_test(escapes_that_end_a_text_are_refused),
		cmocka_unit_test(files_that_are_no_text_are_refused),
		cmocka_unit_test(
		    a_byte_order_mark_and_carriage_returns_are_passed_over),
		cmocka_unit_test(only_regular_files_are_read),
		cmocka_unit_test(deep_nesting_is_no_danger),
		cmocka_unit_test(complaints_without_end_are_cut),
		cmocka_unit_test(endless_lists_are_refused_quickly),
		cmocka_unit_test(sections_are_counted),
		cmocka_unit_test(included_files_are_read_in_their_place),
		cmocka_unit_test(includes_that_cannot_be_are_named),
		cmocka_unit_test(includes_go_eight_deep),
		cmocka_unit_test(includes_do_not_multiply_without_end),
		cmocka_unit_test(names_of_the_environment_are_expanded),
		cmocka_unit_test(bare_words_keep_all_their_characters),
		cmocka_unit_test(lists_may_be_appended_to),
		cmocka_unit_test(
		    a_mistake_of_syntax_is_said_in_words_and_ends_the_reading),
		cmocka_unit_test(keys_and_sections_are_told_apart),
		cmocka_unit_test(targets_are_of_one_kind_and_their_keys_fit),
		cmocka_unit_test(trees_have_an_archive_that_is_there),
		cmocka_unit_test(filesystems_have_a_driver_and_a_target),
		cmocka_unit_test(tokens_are_known_or_declared),
		cmocka_unit_test(a_cell_has_one_option_of_a_group),
		cmocka_unit_test(rules_name_what_the_filesystem_varies),
		cmocka_unit_test(a_baseline_is_the_key_of_a_cell),
		cmocka_unit_test(a_target_has_its_image_or_device_to_itself),
		cmocka_unit_test(a_mountpoint_is_never_made_or_written_to),
		cmocka_unit_test(workloads_are_known_and_so_are_their_keys),
		cmocka_unit_test(a_pattern_is_a_regular_expression),
		cmocka_unit_test(a_whole_file_is_read_as_it_was_meant),
		cmocka_unit_test(paths_are_full_ones),
		cmocka_unit_test(every_value_has_a_default),
		cmocka_unit_test(tokens_are_bound_for_the_system_asked),
		cmocka_unit_test(
		    cells_of_two_filesystems_come_out_as_described),
		cmocka_unit_test(the_study_of_2001_has_two_pairs_of_duplicates),
		cmocka_unit_test(keys_of_workloads_are_in_the_manual),
		cmocka_unit_test(examples_of_the_manual_can_be_read),
	};

	/* "make valgrind" leaves out what would take it minutes */
	if (getenv("SKIP_TESTS") != NULL)
		cmocka_set_skip_filter(getenv("SKIP_TESTS"));
	return cmocka_run_group_tests_name(
	    "config", tests, make_folder, remove_folder);
}
