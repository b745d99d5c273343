/* Time series inside a trial: phases, stalls, equal sizes, dominance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "analysis/curve.h"
#include "base/arena.h"

static struct arena *arena;

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

/* A level with a repeatable wobble of about its square root. */
static double
wobble(double level, size_t i)
{
	return level + sqrt(level) * ((double)((i * 7919) % 11) - 5) / 4;
}

static void
a_step_is_two_phases_and_a_spike_is_none(void **state)
{
	double counts[40];
	size_t count;
	size_t *starts;

	(void)state;
	for (size_t i = 0; i < 40; i++)
		counts[i] = wobble(i < 25 ? 1000 : 400, i);
	counts[10] = 3000;
	starts = curve_phases(counts, 40, true, &count, arena);
	assert_int_equal(count, 2);
	assert_int_equal(starts[1], 26);
}

static void
a_dead_series_is_one_phase(void **state)
{
	double counts[30] = { 0 };
	size_t count;

	(void)state;
	(void)curve_phases(counts, 30, true, &count, arena);
	assert_int_equal(count, 1);
	assert_true(curve_sigma(counts, 30, arena) == 0.5);
	(void)curve_phases(counts, 2, true, &count, arena);
	assert_int_equal(count, 1);
	(void)curve_phases(counts, 0, true, &count, arena);
	assert_int_equal(count, 0);
	assert_int_equal(curve_stalls(counts, 30).count, 30);
}

static void
stalls_are_counted_and_dated(void **state)
{
	const double counts[] = { 500, 400, 2, 0, 300, 1, 0, 4, 450 };
	struct curve_stalls stalls = curve_stalls(counts, 9);

	(void)state;
	assert_int_equal(stalls.count, 5);
	assert_int_equal(stalls.longest, 3);
	assert_int_equal(stalls.first, 3);
}

static void
a_night_of_seconds_is_quick(void **state)
{
	enum { LENGTH = 100000 };
	double *counts = arena_array(arena, LENGTH, sizeof(double));
	size_t count;
	size_t *starts;

	(void)state;
	for (size_t i = 0; i < LENGTH; i++)
		counts[i] = wobble(i < 60000 ? 900 : 500, i);
	starts = curve_phases(counts, LENGTH, true, &count, arena);
	assert_int_equal(count, 2);
	assert_true(starts[1] > 59970 && starts[1] < 60030);
}

/* Sizes grow by one each interval, at a rate of reads and of writes. */
static void
add_curve(struct series_table *table, const char *key, int block, double reads,
    double writes, size_t stalled_from)
{
	enum { LENGTH = 30 };
	double read[LENGTH];
	double write[LENGTH];
	double size[LENGTH];
	struct series_column columns[] = { { "read", CURVE_READ, read },
		{ "write", CURVE_WRITE, write }, { "size", CURVE_SIZE, size } };
	struct series_curve curve = { .block = block,
		.interval_s = 10,
		.sample_count = LENGTH,
		.columns = columns,
		.column_count = 3 };
	struct series_cell cell = { .key = key };
	double grown = 0;

	for (size_t i = 0; i < LENGTH; i++) {
		int is_stalled = stalled_from > 0 && i + 1 >= stalled_from;

		read[i] = wobble(is_stalled ? reads / 3 : reads, i + 5);
		write[i] = is_stalled ? 0 : wobble(writes, i + 3);
		grown += write[i] / 100;
		size[i] = grown;
	}
	curve.cell = series_find_cell(table, key);
	if (curve.cell == SERIES_NONE)
		curve.cell = series_add_cell(table, &cell);
	series_add_curve(table, &curve);
}

static struct series_table *
new_table(void)
{
	return series_table_new(
	    arena, "blogbench", "reads", "1", HIGHER_IS_BETTER);
}

