/* Cells, their keys and effects, and the order of trials. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/expand.h"
#include "plan/order.h"
#include "plan/plan_make.h"
#include "plan/predict.h"
#include "plan/select.h"

/* --- a matrix by hand ----------------------------------------------------- */

static const struct option noatime = { .token = "noatime",
	.stage = STAGE_MOUNT,
	.on = "noatime",
	.off = "atime",
	.group = "atime",
	.risk = RISK_FUNC };
static const struct option strictatime = { .token = "strictatime",
	.stage = STAGE_MOUNT,
	.on = "strictatime",
	.group = "atime",
	.risk = RISK_FUNC };
static const struct option relatime = { .token = "relatime",
	.stage = STAGE_MOUNT,
	.on = "relatime",
	.group = "atime",
	.effect = "",
	.risk = RISK_SAFE };
static const struct option softupdates = { .token = "softupdates",
	.stage = STAGE_MAKE,
	.on = "-U",
	.voids = "async",
	.risk = RISK_WINDOW };
static const struct option async = { .token = "async",
	.stage = STAGE_MOUNT,
	.on = "async",
	.risk = RISK_WRECK };
static const struct option sync_option = { .token = "sync",
	.stage = STAGE_MOUNT,
	.on = "sync",
	.conflicts = "async",
	.risk = RISK_SAFE_PLUS };
static const struct option nodatacow = { .token = "nodatacow",
	.stage = STAGE_MOUNT,
	.on = "nodatacow",
	.implies = "nodatasum",
	.risk = RISK_STALE };
static const struct option nodatasum = { .token = "nodatasum",
	.stage = STAGE_MOUNT,
	.on = "nodatasum",
	.risk = RISK_STALE };

static struct target target = { .title = "scratch", .kind = TARGET_IMAGE };

enum { MOST_FACTORS = 24, MOST_LEVELS = 4 };

/* Storage that a test fills. */
struct hand {
	struct arena *arena;
	struct matrix matrix;
	struct filesystem filesystems[4];
	struct factor factors[MOST_FACTORS];
	struct level levels[MOST_FACTORS][MOST_LEVELS];
	struct workload_spec workloads[4];
	struct plan plan;
	struct error err;
};

static void
hand_init(struct hand *hand, size_t workload_count)
{
	static const char *const names[] = { "find", "pm", "blog", "io" };

	memset(hand, 0, sizeof *hand);
	hand->arena = arena_new();
	hand->matrix = (struct matrix){ .path = "m.conf",
		.title = "t",
		.targets = &target,
		.target_count = 1,
		.filesystems = hand->filesystems,
		.filesystem_count = 1,
		.workloads = hand->workloads,
		.workload_count = workload_count,
		.rounds = 6,
		.seed = 7,
		.baseline = "default" };
	for (size_t i = 0; i < workload_count; i++)
		hand->workloads[i] =
		    (struct workload_spec){ .title = names[i], .type = "null" };
	hand->filesystems[0] = (struct filesystem){ .title = "ufs",
		.driver = "ufs",
		.risk = RISK_SAFE,
		.target = &target,
		.factors = hand->factors,
		.at = { "m.conf", 3 } };
}

static void
add_toggle(struct hand *hand, const struct option *option, int order)
{
	size_t i = hand->filesystems[0].factor_count++;

	hand->levels[i][0] = (struct level){ .name = "off" };
	hand->levels[i][1] = (struct level){ .name = "on",
		.token = option->token,
		.option = option,
		.order = order };
	hand->factors[i] = (struct factor){ .name = option->token,
		.is_toggle = true,
		.levels = hand->levels[i],
		.level_count = 2 };
}

static void
add_axis(struct hand *hand, const char *name,
    const struct option *const *options, size_t count, int order)
{
	size_t i = hand->filesystems[0].factor_count++;

	for (size_t k = 0; k < count; k++)
		hand->levels[i][k] = (struct level){ .name = options[k]->token,
			.token = options[k]->token,
			.option = options[k],
			.order = order };
	hand->factors[i] = (struct factor){
		.name = name, .levels = hand->levels[i], .level_count = count
	};
}

