/*
 * The whole analysis against data sets whose answers were worked out
 * elsewhere: fixtures/oracles.  Ends with how many values were reproduced.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "analysis/curve.h"
#include "analysis/design.h"
#include "analysis/effects.h"
#include "analysis/lenth.h"
#include "analysis/noise.h"
#include "analysis/outlier.h"
#include "analysis/special.h"
#include "analysis/summary.h"
#include "book.h"

#define FOLDER "fixtures/oracles/"

/* All sets together. */
static struct tally_of_set total;

struct set {
	struct arena *arena;
	struct book *book;
	const struct csv *csv;
};

static struct set
set_open(const char *csv)
{
	struct set set;

	set.arena = arena_new();
	set.book = arena_alloc(set.arena, sizeof(*set.book));
	set.book->arena = set.arena;
	set.csv = csv_read(csv, set.arena);
	return set;
}

static void
set_close(struct set *set, const char *expect, const char *const *evidence)
{
	struct tally_of_set tally = book_check(set->book, expect, evidence);

	total.right += tally.right;
	total.wrong += tally.wrong;
	total.evidence += tally.evidence;
	arena_free(set->arena);
	assert_int_equal(tally.wrong, 0);
	assert_true(tally.right > 0);
}

static const char *const no_evidence[] = { NULL };
static const char *const rank_evidence[] = { "gupta*", "letters_tukey*",
	"anova.*", "tukey.*", "s_without_blocks", "rawmean_vs_best_pct*",
	NULL };

/* A cell for each name, with the row's factors as toggles. */
static size_t
cell_of(struct series_table *table, const struct csv *csv, size_t row,
    const char *key, const char *const *factors)
{
	struct series_factor list[MAX_COLUMNS];
	struct series_cell cell = { .key = key, .factors = list };
	size_t known = series_find_cell(table, key);

	if (known != SERIES_NONE)
		return known;
	for (size_t f = 0; factors != NULL && factors[f] != NULL; f++) {
		const char *level = csv_text(csv, row, factors[f]);

		if (level == NULL)
			continue;
		list[cell.factor_count].name = factors[f];
		list[cell.factor_count].level =
		    strcmp(level, "1") == 0 ? "on" : "off";
		list[cell.factor_count++].is_toggle = true;
	}
	return series_add_cell(table, &cell);
}

static const char *const study_factors[] = { "noatime", "su", "async", NULL };

static struct series_table *
table_of(const struct set *set, const char *cell, const char *value,
    const char *const *factors)
{
	struct series_table *table = series_table_new(
	    set->arena, "oracle", "elapsed", "s", LOWER_IS_BETTER);
	const struct csv *csv = set->csv;

	for (size_t i = 0; i < csv->row_count; i++) {
		struct series_run run = { .state = RUN_OK };
		const char *position =
		    csv_column(csv, "pos") < csv->column_count ? "pos"
							       : "position";

		run.cell =
		    cell_of(table, csv, i, csv_text(csv, i, cell), factors);
		run.value = csv_number(csv, i, value);
		if (csv_text(csv, i, "block") != NULL)
			run.block = (int)csv_number(csv, i, "block");
		if (csv_text(csv, i, position) != NULL)
			run.position = (int)csv_number(csv, i, position);
		series_add_run(table, &run);
	}
	return table;
}

/* From a coefficient of variation back to 100 s. */
static double
spread_pct(double cv_pct)
{
	return 100 * sqrt(log1p(cv_pct * cv_pct / 1e4));
}

static void
put_ranking(struct book *book, const struct ranking *ranking)
{
	const struct ranking_noise *noise = &ranking->noise;
	size_t runs = 0;

	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];
		const char *key = ranking->table->cells[row->cell].key;

		runs += row->runs;
		book_put(book, row->slower_pct, "effect_vs_best_pct.%s", key);
		book_put(book, spread_pct(row->used_cv_pct),
		    "spread_used_pct.%s", key);
		book_put(book, row->rank_lo, "rank_lo.%s", key);
		book_put(book, row->rank_hi, "rank_hi.%s", key);
	}
	book_put(book, (double)ranking->cell_count, "k");
	book_put(book, (double)runs, "n_runs");
	book_put(book, noise->df, "df");
	book_put(book, noise->s, "s_log");
	book_put(book, 100 * noise->s, "s_pct");
	book_put(book, noise->cv_pct, "cv_pct");
	book_put(book, noise->hsd_pct, "hsd_pct_balanced");
	for (size_t i = 0; i < noise->step_count; i++)
		book_put(book, noise->q[i], "q_step.%zu", i + 1);
	if (noise->step_count == 1)
		book_put(book, noise->q[0], "q_step");
	book_put(book, noise->blocks_for_5pct, "blocks_needed.5_pct");
	book_put(book, noise->blocks_for_2pct, "blocks_needed.2_pct");
	book_put(book, noise->blocks_for_1pct, "blocks_needed.1_pct");
	book_put(book, noise->blocks_for_half_pct, "blocks_needed.0.5_pct");
	book_put(book, ranking->drift.position_p, "drift.resid_slope_p");
}

