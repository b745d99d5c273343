/*
 * The rules of a ranking: what is said of few runs, of failed, slow and odd
 * ones, of controls, sessions and several workloads.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "analysis/stepdown.h"
#include "analysis/tukey.h"
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

static int
is_near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-6 * fmax(1, fabs(wanted));
}

static struct series_table *
times(void)
{
	return series_table_new(arena, "find", "elapsed", "s", LOWER_IS_BETTER);
}

static struct series_table *
rates(void)
{
	return series_table_new(arena, "find", "rate", "1/s", HIGHER_IS_BETTER);
}

static size_t
add_cell(struct series_table *table, const char *key)
{
	struct series_cell cell = { .key = key };
	size_t known = series_find_cell(table, key);

	return known == SERIES_NONE ? series_add_cell(table, &cell) : known;
}

static void
add(struct series_table *table, const char *key, int block, double value,
    enum run_state state)
{
	struct series_run run = {
		.block = block, .value = value, .state = state
	};

	run.cell = add_cell(table, key);
	series_add_run(table, &run);
}

/* A block of cells "a", "b", ...; 0 leaves a cell out. */
static void
add_block(
    struct series_table *table, int block, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char key[2] = { (char)('a' + i), '\0' };

		(void)add_cell(table, key);
		if (values[i] > 0)
			add(table, key, block, values[i], RUN_OK);
	}
}

static const struct ranking_row *
row_of(const struct ranking *ranking, const char *key)
{
	return ranking_find(ranking, series_find_cell(ranking->table, key));
}

static int
warns(const struct ranking *ranking, const char *words)
{
	for (size_t i = 0; i < ranking->warning_count; i++) {
		if (strstr(ranking->warnings[i], words) != NULL)
			return 1;
	}
	return 0;
}

/* Five good cells with three blocks of low noise, to put others beside. */
static struct series_table *
quiet_night(void)
{
	static const double values[3][5] = {
		{ 100.2, 100.9, 110.1, 120.3, 121.0 },
		{ 101.1, 100.8, 110.9, 121.0, 120.8 },
		{ 99.6, 100.1, 109.2, 119.2, 119.9 },
	};
	struct series_table *table = times();

	for (int b = 0; b < 3; b++)
		add_block(table, b + 1, values[b], 5);
	return table;
}

static void
an_empty_table_has_nothing_to_say(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking = analysis_rank(table, NULL, arena);

	(void)state;
	assert_int_equal(ranking->row_count, 0);
	assert_false(ranking->noise.known);
	assert_true(warns(ranking, "no run finished"));
	(void)add_cell(table, "a");
	add(table, "a", 1, 0, RUN_FAILED);
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->rows[0].standing, STANDING_FAILED);
	assert_true(isnan(ranking->rows[0].estimate));
}

static void
places_come_with_ranges(void **state)
{
	const struct ranking *ranking =
	    analysis_rank(quiet_night(), NULL, arena);
	const struct ranking_row *rows = ranking->rows;

	(void)state;
	assert_int_equal(ranking->cell_count, 5);
	assert_true(rows[0].place == 1 && rows[0].tied);
	assert_true(rows[0].rank_lo == 1 && rows[0].rank_hi == 2);
	assert_true(
	    rows[2].place == 3 && !rows[2].tied && rows[2].rank_hi == 3);
	assert_true(rows[4].place == 4 && rows[4].rank_hi == 5);
	assert_string_equal(rows[0].letters, "a");
	assert_string_equal(rows[2].letters, "b");
	assert_string_equal(rows[4].letters, "c");
	assert_false(ranking_differs(&rows[0], &rows[1]));
	assert_true(ranking_differs(&rows[1], &rows[2]));
	assert_true(rows[0].marks & MARK_MAY_BE_BEST);
	assert_true(rows[0].ci_lo < rows[0].estimate &&
		    rows[0].estimate < rows[0].ci_hi);
	assert_true(isnan(rows[0].median_lo));
	assert_true(rows[4].slower_lo > 18 && rows[4].slower_hi < 23);
	assert_true(ranking->noise.hsd_in_groups_pct < ranking->noise.hsd_pct);
}

static void
one_run_beside_others_has_a_value_only(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *ranking;
	const struct ranking *without = analysis_rank(table, NULL, arena);
	const struct ranking_row *row;

	(void)state;
	add(table, "f", 2, 90, RUN_OK);
	ranking = analysis_rank(table, NULL, arena);
	row = row_of(ranking, "f");
	assert_int_equal(row->standing, STANDING_VALUES);
	assert_int_equal(row->place, 0);
	assert_true(row->marks & MARK_ONE_RUN);
	assert_true(is_near(row->estimate, 90));
	assert_true(isnan(row->ci_lo) && isnan(row->own_cv_pct) &&
		    isnan(row->slower_pct));
	/* and it changes nothing for the others */
	assert_int_equal(ranking->cell_count, 5);
	assert_true(is_near(ranking->noise.s, without->noise.s));
	assert_true(is_near(ranking->noise.df, without->noise.df));
	assert_true(is_near(row_of(ranking, "d")->slower_pct,
	    row_of(without, "d")->slower_pct));
}