static int
make(struct hand *hand, const struct plan_options *options)
{
	return plan_make(
	    &hand->matrix, options, hand->arena, &hand->plan, &hand->err);
}

static const struct cell *
cell(const struct hand *hand, const char *key)
{
	size_t index = plan_find_cell(&hand->plan, key);

	if (index == NO_CELL)
		fail_msg("no cell %s", key);
	return &hand->plan.cells[index];
}

/* --- cells ---------------------------------------------------------------- */

static void
keys_have_tokens_in_table_order_and_first_factor_changes_fastest(void **state)
{
	static const char *const keys[] = { "ufs:default", "ufs:softupdates",
		"ufs:noatime", "ufs:noatime+softupdates", "ufs:async",
		"ufs:softupdates+async", "ufs:noatime+async",
		"ufs:noatime+softupdates+async" };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &softupdates, 5);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 9);
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(hand.plan.cell_count, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(hand.plan.cells[i].key, keys[i]);
		assert_int_equal(hand.plan.cells[i].index, i);
	}
	assert_string_equal(cell(&hand, "ufs:noatime")->levels[1].level, "on");
	assert_string_equal(cell(&hand, "ufs:noatime")->levels[0].level, "off");
	arena_free(hand.arena);
}

/* Two sections: the same thing when every command is the same. */
static void
a_filesystem_entered_twice_is_a_control(void **state)
{
	static const char *const same[] = { "newfs", "%d", NULL };
	static const char *const other[] = { "newfs", "-b", "4096", "%d",
		NULL };
	struct command first = { .argv = same }, second = { .argv = same };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	hand.filesystems[1] = hand.filesystems[0];
	hand.filesystems[1].title = "ufs again";
	hand.matrix.filesystem_count = 2;
	assert_int_equal(make(&hand, NULL), 0);
	hand.plan.cells[0].commands = &first;
	hand.plan.cells[1].commands = &second;
	hand.plan.cells[0].command_count = hand.plan.cells[1].command_count = 1;
	expand_duplicates(&hand.plan, hand.arena);
	assert_int_equal(hand.plan.cells[0].status, CELL_OK);
	assert_int_equal(hand.plan.cells[1].status, CELL_DUPLICATE);
	assert_int_equal(hand.plan.cells[1].duplicate_of, 0);
	second.argv = other;
	expand_duplicates(&hand.plan, hand.arena);
	assert_int_equal(hand.plan.cells[1].status, CELL_OK);
	second.argv = same;
	hand.plan.cells[1].target = "elsewhere";
	expand_duplicates(&hand.plan, hand.arena);
	assert_int_equal(hand.plan.cells[1].status, CELL_OK);
	/* nothing is said of what no table knows */
	hand.plan.cells[1].target = hand.plan.cells[0].target;
	hand.plan.cells[1].expected = NULL;
	expand_duplicates(&hand.plan, hand.arena);
	assert_int_equal(hand.plan.cells[1].status, CELL_OK);
	arena_free(hand.arena);
}

static void
an_option_that_another_voids_makes_a_duplicate(void **state)
{
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &softupdates, 2);
	add_toggle(&hand, &async, 3);
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(
	    cell(&hand, "ufs:softupdates+async")->status, CELL_DUPLICATE);
	assert_int_equal(cell(&hand, "ufs:softupdates+async")->duplicate_of,
	    cell(&hand, "ufs:softupdates")->index);
	assert_int_equal(
	    cell(&hand, "ufs:noatime+softupdates+async")->duplicate_of,
	    cell(&hand, "ufs:noatime+softupdates")->index);
	assert_int_equal(cell(&hand, "ufs:async")->status, CELL_OK);
	assert_string_equal(
	    cell(&hand, "ufs:softupdates+async")->expected, "softupdates");
	/* what is void is not a risk either */
	assert_int_equal(
	    cell(&hand, "ufs:softupdates+async")->risk, RISK_WINDOW);
	assert_int_equal(cell(&hand, "ufs:async")->risk, RISK_WRECK);
	arena_free(hand.arena);
}