static void
put_effect(struct book *book, const char *model, const struct effect *effect)
{
	book_put(book, effect->pct, "%s.%s.pct", model, effect->name);
	book_put(book, effect->ci_lo, "%s.%s.lo_pct", model, effect->name);
	book_put(book, effect->ci_hi, "%s.%s.hi_pct", model, effect->name);
	book_put(book, effect->p, "%s.%s.p", model, effect->name);
}

static void
put_by_options(struct book *book, const struct ranking *ranking,
    const struct ranking_effects *effects)
{
	const struct by_options *by_options = &effects->by_options;
	struct buffer names;

	buffer_init(&names);
	for (size_t i = 0; i < by_options->selected_count; i++) {
		const struct effect *effect =
		    &effects->effects[by_options->selected[i]];

		buffer_printf(&names, "%s%s", i == 0 ? "" : " ", effect->name);
		book_put(
		    book, effect->pct, "byopt.selected_pct.%s", effect->name);
	}
	book_say(book, buffer_text(&names), "byopt.selected");
	buffer_reset(&names);
	book_put(book, by_options->half_width_pct, "byopt.halfwidth95_pct");
	book_put(book, by_options->lof_f, "byopt.lof_F");
	book_put(book, by_options->lof_p, "byopt.lof_p");
	book_put(book, by_options->scheffe, "byopt.scheffe");
	for (size_t i = 0; i < by_options->row_count; i++) {
		const struct by_options_row *row = &by_options->rows[i];
		const char *key = ranking->table->cells[row->cell].key;

		book_put(book, row->rank_lo, "byopt.rank_lo.%s", key);
		book_put(book, row->rank_hi, "byopt.rank_hi.%s", key);
	}
}

static void
put_effects(struct book *book, const struct ranking *ranking)
{
	const struct ranking_effects *effects = &ranking->effects[0];
	struct buffer missing;

	assert_int_equal(ranking->effects_count, 1);
	buffer_init(&missing);
	for (size_t i = 0; i < effects->effect_count; i++) {
		const struct effect *effect = &effects->effects[i];

		if (effect->estimable)
			put_effect(book, "full", effect);
		else
			buffer_printf(&missing, "%s%s",
			    missing.length == 0 ? "" : ",", effect->name);
	}
	book_put(book, effects->s, "full.s");
	book_put(book, effects->df, "full.df");
	if (missing.length > 0)
		book_say(book, buffer_text(&missing), "not_estimable");
	buffer_reset(&missing);
	put_by_options(book, ranking, effects);
}

/* Mains and pairs only. */
static void
put_pairs_model(struct book *book, const struct series_table *table)
{
	struct arena *arena = book->arena;
	size_t count;
	const struct family *family =
	    family_list(night_prepare(table, NULL, arena), &count, arena);
	const struct effect_list *list = effects_regression(family, 2, arena);

	for (size_t i = 0; i < list->count; i++) {
		if (list->effects[i].estimable)
			put_effect(book, "2fi", &list->effects[i]);
	}
	book_put(book, list->s, "2fi.s");
	book_put(book, list->df, "2fi.df");
}

static const struct analysis_options keep_all = { .keep_outliers = true };

static void
check_study(const char *csv, const char *expect)
{
	struct set set = set_open(csv);
	struct series_table *table =
	    table_of(&set, "combo", "value", study_factors);
	const struct ranking *ranking =
	    analysis_rank(table, &keep_all, set.arena);

	put_ranking(set.book, ranking);
	if (ranking->effects_count > 0) {
		put_effects(set.book, ranking);
		put_pairs_model(set.book, table);
	}
	set_close(&set, expect, rank_evidence);
}

static void
ranks_complete_blocks(void **state)
{
	(void)state;
	check_study(FOLDER "05_rcb8.csv", FOLDER "05_rcb8.expect");
}

static void
ranks_with_missing_runs(void **state)
{
	struct set set = set_open(FOLDER "06_rcb8_holes.csv");
	struct series_table *table =
	    table_of(&set, "combo", "value", study_factors);
	const struct ranking *ranking =
	    analysis_rank(table, &keep_all, set.arena);
	const struct night *night = night_prepare(table, NULL, set.arena);
	const struct fit *fit = night_fit(night, set.arena);
	static const char *const pairs[][2] = { { "110", "100" },
		{ "110", "101" }, { "000", "100" } };

	(void)state;
	put_ranking(set.book, ranking);
	put_effects(set.book, ranking);
	put_pairs_model(set.book, table);
	for (size_t i = 0; i < 3; i++) {
		size_t a = night->dense[series_find_cell(table, pairs[i][0])];
		size_t b = night->dense[series_find_cell(table, pairs[i][1])];

		book_put(set.book, sqrt(fit->s2 * fit_pair_variance(fit, a, b)),
		    "se.%s-%s", pairs[i][0], pairs[i][1]);
	}
	set_close(&set, FOLDER "06_rcb8_holes.expect", rank_evidence);
}

static void
ranks_without_forbidden_cells(void **state)
{
	(void)state;
	check_study(
	    FOLDER "07_rcb6_struct.csv", FOLDER "07_rcb6_struct.expect");
}

