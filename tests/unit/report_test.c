/* How texts are wrapped and escaped, whatever a results file holds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "base/rng.h"
#include "import/json_read.h"
#include "report/document.h"
#include "report/report.h"

static struct arena *arena;

static void
text_is_wrapped_where_it_may_be(void **state)
{
	static const struct {
		const char *text, *wanted;
		int width;
	} cases[] = {
		{ "one two three", "one two\n  three\n", 9 },
		{ "", "\n", 9 },
		{ "short", "short\n", 9 },
		{ "noatime+softupdates", "noatime+\n  softupdates\n", 13 },
		/* a number keeps its percent sign */
		{ "less than 3.8 % here", "less than\n  3.8 % here\n", 14 },
		{ "abcdefghijklmnop", "abcdefghij\n  klmnop\n", 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buffer out;

		buffer_init(&out);
		wrap_text(&out, cases[i].text, cases[i].width, 0, 2);
		assert_string_equal(buffer_text(&out), cases[i].wanted);
		buffer_reset(&out);
	}
}

static void
nothing_but_printable_ascii_reaches_a_terminal(void **state)
{
	(void)state;
	assert_string_equal(ascii_text(arena, "\033[2Jx\r\x7f"), "?[2Jx??");
	assert_string_equal(ascii_text(arena, "caf\xc3\xa9\n"), "caf? ");
	assert_string_equal(ascii_text(arena, ""), "");
}

/* A night whose every text is hostile. */
struct night {
	struct plan plan;
	struct session session;
	struct results_table table;
	struct report_workload workload;
	struct failure failure;
	struct report_input input;
};

static const char nasty[] =
    "\033[31m<script>alert(1)</script>|`*_\"\\\xff\xc3\xa9\n# x, y";

static struct night *
make_night(struct series_table *series, const char *text)
{
	struct night *night = arena_alloc(arena, sizeof *night);

	night->plan.title = text;
	night->plan.cell_count = series->cell_count;
	night->plan.cells =
	    arena_array(arena, series->cell_count, sizeof *night->plan.cells);
	for (size_t i = 0; i < series->cell_count; i++)
		night->plan.cells[i] = (struct cell){ .index = i,
			.key = series->cells[i].key,
			.filesystem = series->cells[i].family,
			.driver = "ext4",
			.asked = text,
			.in_force = text,
			.durability_probe = "2.0 flushes, 3.0 writes",
			.duplicate_of = NO_CELL };
	night->session =
	    (struct session){ .label = text, .boot_id = "", .program = text };
	fact_list_add(arena, &night->session.host, "system", text);
	fact_list_add(arena, &night->session.tools, "mkfs", text);
	night->table.series = series;
	night->workload.table = &night->table;
	night->workload.ranking = analysis_rank(series, NULL, arena);
	night->failure = (struct failure){ .cell = text,
		.workload = text,
		.verdict = VERDICT_FAILED,
		.reason = text };
	night->input = (struct report_input){ .program = "mountmatrix",
		.path = text,
		.again = text,
		.plan = &night->plan,
		.sessions = &night->session,
		.session_count = 1,
		.workloads = &night->workload,
		.workload_count = 1,
		.failures = &night->failure,
		.failure_count = 1 };
	return night;
}

static void
add_cells(struct series_table *series, const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct series_factor factor = { "noatime",
			i % 2 == 0 ? "off" : "on", true };
		const struct series_cell cell = { .key = keys[i],
			.family = "ext4",
			.factors = &factor,
			.factor_count = 1,
			.risk = "func",
			.reason = keys[i],
			.in_force = keys[i] };

		series_add_cell(series, &cell);
	}
}

static void
add_runs(struct series_table *series, struct rng *rng, int blocks)
{
	size_t session = series_add_session(series, nasty, nasty);

	for (int block = 1; block <= blocks; block++)
		for (size_t cell = 0; cell < series->cell_count; cell++) {
			const struct series_run run = { .cell = cell,
				.session = session,
				.block = block,
				.position = (int)cell + 1,
				.value = exp(20 * rng_uniform(rng) - 10) };

			series_add_run(series, &run);
		}
}

static void
check_mailable(const char *text)
{
	size_t width = 0;

	for (const char *at = text; *at != '\0'; at++) {
		width = *at == '\n' ? 0 : width + 1;
		if (width > 72)
			fail_msg("wider than 72 columns: %.80s", at - 72);
		if (*at != '\n' && (*at < ' ' || *at > '~'))
			fail_msg("not ASCII: %.20s", at);
	}
}

static void
check_json(const char *text)
{
	char path[] = "/tmp/report_test.XXXXXX";
	struct json_value *root;
	struct error err = { 0 };
	int fd = mkstemp(path);

	assert_int_not_equal(fd, -1);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	if (json_read(path, arena, &root, &err) == -1)
		fail_msg("%s", err.text);
	unlink(path);
	assert_non_null(json_member(root, "workloads"));
}

static char *
rendered(const struct night *night, const char *format)
{
	struct buffer out;
	char *text;

	buffer_init(&out);
	report_find(format)->render(&night->input, &out);
	text = arena_strdup(arena, buffer_text(&out));
	buffer_reset(&out);
	return text;
}