static void
effects_take_in_implied_tokens_and_leave_out_defaults(void **state)
{
	static const struct option *const atimes[] = { &relatime, &noatime };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &nodatasum, 1);
	add_toggle(&hand, &nodatacow, 2);
	add_axis(&hand, "atime", atimes, 2, 3);
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(hand.plan.cell_count, 8);
	assert_string_equal(cell(&hand, "ufs:relatime")->expected, "default");
	assert_string_equal(cell(&hand, "ufs:nodatacow+relatime")->expected,
	    "nodatacow,nodatasum");
	/* nodatacow alone already implies nodatasum */
	assert_int_equal(
	    cell(&hand, "ufs:nodatasum+nodatacow+relatime")->duplicate_of,
	    cell(&hand, "ufs:nodatacow+relatime")->index);
	/* the axis's level that changes nothing is the default */
	assert_true(cell(&hand, "ufs:relatime")->is_baseline);
	assert_string_equal(cell(&hand, "ufs:noatime")->asked, "noatime");
	arena_free(hand.arena);
}

static void
conflicting_options_are_unsafe(void **state)
{
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &sync_option, 1);
	add_toggle(&hand, &async, 2);
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(cell(&hand, "ufs:sync+async")->status, CELL_UNSAFE);
	assert_string_equal(cell(&hand, "ufs:sync+async")->reason,
	    "'sync' and 'async' do not go together; to try it all the same, "
	    "declare both with 'option'");
	assert_int_equal(cell(&hand, "ufs:sync")->risk, RISK_SAFE_PLUS);
	/* what gives nothing up takes nothing from what is stronger */
	assert_int_equal(
	    risk_together(RISK_SAFE, RISK_SAFE_PLUS), RISK_SAFE_PLUS);
	assert_int_equal(
	    risk_together(RISK_SAFE_PLUS, RISK_SAFE), RISK_SAFE_PLUS);
	assert_int_equal(risk_together(RISK_SAFE_PLUS, RISK_FUNC), RISK_FUNC);
	assert_int_equal(risk_together(RISK_SAFE, RISK_SAFE), RISK_SAFE);
	for (size_t i = 0; i < hand.plan.trial_count; i++)
		assert_int_not_equal(hand.plan.trials[i].cell,
		    cell(&hand, "ufs:sync+async")->index);
	arena_free(hand.arena);
}

static void
a_level_that_is_inapplicable_takes_its_cells_out(void **state)
{
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	hand.levels[1][1].option = NULL;
	hand.levels[1][1].inapplicable = "only others have it";
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(
	    cell(&hand, "ufs:noatime+async")->status, CELL_INAPPLICABLE);
	assert_string_equal(
	    cell(&hand, "ufs:async")->reason, "only others have it");
	/* 2 cells x 6 rounds and the warm-up */
	assert_int_equal(hand.plan.trial_count, 13);
	hand.filesystems[0].inapplicable = "not here";
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(hand.plan.trial_count, 0);
	arena_free(hand.arena);
}

static void
an_off_toggle_is_silent_while_its_group_has_another(void **state)
{
	static const char *const tokens[] = { "strictatime" };
	struct combination only[] = { { "default", NULL, 0, { "f", 1 } },
		{ "strictatime", tokens, 1, { "f", 1 } } };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &strictatime, 2);
	hand.filesystems[0].only = only;
	hand.filesystems[0].only_count = 2;
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(hand.plan.cell_count, 2);
	assert_int_equal(cell(&hand, "ufs:strictatime")->off_count, 0);
	assert_int_equal(cell(&hand, "ufs:default")->off_count, 2);
	arena_free(hand.arena);
}

static void
skip_drops_cells_with_all_tokens_of_an_entry(void **state)
{
	static const char *const tokens[] = { "async", "softupdates" };
	struct combination skip = { "async+softupdates", tokens, 2,
		{ "f", 1 } };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &softupdates, 2);
	add_toggle(&hand, &async, 3);
	hand.filesystems[0].skip = &skip;
	hand.filesystems[0].skip_count = 1;
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(hand.plan.cell_count, 6);
	assert_int_equal(
	    plan_find_cell(&hand.plan, "ufs:softupdates+async"), NO_CELL);
	arena_free(hand.arena);
}