static void
ranks_real_studies(void **state)
{
	(void)state;
	check_study(
	    FOLDER "17_freebsd_create.csv", FOLDER "17_freebsd_create.expect");
	check_study(
	    FOLDER "18_freebsd_find.csv", FOLDER "18_freebsd_find.expect");
	check_study(FOLDER "24_dragonfly_formats.csv",
	    FOLDER "24_dragonfly_formats.expect");
}

static void
sets_one_slow_run_aside(void **state)
{
	struct set set = set_open(FOLDER "12_outlier.csv");
	struct series_table *table =
	    table_of(&set, "combo", "value", study_factors);
	const struct ranking *with = analysis_rank(table, &keep_all, set.arena);
	const struct ranking *without = analysis_rank(table, NULL, set.arena);
	const struct ranking_outlier *outlier = &without->outliers[0];

	(void)state;
	put_ranking(set.book, with);
	assert_true(without->outlier_count >= 1 && outlier->set_aside);
	book_put(
	    set.book, csv_number(set.csv, outlier->run, "run"), "flag.run");
	book_put(set.book, outlier->t, "flag.t");
	book_put(set.book, outlier->df, "flag.df");
	book_put(set.book, outlier->p, "flag.p_bonf");
	book_put(set.book, outlier->excess_pct, "flag.excess_pct");
	book_put(set.book, without->noise.s_with_flagged_pct, "s_with_pct");
	set.book->prefix = "without.";
	put_ranking(set.book, without);
	book_put(set.book, outliers_find(table, true, set.arena)->next_p,
	    "next_p_bonf");
	set_close(&set, FOLDER "12_outlier.expect", rank_evidence);
}

/* Values of one set of a file that has "set,value". */
static double *
values_of(const struct set *set, const char *name, size_t *count)
{
	double *values =
	    arena_array(set->arena, set->csv->row_count, sizeof(*values));

	*count = 0;
	for (size_t i = 0; i < set->csv->row_count; i++) {
		if (strcmp(csv_text(set->csv, i, "set"), name) == 0)
			values[(*count)++] = csv_number(set->csv, i, "value");
	}
	return values;
}

static void
put_sample(struct set *set, const char *name)
{
	size_t count;
	const double *values = values_of(set, name, &count);
	const double *logs = summary_logs(values, count, set->arena);
	struct interval interval = summary_mean_interval(values, count, 0.95);

	book_put(set->book, summary_mean(values, count), "%s.mean", name);
	book_put(set->book, summary_deviation(values, count), "%s.sd", name);
	book_put(set->book, summary_median(values, count, set->arena),
	    "%s.median", name);
	book_put(set->book, interval.lo, "%s.ci95lo", name);
	book_put(set->book, interval.hi, "%s.ci95hi", name);
	interval = summary_mean_interval(logs, count, 0.95);
	book_put(set->book, exp(summary_mean(logs, count)), "%s.geomean", name);
	book_put(set->book, exp(interval.lo), "%s.geo_lo", name);
	book_put(set->book, exp(interval.hi), "%s.geo_hi", name);
}

static void
compares_two_samples(void **state)
{
	static const char *const evidence[] = { "welch.*", "mannwhitney.*",
		NULL };
	struct set set = set_open(FOLDER "01_ministat.csv");
	size_t a_count;
	size_t b_count;
	const double *a = values_of(&set, "iguana", &a_count);
	const double *b = values_of(&set, "chameleon", &b_count);
	struct two_samples two = summary_compare(a, a_count, b, b_count);

	(void)state;
	put_sample(&set, "iguana");
	put_sample(&set, "chameleon");
	book_put(set.book, two.s, "pooled_s");
	book_put(set.book, two.difference, "diff");
	book_put(set.book, two.half_width, "halfwidth95");
	book_put(set.book, special_t_quantile(0.10, two.df) * two.error,
	    "halfwidth80");
	book_put(set.book, two.p, "student.p");
	set_close(&set, FOLDER "01_ministat.expect", evidence);
}

static void
put_lenth(struct book *book, const struct ranking_effects *effects)
{
	const struct lenth *lenth = effects->lenth;
	double half = lenth->rest_half_width;

	for (size_t i = 0; i < effects->effect_count; i++) {
		const struct effect *effect = &effects->effects[i];

		book_put(book, effect->log, "effect_log.%s", effect->name);
		book_put(book, effect->pct, "effect_pct.%s", effect->name);
		book_put(book, fabs(effect->log) / lenth->pse, "lenth.t.%s",
		    effect->name);
		/* one effect alone and nothing else */
		assert_int_equal(effect->significant, i == 0);
	}
	book_put(book, lenth->s0, "lenth.s0");
	book_put(book, lenth->pse, "lenth.pse");
	book_put(book, 100 * expm1(lenth->pse), "lenth.pse_pct");
	book_put(book, lenth->df, "lenth.df");
	book_put(book, lenth->me, "lenth.ME");
	book_put(book, 100 * expm1(lenth->me), "lenth.ME_pct");
	book_put(book, lenth->sme, "lenth.SME");
	book_put(book, 100 * expm1(lenth->sme), "lenth.SME_pct");
	book_put(book, lenth->critical_one, "lenth.crit_ier_mc");
	book_put(book, lenth->critical_all, "lenth.crit_eer_mc");
	book_put(book, lenth->margin_one_pct, "lenth.ME_mc_pct");
	book_put(book, lenth->margin_all_pct, "lenth.SME_mc_pct");
	book_put(book, effects->effects[0].pct, "noatime_only.pct");
	book_put(book, 100 * expm1(effects->effects[0].log - half),
	    "noatime_only.lo_pct");
	book_put(book, 100 * expm1(effects->effects[0].log + half),
	    "noatime_only.hi_pct");
	book_put(book, 100 * expm1(spread_pct(lenth->rest_cv_pct) / 100),
	    "noatime_only.s_pct");
}