static void
two_runs_take_their_place_from_the_others_noise(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *ranking;
	const struct ranking_row *row;

	(void)state;
	add(table, "f", 1, 150, RUN_OK);
	add(table, "f", 3, 151, RUN_OK);
	ranking = analysis_rank(table, NULL, arena);
	row = row_of(ranking, "f");
	assert_int_equal(row->place, 6);
	assert_true(row->marks & MARK_TWO_RUNS);
	assert_true(row->minimum == 150 && row->maximum == 151);
	assert_true(isnan(row->ci_lo) && isnan(row->own_cv_pct));
	assert_true(row->slower_pct > 45);
}

static void
six_runs_give_the_median_an_exact_interval(void **state)
{
	struct series_table *table = times();
	const struct ranking_row *row;

	(void)state;
	for (int b = 1; b <= 6; b++) {
		const double values[] = { 100 + b, 130 - b };

		add_block(table, b, values, 2);
	}
	row = row_of(analysis_rank(table, NULL, arena), "a");
	assert_true(is_near(row->median, 103.5));
	assert_true(row->median_lo == 101 && row->median_hi == 106);
	assert_true(is_near(row->median_level, 96.875));
}

static void
single_runs_have_no_places(void **state)
{
	const double values[] = { 120, 100, 110 };
	const struct analysis_options earlier = { .earlier_s = 0.01,
		.earlier_df = 20,
		.earlier_date = "2026-01-31" };
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	add_block(table, 1, values, 3);
	ranking = analysis_rank(table, NULL, arena);
	assert_true(ranking->is_single_runs);
	assert_false(ranking->noise.known);
	assert_true(isnan(ranking->noise.hsd_pct));
	assert_true(ranking->rows[0].estimate == 100 ||
		    is_near(ranking->rows[0].estimate, 100));
	assert_true(is_near(ranking->rows[2].estimate, 120));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(ranking->rows[i].place, 0);
	assert_true(warns(ranking, "single runs"));
	/* an earlier noise gives a floor, still no places */
	ranking = analysis_rank(table, &earlier, arena);
	assert_string_equal(ranking->noise.taken_from, "2026-01-31");
	assert_true(is_near(ranking->noise.hsd_pct,
	    100 * expm1(tukey_range_quantile(0.95, 3, 20) * 0.01)));
	assert_int_equal(ranking->rows[0].place, 0);
}

static void
one_cell_alone_uses_its_own_spread(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	for (int b = 1; b <= 4; b++)
		add(table, "a", b, 100 * exp(b % 2 ? 0.01 : -0.01), RUN_OK);
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->rows[0].place, 1);
	assert_int_equal(ranking->rows[0].rank_hi, 1);
	assert_true(is_near(ranking->noise.s, 0.01 * sqrt(4.0 / 3)));
	assert_true(is_near(ranking->rows[0].estimate, 100));
	assert_true(isnan(ranking->noise.hsd_pct));
}

/* Two cells in blocks are Student's paired test. */
static void
two_cells_are_a_paired_test(void **state)
{
	static const double values[4][2] = { { 100, 103 }, { 120, 122 },
		{ 90, 95 }, { 105, 108 } };
	struct series_table *table = times();
	const struct ranking *ranking;
	double sum = 0;
	double squares = 0;
	double half;

	(void)state;
	for (int b = 0; b < 4; b++) {
		double d = log(values[b][1] / values[b][0]);

		add_block(table, b + 1, values[b], 2);
		sum += d;
		squares += d * d;
	}
	half = 3.182446305284263 * sqrt((squares - sum * sum / 4) / 3) / 2;
	ranking = analysis_rank(table, NULL, arena);
	assert_true(is_near(ranking->rows[1].slower_pct, 100 * expm1(sum / 4)));
	assert_true(
	    is_near(ranking->rows[1].slower_lo, 100 * expm1(sum / 4 - half)));
	assert_true(
	    is_near(ranking->rows[1].slower_hi, 100 * expm1(sum / 4 + half)));
	assert_int_equal(ranking->rows[1].place, 2);
}

static void
failures_are_counted_and_never_values(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *ranking;

	(void)state;
	/* failed once, then well at the end of the block */
	add(table, "f", 1, 0, RUN_FAILED);
	for (int b = 1; b <= 3; b++)
		add(table, "f", b, 130 + b, RUN_OK);
	/* failed in two blocks of three */
	add(table, "g", 1, 131, RUN_OK);
	add(table, "g", 2, 0, RUN_FAILED);
	add(table, "g", 3, 0, RUN_FAILED);
	add(table, "h", 1, 0, RUN_FAILED);
	(void)add_cell(table, "i");
	add(table, "j", 1, 131, RUN_WARMUP);
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(row_of(ranking, "f")->place, 6);
	assert_int_equal(row_of(ranking, "f")->failed, 1);
	assert_int_equal(row_of(ranking, "f")->failed_blocks, 0);
	assert_int_equal(row_of(ranking, "g")->standing, STANDING_UNRELIABLE);
	assert_int_equal(row_of(ranking, "g")->failed_blocks, 2);
	assert_int_equal(row_of(ranking, "g")->blocks, 3);
	assert_int_equal(row_of(ranking, "h")->standing, STANDING_FAILED);
	assert_int_equal(row_of(ranking, "i")->standing, STANDING_NOT_RUN);
	assert_int_equal(row_of(ranking, "j")->standing, STANDING_NOT_RUN);
	assert_int_equal(ranking->cell_count, 6);
}