static void
a_filesystem_of_which_skip_leaves_nothing_is_named(void **state)
{
	static const char *const softupdates_token[] = { "softupdates" };
	static const char *const async_token[] = { "async" };
	struct combination skip[2] = {
		{ "softupdates", softupdates_token, 1, { "f", 1 } },
		{ "async", async_token, 1, { "f", 1 } },
	};
	struct combination only = { "softupdates", softupdates_token, 1,
		{ "f", 1 } };
	struct hand hand;

	(void)state;
	hand_init(&hand, 2);
	hand.filesystems[1] = hand.filesystems[0];
	hand.filesystems[1].title = "second";
	hand.filesystems[1].at = (struct position){ "f", 9 };
	for (size_t i = 0; i < 2; i++)
		hand.filesystems[i].skip = skip;
	add_toggle(&hand, &softupdates, 1);
	add_toggle(&hand, &async, 2);
	hand.matrix.filesystem_count = 2;
	hand.filesystems[1].factor_count = 2;
	hand.filesystems[1].only = &only;
	hand.filesystems[1].only_count = 1;
	hand.filesystems[0].skip_count = 2;
	assert_int_equal(make(&hand, NULL), 0);
	hand.filesystems[1].skip_count = 1;
	assert_int_equal(make(&hand, NULL), -1);
	assert_string_equal(hand.err.text,
	    "f:9: filesystem 'second': no cell is left: skip leaves none");
	arena_free(hand.arena);
}

static void
more_than_ten_thousand_cells_need_a_yes(void **state)
{
	static struct option many[14];
	static char names[14][16];
	struct plan_options yes = { .allow_many = true };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	hand.matrix.rounds = 1;
	for (int i = 0; i < 14; i++) {
		snprintf(names[i], sizeof names[i], "o%d", i);
		many[i] = (struct option){ .token = names[i], .on = names[i] };
		add_toggle(&hand, &many[i], i);
	}
	assert_int_equal(make(&hand, NULL), -1);
	assert_int_equal(hand.err.kind, ERROR_USAGE);
	assert_string_equal(hand.err.text,
	    "m.conf: 16384 cells, more than 10000; if that is meant, say "
	    "--yes");
	/* 73 * 137 = 10001 */
	hand.filesystems[0].factor_count = 2;
	hand.levels[0][0].order = 0;
	hand.factors[0] = (struct factor){ .name = "a",
		.levels = arena_array(hand.arena, 73, sizeof(struct level)),
		.level_count = 73 };
	hand.factors[1] = (struct factor){ .name = "b",
		.levels = arena_array(hand.arena, 137, sizeof(struct level)),
		.level_count = 137 };
	for (size_t f = 0; f < 2; f++)
		for (size_t k = 0; k < hand.factors[f].level_count; k++)
			hand.factors[f].levels[k].name =
			    arena_printf(hand.arena, "l%zu", k);
	assert_int_equal(make(&hand, NULL), -1);
	assert_non_null(strstr(hand.err.text, "10001 cells"));
	assert_int_equal(make(&hand, &yes), 0);
	assert_int_equal(hand.plan.cell_count, 10001);
	arena_free(hand.arena);
}

static void
a_product_beyond_counting_is_refused(void **state)
{
	static struct option many[MOST_FACTORS];
	struct plan_options yes = { .allow_many = true };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	for (int i = 0; i < MOST_FACTORS; i++) {
		many[i] = (struct option){ .token = "x", .on = "x" };
		add_toggle(&hand, &many[i], i);
	}
	assert_int_equal(make(&hand, &yes), -1);
	assert_non_null(strstr(hand.err.text, "m.conf:3: "));
	arena_free(hand.arena);
}

static void
more_trials_than_a_store_holds_are_refused(void **state)
{
	struct plan_options options = { .rounds = 1000000 };
	struct hand hand;

	(void)state;
	hand_init(&hand, 3);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	assert_int_equal(make(&hand, &options), -1);
	assert_string_equal(hand.err.text,
	    "m.conf: 1000000 rounds of 12 trials are more than 1000000; take "
	    "fewer rounds, or name cells with --only");
	arena_free(hand.arena);
}

/* Who writes the command lines, or asks the system, may find more cells that
 * cannot run. */
