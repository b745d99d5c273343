/* The tools below all stages: units, words, buffers, digests, children. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/argv.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/facts.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/proc.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "base/units.h"

enum { REFUSED = -1 };

struct reading {
	const char *text;
	int64_t value; /* REFUSED: an error that names the text */
};

static void
check_readings(const struct reading *cases,
    int (*parse)(const char *, int64_t *, struct error *))
{
	for (; cases->text != NULL; cases++) {
		struct error err = { 0 };
		int64_t value = 0;
		int rc = parse(cases->text, &value, &err);

		if (cases->value == REFUSED) {
			if (rc != -1)
				fail_msg("'%s' was read", cases->text);
			assert_int_equal(err.kind, ERROR_USAGE);
			assert_non_null(strstr(err.text, cases->text));
			continue;
		}
		if (rc != 0 || value != cases->value)
			fail_msg("'%s': %d, %lld, %s", cases->text, rc,
			    (long long)value, err.text);
	}
}

static void
test_sizes(void **state)
{
	static const struct reading cases[] = {
		{ "0", 0 },
		{ "512", 512 },
		{ "4K", 4096 },
		{ "4 KiB", 4096 },
		{ "1.5M", 1572864 },
		{ "2G", INT64_C(2147483648) },
		{ "3tb", INT64_C(3298534883328) },
		{ "010", 10 },
		{ "", REFUSED },
		{ "K", REFUSED },
		{ "-1", REFUSED },
		{ "+1", REFUSED },
		{ " 1", REFUSED },
		{ "0x10", REFUSED },
		{ "1e400", REFUSED },
		{ "9000000T", REFUSED },
		{ "4Q", REFUSED },
		{ "4K extra", REFUSED },
		{ "nan", REFUSED },
		{ "inf", REFUSED },
		{ NULL, 0 },
	};

	(void)state;
	check_readings(cases, units_parse_size);
}

static void
test_durations(void **state)
{
	static const struct reading cases[] = {
		{ "90", INT64_C(90000000000) },
		{ "90s", INT64_C(90000000000) },
		{ "250ms", 250000000 },
		{ "5m", INT64_C(300000000000) },
		{ "8h", INT64_C(28800000000000) },
		{ "2d", INT64_C(172800000000000) },
		{ "0.5s", 500000000 },
		{ "8 hours", REFUSED },
		{ "", REFUSED },
		{ "-5m", REFUSED },
		{ "h", REFUSED },
		{ NULL, 0 },
	};

	(void)state;
	check_readings(cases, units_parse_duration);
}

static void
test_integers(void **state)
{
	static const struct reading cases[] = {
		{ "010", 10 },
		{ "9223372036854775807", INT64_MAX },
		{ "9223372036854775808", REFUSED },
		{ "", REFUSED },
		{ "+1", REFUSED },
		{ " 1", REFUSED },
		{ "1 ", REFUSED },
		{ "1.0", REFUSED },
		{ "--1", REFUSED },
		{ NULL, 0 },
	};
	struct error err = { 0 };
	int64_t value = 0;

	(void)state;
	check_readings(cases, units_parse_integer);
	assert_int_equal(units_parse_integer("-7", &value, &err), 0);
	assert_int_equal(value, -7);
}

static void
test_formats(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	assert_string_equal(units_format_size(arena, 512), "512 B");
	assert_string_equal(units_format_size(arena, 1536), "1.5 KiB");
	assert_string_equal(
	    units_format_size(arena, INT64_C(2) << 30), "2 GiB");
	assert_string_equal(units_format_duration(arena, 840000000), "840 ms");
	assert_string_equal(
	    units_format_duration(arena, INT64_C(37200000000)), "37.2 s");
	assert_string_equal(
	    units_format_duration(arena, INT64_C(59990000000)), "60.0 s");
	assert_string_equal(
	    units_format_duration(arena, INT64_C(119900000000)), "1 min 59 s");
	assert_string_equal(
	    units_format_duration(arena, INT64_C(7500000000000)), "2 h 05 min");
	assert_string_equal(units_format_count(arena, 0, "block"), "0 blocks");
	assert_string_equal(units_format_count(arena, 1, "block"), "1 block");
	assert_string_equal(units_format_count(arena, 2, "block"), "2 blocks");
	assert_string_equal(units_format_value(arena, 540.34, "s"), "540.3 s");
	assert_string_equal(units_format_value(arena, 7.0, ""), "7.000");
	arena_free(arena);
}