static void
time_outs_rank_behind_and_are_not_fitted(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *without = analysis_rank(table, NULL, arena);
	const struct ranking *ranking;
	const struct ranking_row *row;

	(void)state;
	add(table, "f", 1, 580, RUN_OK);
	add(table, "f", 2, 600, RUN_TIMEOUT);
	ranking = analysis_rank(table, NULL, arena);
	row = row_of(ranking, "f");
	assert_int_equal(row->standing, STANDING_TIMEOUT);
	assert_true(row->limit == 600);
	assert_ptr_equal(row, &ranking->rows[5]);
	assert_true(is_near(ranking->noise.s, without->noise.s));
}

static void
zeros_have_no_ratio(void **state)
{
	struct series_table *table = rates();
	struct series_table *counts = times();
	const struct ranking *ranking;

	(void)state;
	for (int b = 1; b <= 3; b++) {
		const double values[] = { 100 + b, 130 - b };

		add_block(table, b, values, 2);
		add_block(counts, b, values, 2);
		add(table, "c", b, b == 2 ? 0 : 90, RUN_OK);
		add(counts, "c", b, 0, RUN_OK);
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(row_of(ranking, "c")->standing, STANDING_STALLED);
	assert_int_equal(row_of(ranking, "c")->stalled, 1);
	assert_int_equal(row_of(ranking, "b")->place, 1);
	ranking = analysis_rank(counts, NULL, arena);
	assert_int_equal(row_of(ranking, "c")->standing, STANDING_ZERO);
}

static void
rates_rank_the_other_way(void **state)
{
	struct series_table *t = times();
	struct series_table *r = rates();
	static const double values[3][3] = { { 10, 11, 20 }, { 10.1, 11.2, 21 },
		{ 9.9, 11.1, 20.2 } };
	const struct ranking *a;
	const struct ranking *b;

	(void)state;
	for (int i = 0; i < 3; i++) {
		const double inverse[] = { 1 / values[i][0], 1 / values[i][1],
			1 / values[i][2] };

		add_block(t, i + 1, values[i], 3);
		add_block(r, i + 1, inverse, 3);
	}
	a = analysis_rank(t, NULL, arena);
	b = analysis_rank(r, NULL, arena);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(a->rows[i].cell, b->rows[i].cell);
		assert_true(
		    is_near(a->rows[i].slower_pct, b->rows[i].slower_pct));
		assert_true(
		    is_near(a->rows[i].estimate * b->rows[i].estimate, 1));
		assert_true(b->rows[i].ci_lo < b->rows[i].ci_hi);
	}
}