static void
hostile_texts_are_only_texts(void **state)
{
	const char *const keys[] = { nasty, "ext4:default", "ext4:noatime" };
	struct series_table *series =
	    series_table_new(arena, nasty, nasty, nasty, LOWER_IS_BETTER);
	struct night *night;
	struct rng rng;
	const char *html, *csv;

	(void)state;
	rng_seed(&rng, 1);
	add_cells(series, keys, 3);
	add_runs(series, &rng, 4);
	night = make_night(series, nasty);
	check_mailable(rendered(night, "text"));
	check_json(rendered(night, "json"));
	html = rendered(night, "html");
	assert_null(strstr(html, "<script"));
	assert_null(strchr(html, '\033'));
	/* but for the command, which is an indented block of code */
	night->input.again = NULL;
	assert_null(strstr(rendered(night, "markdown"), "<script"));
	csv = rendered(night, "csv");
	/* a comment stays a comment, a field one field */
	assert_non_null(strstr(csv, "\"\"\\"));
	assert_null(strstr(csv, "\n# x"));
}

/* Names and values of any length keep to 72 columns. */
static void
any_ranking_fits_into_mail(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 11);
	for (int round = 0; round < 60; round++) {
		size_t count = 2 + (size_t)rng_below(&rng, 7);
		const char **keys = arena_array(arena, count, sizeof *keys);
		struct series_table *series =
		    series_table_new(arena, "find", "elapsed", "s",
			round % 2 == 0 ? LOWER_IS_BETTER : HIGHER_IS_BETTER);
		struct night *night;

		for (size_t i = 0; i < count; i++) {
			size_t length = 1 + (size_t)rng_below(&rng, 60);
			char *key = arena_alloc(arena, length + 1);

			for (size_t j = 0; j < length; j++)
				key[j] = "abcdefgh+=:, "[rng_below(&rng, 13)];
			keys[i] = arena_printf(arena, "%s%zu", key, i);
		}
		add_cells(series, keys, count);
		add_runs(series, &rng, (int)rng_below(&rng, 6));
		night = make_night(series, "a title");
		check_mailable(rendered(night, "text"));
		check_json(rendered(night, "json"));
	}
}

/* Writes are no flushes: a system that counts no flushes says so, and no
 * figure of it stands below the words for flushes. */
static void
writes_of_an_fsync_are_not_called_flushes(void **state)
{
	const char *const keys[] = { "ufs:default", "ufs:noatime" };
	struct series_table *series =
	    series_table_new(arena, "create", "elapsed", "s", LOWER_IS_BETTER);
	struct night *night;
	struct rng rng;
	const char *text;

	(void)state;
	rng_seed(&rng, 3);
	add_cells(series, keys, 2);
	add_runs(series, &rng, 4);
	night = make_night(series, "a title");
	text = rendered(night, "text");
	assert_non_null(strstr(text, "device flushes that one fsync"));
	assert_null(strstr(text, "flushes are not counted"));
	for (size_t i = 0; i < 2; i++)
		night->plan.cells[i].durability_probe =
		    "4.3 writes per fsync, flushes not counted";
	text = rendered(night, "text");
	assert_null(strstr(text, "device flushes that one fsync"));
	assert_non_null(strstr(text, " 4.3w"));
	assert_non_null(strstr(text, "device writes (w) that one fsync"));
	check_mailable(text);
}

/* What power cuts left is told instead, where it was tested. */
static void
what_power_cuts_left_stands_beside_the_rank(void **state)
{
	const char *const keys[] = { "ufs:default", "ufs:noatime" };
	struct series_table *series =
	    series_table_new(arena, "create", "elapsed", "s", LOWER_IS_BETTER);
	struct night *night;
	struct rng rng;
	const char *text;

	(void)state;
	rng_seed(&rng, 3);
	add_cells(series, keys, 2);
	add_runs(series, &rng, 4);
	night = make_night(series, "a title");
	for (size_t i = 0; i < 2; i++)
		night->plan.cells[i].durability_probe =
		    "kept 0 of 5 files at a power cut, 9.9 writes per fsync, "
		    "flushes not counted";
	text = rendered(night, "text");
	assert_non_null(strstr(text, " 0 of 5"));
	assert_non_null(strstr(text, "how many of 5 fsynced files"));
	assert_null(strstr(text, "that one fsync"));
	assert_null(strstr(text, " 9.9w"));
	for (size_t i = 0; i < 2; i++)
		night->plan.cells[i].durability_probe =
		    "not known: no device counters";
	assert_null(strstr(rendered(night, "text"), "that one fsync"));
}

static void
every_format_is_listed(void **state)
{
	(void)state;
	for (size_t i = 0; report_formats()[i] != NULL; i++)
		assert_ptr_equal(report_find(report_formats()[i]->name),
		    report_formats()[i]);
	assert_null(report_find("paper"));
}

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_wrapped_where_it_may_be),
		cmocka_unit_test(
		    nothing_but_printable_ascii_reaches_a_terminal),
		cmocka_unit_test(hostile_texts_are_only_texts),
		cmocka_unit_test(any_ranking_fits_into_mail),
		cmocka_unit_test(writes_of_an_fsync_are_not_called_flushes),
		cmocka_unit_test(what_power_cuts_left_stands_beside_the_rank),
		cmocka_unit_test(every_format_is_listed),
	};

	return cmocka_run_group_tests_name("report", tests, set_up, tear_down);
}