/* Effects in seconds, and what noatime does in each setting. */
static void
put_seconds(struct set *set, const struct series_table *table,
    const struct ranking_effects *effects)
{
	size_t count;
	struct night *night = night_prepare(table, NULL, set->arena);
	const struct family *family;
	const struct effect_list *list;
	const struct effect *noatime = &effects->effects[0];

	for (size_t i = 0; i < night->run_count; i++)
		night->runs[i].y = exp(night->runs[i].y);
	family = family_list(night, &count, set->arena);
	list = effects_regression(family, 3, set->arena);
	for (size_t i = 0; i < list->count; i++)
		book_put(set->book, list->effects[i].log, "effect_sec.%s",
		    list->effects[i].name);
	assert_int_equal(noatime->context_count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct effect_context *context = &noatime->contexts[i];
		bool su = strstr(context->given, "with su") != NULL;
		bool async = strstr(context->given, "with async") != NULL;

		book_put(set->book, context->pct, "noatime_pct.su%d.async%d",
		    su, async);
	}
}

static void
put_groups(struct set *set)
{
	for (int on = 0; on < 2; on++) {
		const char *name = on ? "noatime_on" : "noatime_off";
		double values[4];
		size_t count = 0;

		for (size_t i = 0; i < set->csv->row_count; i++) {
			if (csv_number(set->csv, i, "noatime") == on)
				values[count++] =
				    csv_number(set->csv, i, "seconds");
		}
		book_put(
		    set->book, summary_mean(values, count), "%s.mean", name);
		book_put(set->book,
		    100 * (summary_maximum(values, count) /
				  summary_minimum(values, count) -
			      1),
		    "%s.spread_pct", name);
	}
}

static void
finds_one_effect_in_single_runs(void **state)
{
	struct set set = set_open(FOLDER "02_find2001.csv");
	struct series_table *table = series_table_new(
	    set.arena, "find", "elapsed", "s", LOWER_IS_BETTER);
	const struct ranking *ranking;
	double least = INFINITY;
	double most = 0;

	(void)state;
	for (size_t i = 0; i < set.csv->row_count; i++) {
		struct series_run run = { .state = RUN_OK };
		const char *key = arena_printf(set.arena, "%s%s%s",
		    csv_text(set.csv, i, "noatime"), csv_text(set.csv, i, "su"),
		    csv_text(set.csv, i, "async"));

		run.cell = cell_of(table, set.csv, i, key, study_factors);
		run.value = csv_number(set.csv, i, "seconds");
		least = fmin(least, run.value);
		most = fmax(most, run.value);
		series_add_run(table, &run);
	}
	ranking = analysis_rank(table, NULL, set.arena);
	assert_true(ranking->is_single_runs);
	assert_int_equal(ranking->effects[0].method, EFFECTS_LENTH);
	for (size_t i = 0; i < ranking->row_count; i++)
		assert_int_equal(ranking->rows[i].place, 0);
	put_lenth(set.book, &ranking->effects[0]);
	put_seconds(&set, table, &ranking->effects[0]);
	put_groups(&set);
	book_put(set.book, 100 * (most / least - 1), "worst_over_best_pct");
	set_close(&set, FOLDER "02_find2001.expect", no_evidence);
}

/* Only the runs of one kernel. */
static struct series_table *
kernel_table(const struct set *set, const char *kernel)
{
	struct series_table *table = series_table_new(
	    set->arena, "postmark", "elapsed", "s", LOWER_IS_BETTER);

	table->clock = CLOCK_TWO_READS;
	table->clock_step = 1;
	for (size_t i = 0; i < set->csv->row_count; i++) {
		struct series_run run = { .state = RUN_OK };

		if (kernel != NULL &&
		    strcmp(csv_text(set->csv, i, "kernel"), kernel) != 0)
			continue;
		run.cell = cell_of(
		    table, set->csv, i, csv_text(set->csv, i, "config"), NULL);
		run.value = csv_number(set->csv, i, "seconds");
		series_add_run(table, &run);
	}
	return table;
}

static void
put_pooled_runs(struct set *set)
{
	double old[MAX_ROWS];
	double new[MAX_ROWS];
	size_t old_count = 0;
	size_t new_count = 0;
	struct two_samples two;

	for (size_t i = 0; i < set->csv->row_count; i++) {
		double y = log(csv_number(set->csv, i, "seconds"));

		if (csv_number(set->csv, i, "kernel") == 4)
			old[old_count++] = y;
		else
			new[new_count++] = y;
	}
	two = summary_compare(old, old_count, new, new_count);
	book_put(
	    set->book, 100 * expm1(two.difference), "pooled_runs.6vs4_sec_pct");
	book_put(set->book, 100 * expm1(two.difference - two.half_width),
	    "pooled_runs.lo_pct");
	book_put(set->book, 100 * expm1(two.difference + two.half_width),
	    "pooled_runs.hi_pct");
	book_put(set->book, two.p, "pooled_runs.p");
}