static void
a_refreshed_plan_passes_over_cells_found_bad(void **state)
{
	struct hand hand;
	struct cell *first;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &softupdates, 2);
	add_toggle(&hand, &async, 3);
	assert_int_equal(make(&hand, NULL), 0);
	first = &hand.plan.cells[cell(&hand, "ufs:softupdates")->index];
	first->status = CELL_REJECTED;
	plan_refresh(&hand.plan, NULL, hand.arena);
	/* its duplicate is one of nothing else */
	assert_int_equal(cell(&hand, "ufs:softupdates+async")->status, CELL_OK);
	assert_int_equal(hand.plan.trial_count, 1 + 6 * 7);
	for (size_t i = 0; i < hand.plan.trial_count; i++)
		assert_int_not_equal(hand.plan.trials[i].cell, first->index);
	arena_free(hand.arena);
}

/* --- baseline and selection ----------------------------------------------- */

static void
a_baseline_is_found_in_any_order_and_a_wrong_one_named(void **state)
{
	struct plan_options options = { .baseline = "ufs:async+noatime" };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	assert_int_equal(make(&hand, NULL), 0);
	assert_true(cell(&hand, "ufs:default")->is_baseline);
	assert_int_equal(make(&hand, &options), 0);
	assert_true(cell(&hand, "ufs:noatime+async")->is_baseline);
	assert_false(cell(&hand, "ufs:default")->is_baseline);
	assert_string_equal(hand.plan.baseline, "ufs:noatime+async");
	options.baseline = "ufs:noatme";
	assert_int_equal(make(&hand, &options), -1);
	assert_string_equal(hand.err.text,
	    "baseline 'ufs:noatme' names no cell; did you mean 'ufs:noatime'?");
	arena_free(hand.arena);
}

static void
only_takes_keys_patterns_and_filesystems(void **state)
{
	static const char *const patterns[] = { "ufs:async+noatime",
		"ufs:def*" };
	static const char *const title[] = { "ufs" };
	static const char *const wrong[] = { "ext4" };
	struct plan_options options = { .only = patterns, .only_count = 2 };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	assert_int_equal(make(&hand, &options), 0);
	assert_int_equal(hand.plan.cell_count, 2);
	assert_string_equal(hand.plan.cells[1].key, "ufs:noatime+async");
	assert_int_equal(hand.plan.cells[1].index, 1);
	options = (struct plan_options){ .only = title, .only_count = 1 };
	assert_int_equal(make(&hand, &options), 0);
	assert_int_equal(hand.plan.cell_count, 4);
	options.only = wrong;
	assert_int_equal(make(&hand, &options), -1);
	assert_non_null(strstr(hand.err.text, "'ext4' names no cell"));
	arena_free(hand.arena);
}

/* --- order ---------------------------------------------------------------- */

/* Each cell with each workload once per block, positions from 1. */
static void
check_complete(const struct plan *plan, int block)
{
	size_t cells = plan->cell_count, count = cells * plan->workload_count;
	bool *seen = calloc(count, sizeof *seen);
	size_t found = 0;

	for (size_t i = 0; i < plan->trial_count; i++) {
		const struct planned_trial *trial = &plan->trials[i];
		size_t at = trial->workload * cells + trial->cell;

		assert_int_equal(trial->index, i);
		if (trial->block != block)
			continue;
		assert_int_equal(trial->position, (int)++found);
		assert_false(trial->is_warm_up);
		assert_false(seen[at]);
		seen[at] = true;
	}
	assert_int_equal(found, count);
	free(seen);
}

static void
blocks_are_complete_and_no_cell_meets_itself_at_a_border(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct hand hand;
		size_t before = NO_CELL;

		hand_init(&hand, 1 + seed % 3);
		add_toggle(&hand, &noatime, 1);
		add_toggle(&hand, &async, 2);
		hand.matrix.seed = seed;
		hand.matrix.rounds = 20;
		assert_int_equal(make(&hand, NULL), 0);
		for (int block = 1; block <= 20; block++)
			check_complete(&hand.plan, block);
		for (size_t i = 1; i < hand.plan.trial_count; i++) {
			const struct planned_trial *trial =
			    &hand.plan.trials[i];

			if (trial->position == 1 && trial->block > 1)
				assert_int_not_equal(trial->cell, before);
			before = trial->cell;
		}
		arena_free(hand.arena);
	}
}