static void
a_stall_limits_what_is_compared(void **state)
{
	struct series_table *table = new_table();
	const struct ranking *ranking;

	(void)state;
	add_curve(table, "steady", 1, 9000, 1000, 0);
	add_curve(table, "breaks", 1, 12000, 2000, 6);
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->series_count, 4);
	assert_true(ranking->equal_size_count >= 1);
	assert_true(ranking->equal_sizes[0].available);
	/* about five intervals of twenty each */
	assert_true(ranking->equal_sizes[0].size_hi > 90 &&
		    ranking->equal_sizes[0].size_hi < 110);
	assert_true(fabs(ranking->equal_sizes[0].ratio - 0.75) < 0.02);
	assert_true(ranking->equal_sizes[0].final_ratio > 1.5);
	for (size_t i = 0; i < ranking->series_count; i++) {
		const struct curve_series *series = &ranking->series[i];

		if (series->cell == 1 && series->role == CURVE_WRITE) {
			assert_int_equal(series->stalled, 25);
			assert_int_equal(series->first_stall, 6);
		}
		assert_true(series->has_steady);
	}
}

static void
one_that_never_wrote_is_not_compared(void **state)
{
	struct series_table *table = new_table();
	const struct ranking *ranking;

	(void)state;
	add_curve(table, "steady", 1, 9000, 1000, 0);
	add_curve(table, "dead", 1, 12000, 2000, 1);
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->equal_size_count, 0);
}

static void
dominance_is_proven_over_blocks_only(void **state)
{
	struct series_table *once = new_table();
	struct series_table *often = new_table();
	const struct ranking *ranking;

	(void)state;
	add_curve(once, "good", 1, 9000, 1000, 0);
	add_curve(once, "poor", 1, 8000, 900, 0);
	ranking = analysis_rank(once, NULL, arena);
	assert_int_equal(ranking->dominance_count, 1);
	assert_int_equal(ranking->dominances[0].cell, 0);
	assert_false(ranking->dominances[0].is_proven);
	for (int b = 1; b <= 4; b++) {
		double drift = 1 + 0.01 * b;

		add_curve(often, "good", b, 9000 * drift, 1000, 0);
		add_curve(often, "poor", b, 8000 * drift + 9 * (b % 2),
		    1000 + (b % 2 ? 14 : -14), 0);
		add_curve(often, "other", b, 8500 * drift, 1200, 0);
	}
	ranking = analysis_rank(often, NULL, arena);
	/* "good" reads faster than "poor" and writes alike; "other" writes
	 * faster than both and reads faster than "poor" */
	assert_int_equal(ranking->dominance_count, 2);
	assert_true(ranking->dominances[0].is_proven);
	assert_int_equal(ranking->dominances[0].cell, 0);
	assert_int_equal(ranking->dominances[0].other, 1);
	assert_int_equal(ranking->dominances[1].cell, 2);
	assert_int_equal(ranking->dominances[1].other, 1);
}

static void
sizes_without_bounds_do_no_harm(void **state)
{
	const double size[] = { 1, 1e18, 1e300 };
	const double read[] = { 10, 20, 30 };
	struct series_column columns[] = { { "read", CURVE_READ, read },
		{ "size", CURVE_SIZE, size } };
	struct series_curve curve = { .interval_s = 1,
		.sample_count = 3,
		.columns = columns,
		.column_count = 2 };
	struct series_table *table = new_table();
	struct series_cell cell = { .key = "a" };
	const struct ranking *ranking;

	(void)state;
	curve.cell = series_add_cell(table, &cell);
	series_add_curve(table, &curve);
	cell.key = "b";
	curve.cell = series_add_cell(table, &cell);
	series_add_curve(table, &curve);
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->equal_size_count, 1);
	assert_true(ranking->equal_sizes[0].ratio == 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_step_is_two_phases_and_a_spike_is_none),
		TEST(a_dead_series_is_one_phase),
		TEST(stalls_are_counted_and_dated),
		TEST(a_night_of_seconds_is_quick),
		TEST(a_stall_limits_what_is_compared),
		TEST(one_that_never_wrote_is_not_compared),
		TEST(dominance_is_proven_over_blocks_only),
		TEST(sizes_without_bounds_do_no_harm),
	};

	return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