static void
put_kernels(struct set *set)
{
	const struct series_table *tables[] = { kernel_table(set, "4"),
		kernel_table(set, "6") };
	const char *const labels[] = { "4.x", "6.x" };
	const struct comparison *comparison =
	    analysis_compare(tables, labels, 2, 0, set->arena);
	const struct comparison_overall *overall = &comparison->overall[0];

	assert_true(comparison->confounded);
	assert_int_equal(comparison->overall_count, 1);
	assert_false(overall->is_paired);
	book_put(set->book, overall->pct, "config_means.6vs4_sec_pct");
	book_put(set->book, overall->ci_lo, "config_means.lo_pct");
	book_put(set->book, overall->ci_hi, "config_means.hi_pct");
	book_put(set->book, overall->p, "config_means.p");
	book_put(set->book, overall->df, "config_means.df");
}

static void
compares_kernels_by_configuration(void **state)
{
	static const char *const evidence[] = { "anova.*", "4UPv6UP.*", "tps.*",
		"quantum_sd_pct", NULL };
	struct set set = set_open(FOLDER "03_postmark2004.csv");
	const struct ranking *ranking =
	    analysis_rank(kernel_table(&set, NULL), NULL, set.arena);
	double most = 0;
	size_t different = 0;

	(void)state;
	book_put(set.book, ranking->noise.s, "within_s_log");
	book_put(set.book, 100 * ranking->noise.s, "within_cv_pct");
	book_put(set.book, ranking->noise.df, "within_df");
	book_put(set.book, ranking->noise.hsd_pct, "hsd_pct.k6n2");
	book_put(set.book, ranking->noise.clock_pct, "quantum_pct_of_71s");
	for (size_t i = 0; i < ranking->row_count; i++) {
		const struct ranking_row *row = &ranking->rows[i];

		book_put(set.book, row->slower_pct, "config_vs_best_pct.%s",
		    ranking->table->cells[row->cell].key);
		most = fmax(most, row->slower_pct);
		assert_true(row->marks & MARK_TWO_RUNS);
		for (size_t j = 0; j < i; j++)
			different += ranking_differs(row, &ranking->rows[j]);
	}
	book_put(set.book, most, "maxdiff_pct");
	/* of 15 pairs only 4.x UP and 6.x UP MV are told apart */
	assert_int_equal(different, 1);
	put_pooled_runs(&set);
	put_kernels(&set);
	set_close(&set, FOLDER "03_postmark2004.expect", evidence);
}

static void
ranks_within_blocks(void **state)
{
	static const char *const evidence[] = { "friedman.*", "nemenyi.*",
		"rcb8.*", NULL };
	struct set set = set_open(FOLDER "10_rounding.csv");
	double values[MAX_ROWS];
	const double *ranks;

	(void)state;
	for (size_t i = 0; i < set.csv->row_count; i++) {
		for (size_t c = 0; c < 3; c++)
			values[i * 3 + c] =
			    csv_number(set.csv, i, set.csv->names[c + 1]);
	}
	ranks = summary_mean_ranks(values, set.csv->row_count, 3, set.arena);
	for (size_t c = 0; c < 3; c++)
		book_put(
		    set.book, ranks[c], "meanrank.%s", set.csv->names[c + 1]);
	set_close(&set, FOLDER "10_rounding.expect", evidence);
}

/* Sums of squares, F and p of one term's columns. */
static void
put_term(struct book *book, const struct regression *fit, const char *name,
    size_t first, size_t count)
{
	double ss = 0;
	double f;

	for (size_t c = first; c < first + count; c++)
		ss += fit->square[c];
	f = ss / (double)count / fit->s2;
	book_put(book, ss, "ss.%s", name);
	book_put(book, f, "F.%s", name);
	book_put(
	    book, special_f_upper(f, (double)count, fit->df), "p.%s", name);
}

static void
names_the_confounded_effect(void **state)
{
	static const char *const factors[] = { "N", "P", "K", NULL };
	struct set set = set_open(FOLDER "11_npk.csv");
	struct series_table *table =
	    series_table_new(set.arena, "npk", "yield", "lb", LOWER_IS_BETTER);
	struct night *night;
	size_t count;
	const struct family *family;
	const struct design *design;
	const struct regression *fit;
	double *y = arena_array(set.arena, set.csv->row_count, sizeof(double));

	(void)state;
	for (size_t i = 0; i < set.csv->row_count; i++) {
		struct series_run run = { .state = RUN_OK };
		const char *key =
		    arena_printf(set.arena, "%s%s%s", csv_text(set.csv, i, "N"),
			csv_text(set.csv, i, "P"), csv_text(set.csv, i, "K"));

		run.cell = cell_of(table, set.csv, i, key, factors);
		run.block = (int)csv_number(set.csv, i, "block");
		run.value = csv_number(set.csv, i, "yield");
		y[i] = run.value;
		series_add_run(table, &run);
	}
	night = night_prepare(table, NULL, set.arena);
	family = family_list(night, &count, set.arena);
	design = design_make(family, 3, ~0U, set.arena);
	fit = regress(design->columns, design->column_count, y,
	    set.csv->row_count, set.arena);
	put_term(set.book, fit, "block", 1, design->block_columns);
	for (size_t i = 0; i < design->term_count; i++) {
		const struct design_term *term = &design->terms[i];
		const char *name = design_name(family, term->set, set.arena);

		if (fit->is_dropped[term->first_column])
			book_say(set.book,
			    strcmp(name, "N:P:K") == 0 ? "N1:P1:K1" : name,
			    "not_estimable");
		else
			put_term(set.book, fit, name, term->first_column, 1);
	}
	book_put(set.book, fit->rss, "ss.Residuals");
	set_close(&set, FOLDER "11_npk.expect", no_evidence);
}