static void
test_words(void **state)
{
	static const struct {
		const char *line;
		const char *words[4];
		const char *quoted;
	} cases[] = {
		{ "mkfs.foo -q %d", { "mkfs.foo", "-q", "%d" },
		    "mkfs.foo -q %d" },
		{ "  a\t b ", { "a", "b" }, "a b" },
		{ "'two words' x", { "two words", "x" }, "'two words' x" },
		{ "\"a'b\" c\\ d", { "a'b", "c d" }, "'a'\\''b' 'c d'" },
		{ "'a\\b'", { "a\\b" }, "'a\\b'" },
		{ "''", { "" }, "''" },
		{ "a''b", { "ab" }, "ab" },
		{ "$HOME;`x`", { "$HOME;`x`" }, "'$HOME;`x`'" },
		{ "", { NULL }, "" },
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = { 0 };
		struct argv argv;
		size_t count = 0;

		argv_init(&argv, arena);
		assert_int_equal(argv_split(&argv, cases[i].line, &err), 0);
		while (cases[i].words[count] != NULL) {
			assert_string_equal(
			    argv.items[count], cases[i].words[count]);
			count++;
		}
		assert_int_equal(argv.count, count);
		assert_null(argv.items[count]);
		assert_string_equal(argv_quote(&argv), cases[i].quoted);
	}
	arena_free(arena);
}

static void
test_open_quotes(void **state)
{
	static const char *const lines[] = { "a 'b", "\"", "x \"y 'z'" };
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct error err = { 0 };
		struct argv argv;

		argv_init(&argv, arena);
		assert_int_equal(argv_split(&argv, lines[i], &err), -1);
		assert_non_null(strstr(err.text, lines[i]));
	}
	arena_free(arena);
}

static void
test_substitution(void **state)
{
	static const struct argv_substitution pairs[] = { { 'd', "/dev/x y" },
		{ 'm', "/mnt/%d" } };
	struct arena *arena = arena_new();
	struct argv in;
	struct argv out;
	struct error err = { 0 };

	(void)state;
	argv_init(&in, arena);
	argv_init(&out, arena);
	assert_int_equal(argv_split(&in, "mount %d %m/100%% %z %", &err), 0);
	argv_substitute(&out, &in, pairs, 2);
	assert_int_equal(out.count, 5);
	/* one word stays one word, and what was put in is not read again */
	assert_string_equal(out.items[1], "/dev/x y");
	assert_string_equal(out.items[2], "/mnt/%d/100%");
	assert_string_equal(out.items[3], "%z");
	assert_string_equal(out.items[4], "%");
	arena_free(arena);
}

static void
test_nearest(void **state)
{
	static const char *const words[] = { "noatime", "nobarrier", "data",
		"su" };
	static const struct {
		const char *word;
		const char *nearest;
	} cases[] = {
		{ "noatme", "noatime" },
		{ "naotime", "noatime" },
		{ "nobarier", "nobarrier" },
		{ "dat", "data" },
		{ "xyzzy", NULL },
		{ "", NULL },
	};
	static const char *const keys[] = { "ext4:default", "ext4:noatime",
		"xfs:noatime" };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *found = suggest_nearest(cases[i].word, words, 4);

		if (cases[i].nearest == NULL)
			assert_null(found);
		else
			assert_string_equal(found, cases[i].nearest);
	}
	assert_null(suggest_nearest("noatime", NULL, 0));
	assert_string_equal(suggest_key("noatime", keys, 3), "ext4:noatime");
	assert_string_equal(suggest_key("xfs:noatme", keys, 3), "xfs:noatime");
	assert_null(suggest_key("nothing", keys, 3));
}

/* However the bytes are cut at multiples of 8, the digest is one; another
 * order, another length or a flipped bit is another. */
static void
test_digest(void **state)
{
	unsigned char bytes[64];
	struct hash whole;
	struct hash cut;
	uint64_t first;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)i;
	hash_init(&whole);
	hash_update(&whole, bytes, sizeof bytes);
	first = hash_final(&whole);
	hash_init(&cut);
	for (size_t i = 0; i < sizeof bytes; i += 8)
		hash_update(&cut, bytes + i, 8);
	assert_true(hash_final(&cut) == first);
	hash_init(&whole);
	hash_update(&whole, bytes, sizeof bytes - 1);
	assert_true(hash_final(&whole) != first);
	for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
		hash_init(&whole);
		hash_update(&whole, bytes, sizeof bytes);
		assert_true(hash_final(&whole) != first);
		bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
	}
}

/* xoshiro256** with a state of 1, 2, 3, 4: the authors' first values. */
static void
test_random(void **state)
{
	struct rng rng = { { 1, 2, 3, 4 } };
	unsigned counts[6] = { 0 };

	(void)state;
	assert_true(rng_next(&rng) == 11520);
	assert_true(rng_next(&rng) == 0);
	assert_true(rng_next(&rng) == 1509978240);
	assert_true(rng_next(&rng) == UINT64_C(1215971899390074240));
	rng_seed(&rng, 7);
	for (int i = 0; i < 6000; i++)
		counts[rng_below(&rng, 6)]++;
	for (int i = 0; i < 6; i++) /* 1000 each, within 4 deviations */
		assert_in_range(counts[i], 885, 1115);
}