static void
one_warm_up_for_each_target_comes_first(void **state)
{
	static struct target targets[] = { { .title = "a" }, { .title = "b" },
		{ .title = "unused" } };
	struct hand hand;

	(void)state;
	hand_init(&hand, 2);
	hand.matrix.targets = targets;
	hand.matrix.target_count = 3;
	hand.filesystems[1] = hand.filesystems[0];
	hand.filesystems[2] = hand.filesystems[0];
	hand.filesystems[1].title = "ext4";
	hand.filesystems[2].title = "xfs";
	hand.filesystems[0].target = &targets[0];
	hand.filesystems[1].target = &targets[1];
	hand.filesystems[2].target = &targets[1];
	hand.matrix.filesystem_count = 3;
	assert_int_equal(make(&hand, NULL), 0);
	assert_int_equal(hand.plan.trial_count, 2 + 6 * 6);
	for (size_t i = 0; i < hand.plan.trial_count; i++)
		assert_int_equal(hand.plan.trials[i].is_warm_up, i < 2);
	assert_int_equal(hand.plan.trials[0].cell, 0);
	assert_int_equal(hand.plan.trials[1].cell, 1);
	assert_int_equal(hand.plan.trials[1].block, 0);
	arena_free(hand.arena);
}

static void
two_cells_alternate(void **state)
{
	int first_counts[2] = { 0, 0 };

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct hand hand;
		size_t first[3][2] = { { NO_CELL, NO_CELL },
			{ NO_CELL, NO_CELL }, { NO_CELL, NO_CELL } };

		hand_init(&hand, 2);
		add_toggle(&hand, &noatime, 1);
		hand.matrix.seed = seed;
		hand.matrix.rounds = 9;
		assert_int_equal(make(&hand, NULL), 0);
		for (int block = 1; block <= 9; block++)
			check_complete(&hand.plan, block);
		for (size_t i = 1; i < hand.plan.trial_count; i++) {
			const struct planned_trial *t = &hand.plan.trials[i];
			size_t *mine = &first[t->block % 2][t->workload];

			/* the first of the two within its block */
			for (size_t j = 1; j < i; j++)
				if (hand.plan.trials[j].block == t->block &&
				    hand.plan.trials[j].workload == t->workload)
					mine = NULL;
			if (mine == NULL)
				continue;
			if (*mine == NO_CELL)
				*mine = t->cell;
			assert_int_equal(*mine, t->cell);
		}
		assert_int_not_equal(first[0][0], first[1][0]);
		assert_int_not_equal(first[0][1], first[1][1]);
		first_counts[first[1][0]]++;
		arena_free(hand.arena);
	}
	assert_true(first_counts[0] > 8 && first_counts[1] > 8);
}

/* Every cell is in every position about equally often. */
static void
positions_are_uniform(void **state)
{
	enum { ROUNDS = 4000, CELLS = 4 };
	double counts[CELLS][CELLS] = { { 0 } }, chi = 0;
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	hand.matrix.rounds = ROUNDS;
	assert_int_equal(make(&hand, NULL), 0);
	for (size_t i = 1; i < hand.plan.trial_count; i++)
		counts[hand.plan.trials[i].cell]
		      [hand.plan.trials[i].position - 1]++;
	for (int c = 0; c < CELLS; c++)
		for (int p = 0; p < CELLS; p++) {
			double d = counts[c][p] - ROUNDS / CELLS;

			chi += d * d / (ROUNDS / CELLS);
		}
	/* df 9, p = .001: 27.9; that no cell meets itself at a border ties
	 * one block to the next and widens it by 1.43 (200 seeds) */
	assert_true(chi < 27.9 * 1.43);
	arena_free(hand.arena);
}