static void
orders_statistics(void **state)
{
	static const char *const evidence[] = { "mean.A.lo", "mean.A.hi",
		"ratio.lo", "ratio.hi", "median.A.lo", "median.A.hi",
		"percentile_coverage.*", NULL };
	struct set set = set_open(FOLDER "13_bootstrap.csv");
	size_t a_count;
	size_t b_count;
	const double *a = values_of(&set, "A", &a_count);
	const double *b = values_of(&set, "B", &b_count);
	double coverage;
	struct interval interval =
	    summary_median_interval(a, a_count, 0.95, &coverage, set.arena);

	(void)state;
	book_put(set.book, summary_mean(a, a_count), "mean.A");
	book_put(set.book, summary_mean(b, b_count) / summary_mean(a, a_count),
	    "ratio.B/A");
	book_put(set.book, summary_median(a, a_count, set.arena), "median.A");
	assert_int_equal(summary_median_order(a_count, 0.95), 3);
	book_put(set.book, interval.lo, "median.A.binom_lo(order stat 3)");
	book_put(set.book, interval.hi, "median.A.binom_hi(order stat 10)");
	book_put(set.book, coverage, "median.binom_level");
	set_close(&set, FOLDER "13_bootstrap.expect", evidence);
}

static const char *
names_where(const struct series_table *table, const bool *is_in, bool wanted,
    const bool *before, struct arena *arena)
{
	const char *text = NULL;

	for (size_t i = 0; i < table->cell_count; i++) {
		const char *key = table->cells[i].key;

		if (is_in[i] != wanted || !before[i])
			continue;
		text = text == NULL ? key
				    : arena_printf(arena, "%s %s", text, key);
	}
	return text == NULL ? "" : text;
}

static void
put_look(struct set *set, const struct race_look *look,
    const struct series_table *table, const bool *before, int block)
{
	struct book *book = set->book;
	int n = look->look;

	book_put(book, block, "look%d.block", n);
	book_put(book, look->alpha, "look%d.alpha", n);
	book_put(book, look->df, "look%d.df", n);
	book_put(book, look->s, "look%d.s", n);
	book_put(book, look->q, "look%d.q", n);
	book_put(book, look->half_pct, "look%d.halfwidth_pct", n);
	book_say(book,
	    names_where(table, look->is_active, false, before, set->arena),
	    "look%d.dropped", n);
	book_say(book,
	    names_where(table, look->is_active, true, before, set->arena),
	    "look%d.active", n);
}

/* Runs a block of the file, only the cells still in. */
static void
run_block(struct series_table *table, const struct csv *csv, int block,
    const bool *is_active)
{
	for (size_t i = 0; i < csv->row_count; i++) {
		struct series_run run = { .state = RUN_OK, .block = block };

		if ((int)csv_number(csv, i, "block") != block)
			continue;
		run.cell =
		    cell_of(table, csv, i, csv_text(csv, i, "combo"), NULL);
		run.value = csv_number(csv, i, "value");
		if (is_active == NULL || is_active[run.cell])
			series_add_run(table, &run);
	}
}

static void
races_to_the_same_end(void **state)
{
	static const struct analysis_options raced = { .is_raced = true };
	struct set set = set_open(FOLDER "15_race.csv");
	struct series_table *table = series_table_new(
	    set.arena, "race", "elapsed", "s", LOWER_IS_BETTER);
	bool active[MAX_COLUMNS];
	int block = 0;
	const struct race_look *look = NULL;

	(void)state;
	for (size_t i = 0; i < MAX_COLUMNS; i++)
		active[i] = true;
	while (look == NULL || look->stop == RACE_GO_ON) {
		bool before[MAX_COLUMNS];

		assert_true(++block < 10);
		run_block(table, set.csv, block, active);
		if (block < RACE_FIRST_BLOCK)
			continue;
		memcpy(before, active, sizeof(before));
		look = race_look(
		    table, active, block - RACE_FIRST_BLOCK + 1, 1, set.arena);
		put_look(&set, look, table, before, block);
		memcpy(
		    active, look->is_active, table->cell_count * sizeof(bool));
	}
	book_put(set.book, block, "stopped_after_block");
	put_ranking(set.book, analysis_rank(table, &raced, set.arena));
	set_close(&set, FOLDER "15_race.expect", no_evidence);
}