static void
test_file(void **state)
{
	char path[] = "/tmp/base_test.XXXXXX";
	int fd = mkstemp(path);
	struct error err = { 0 };
	struct buffer text;

	(void)state;
	assert_int_not_equal(fd, -1);
	assert_int_equal(write(fd, "hello", 5), 5);
	(void)close(fd);
	buffer_init(&text);
	assert_string_equal(buffer_text(&text), "");
	assert_int_equal(buffer_read_file(&text, path, 5, &err), 0);
	assert_string_equal(buffer_text(&text), "hello");
	buffer_clear(&text);
	assert_int_equal(buffer_read_file(&text, path, 4, &err), -1);
	assert_non_null(strstr(err.text, path));
	(void)unlink(path);
	buffer_clear(&text);
	assert_int_equal(buffer_read_file(&text, path, 5, &err), -1);
	assert_non_null(strstr(err.text, path));
	buffer_reset(&text);
}

static void
test_errors(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(
	    error_set_kind(&err, ERROR_USAGE, "'%s' is not a size", "x"), -1);
	assert_int_equal(error_wrap(&err, "a.conf:%d", 7), -1);
	assert_string_equal(err.text, "a.conf:7: 'x' is not a size");
	assert_int_equal(err.kind, ERROR_USAGE);
	memset(err.text, 'y', sizeof err.text);
	err.text[sizeof err.text - 1] = '\0';
	(void)error_wrap(&err, "long");
	assert_memory_equal(err.text, "long: yyy", 9);
	assert_int_equal(err.text[sizeof err.text - 1], '\0');
}

static void
test_facts(void **state)
{
	struct fact_list facts = { 0 };
	struct arena *arena = arena_new();

	(void)state;
	fact_list_add(arena, &facts, "cpu", "one");
	fact_list_add(arena, &facts, "none", NULL);
	fact_list_add(arena, &facts, "empty", "");
	fact_list_add(arena, &facts, "cpu", "two");
	assert_int_equal(facts.count, 2);
	assert_string_equal(fact_list_get(&facts, "cpu"), "one");
	assert_null(fact_list_get(&facts, "none"));
	assert_false(fact_list_is_busy(&facts));
	fact_list_add(arena, &facts, "cpus", "2");
	assert_false(fact_list_is_busy(&facts));
	fact_list_add(arena, &facts, "load", "1.00 4.00 9.00");
	assert_false(fact_list_is_busy(&facts));
	facts.items[facts.count - 1].value = "4.10 1.00 0.50";
	assert_true(fact_list_is_busy(&facts));
	assert_string_equal(clock_iso8601(arena, 0), "1970-01-01T00:00:00Z");
	arena_free(arena);
}

/* --- children ----------------------------------------------------------- */

static struct proc_result
run(struct arena *arena, struct proc_job *job)
{
	struct proc_result result = { 0 };
	struct error err = { 0 };

	assert_int_equal(proc_run(job, arena, &result, &err), 0);
	return result;
}

static void
test_child_ends(void **state)
{
	static const struct {
		const char *argv[4];
		const char *words;
	} cases[] = {
		{ { "true" }, "exit 0" },
		{ { "sh", "-c", "exit 32" }, "exit 32" },
		{ { "sh", "-c", "kill -9 $$" }, "signal 9 (Killed)" },
		{ { "no-such-program" }, "program not found" },
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct proc_job job = { .argv = cases[i].argv };
		struct proc_result result = run(arena, &job);

		assert_string_equal(
		    proc_describe(arena, &result), cases[i].words);
		assert_int_equal(proc_succeeded(&result), i == 0);
	}
	arena_free(arena);
}

/* What a child gets: a reduced environment, no input, both outputs kept
 * apart, and no more of them than asked for. */
static void
test_child_surroundings(void **state)
{
	static const char *const shows[] = { "sh", "-c",
		"echo \"$LC_ALL $SECRET $MORE\"; cat; echo oops >&2", NULL };
	static const char *const floods[] = { "sh", "-c",
		"head -c 100000 /dev/zero", NULL };
	static const char *const more[] = { "MORE=more", NULL };
	struct proc_job show = { .argv = shows, .extra_environment = more };
	struct proc_job flood = { .argv = floods, .output_limit = 1000 };
	struct proc_result result;
	struct arena *arena = arena_new();

	(void)state;
	(void)setenv("SECRET", "secret", 1);
	result = run(arena, &show);
	assert_string_equal(result.output, "C  more\n");
	assert_string_equal(result.errors, "oops\n");
	result = run(arena, &flood);
	assert_true(result.output_cut);
	assert_int_equal(result.output_size, 1000);
	assert_true(proc_succeeded(&result));
	arena_free(arena);
}