static void
the_same_seed_gives_the_same_order(void **state)
{
	struct hand a, b;
	struct plan_options other = { .seed = 8 };
	bool differs = false;

	(void)state;
	hand_init(&a, 2);
	hand_init(&b, 2);
	add_toggle(&a, &noatime, 1);
	add_toggle(&a, &async, 2);
	add_toggle(&b, &noatime, 1);
	add_toggle(&b, &async, 2);
	assert_int_equal(make(&a, NULL), 0);
	assert_int_equal(make(&b, NULL), 0);
	assert_int_equal(a.plan.seed, 7);
	assert_memory_equal(a.plan.trials, b.plan.trials,
	    a.plan.trial_count * sizeof a.plan.trials[0]);
	assert_int_equal(make(&b, &other), 0);
	for (size_t i = 0; i < a.plan.trial_count; i++)
		differs =
		    differs || a.plan.trials[i].cell != b.plan.trials[i].cell;
	assert_true(differs);
	arena_free(a.arena);
	arena_free(b.arena);
}

static void
shards_share_the_blocks_without_overlap(void **state)
{
	struct hand hand;
	size_t trials = 0;
	int seen[7] = { 0 };

	(void)state;
	hand_init(&hand, 2);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	for (int shard = 1; shard <= 4; shard++) {
		struct plan_options options = { .shard = shard,
			.shard_count = 4 };

		assert_int_equal(make(&hand, &options), 0);
		assert_true(hand.plan.trials[0].is_warm_up);
		for (size_t i = 1; i < hand.plan.trial_count; i++) {
			seen[hand.plan.trials[i].block]++;
			trials++;
		}
	}
	assert_int_equal(trials, 6 * 8);
	for (int block = 1; block <= 6; block++)
		assert_int_equal(seen[block], 8);
	arena_free(hand.arena);
}

static void
impossible_shards_are_refused(void **state)
{
	struct plan_options beyond = { .shard = 3, .shard_count = 2 };
	struct plan_options empty = { .shard = 8, .shard_count = 9 };
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	assert_int_equal(make(&hand, &beyond), -1);
	assert_string_equal(hand.err.text, "shard 3 of 2: expected 1 to 2");
	assert_int_equal(make(&hand, &empty), -1);
	assert_non_null(strstr(hand.err.text, "there are 6 rounds"));
	arena_free(hand.arena);
}

/* A race leaves cells out of later blocks. */
static void
a_block_can_be_made_of_fewer_cells(void **state)
{
	static const size_t cells[] = { 3, 5, 9 };
	struct planned_trial trials[3], all[3];
	struct order order;

	(void)state;
	order_start(&order, 7);
	order_block(&order, 1, cells, 3, 1, all);
	order_block(&order, 2, cells, 2, 1, trials);
	for (size_t i = 0; i < 2; i++) {
		assert_true(trials[i].cell == 3 || trials[i].cell == 5);
		assert_int_equal(trials[i].block, 2);
	}
	assert_int_not_equal(trials[0].cell, trials[1].cell);
}

/* --- time ----------------------------------------------------------------- */

static void
time_is_predicted_from_what_is_known(void **state)
{
	static const int64_t known[] = { 2000000000 };
	struct prediction prediction;
	struct hand hand;

	(void)state;
	hand_init(&hand, 1);
	add_toggle(&hand, &noatime, 1);
	add_toggle(&hand, &async, 2);
	hand.matrix.budget_ns = 25000000000;
	assert_int_equal(make(&hand, NULL), 0);
	predict_plan(&hand.plan, known, &prediction);
	assert_int_equal(prediction.block_ns, 8000000000);
	assert_int_equal(prediction.total_ns, 50000000000);
	assert_int_equal(prediction.blocks, 6);
	/* 2 s of warm-up, then 8 s a block: 2 blocks end before 25 s */
	assert_int_equal(prediction.blocks_in_budget, 2);
	predict_plan(&hand.plan, NULL, &prediction);
	assert_true(prediction.total_ns > 0);
	arena_free(hand.arena);
}