static void
compares_over_block_sizes(void **state)
{
	struct set set = set_open(FOLDER "16_sysbench2009.csv");
	struct series_table *table = series_table_new(
	    set.arena, "rndrd", "iops", "1/s", HIGHER_IS_BETTER);
	static const char *const names[] = { "hammer", "ufs" };
	const struct ranking *ranking;
	const struct ranking_row *slower;
	size_t wins = 0;

	(void)state;
	for (size_t i = 0; i < set.csv->row_count; i++) {
		double iops[2];

		for (size_t s = 0; s < 2; s++) {
			struct series_run run = { .state = RUN_OK };

			iops[s] = csv_number(set.csv, i,
			    arena_printf(set.arena, "%s_iops", names[s]));
			run.cell = cell_of(table, set.csv, i, names[s], NULL);
			run.block = (int)i + 1;
			run.value = iops[s];
			series_add_run(table, &run);
		}
		wins += iops[1] > iops[0];
	}
	ranking = analysis_rank(table, NULL, set.arena);
	slower = &ranking->rows[1];
	assert_string_equal(table->cells[slower->cell].key, "hammer");
	book_put(set.book, slower->slower_pct, "ufs_over_hammer_iops_pct");
	book_put(set.book, slower->slower_lo, "lo_pct");
	book_put(set.book, slower->slower_hi, "hi_pct");
	book_put(set.book,
	    special_t_two_sided(log1p(slower->slower_pct / 100) /
				    (ranking->noise.s * sqrt(2.0 / 9)),
		ranking->noise.df),
	    "p");
	book_say(set.book, arena_printf(set.arena, "%zu of 9", wins), "sign");
	book_put(set.book, summary_sign_p(wins, 9 - wins), "sign_p");
	set_close(&set, FOLDER "16_sysbench2009.expect", no_evidence);
}

/* One system's Blogbench log, as columns. */
struct blog {
	size_t length;
	double size[MAX_ROWS], read[MAX_ROWS], write[MAX_ROWS];
	double articles[MAX_ROWS];
};

static void
read_blog(struct blog *blog, const char *path, struct arena *arena)
{
	const struct csv *csv = csv_read(path, arena);

	blog->length = csv->row_count;
	for (size_t i = 0; i < csv->row_count; i++) {
		blog->size[i] = csv_number(csv, i, "blogs");
		blog->articles[i] = csv_number(csv, i, "r_articles");
		blog->read[i] = blog->articles[i] +
				csv_number(csv, i, "r_pictures") +
				csv_number(csv, i, "r_comments");
		blog->write[i] = csv_number(csv, i, "w_articles") +
				 csv_number(csv, i, "w_pictures") +
				 csv_number(csv, i, "w_comments");
	}
}

static const char *
starts_text(
    const double *counts, size_t length, bool merge, struct arena *arena)
{
	size_t count;
	const size_t *starts =
	    curve_phases(counts, length, merge, &count, arena);
	const char *text = "";

	for (size_t i = 0; i < count; i++)
		text = arena_printf(
		    arena, "%s%s%zu", text, i == 0 ? "" : " ", starts[i]);
	return text;
}

static void
put_phases(struct book *book, const struct ranking *ranking,
    const struct curve_series *series, const char *name)
{
	for (size_t p = 0; p < series->phase_count; p++) {
		const struct curve_phase *phase =
		    &ranking->phases[series->first_phase + p];

		book_put(book, phase->mean, "%s.phase_mean.%zu", name, p + 1);
		book_put(
		    book, phase->median, "%s.phase_median.%zu", name, p + 1);
		if (series->phase_count == 1) {
			book_put(book, phase->mean, "%s.phase_mean", name);
			book_put(book, phase->median, "%s.phase_median", name);
		}
	}
}

static void
put_blog(struct set *set, const struct blog *blog, const char *system)
{
	struct book *book = set->book;
	size_t n = blog->length;
	struct curve_stalls stalls = curve_stalls(blog->write, n);
	static const char *const parts[] = { "first", "rest" };

	for (int w = 0; w < 2; w++) {
		const double *x = w ? blog->write : blog->read;
		const char *name = arena_printf(
		    set->arena, "%s.%s", system, w ? "write" : "read");

		book_put(book, curve_sigma(x, n, set->arena), "%s.sigma", name);
		book_say(book, starts_text(x, n, false, set->arena),
		    "%s.raw_start", name);
		book_say(book, starts_text(x, n, true, set->arena), "%s.start",
		    name);
		book_put(book, summary_mean(x, n) * (double)n, "%s.%c_total",
		    system, w ? 'w' : 'r');
		book_put(book, summary_mean(x, n), "%s.%c_mean_10s", system,
		    w ? 'w' : 'r');
	}
	book_put(
	    book, (double)stalls.count, "%s.write_stalled_samples", system);
	book_put(book, (double)stalls.longest, "%s.longest_stall", system);
	for (size_t part = 0; part < 2; part++) {
		size_t from = part == 0 ? 0 : 5;
		size_t count = part == 0 ? 5 : n - 5;
		const char *name = parts[part];

		book_put(book, summary_mean(&blog->read[from], count),
		    "%s.%s.read", system, name);
		book_put(book, summary_mean(&blog->write[from], count),
		    "%s.%s.write", system, name);
		book_put(book, summary_mean(&blog->articles[from], count),
		    "%s.%s.r_articles", system, name);
	}
}