/* A child that ignores SIGTERM is killed, and its own children with it. */
static void
test_child_times_out(void **state)
{
	static const char *const stays[] = { "sh", "-c",
		"trap '' TERM; sleep 60 & echo $!; wait; sleep 60", NULL };
	struct proc_job job = {
		.argv = stays, .timeout_ns = 300000000, .grace_ns = 100000000
	};
	struct proc_result result;
	struct arena *arena = arena_new();
	pid_t grandchild;

	(void)state;
	result = run(arena, &job);
	assert_true(result.timed_out);
	assert_false(result.stuck);
	grandchild = (pid_t)strtol(result.output, NULL, 10);
	assert_true(grandchild > 1);
	for (int i = 0; i < 100 && kill(grandchild, 0) == 0; i++)
		clock_sleep_ms(50); /* somebody else reaps it */
	assert_int_equal(kill(grandchild, 0), -1);
	arena_free(arena);
}

static int
groups(void *context, int result_fd)
{
	gid_t list[64];
	int count = getgroups(64, list);
	unsigned char answer[3] = { (unsigned char)(getuid() == 65534),
		(unsigned char)(getgid() == 65534), 0 };

	(void)context;
	for (int i = 0; i < count; i++)
		answer[2] |= list[i] != 65534;
	return write(result_fd, answer, 3) == 3 ? 0 : 1;
}

/* As root: a child that runs as somebody else has none of root's groups. */
static void
test_child_user(void **state)
{
	gid_t more[2] = { 0, 4 };
	struct proc_job job = { .function = groups,
		.change_user = true,
		.uid = 65534,
		.gid = 65534 };
	struct proc_result result;
	struct arena *arena = arena_new();

	(void)state;
	if (getuid() != 0)
		return;
	assert_int_equal(setgroups(2, more), 0);
	result = run(arena, &job);
	assert_true(proc_succeeded(&result));
	assert_int_equal(result.output_size, 3);
	assert_int_equal(result.output[0], 1);
	assert_int_equal(result.output[1], 1);
	assert_int_equal(result.output[2], 0);
	arena_free(arena);
}

/* A pipe gives and takes less at a time than is asked for. */
static void
test_all_of_it(void **state)
{
	static char bytes[300000], back[sizeof bytes];
	int ends[2], full = open("/dev/full", O_WRONLY);
	pid_t pid;
	int status;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i % 251);
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0)
		_exit(io_write(ends[1], bytes, sizeof bytes));
	(void)close(ends[1]);
	assert_int_equal(io_read(ends[0], back, sizeof back), 0);
	assert_memory_equal(back, bytes, sizeof bytes);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(io_read(ends[0], back, 1), 1);
	assert_int_equal(errno, EIO);
	(void)close(ends[0]);
	if (full == -1)
		return;
	assert_int_equal(io_write(full, bytes, 1), 1);
	assert_int_equal(errno, ENOSPC);
	(void)close(full);
}

static void
test_at_an_offset(void **state)
{
	FILE *file = tmpfile();
	char back[4];
	int fd;

	(void)state;
	assert_non_null(file);
	fd = fileno(file);
	assert_int_equal(io_write_at(fd, "cd", 2, 2), 0);
	assert_int_equal(io_write_at(fd, "ab", 2, 0), 0);
	assert_int_equal(io_read_at(fd, back, 3, 1), 0);
	assert_memory_equal(back, "bcd", 3);
	assert_int_equal(io_read_at(fd, back, 4, 1), 1);
	assert_int_equal(errno, EIO);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 0);
	(void)fclose(file);
}

/* The room follows from the count alone, and nothing is lost in a move. */
static void
test_appended_array(void **state)
{
	enum { COUNT = 1000 };
	struct arena *arena = arena_new();
	int *items = NULL;

	(void)state;
	for (size_t count = 0; count < COUNT; count++) {
		items = arena_append(arena, items, count, sizeof *items);
		items[count] = (int)count;
		for (size_t i = 0; i <= count; i++)
			assert_int_equal(items[i], i);
	}
	arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_open_quotes),
		cmocka_unit_test(test_substitution),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_digest),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_appended_array),
		cmocka_unit_test(test_all_of_it),
		cmocka_unit_test(test_at_an_offset),
		cmocka_unit_test(test_child_ends),
		cmocka_unit_test(test_child_surroundings),
		cmocka_unit_test(test_child_times_out),
		cmocka_unit_test(test_child_user),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