/* A command may take any time; a measured time, a tree or keys tell it. */
static void
what_nothing_tells_is_named_blind(void **state)
{
	struct setting seconds = { .key = "seconds", .value_count = 1 };
	struct workload_spec command = { .type = "command" };
	struct workload_spec timed = {
		.type = "fileio", .settings = &seconds, .setting_count = 1
	};
	struct workload_spec known[] = { { .type = "traverse" },
		{ .type = "postmark" }, { .type = "null" } };
	const char *sixty = "60";

	(void)state;
	seconds.values = &sixty;
	assert_true(predict_is_blind(&command));
	assert_false(predict_is_blind(&timed));
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		assert_false(predict_is_blind(&known[i]));
}

/* The demo's tree: a trial of "find" took 5.5 to 9.5 s, of postmark 1 to 5. */
static void
a_guess_follows_the_size_of_the_tree(void **state)
{
	struct tree_spec tree = { .title = "usr", .copies = 1 };
	struct tree_facts facts = { .entries = 3762, .bytes = 17000000 };
	struct workload_spec find = { .type = "traverse", .tree = "usr" };
	struct workload_spec postmark = { .type = "postmark" };
	struct plan plan = {
		.trees = &tree, .tree_count = 1, .tree_facts = &facts
	};
	int64_t small = predict_trial_ns(&plan, &find);

	(void)state;
	assert_in_range(small, 2500000000, 9500000000);
	assert_in_range(
	    predict_trial_ns(&plan, &postmark), 1000000000, 5300000000);
	tree.copies = 10;
	assert_true(predict_trial_ns(&plan, &find) > 5 * small);
	facts = (struct tree_facts){ 0 };
	assert_true(predict_trial_ns(&plan, &find) > small);
}

static void
a_guess_follows_the_keys_that_set_the_time(void **state)
{
	static const char *const minute[] = { "1m" };
	static const char *const three[] = { "3" };
	struct setting settings[] = { { "interval", minute, 1, { "f", 1 } },
		{ "iterations", three, 1, { "f", 2 } } };
	struct workload_spec workload = { .title = "b",
		.type = "blogbench",
		.settings = settings,
		.setting_count = 2 };
	struct plan plan = { 0 };

	(void)state;
	assert_in_range(
	    predict_trial_ns(&plan, &workload), 180000000000, 190000000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    keys_have_tokens_in_table_order_and_first_factor_changes_fastest),
		cmocka_unit_test(a_filesystem_entered_twice_is_a_control),
		cmocka_unit_test(
		    an_option_that_another_voids_makes_a_duplicate),
		cmocka_unit_test(
		    effects_take_in_implied_tokens_and_leave_out_defaults),
		cmocka_unit_test(conflicting_options_are_unsafe),
		cmocka_unit_test(
		    a_level_that_is_inapplicable_takes_its_cells_out),
		cmocka_unit_test(
		    an_off_toggle_is_silent_while_its_group_has_another),
		cmocka_unit_test(skip_drops_cells_with_all_tokens_of_an_entry),
		cmocka_unit_test(
		    a_filesystem_of_which_skip_leaves_nothing_is_named),
		cmocka_unit_test(more_than_ten_thousand_cells_need_a_yes),
		cmocka_unit_test(a_product_beyond_counting_is_refused),
		cmocka_unit_test(a_refreshed_plan_passes_over_cells_found_bad),
		cmocka_unit_test(more_trials_than_a_store_holds_are_refused),
		cmocka_unit_test(
		    a_baseline_is_found_in_any_order_and_a_wrong_one_named),
		cmocka_unit_test(only_takes_keys_patterns_and_filesystems),
		cmocka_unit_test(
		    blocks_are_complete_and_no_cell_meets_itself_at_a_border),
		cmocka_unit_test(one_warm_up_for_each_target_comes_first),
		cmocka_unit_test(two_cells_alternate),
		cmocka_unit_test(positions_are_uniform),
		cmocka_unit_test(the_same_seed_gives_the_same_order),
		cmocka_unit_test(shards_share_the_blocks_without_overlap),
		cmocka_unit_test(impossible_shards_are_refused),
		cmocka_unit_test(a_block_can_be_made_of_fewer_cells),
		cmocka_unit_test(time_is_predicted_from_what_is_known),
		cmocka_unit_test(what_nothing_tells_is_named_blind),
		cmocka_unit_test(a_guess_follows_the_size_of_the_tree),
		cmocka_unit_test(a_guess_follows_the_keys_that_set_the_time),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