static void
put_sizes(struct book *book, const struct blog *blog, const char *system)
{
	static const double sizes[] = { 22, 30, 40, 50, 60, 65, 67 };
	size_t n = blog->length;

	for (size_t i = 0; i < 7; i++) {
		book_put(book,
		    curve_at_size(blog->size, blog->read, n, sizes[i]),
		    "at%g.read_%s", sizes[i], system);
		book_put(book, curve_time_to_size(blog->size, n, 10, sizes[i]),
		    "at%g.t_%s", sizes[i], system);
	}
	book_put(book, 65 / curve_time_to_size(blog->size, n, 10, 65),
	    "equal_size.blogs_per_s.%s_to65", system);
}

static void
add_blog(
    struct series_table *table, const struct blog *blog, const char *system)
{
	struct series_column columns[] = {
		{ "read", CURVE_READ, blog->read },
		{ "write", CURVE_WRITE, blog->write },
		{ "blogs", CURVE_SIZE, blog->size },
	};
	struct series_cell cell = { .key = system };
	struct series_curve curve = { .interval_s = 10,
		.sample_count = blog->length,
		.columns = columns,
		.column_count = 3 };

	curve.cell = series_add_cell(table, &cell);
	series_add_curve(table, &curve);
}

static void
put_contrast(struct set *set, const struct blog *hammer, const struct blog *ufs)
{
	struct book *book = set->book;
	size_t n = hammer->length;

	book_put(book,
	    summary_mean(hammer->read, n) / summary_mean(ufs->read, n),
	    "plain_mean_read_ratio");
	book_put(book,
	    summary_mean(hammer->write, n) / summary_mean(ufs->write, n),
	    "plain_total_write_ratio");
	/* the scores that the logs end with */
	book_put(book, 40279.0 / 16022, "final_read_score_ratio");
}

static void
finds_phases_and_equal_sizes(void **state)
{
	static const char *const evidence[] = { "*pettitt_*", NULL };
	struct set set = set_open(FOLDER "04_blogbench2008_ufs.csv");
	struct series_table *table = series_table_new(
	    set.arena, "blogbench", "reads", "1", HIGHER_IS_BETTER);
	struct blog *hammer = arena_alloc(set.arena, sizeof(*hammer));
	struct blog *ufs = arena_alloc(set.arena, sizeof(*ufs));
	const struct ranking *ranking;

	(void)state;
	read_blog(hammer, FOLDER "04_blogbench2008_hammer.csv", set.arena);
	read_blog(ufs, FOLDER "04_blogbench2008_ufs.csv", set.arena);
	add_blog(table, hammer, "hammer");
	add_blog(table, ufs, "ufs");
	ranking = analysis_rank(table, NULL, set.arena);
	put_blog(&set, hammer, "hammer");
	put_blog(&set, ufs, "ufs");
	for (size_t i = 0; i < ranking->series_count; i++) {
		const struct curve_series *series = &ranking->series[i];

		put_phases(set.book, ranking, series,
		    arena_printf(set.arena, "%s.%s",
			table->cells[series->cell].key, series->series));
	}
	put_sizes(set.book, hammer, "hammer");
	put_sizes(set.book, ufs, "ufs");
	put_contrast(&set, hammer, ufs);
	assert_true(ranking->equal_size_count >= 1);
	assert_true(ranking->equal_sizes[0].size_lo == 22 &&
		    ranking->equal_sizes[0].size_hi == 65);
	book_put(set.book, ranking->equal_sizes[0].ratio,
	    "equal_size.22_65.read_ratio_hammer_over_ufs");
	set_close(&set, FOLDER "04_blogbench2008.expect", evidence);
}

static void
counts_all_values(void **state)
{
	(void)state;
	printf("# oracles: %zu of %zu values (and %zu that are evidence for "
	       "the method only)\n",
	    total.right, total.right + total.wrong, total.evidence);
	assert_int_equal(total.wrong, 0);
	assert_int_equal(total.right + total.evidence, 953);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares_two_samples),
		cmocka_unit_test(finds_one_effect_in_single_runs),
		cmocka_unit_test(compares_kernels_by_configuration),
		cmocka_unit_test(finds_phases_and_equal_sizes),
		cmocka_unit_test(ranks_complete_blocks),
		cmocka_unit_test(ranks_with_missing_runs),
		cmocka_unit_test(ranks_without_forbidden_cells),
		cmocka_unit_test(ranks_within_blocks),
		cmocka_unit_test(names_the_confounded_effect),
		cmocka_unit_test(sets_one_slow_run_aside),
		cmocka_unit_test(orders_statistics),
		cmocka_unit_test(races_to_the_same_end),
		cmocka_unit_test(compares_over_block_sizes),
		cmocka_unit_test(ranks_real_studies),
		cmocka_unit_test(counts_all_values),
	};

	return cmocka_run_group_tests_name("oracles", tests, NULL, NULL);
}