/* Two identical values mean "equal to a step", not "no noise". */
static void
a_coarse_clock_is_noise(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	table->clock = CLOCK_TWO_READS;
	table->clock_step = 1;
	for (int b = 1; b <= 3; b++) {
		const double values[] = { 71, 71, 90 };

		add_block(table, b, values, 3);
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_true(ranking->noise.is_clock);
	assert_true(ranking->noise.s > 1 / (sqrt(6) * 90) &&
		    ranking->noise.s < 1 / (sqrt(6) * 71));
	assert_true(is_near(ranking->noise.clock_pct, 100.0 / 71));
	assert_true(row_of(ranking, "a")->marks & MARK_CLOCK);
	assert_int_equal(row_of(ranking, "b")->rank_hi, 2);
	assert_int_equal(row_of(ranking, "c")->place, 3);
	assert_true(warns(ranking, "clock"));
}

static void
equal_values_are_equal(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	for (int b = 1; b <= 3; b++) {
		const double values[] = { 123.4, 123.4, 123.5 };

		add_block(table, b, values, 3);
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_true(ranking->noise.s == 0);
	assert_int_equal(ranking->rows[1].rank_lo, 1);
	assert_int_equal(ranking->rows[1].rank_hi, 2);
	assert_int_equal(ranking->rows[2].place, 3);
	assert_true(warns(ranking, "exact"));
}

static void
a_wild_cell_does_not_borrow_quietness(void **state)
{
	struct series_table *table = quiet_night();
	const double wild[] = { 100, 150, 112 };
	const struct ranking *ranking;
	const struct analysis_options keep = { .keep_outliers = true };

	(void)state;
	for (int b = 0; b < 3; b++)
		add(table, "w", b + 1, wild[b], RUN_OK);
	ranking = analysis_rank(table, &keep, arena);
	assert_true(row_of(ranking, "w")->marks & MARK_OWN_SPREAD);
	assert_true(row_of(ranking, "w")->used_cv_pct >
		    row_of(ranking, "c")->used_cv_pct);
	assert_int_equal(row_of(ranking, "w")->rank_lo, 1);
	assert_int_equal(row_of(ranking, "w")->rank_hi, 6);
}

/* With two cells both runs of an odd block are equally far out. */
static void
of_an_odd_block_of_two_cells_the_slower_goes(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	for (int b = 1; b <= 9; b++) {
		const double values[] = { 100 + 0.1 * (b % 3),
			b == 5 ? 200 : 110 - 0.1 * (b % 2) };

		add_block(table, b, values, 2);
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->outlier_count, 1);
	assert_true(ranking->outliers[0].set_aside);
	assert_int_equal(row_of(ranking, "a")->set_aside, 0);
	assert_int_equal(row_of(ranking, "b")->set_aside, 1);
	assert_true(ranking->noise.cv_pct < 1);
	assert_true(fabs(row_of(ranking, "b")->slower_pct - 9.9) < 0.5);
}

static void
a_cell_is_erratic_rather_than_trimmed(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;
	const struct ranking_row *row;

	(void)state;
	for (int b = 1; b <= 5; b++) {
		double values[10];

		for (int i = 0; i < 10; i++)
			values[i] = 100 + i + 0.02 * ((b * 7 + i * 3) % 5);
		if (b == 2)
			values[3] *= 2;
		if (b == 4)
			values[3] *= 1.3;
		add_block(table, b, values, 10);
	}
	ranking = analysis_rank(table, NULL, arena);
	row = row_of(ranking, "d");
	assert_int_equal(row->set_aside, 1);
	assert_true(row->marks & MARK_ERRATIC);
	assert_true(row->marks & MARK_FLAGGED);
	assert_int_equal(row->runs, 4);
	assert_true(warns(ranking, "d is erratic"));
	assert_true(ranking->noise.s_with_flagged_pct > 100 * ranking->noise.s);
}

static void
cells_that_never_met_are_not_compared(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *ranking;

	(void)state;
	for (int b = 11; b <= 13; b++) {
		add(table, "x", b, 50 + b, RUN_OK);
		add(table, "y", b, 70 - b, RUN_OK);
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(row_of(ranking, "x")->standing, STANDING_APART);
	assert_int_equal(row_of(ranking, "x")->place, 0);
	assert_int_equal(ranking->cell_count, 5);
	assert_true(warns(ranking, "never ran in the same blocks"));
}

static void
blocks_of_two_sessions_are_two_blocks(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	for (size_t session = 0; session < 2; session++) {
		double level = session == 0 ? 100 : 180;

		for (int b = 1; b <= 3; b++) {
			for (size_t i = 0; i < 3; i++) {
				char key[2] = { (char)('a' + i), '\0' };
				struct series_run run = { .block = b,
					.session = session,
					.value =
					    level + (double)(3 * i) + 0.1 * b };

				run.cell = add_cell(table, key);
				series_add_run(table, &run);
			}
		}
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->drift.block_count, 6);
	assert_true(ranking->noise.cv_pct < 1);
}

static void
a_claim_between_controls_is_a_false_alarm(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *ranking;

	(void)state;
	table->cells[1].duplicate_of = "a";
	table->cells[4].duplicate_of = "c";
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->control_count, 2);
	assert_true(ranking->controls[0].compared);
	assert_false(ranking->controls[0].claimed);
	assert_true(ranking->controls[1].claimed);
	assert_true(ranking->controls[1].pct > 8);
	assert_true(warns(ranking, "false alarm: c and e"));
}

static void
a_cell_named_twice_is_a_control(void **state)
{
	struct series_table *table = quiet_night();
	static const struct series_factor plain[] = { { "noatime", "off",
	    true } };
	static const struct series_factor fast[] = { { "noatime", "on",
	    true } };
	const struct ranking *ranking;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		table->cells[i].factors = i == 2 ? fast : plain;
		table->cells[i].factor_count = 1;
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_int_equal(ranking->control_count, 1);
	assert_int_equal(ranking->controls[0].cell, 0);
	assert_int_equal(ranking->controls[0].duplicate, 1);
	assert_true(ranking->controls[0].compared);
}

static void
the_baseline_of_the_family_is_used(void **state)
{
	struct series_table *table = quiet_night();
	const struct ranking *ranking;

	(void)state;
	table->cells[0].family = "ufs";
	table->cells[1].family = "ufs";
	table->cells[2].family = "hammer";
	table->cells[3].family = "hammer";
	table->cells[0].is_baseline = true;
	table->cells[2].is_baseline = true;
	ranking = analysis_rank(table, NULL, arena);
	assert_true(is_near(row_of(ranking, "a")->baseline_pct, 0));
	assert_true(row_of(ranking, "d")->baseline_pct > 8 &&
		    row_of(ranking, "d")->baseline_pct < 11);
	assert_true(isnan(row_of(ranking, "e")->baseline_pct));
	table->cells[2].is_baseline = false;
	ranking = analysis_rank(table, NULL, arena);
	assert_true(row_of(ranking, "e")->baseline_pct > 18);
}

/* Position in the block makes a difference of 4 % here. */
/* Shards of one plan, one after the other. */
static void
blocks_are_in_the_order_of_their_numbers(void **state)
{
	static const int order[] = { 1, 3, 2, 4 };
	struct series_table *table = times();
	const struct ranking_drift *drift;

	(void)state;
	for (int i = 0; i < 4; i++) {
		const double values[] = { 100 * (1 + order[i] / 10.0),
			120 * (1 + order[i] / 10.0) + i % 2 };

		add_block(table, order[i], values, 2);
	}
	drift = &analysis_rank(table, NULL, arena)->drift;
	assert_int_equal(drift->block_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(drift->blocks[i].block, (int)i + 1);
	assert_true(drift->blocks[0].pct < drift->blocks[1].pct &&
		    drift->blocks[2].pct < drift->blocks[3].pct);
}

static void
drift_inside_blocks_is_reported(void **state)
{
	static const int orders[4][6] = { { 0, 3, 1, 5, 2, 4 },
		{ 4, 0, 5, 2, 3, 1 }, { 2, 5, 4, 1, 0, 3 },
		{ 3, 1, 0, 4, 5, 2 } };
	struct series_table *table = times();
	const struct ranking *ranking;

	(void)state;
	for (int b = 0; b < 4; b++) {
		for (int p = 0; p < 6; p++) {
			char key[2] = { (char)('a' + orders[b][p]), '\0' };
			struct series_run run = { .block = b + 1,
				.position = p + 1 };

			run.cell = add_cell(table, key);
			run.value = (100 + 10 * orders[b][p]) *
				    (1 + 0.008 * p + 0.001 * ((b + p) % 3));
			series_add_run(table, &run);
		}
	}
	ranking = analysis_rank(table, NULL, arena);
	assert_true(ranking->drift.position_warn);
	assert_true(ranking->drift.position_pct > 2);
	assert_true(warns(ranking, "place in a block"));
	assert_int_equal(ranking->drift.block_count, 4);
}

/* A cell with up to three options. */
static size_t
option_cell(
    struct series_table *table, int noatime, const char *data, int third)
{
	struct series_factor factors[] = {
		{ "noatime", noatime ? "on" : "off", true },
		{ "data", data, false },
		{ "sync", third == 1 ? "on" : "off", true },
	};
	struct series_cell cell = { .factors = factors,
		.factor_count = third < 0 ? 2 : 3,
		.family = "ext4" };
	size_t known;

	cell.key = arena_printf(arena, "%d-%s-%d", noatime, data, third);
	known = series_find_cell(table, cell.key);
	return known == SERIES_NONE ? series_add_cell(table, &cell) : known;
}

static const char *const journals[] = { "ordered", "writeback", "journal" };

/* noatime x three levels of data, in four blocks; expected values by R. */
static const struct {
	int block, noatime, data;
	double value;
} axis_runs[] = {
	{ 1, 0, 0, 99.043 },
	{ 1, 1, 2, 120.227 },
	{ 1, 0, 1, 95.869 },
	{ 1, 0, 2, 127.185 },
	{ 1, 1, 1, 87.183 },
	{ 1, 1, 0, 90.661 },
	{ 2, 1, 1, 89.810 },
	{ 2, 1, 2, 122.211 },
	{ 2, 0, 1, 100.268 },
	{ 2, 0, 2, 130.150 },
	{ 2, 0, 0, 101.722 },
	{ 2, 1, 0, 92.339 },
	{ 3, 0, 1, 95.366 },
	{ 3, 0, 0, 99.262 },
	{ 3, 1, 2, 119.478 },
	{ 3, 0, 2, 128.691 },
	{ 3, 1, 1, 87.068 },
	{ 3, 1, 0, 89.660 },
	{ 4, 1, 1, 90.206 },
	{ 4, 0, 0, 101.865 },
	{ 4, 0, 1, 98.875 },
	{ 4, 0, 2, 132.578 },
	{ 4, 1, 2, 122.548 },
	{ 4, 1, 0, 94.286 },
};

static struct series_table *
axis_night(int with_hole)
{
	struct series_table *table = times();

	for (int d = 0; d < 3; d++) {
		for (int n = 0; n < 2; n++)
			(void)option_cell(table, n, journals[d], -1);
	}
	for (size_t i = 0; i < sizeof(axis_runs) / sizeof(axis_runs[0]); i++) {
		struct series_run run = { .block = axis_runs[i].block,
			.value = axis_runs[i].value };

		if (with_hole && axis_runs[i].noatime && axis_runs[i].data == 2)
			continue;
		run.cell = option_cell(table, axis_runs[i].noatime,
		    journals[axis_runs[i].data], -1);
		series_add_run(table, &run);
	}
	return table;
}

static void
an_axis_of_three_levels_has_an_f_test(void **state)
{
	const struct ranking *ranking =
	    analysis_rank(axis_night(0), NULL, arena);
	const struct ranking_effects *effects = &ranking->effects[0];
	const struct factor_test *data = &effects->factor_tests[0];
	const struct factor_test *pair = &effects->factor_tests[1];

	(void)state;
	assert_int_equal(effects->method, EFFECTS_REGRESSION);
	assert_int_equal(effects->effect_count, 1);
	assert_true(is_near(effects->effects[0].pct, -8.181865267));
	assert_true(is_near(effects->effects[0].ci_lo, -8.766996285));
	assert_true(is_near(effects->effects[0].ci_hi, -7.592981459));
	assert_true(is_near(effects->s, 0.007347045507));
	assert_true(effects->df == 15);
	assert_string_equal(data->factor, "data");
	assert_true(is_near(data->f / 3981.42219, 1));
	assert_true(data->significant && data->df1 == 2);
	assert_string_equal(pair->factor, "noatime:data");
	assert_true(is_near(pair->f, 8.66290236));
	assert_true(is_near(pair->p, 0.0031555));
	assert_int_equal(data->level_count, 3);
	assert_true(is_near(data->levels[0].pct, 3.268031645));
	assert_true(is_near(data->levels[1].pct, 0));
	assert_true(is_near(data->levels[2].pct, 34.796738452));
	assert_true(fabs(data->levels[0].pct_lo - 2.287348142) < 1e-4);
	assert_true(fabs(data->levels[0].pct_hi - 4.258117484) < 1e-4);
	assert_int_equal(data->levels[2].rank_lo, 3);
}

static void
a_hole_is_named_and_its_mains_are_conditional(void **state)
{
	const struct ranking *ranking =
	    analysis_rank(axis_night(1), NULL, arena);
	const struct ranking_effects *effects = &ranking->effects[0];

	(void)state;
	assert_true(is_near(effects->s, 0.007574813307));
	assert_true(effects->df == 12);
	assert_true(effects->effects[0].assumes_no_interaction);
	assert_false(effects->factor_tests[1].estimable);
	assert_true(effects->factor_tests[1].df1 == 1);
	assert_true(is_near(effects->factor_tests[1].p, 0.45002) ||
		    fabs(effects->factor_tests[1].p - 0.45002) < 1e-5);
	assert_string_equal(
	    effects->by_options.reason, "not every combination exists");
}

static void
an_axis_of_two_levels_is_an_effect(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;
	const struct ranking_effects *effects;
	const struct effect *pair;

	(void)state;
	for (int b = 1; b <= 4; b++) {
		for (int cell = 0; cell < 4; cell++) {
			struct series_run run = { .block = b };

			run.cell = option_cell(
			    table, cell & 1, journals[cell >> 1], -1);
			run.value = 100 * (cell & 1 ? 0.8 : 1) *
				    (cell & 2 ? 1.1 : 1) *
				    (cell == 3 ? 1.02 : 1) *
				    (1 + 0.001 * ((b * 5 + cell * 3) % 4));
			series_add_run(table, &run);
		}
	}
	ranking = analysis_rank(table, NULL, arena);
	effects = &ranking->effects[0];
	assert_int_equal(effects->method, EFFECTS_FULL);
	assert_int_equal(effects->effect_count, 3);
	assert_string_equal(effects->effects[1].name, "data=writeback");
	pair = &effects->effects[2];
	assert_string_equal(pair->name, "noatime:data=writeback");
	assert_int_equal(pair->context_count, 2);
	assert_string_equal(pair->contexts[0].given, "with data=ordered");
	assert_string_equal(pair->contexts[1].given, "with data=writeback");
	assert_true(fabs(pair->contexts[0].pct + 20) < 0.3);
	assert_true(fabs(pair->contexts[1].pct + 18.4) < 0.3);
	assert_true(pair->significant);
}

/* Five options in one block: high orders are the noise. */
static void
many_options_in_one_block_are_pooled(void **state)
{
	struct series_table *table = times();
	const struct ranking *ranking;
	const struct ranking_effects *effects;

	(void)state;
	for (unsigned i = 0; i < 32; i++) {
		struct series_factor factors[5];
		struct series_cell cell = { .factors = factors,
			.factor_count = 5 };
		struct series_run run = { .block = 1 };

		for (unsigned f = 0; f < 5; f++) {
			factors[f].name = arena_printf(arena, "o%u", f);
			factors[f].level = i >> f & 1 ? "on" : "off";
			factors[f].is_toggle = true;
		}
		cell.key = arena_printf(arena, "%u", i);
		run.cell = series_add_cell(table, &cell);
		run.value = 100 * (i & 1 ? 0.75 : 1) *
			    (1 + 0.004 * ((i * 11 + i / 3) % 7));
		series_add_run(table, &run);
	}
	ranking = analysis_rank(table, NULL, arena);
	effects = &ranking->effects[0];
	assert_int_equal(effects->method, EFFECTS_POOLED);
	assert_true(effects->df == 16);
	assert_int_equal(effects->effect_count, 15);
	assert_true(effects->effects[0].significant);
	assert_true(fabs(effects->effects[0].pct + 25) < 2);
	for (size_t i = 1; i < 15; i++)
		assert_false(effects->effects[i].significant);
	assert_int_equal(ranking->rows[0].place, 0);
}

static struct series_table *
workload(const char *name, const double values[3], double wobble)
{
	struct series_table *table =
	    series_table_new(arena, name, "elapsed", "s", LOWER_IS_BETTER);

	for (int b = 1; b <= 4; b++) {
		double block[3];

		for (int i = 0; i < 3; i++)
			block[i] =
			    values[i] * (1 + wobble * ((b * 3 + i * 2) % 4));
		add_block(table, b, block, 3);
	}
	return table;
}

static void
workloads_together_name_trade_offs(void **state)
{
	const double find[] = { 100, 120, 130 };
	const double postmark[] = { 200, 150, 210 };
	const struct ranking *rankings[2];
	const struct overall *overall;
	const struct overall_row *worst;

	(void)state;
	rankings[0] = analysis_rank(workload("find", find, 0.001), NULL, arena);
	rankings[1] =
	    analysis_rank(workload("postmark", postmark, 0.001), NULL, arena);
	overall = analysis_overall(rankings, 2, NULL, arena);
	assert_true(overall->available);
	assert_int_equal(overall->row_count, 3);
	assert_string_equal(overall->rows[0].key, "b");
	assert_true(overall->df == 2);
	worst = &overall->rows[2];
	assert_string_equal(worst->key, "c");
	assert_false(worst->undominated);
	assert_true(
	    overall->rows[0].undominated && overall->rows[1].undominated);
	assert_true(is_near(worst->mean_rank, 3));
	/* ranks stay open: two workloads do not settle it */
	assert_int_equal(overall->rows[0].rank_hi, 3);
	assert_int_equal(overall->tradeoff_count, 1);
	assert_string_equal(overall->tradeoffs[0].key, "a");
	assert_string_equal(overall->tradeoffs[0].other, "b");
	assert_string_equal(overall->tradeoffs[0].workload, "find elapsed");
	assert_true(fabs(overall->tradeoffs[0].pct - 20) < 0.5);
	assert_true(fabs(overall->tradeoffs[0].other_pct - 33.3) < 0.5);
	assert_false(analysis_overall(rankings, 1, NULL, arena)->available);
}

/* Two sessions of three cells; b is slower by "pct" in the second. */
static struct series_table *
two_sessions(double pct, int interleaved)
{
	struct series_table *table = times();
	size_t old = series_add_session(table, "8.1", "");
	size_t new = series_add_session(table, "8.2", "");

	for (int turn = 0; turn < 10; turn++) {
		size_t session =
		    (interleaved ? turn % 2 : turn / 5) == 0 ? old : new;

		for (int i = 0; i < 3; i++) {
			char key[2] = { (char)('a' + i), '\0' };
			struct series_run run = { .session = session };

			run.block = interleaved ? turn / 2 + 1 : turn % 5 + 1;
			run.cell = add_cell(table, key);
			run.value = 100 * (1 + 0.2 * i) *
				    (1 + 0.004 * ((turn * 5 + i * 3) % 4));
			if (session == new &&i == 1)
				run.value *= 1 + pct / 100;
			series_add_run(table, &run);
		}
	}
	return table;
}

static void
sessions_are_compared_cell_by_cell(void **state)
{
	const struct series_table *table = two_sessions(8, 1);
	const struct comparison *comparison =
	    analysis_compare(&table, NULL, 1, 5, arena);

	(void)state;
	assert_int_equal(comparison->side_count, 2);
	assert_string_equal(comparison->sides[1], "8.2");
	assert_false(comparison->confounded);
	assert_int_equal(comparison->row_count, 3);
	assert_int_equal(comparison->rows[0].change, CHANGE_NONE);
	assert_int_equal(comparison->rows[1].change, CHANGE_SLOWER);
	assert_true(comparison->rows[1].beyond_threshold);
	assert_true(comparison->any_beyond_threshold);
	assert_true(
	    comparison->rows[1].ci_lo > 5 && comparison->rows[1].ci_hi < 11);
	assert_true(comparison->overall[0].is_paired);
	assert_true(comparison->overall[0].df == 2);
	/* 3 % is seen, but is not what was asked for */
	table = two_sessions(3, 1);
	comparison = analysis_compare(&table, NULL, 1, 5, arena);
	assert_int_equal(comparison->rows[1].change, CHANGE_SLOWER);
	assert_false(comparison->any_beyond_threshold);
}

static void
sessions_one_after_the_other_are_confounded(void **state)
{
	const struct series_table *table = two_sessions(8, 0);
	const struct comparison *comparison =
	    analysis_compare(&table, NULL, 1, 0, arena);

	(void)state;
	assert_true(comparison->confounded);
	assert_true(comparison->warning_count >= 1);
	assert_non_null(strstr(comparison->warnings[0], "not interleaved"));
}

static void
files_compare_what_they_share(void **state)
{
	struct series_table *a = quiet_night();
	struct series_table *b = quiet_night();
	const struct series_table *tables[] = { a, b };
	static const char *const labels[] = { "monday", "tuesday" };
	const struct comparison *comparison;

	(void)state;
	add(a, "x", 1, 10, RUN_OK);
	add(b, "y", 1, 10, RUN_OK);
	comparison = analysis_compare(tables, labels, 2, 0, arena);
	assert_int_equal(comparison->row_count, 7);
	assert_true(is_near(comparison->rows[0].pct, 0));
	assert_int_equal(comparison->rows[0].change, CHANGE_NONE);
	assert_non_null(strstr(comparison->rows[5].reason, "'tuesday'"));
	assert_true(isnan(comparison->rows[5].pct));
	assert_false(comparison->rows[5].is_lost || comparison->any_lost);
	assert_string_equal(comparison->rows[6].key, "y");
	assert_non_null(strstr(comparison->rows[6].reason, "'monday'"));
	assert_int_equal(comparison->overall[0].pair_count, 5);
}

/* Worse than slower: it gave no value any more. */
static void
a_cell_that_fails_after_is_lost(void **state)
{
	struct series_table *a = quiet_night();
	struct series_table *b = quiet_night();
	const struct series_table *tables[] = { a, b };
	static const char *const labels[] = { "monday", "tuesday" };
	const struct comparison *comparison;

	(void)state;
	for (int block = 1; block <= 3; block++) {
		add(a, "x", block, 10, RUN_OK);
		add(b, "x", block, 0, RUN_FAILED);
		add(a, "failed", block, 0, RUN_FAILED);
		add(b, "failed", block, 0, RUN_FAILED);
	}
	comparison = analysis_compare(tables, labels, 2, 0, arena);
	assert_true(comparison->any_lost && comparison->any_compared);
	assert_true(comparison->rows[5].is_lost);
	assert_false(comparison->rows[6].is_lost); /* it was before, too */
}

static void
single_runs_are_not_told_apart_between_files(void **state)
{
	const double values[] = { 100, 200 };
	const double slower[] = { 150, 260 };
	struct series_table *a = times();
	struct series_table *b = times();
	const struct series_table *tables[] = { a, b };
	static const char *const labels[] = { "a", "b" };
	const struct comparison *comparison;

	(void)state;
	add_block(a, 1, values, 2);
	add_block(b, 1, slower, 2);
	comparison = analysis_compare(tables, labels, 2, 5, arena);
	assert_true(is_near(comparison->rows[0].pct, 50));
	assert_int_equal(comparison->rows[0].change, CHANGE_UNKNOWN);
	assert_false(comparison->any_beyond_threshold);
	assert_false(comparison->noise_known);
}

/* The whole session is slower by its blocks' noise: not a claim. */
static void
noise_between_blocks_counts_between_sessions(void **state)
{
	struct series_table *a = times();
	struct series_table *b = times();
	const struct series_table *tables[] = { a, b };
	static const char *const labels[] = { "a", "b" };
	static const double a_level[] = { 100, 108, 97, 104 };
	static const double b_level[] = { 103, 110, 101, 107 };
	const struct comparison *comparison;

	(void)state;
	for (int i = 0; i < 4; i++) {
		double values[5];

		for (int c = 0; c < 5; c++)
			values[c] = a_level[i] * (1 + 0.1 * c) *
				    (1 + 0.0005 * ((c + i) % 3));
		add_block(a, i + 1, values, 5);
		for (int c = 0; c < 5; c++)
			values[c] = b_level[i] * (1 + 0.1 * c) *
				    (1 + 0.0005 * ((2 * c + i) % 3));
		add_block(b, i + 1, values, 5);
	}
	comparison = analysis_compare(tables, labels, 2, 0, arena);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(comparison->rows[i].change, CHANGE_NONE);
	/* five cells say the same thing: hardly more than one does */
	assert_true(comparison->df < 10);
	assert_true(comparison->cv_pct > 3);
}

static void
a_race_drops_nobody_too_early(void **state)
{
	struct series_table *table = times();
	bool active[] = { true, true, true };
	const struct race_look *look;

	(void)state;
	for (int b = 1; b <= 2; b++) {
		const double values[] = { 100 + 0.1 * b, 200 - 0.1 * b, 300 };

		add_block(table, b, values, 3);
	}
	look = race_look(table, active, 1, 1, arena);
	assert_int_equal(look->dropped_count, 0);
	assert_int_equal(look->stop, RACE_GO_ON);
	add(table, "a", 3, 100.1, RUN_OK);
	add(table, "b", 3, 200.2, RUN_OK);
	active[2] = false;
	look = race_look(table, active, 1, 1, arena);
	assert_int_equal(look->dropped_count, 1);
	assert_int_equal(look->dropped[0], 1);
	assert_int_equal(look->stop, RACE_ONE_LEFT);
	/* what was out stays out */
	assert_false(look->is_active[2]);
}

static void
letters_join_what_is_not_told_apart(void **state)
{
	/* 0 and 2 differ, 1 is between */
	bool different[9] = { 0, 0, 1, 0, 0, 0, 1, 0, 0 };
	const struct stepdown stepdown = { .count = 3, .different = different };
	const size_t order[] = { 0, 1, 2 };
	const char **letters = stepdown_letters(&stepdown, order, arena);

	(void)state;
	assert_string_equal(letters[0], "a");
	assert_string_equal(letters[1], "ab");
	assert_string_equal(letters[2], "b");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_table_has_nothing_to_say),
		TEST(places_come_with_ranges),
		TEST(one_run_beside_others_has_a_value_only),
		TEST(two_runs_take_their_place_from_the_others_noise),
		TEST(six_runs_give_the_median_an_exact_interval),
		TEST(single_runs_have_no_places),
		TEST(one_cell_alone_uses_its_own_spread),
		TEST(two_cells_are_a_paired_test),
		TEST(failures_are_counted_and_never_values),
		TEST(time_outs_rank_behind_and_are_not_fitted),
		TEST(zeros_have_no_ratio),
		TEST(rates_rank_the_other_way),
		TEST(a_coarse_clock_is_noise),
		TEST(equal_values_are_equal),
		TEST(a_wild_cell_does_not_borrow_quietness),
		TEST(of_an_odd_block_of_two_cells_the_slower_goes),
		TEST(a_cell_is_erratic_rather_than_trimmed),
		TEST(cells_that_never_met_are_not_compared),
		TEST(blocks_of_two_sessions_are_two_blocks),
		TEST(a_claim_between_controls_is_a_false_alarm),
		TEST(a_cell_named_twice_is_a_control),
		TEST(the_baseline_of_the_family_is_used),
		TEST(drift_inside_blocks_is_reported),
		TEST(blocks_are_in_the_order_of_their_numbers),
		TEST(an_axis_of_three_levels_has_an_f_test),
		TEST(a_hole_is_named_and_its_mains_are_conditional),
		TEST(an_axis_of_two_levels_is_an_effect),
		TEST(many_options_in_one_block_are_pooled),
		TEST(workloads_together_name_trade_offs),
		TEST(sessions_are_compared_cell_by_cell),
		TEST(sessions_one_after_the_other_are_confounded),
		TEST(files_compare_what_they_share),
		TEST(a_cell_that_fails_after_is_lost),
		TEST(single_runs_are_not_told_apart_between_files),
		TEST(noise_between_blocks_counts_between_sessions),
		TEST(a_race_drops_nobody_too_early),
		TEST(letters_join_what_is_not_told_apart),
	};

	return cmocka_run_group_tests_name("analysis", tests, NULL, NULL);
}
