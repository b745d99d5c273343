/* What a results file must never lose, and what it must refuse. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/clock.h"
#include "base/rng.h"
#include "store/store.h"

static char folder[64];
static struct arena *arena;
static struct error err;

static const char *
file(const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

static const char *const mkfs_words[] = { "mkfs.ext4", "-E",
	"lazy_itable_init=0", "-L", "it's a \"label\"", "", "%d", NULL };
static const char *const mount_words[] = { "mount", "-t", "ext4", "-o",
	"noatime,data=ordered", "%d", "%m", NULL };
static const char *const size_values[] = { "300", "100000" };
static const char *const uuid_values[] = { "my label", "abc" };

static struct command commands[] = {
	{ RUNG_MAKE, mkfs_words },
	{ RUNG_MOUNT, mount_words },
};
static struct cell_level levels_on[] = { { "noatime", "on", true },
	{ "data", "ordered", false } };
static struct cell_level levels_off[] = { { "noatime", "off", true },
	{ "data", "ordered", false } };
static struct setting settings[] = {
	{ .key = "size", .values = size_values, .value_count = 2 }
};

/* Two cells, two workloads, two blocks and a warm-up. */
static struct plan *
example_plan(void)
{
	struct plan *plan = arena_alloc(arena, sizeof *plan);

	plan->title = "an example";
	plan->matrix_path = "matrix/x.conf";
	plan->matrix_text = "title = \"an example\"\n";
	plan->system = "linux";
	plan->system_version = "6";
	plan->seed = UINT64_MAX - 1;
	plan->rounds = 2;
	plan->budget_ns = 3600 * INT64_C(1000000000);
	plan->baseline = "default";
	plan->only = uuid_values;
	plan->only_count = 2;
	plan->shard = 1;
	plan->shard_count = 3;
	plan->target_count = 1;
	plan->targets = arena_array(arena, 1, sizeof *plan->targets);
	plan->targets[0] = (struct target){ .title = "scratch",
		.kind = TARGET_IMAGE,
		.image_is_auto = true,
		.size_bytes = 1 << 30,
		.overwrite = uuid_values,
		.overwrite_count = 2 };
	plan->tree_count = 1;
	plan->trees = arena_array(arena, 1, sizeof *plan->trees);
	plan->trees[0] = (struct tree_spec){
		.title = "usr", .archive = "usr.tar", .copies = 4
	};
	plan->tree_facts = arena_array(arena, 1, sizeof *plan->tree_facts);
	plan->tree_facts[0] = (struct tree_facts){ .title = "usr",
		.entries = 1000,
		.digest = UINT64_C(0xfedcba9876543210) };
	plan->workload_count = 2;
	plan->workloads = arena_array(arena, 2, sizeof *plan->workloads);
	plan->workloads[0] = (struct workload_spec){ .title = "find",
		.type = "traverse",
		.tree = "usr",
		.metric = "elapsed",
		.timeout_ns = 60 * INT64_C(1000000000),
		.charge = CHARGE_OWN,
		.cache = CACHE_BOTH };
	plan->workloads[1] = (struct workload_spec){ .title = "unpack",
		.type = "untar",
		.settings = settings,
		.setting_count = 1,
		.metric = "elapsed",
		.charge = CHARGE_FLUSHED };
	plan->cell_count = 2;
	plan->cells = arena_array(arena, 2, sizeof *plan->cells);
	for (size_t i = 0; i < 2; i++)
		plan->cells[i] = (struct cell){ .index = i,
			.key = i == 0 ? "ext4:default" : "ext4:noatime",
			.filesystem = "ext4",
			.driver = "ext4",
			.target = "scratch",
			.levels = i == 0 ? levels_off : levels_on,
			.level_count = 2,
			.commands = commands,
			.command_count = 2,
			.asked = i == 0 ? "" : "noatime",
			.expected = "rw",
			.risk = RISK_FUNC,
			.duplicate_of = NO_CELL,
			.is_baseline = i == 0 };
	plan->trial_count = 9;
	plan->trials = arena_array(arena, 9, sizeof *plan->trials);
	plan->trials[0] =
	    (struct planned_trial){ .position = 1, .is_warm_up = true };
	for (size_t i = 1; i < 9; i++)
		plan->trials[i] = (struct planned_trial){ .index = i,
			.block = (int)((i - 1) / 4 + 1),
			.position = (int)((i - 1) % 4 + 1),
			.cell = (i - 1) % 2,
			.workload = (i - 1) / 2 % 2 };
	return plan;
}

static struct session
example_session(const char *boot_id)
{
	struct session session = { .label = "here",
		.boot_id = boot_id,
		.program = "mountmatrix test",
		.started_wall_ns = 1000 };

	fact_list_add(arena, &session.host, "system", "Linux");
	fact_list_add(arena, &session.host, "release", "6.18");
	fact_list_add(arena, &session.tools, "mkfs.ext4", "1.47");
	return session;
}

static void
ok(int rc)
{
	if (rc == -1)
		fail_msg("%s", err.text);
}

static struct store *
new_store(const char *name)
{
	struct store *store = NULL;
	struct session session = example_session("boot-1");

	ok(store_create(&store, file(name), example_plan(), &err));
	ok(store_begin_session(store, &session, &err));
	return store;
}

/* An outcome with everything in it. */
static struct outcome *
example_outcome(size_t trial, double elapsed)
{
	static const struct metric metrics[] = {
		{ "elapsed", "s", LOWER_IS_BETTER, NULL },
		{ "elapsed_warm", "s", LOWER_IS_BETTER, NULL },
		{ "flush", "s", LOWER_IS_BETTER, NULL },
		{ "elapsed_flushed", "s", LOWER_IS_BETTER, NULL },
		{ "device_writes", "", LOWER_IS_BETTER, NULL },
	};
	static const char *const columns[] = { "blogs", "read", "write" };
	struct outcome *outcome = outcome_new(arena, trial);
	struct step *step = outcome_add_step(outcome, arena, RUNG_MAKE);

	step->command = "mkfs.ext4 /dev/loop0";
	step->output = "done\n";
	step->wall_ns = 123;
	/* a device that counts operations, but neither bytes nor flushes */
	step->io = (struct io_counts){ .known = true, .writes = 7 };
	step = outcome_add_step(outcome, arena, RUNG_MEASURE);
	step->io = (struct io_counts){
		.known = true, .bytes_known = true, .written_bytes = 4096
	};
	step->user_ns = 250000000;
	step->kernel = "EXT4-fs: mounted";
	(void)outcome_add_step(outcome, arena, RUNG_CHECK);
	outcome->verdict = VERDICT_OK;
	outcome->started_wall_ns = 2000;
	outcome->ended_wall_ns = 3000;
	outcome->in_force = "rw,noatime";
	outcome_add_sample(outcome, arena, &metrics[0], 0, elapsed);
	outcome_add_sample(outcome, arena, &metrics[0], 1, elapsed + 5);
	outcome_add_sample(outcome, arena, &metrics[1], 0, elapsed / 2);
	outcome_add_sample(outcome, arena, &metrics[2], 0, 0.25);
	outcome_add_sample(outcome, arena, &metrics[3], 0, elapsed + 0.25);
	outcome_add_sample(outcome, arena, &metrics[4], 0, 100);
	outcome->curves = arena_array(arena, 1, sizeof *outcome->curves);
	outcome->curve_count = 1;
	outcome->curves[0] = (struct trial_curve){ .name = "blogbench",
		.interval_s = 10,
		.columns = columns,
		.column_count = 3,
		.values = arena_array(arena, 6, sizeof(double)),
		.row_count = 2 };
	for (size_t i = 0; i < 6; i++)
		outcome->curves[0].values[i] = (double)i;
	return outcome;
}

static void
run_trial(struct store *store, size_t trial, double elapsed)
{
	ok(store_begin_trial(store, trial, 2000, &err));
	ok(store_finish_trial(
	    store, example_outcome(trial, elapsed), NULL, &err));
}

static void
a_plan_comes_back_whole(void **state)
{
	struct store *store = new_store("plan.db");
	const struct plan *plan = example_plan();
	struct plan *back;

	(void)state;
	store_close(store);
	ok(store_open(&store, file("plan.db"), STORE_READ, &err));
	ok(store_load_plan(store, arena, &back, &err));
	assert_string_equal(back->title, plan->title);
	assert_true(back->seed == plan->seed);
	assert_int_equal(back->budget_ns, plan->budget_ns);
	assert_int_equal(back->only_count, plan->only_count);
	for (size_t i = 0; i < plan->only_count; i++)
		assert_string_equal(back->only[i], plan->only[i]);
	assert_int_equal(back->shard, plan->shard);
	assert_int_equal(back->shard_count, plan->shard_count);
	assert_int_equal(back->target_count, 1);
	assert_int_equal(back->targets[0].overwrite_count, 2);
	assert_string_equal(back->targets[0].overwrite[0], "my label");
	assert_true(back->tree_facts[0].digest == plan->tree_facts[0].digest);
	assert_string_equal(back->workloads[1].settings[0].values[1], "100000");
	assert_int_equal(back->workloads[0].cache, CACHE_BOTH);
	assert_int_equal(back->workloads[1].charge, CHARGE_FLUSHED);
	assert_int_equal(back->cell_count, 2);
	assert_string_equal(back->cells[1].levels[0].level, "on");
	assert_int_equal(back->cells[1].duplicate_of, NO_CELL);
	assert_int_equal(back->cells[1].risk, RISK_FUNC);
	for (size_t i = 0; i < 8; i++) {
		const char *word = back->cells[1].commands[0].argv[i];

		if (mkfs_words[i] == NULL)
			assert_null(word);
		else
			assert_string_equal(word, mkfs_words[i]);
	}
	assert_int_equal(back->trial_count, 9);
	assert_int_equal(back->trials[5].block, 2);
	assert_true(back->trials[0].is_warm_up);
	assert_true(store_plan_digest(back) == store_plan_digest(plan));
	store_close(store);
}

static void
a_file_is_private_and_never_overwritten(void **state)
{
	struct store *store = new_store("once.db"), *again = NULL;
	struct stat about;

	(void)state;
	store_close(store);
	assert_int_equal(stat(file("once.db"), &about), 0);
	assert_int_equal(about.st_mode & 07777, 0600);
	assert_int_equal(
	    store_create(&again, file("once.db"), example_plan(), &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "never overwritten"));
	/* a dangling link is something, too */
	assert_int_equal(symlink("nowhere", file("link.db")), 0);
	assert_int_equal(
	    store_create(&again, file("link.db"), example_plan(), &err), -1);
}

static void
an_outcome_comes_back_whole(void **state)
{
	struct store *store = new_store("outcome.db");
	struct outcome *back;

	(void)state;
	run_trial(store, 1, 1.5);
	ok(store_load_outcome(store, 1, arena, &back, &err));
	assert_int_equal(back->verdict, VERDICT_OK);
	assert_int_equal(back->step_count, 3);
	assert_string_equal(back->steps[0].output, "done\n");
	assert_int_equal(back->steps[0].io.writes, 7);
	assert_true(back->steps[0].io.known);
	assert_false(back->steps[0].io.bytes_known);
	assert_false(back->steps[0].io.flushes_known);
	assert_true(back->steps[1].io.bytes_known);
	assert_int_equal(back->steps[1].io.written_bytes, 4096);
	assert_false(back->steps[1].io.flushes_known);
	assert_false(back->steps[2].io.known);
	assert_int_equal(back->sample_count, 6);
	assert_int_equal(back->samples[1].pass, 1);
	assert_true(back->samples[1].value == 6.5);
	assert_int_equal(back->curve_count, 1);
	assert_int_equal(back->curves[0].row_count, 2);
	assert_string_equal(back->curves[0].columns[2], "write");
	assert_true(back->curves[0].values[5] == 5);
	assert_string_equal(back->in_force, "rw,noatime");
	ok(store_check_integrity(store, &err));
	store_close(store);
}

static void
a_trial_must_be_begun_and_is_finished_once(void **state)
{
	struct store *store = new_store("begun.db");
	struct planned_trial retry = {
		.index = 9, .block = 1, .position = 5, .is_retry = true
	};

	(void)state;
	assert_int_equal(
	    store_finish_trial(store, example_outcome(1, 1), NULL, &err), -1);
	run_trial(store, 1, 1);
	assert_int_equal(
	    store_finish_trial(store, example_outcome(1, 1), NULL, &err), -1);
	/* no such trial: the foreign key says no */
	assert_int_equal(store_begin_trial(store, 77, 1, &err), -1);
	ok(store_add_trial(store, &retry, &err));
	assert_int_equal(store_add_trial(store, &retry, &err), -1);
	store_close(store);
}

static void
what_is_left_is_known(void **state)
{
	struct store *store = new_store("left.db");
	struct store_progress progress;
	struct store_summary summary;
	struct cell cell = example_plan()->cells[1];
	struct failure *failures;
	struct outcome *bad = outcome_new(arena, 2);
	size_t count;

	(void)state;
	run_trial(store, 0, 9);
	run_trial(store, 1, 1);
	ok(store_begin_trial(store, 2, 5000, &err));
	ok(store_progress(store, arena, &progress, &err));
	assert_true(progress.done[1]);
	assert_false(progress.done[2]);
	assert_int_equal(progress.aborted[2], 1);
	assert_int_equal(progress.pending, 7);
	ok(store_summarise(store, arena, &summary, &err));
	assert_true(summary.has_open);
	assert_int_equal(summary.open_trial, 2);
	assert_int_equal(summary.finished, 2);
	outcome_fail(bad, VERDICT_FAILED, RUNG_MOUNT, "mount: wrong fs type");
	bad->ended_wall_ns = 6000;
	cell.status = CELL_REJECTED;
	cell.reason = "wrong fs type";
	ok(store_finish_trial(store, bad, &cell, &err));
	ok(store_progress(store, arena, &progress, &err));
	/* the other cell's three trials */
	assert_int_equal(progress.pending, 3);
	ok(store_failures(store, arena, &failures, &count, &err));
	assert_int_equal(count, 1);
	assert_int_equal(failures[0].rung, RUNG_MOUNT);
	assert_string_equal(failures[0].cell, "ext4:noatime");
	assert_string_equal(failures[0].reason, "mount: wrong fs type");
	store_close(store);
}

/* The system's no is told of the cell; it is no run of it that failed. */
static void
a_rejected_cell_has_no_failures(void **state)
{
	struct store *store = new_store("rejected.db");
	struct cell cell = example_plan()->cells[1];
	struct outcome *no = outcome_new(arena, 2);
	struct results_tables tables;
	struct store_summary summary;
	struct failure *failures;
	size_t count;

	(void)state;
	run_trial(store, 0, 9);
	run_trial(store, 1, 1);
	ok(store_begin_trial(store, 2, 5000, &err));
	outcome_fail(no, VERDICT_FAILED, RUNG_MOUNT, "mount: unknown");
	no->cell_rejected = true;
	no->ended_wall_ns = 6000;
	cell.status = CELL_REJECTED;
	cell.reason = no->reason;
	ok(store_finish_trial(store, no, &cell, &err));
	ok(store_failures(store, arena, &failures, &count, &err));
	assert_int_equal(count, 0);
	ok(store_summarise(store, arena, &summary, &err));
	assert_int_equal(summary.failed, 0);
	ok(store_tables(
	    store, &(struct store_filter){ 0 }, arena, &tables, &err));
	assert_true(tables.count > 0);
	for (size_t i = 0; i < tables.count; i++)
		for (size_t j = 0; j < tables.items[i].series->run_count; j++)
			assert_int_not_equal(
			    tables.items[i].series->runs[j].cell, 1);
	store_close(store);
}

/* Begins a session in a boot, begins a trial, and is gone. */
static void
crash_in(struct store *store, const char *boot, size_t trial)
{
	struct session session = example_session(boot);

	ok(store_begin_session(store, &session, &err));
	ok(store_begin_trial(store, trial, 100, &err));
}

static void
a_cell_that_downs_the_machine_twice_is_passed_over(void **state)
{
	struct store *store = new_store("panic.db");
	struct store_progress progress;
	struct session session;
	struct failure *failures;
	size_t count;

	(void)state;
	/* killed, not crashed: the next session has the same boot id */
	crash_in(store, "a", 1);
	crash_in(store, "a", 1);
	/* crashed once, in another trial of the cell, then killed */
	crash_in(store, "b", 3);
	crash_in(store, "b", 3);
	session = example_session("b");
	ok(store_begin_session(store, &session, &err));
	ok(store_progress(store, arena, &progress, &err));
	assert_false(progress.panicked[0]);
	assert_int_equal(progress.aborted[1], 2);
	assert_int_equal(progress.pending, 9);
	/* the second reboot in the same cell */
	ok(store_begin_trial(store, 5, 100, &err));
	ok(store_judge_crashes(store, "b", &err));
	ok(store_progress(store, arena, &progress, &err));
	assert_false(progress.panicked[0]);
	/* known before the session begins, whose work is chosen by it */
	ok(store_judge_crashes(store, "c", &err));
	ok(store_progress(store, arena, &progress, &err));
	assert_true(progress.panicked[0]);
	session = example_session("c");
	ok(store_begin_session(store, &session, &err));
	ok(store_progress(store, arena, &progress, &err));
	assert_true(progress.panicked[0]);
	assert_false(progress.panicked[1]);
	assert_int_equal(progress.pending, 4);
	ok(store_failures(store, arena, &failures, &count, &err));
	assert_true(count >= 1);
	assert_int_equal(failures[count - 1].verdict, VERDICT_PANIC);
	store_close(store);
}

static const struct results_table *
find_table(const struct results_tables *tables, const char *metric)
{
	for (size_t i = 0; i < tables->count; i++)
		if (strcmp(tables->items[i].series->metric, metric) == 0)
			return &tables->items[i];
	return NULL;
}

static void
each_ranked_metric_is_a_table(void **state)
{
	struct store *store = new_store("tables.db");
	struct results_tables tables;
	const struct results_table *table;
	struct store_filter filter = { .workload = "find", .metric = "flush" };
	struct outcome *late = outcome_new(arena, 5);

	(void)state;
	for (size_t i = 0; i < 5; i++)
		run_trial(store, i, 1.0 + (double)i);
	outcome_fail(late, VERDICT_TIMEOUT, RUNG_MEASURE, "too slow");
	late->ended_wall_ns = 5000;
	ok(store_begin_trial(store, 5, 4000, &err));
	ok(store_finish_trial(store, late, NULL, &err));
	ok(store_begin_trial(store, 6, 4000, &err)); /* cut off: no run */
	ok(store_tables(store, NULL, arena, &tables, &err));
	assert_int_equal(tables.count, 3);
	table = find_table(&tables, "elapsed");
	assert_string_equal(table->series->workload, "find");
	assert_int_equal(table->series->cell_count, 2);
	/* warm-up, two of block 1, the time-out of block 2 */
	assert_int_equal(table->series->run_count, 4);
	assert_int_equal(table->series->runs[0].state, RUN_WARMUP);
	assert_true(table->series->runs[1].value == 2.0);
	assert_int_equal(table->series->runs[3].state, RUN_TIMEOUT);
	assert_true(table->series->runs[3].value == 60.0);
	assert_string_equal(table->series->cells[1].title, "noatime");
	assert_string_equal(table->series->sessions[0].host, "Linux 6.18");
	assert_int_equal(table->series->curve_count, 2);
	assert_int_equal(table->series->curves[0].columns[1].role, CURVE_READ);
	assert_non_null(find_table(&tables, "elapsed_warm"));
	table = find_table(&tables, "elapsed_flushed");
	assert_string_equal(table->series->workload, "unpack");
	assert_true(table->is_flushed);
	assert_true(table->series->runs[0].value == 4.25);
	for (size_t i = 0; i < table->companion_count; i++)
		if (strcmp(table->companions[i].metric, "cpu") == 0)
			assert_true(table->companions[i].values[0] == 0.25);
	ok(store_tables(store, &filter, arena, &tables, &err));
	assert_int_equal(tables.count, 1);
	filter.metric = "flsh";
	assert_int_equal(
	    store_tables(store, &filter, arena, &tables, &err), -1);
	assert_non_null(strstr(err.text, "flush"));
	filter.workload = "fnd";
	assert_int_equal(
	    store_tables(store, &filter, arena, &tables, &err), -1);
	assert_non_null(strstr(err.text, "find, unpack"));
	store_close(store);
}

/* One outcome of a sweep, with a curve as the blogbench engine writes it. */
static struct outcome *
sweep_outcome(size_t trial)
{
	static const struct metric metrics[] = {
		{ "iops", "1/s", HIGHER_IS_BETTER, NULL },
		{ "iops@4K", "1/s", HIGHER_IS_BETTER, NULL },
		{ "iops@64K", "1/s", HIGHER_IS_BETTER, NULL },
	};
	static const char *const columns[] = { "blogs", "read_articles",
		"write_articles", "read_pictures", "read_blogs" };
	struct outcome *outcome = outcome_new(arena, trial);

	outcome->verdict = VERDICT_OK;
	outcome->ended_wall_ns = 3000;
	for (size_t i = 0; i < 3; i++)
		outcome_add_sample(
		    outcome, arena, &metrics[i], 0, 100.0 + (double)i);
	outcome->curves = arena_array(arena, 2, sizeof *outcome->curves);
	outcome->curve_count = 2;
	outcome->curves[0] = (struct trial_curve){ .name = "blogbench",
		.interval_s = 10,
		.columns = columns,
		.column_count = 5,
		.values = arena_array(arena, 5, sizeof(double)),
		.row_count = 1 };
	for (size_t i = 0; i < 5; i++)
		outcome->curves[0].values[i] = (double)(1 << i);
	/* a histogram is no time series */
	outcome->curves[1] = (struct trial_curve){
		.name = "latency", .columns = columns, .column_count = 0
	};
	return outcome;
}

/* cache = warm has no cold walk: the warm ones rank, and nothing else. */
static void
what_was_walked_warm_only_ranks(void **state)
{
	static const struct metric warm = { "elapsed_warm", "s",
		LOWER_IS_BETTER, NULL };
	struct plan *plan = example_plan();
	struct session session = example_session("boot-1");
	struct store *store = NULL;
	struct results_tables tables;

	(void)state;
	plan->workload_count = 1;
	plan->workloads[0].cache = CACHE_WARM;
	for (size_t i = 0; i < plan->trial_count; i++)
		plan->trials[i].workload = 0;
	ok(store_create(&store, file("warm.db"), plan, &err));
	ok(store_begin_session(store, &session, &err));
	for (size_t i = 0; i < 4; i++) {
		struct outcome *outcome = outcome_new(arena, i);

		outcome->verdict = VERDICT_OK;
		outcome->ended_wall_ns = 3000;
		outcome_add_sample(outcome, arena, &warm, 0, 2.0);
		ok(store_begin_trial(store, i, 1000, &err));
		ok(store_finish_trial(store, outcome, NULL, &err));
	}
	ok(store_tables(store, NULL, arena, &tables, &err));
	assert_int_equal(tables.count, 1);
	assert_non_null(find_table(&tables, "elapsed_warm"));
	store_close(store);
}

/* What a trial remarks on is told once, with how many runs it was. */
static void
remarks_are_counted(void **state)
{
	struct store *store = new_store("remarks.db");
	const char **texts;
	size_t count;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct outcome *outcome = example_outcome(i, 1);

		if (i != 2)
			outcome->notes = "warm: it is in use";
		ok(store_begin_trial(store, i, 1000, &err));
		ok(store_finish_trial(store, outcome, NULL, &err));
	}
	ok(store_begin_trial(store, 4, 1000, &err)); /* cut off: no run */
	ok(store_remarks(store, arena, &texts, &count, &err));
	assert_true(count >= 1);
	for (size_t i = 0; i < count; i++) {
		assert_non_null(strstr(texts[i], " of "));
		assert_non_null(strstr(texts[i], ": warm: it is in use"));
	}
	store_close(store);
}

static void
a_sweep_ranks_each_of_its_sizes(void **state)
{
	struct plan *plan = example_plan();
	struct session session = example_session("x");
	const struct series_curve *curve;
	struct results_tables tables;
	struct store *store;

	(void)state;
	plan->workloads[0].metric = "iops";
	ok(store_create(&store, file("sweep.db"), plan, &err));
	ok(store_begin_session(store, &session, &err));
	ok(store_begin_trial(store, 1, 2000, &err));
	ok(store_finish_trial(store, sweep_outcome(1), NULL, &err));
	ok(store_tables(store, NULL, arena, &tables, &err));
	assert_null(find_table(&tables, "iops"));
	assert_non_null(find_table(&tables, "iops@64K"));
	assert_int_equal(
	    find_table(&tables, "iops@64K")->series->curve_count, 0);
	assert_int_equal(
	    find_table(&tables, "iops@4K")->series->curve_count, 1);
	curve = &find_table(&tables, "iops@4K")->series->curves[0];
	assert_int_equal(curve->column_count, 7);
	assert_int_equal(curve->columns[0].role, CURVE_SIZE);
	assert_int_equal(curve->columns[5].role, CURVE_READ);
	assert_true(curve->columns[5].values[0] == 2 + 8);
	assert_int_equal(curve->columns[6].role, CURVE_WRITE);
	assert_true(curve->columns[6].values[0] == 4);
	store_close(store);
}

static void
shards_of_one_plan_become_one_file(void **state)
{
	struct store *one = new_store("one.db"), *two = new_store("two.db");
	const char *in[] = { file("one.db"), file("two.db") };
	struct store *both;
	struct store_progress progress;
	struct results_tables tables;
	struct plan *other = example_plan();
	struct plan *joined;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		if (i < 5)
			run_trial(one, i, 1.0 + (double)i);
		else
			run_trial(two, i, 1.0 + (double)i);
	run_trial(two, 0, 9);
	ok(store_merge(file("both.db"), in, 2, &err));
	ok(store_open(&both, file("both.db"), STORE_READ, &err));
	ok(store_check_integrity(both, &err));
	ok(store_progress(both, arena, &progress, &err));
	assert_int_equal(progress.pending, 0);
	assert_int_equal(progress.trial_count, 10); /* both warm-ups stay */
	ok(store_load_plan(both, arena, &joined, &err));
	assert_int_equal(joined->shard_count, 0); /* it is no part any more */
	assert_int_equal(joined->only_count, 2);
	ok(store_tables(both, NULL, arena, &tables, &err));
	assert_int_equal(find_table(&tables, "elapsed")->series->run_count, 6);
	store_close(both);
	/* the same trial twice is not two trials */
	run_trial(two, 1, 1);
	assert_int_equal(store_merge(file("no.db"), in, 2, &err), -1);
	assert_non_null(strstr(err.text, "both have block 1"));
	assert_int_equal(access(file("no.db"), F_OK), -1);
	store_close(one);
	store_close(two);
	/* another plan is another plan */
	other->cells[1].asked = "nodiratime";
	ok(store_create(&one, file("other.db"), other, &err));
	store_close(one);
	in[1] = file("other.db");
	assert_int_equal(store_merge(file("no.db"), in, 2, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
}

/* Reads everything; only a crash fails the test. */
static void
read_all(const char *path)
{
	struct arena *scratch = arena_new();
	struct error ignored = { 0 };
	const char **texts;
	struct store *store = NULL;
	struct results_tables tables;
	struct store_progress progress;
	struct store_summary summary;
	struct failure *failures;
	struct plan *plan;
	size_t count;

	if (store_open(&store, path, STORE_READ, &ignored) == 0) {
		store_load_plan(store, scratch, &plan, &ignored);
		store_tables(store, NULL, scratch, &tables, &ignored);
		store_progress(store, scratch, &progress, &ignored);
		store_summarise(store, scratch, &summary, &ignored);
		store_failures(store, scratch, &failures, &count, &ignored);
		store_remarks(store, scratch, &texts, &count, &ignored);
		store_check_integrity(store, &ignored);
	}
	store_close(store);
	arena_free(scratch);
}

static void
write_file(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	fclose(out);
}

static void
a_damaged_file_is_refused_and_never_crashes(void **state)
{
	struct store *store = new_store("whole.db");
	static char bytes[1 << 20], damaged[1 << 20];
	struct rng rng;
	FILE *in;
	size_t size;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		run_trial(store, i, 1.0 + (double)i);
	store_close(store);
	in = fopen(file("whole.db"), "rb");
	size = fread(bytes, 1, sizeof bytes, in);
	fclose(in);
	assert_true(size > 10000 && size < sizeof bytes);
	rng_seed(&rng, 7);
	for (int round = 0; round < 300; round++) {
		size_t length = size;

		memcpy(damaged, bytes, size);
		for (uint64_t i = rng_below(&rng, 20) + 1; i > 0; i--)
			damaged[rng_below(&rng, size)] = (char)rng_next(&rng);
		if (round % 10 == 0)
			length = (size_t)rng_below(&rng, size);
		write_file(file("damaged.db"), damaged, length);
		read_all(file("damaged.db"));
	}
	/* a header that asks for a write-ahead log */
	memcpy(damaged, bytes, size);
	damaged[18] = damaged[19] = 2;
	write_file(file("wal.db"), damaged, size);
	assert_int_equal(
	    store_open(&store, file("wal.db"), STORE_READ, &err), -1);
	assert_int_equal(access(file("wal.db-wal"), F_OK), -1);
	write_file(file("text.db"), "not a database at all\n", 22);
	assert_int_equal(
	    store_open(&store, file("text.db"), STORE_READ, &err), -1);
	write_file(file("empty.db"), "", 0);
	assert_int_equal(
	    store_open(&store, file("empty.db"), STORE_READ, &err), -1);
	assert_non_null(strstr(err.text, "not a results file"));
	assert_int_equal(store_open(&store, folder, STORE_READ, &err), -1);
	assert_int_equal(
	    store_open(&store, file("absent.db"), STORE_READ, &err), -1);
}

/* Somebody else's hand in the file. */
static void
tamper(const char *path, const char *sql)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	sqlite3_close(handle);
}

static int64_t
count_in(const char *path, const char *sql)
{
	sqlite3 *handle;
	sqlite3_stmt *statement;
	int64_t count = -1;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(
	    sqlite3_prepare_v2(handle, sql, -1, &statement, NULL), SQLITE_OK);
	if (sqlite3_step(statement) == SQLITE_ROW)
		count = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(handle);
	return count;
}

static void
a_word_that_no_model_knows_is_damage(void **state)
{
	static const char *const changes[] = {
		"UPDATE cell SET status = 'splendid'",
		"UPDATE cell SET duplicate_of = 99 WHERE id = 1",
		"UPDATE trial SET workload = 5 WHERE id = 3",
		"UPDATE trial SET block = 'x' WHERE id = 3",
		"UPDATE command SET line = '\"open'",
		"UPDATE plan SET seed = 'abc'",
		"DELETE FROM trial WHERE id = 4",
		"DELETE FROM plan",
		"DROP TABLE note",
		"DROP TABLE sample; CREATE VIEW sample AS SELECT 1",
		"CREATE TRIGGER t AFTER INSERT ON note BEGIN SELECT 1; END",
		"UPDATE sample SET value = 'much'",
		"UPDATE attempt SET verdict = 'fine' WHERE id = 2",
		"UPDATE curve SET rows = 1000000",
		"UPDATE sample SET better = 'up'",
	};

	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		const char *path = file(arena_printf(arena, "word%zu.db", i));
		struct store *store =
		    new_store(arena_printf(arena, "word%zu.db", i));
		int rc;

		run_trial(store, 1, 1);
		run_trial(store, 3, 1);
		store_close(store);
		tamper(path, changes[i]);
		read_all(path);
		rc = store_open(&store, path, STORE_READ, &err);
		if (rc == 0) {
			rc = store_check_integrity(store, &err);
			store_close(store);
		}
		if (rc == 0)
			fail_msg("not found: %s", changes[i]);
	}
}

/* A child that stores trials as fast as it can and says each that is done. */
static void
store_until_killed(int out)
{
	struct store *store = NULL;
	struct session session = example_session("boot-9");

	if (store_open(&store, file("killed.db"), STORE_WRITE, &err) == -1 ||
	    store_begin_session(store, &session, &err) == -1)
		_exit(1);
	for (int64_t i = 0;; i++) {
		size_t trial = (size_t)(i % 9);

		if (store_begin_trial(store, trial, i, &err) == -1 ||
		    store_finish_trial(
			store, example_outcome(trial, 1), NULL, &err) == -1 ||
		    write(out, &i, sizeof i) != sizeof i)
			_exit(1);
	}
}

static void
what_was_stored_survives_a_kill(void **state)
{
	struct store *store = new_store("killed.db");
	struct rng rng;
	int64_t total = 0;
	bool is_said[9] = { false };

	(void)state;
	store_close(store);
	rng_seed(&rng, (uint64_t)clock_wall_ns());
	for (int round = 0; round < 12 || (total == 0 && round < 99); round++) {
		static const char good[] =
		    "SELECT count(*) FROM attempt WHERE verdict = 'ok'";
		static const char cut[] =
		    "SELECT count(*) FROM attempt WHERE verdict = 'aborted'";
		int64_t good_before, cut_before, said = 0, i;
		int pipes[2];
		pid_t child;

		good_before = count_in(file("killed.db"), good);
		cut_before = count_in(file("killed.db"), cut);
		assert_int_equal(pipe(pipes), 0);
		child = fork();
		if (child == 0)
			store_until_killed(pipes[1]);
		close(pipes[1]);
		clock_sleep_ms(20 + (int64_t)rng_below(&rng, 120));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(pipes[0], &i, sizeof i) == sizeof i) {
			is_said[i % 9] = true;
			said++;
		}
		close(pipes[0]);
		total += said;
		/* what was said to be done is there; at most the one after
		 * it may be there too, or be cut off */
		ok(store_open(&store, file("killed.db"), STORE_WRITE, &err));
		store_close(store);
		i = count_in(file("killed.db"), good) - good_before;
		assert_true(i == said || i == said + 1);
		i = count_in(file("killed.db"), cut) - cut_before;
		assert_true(i == 0 || i == 1);
	}
	ok(store_open(&store, file("killed.db"), STORE_WRITE, &err));
	{
		struct outcome *back;

		for (size_t trial = 0; trial < 9; trial++)
			if (is_said[trial])
				ok(store_load_outcome(
				    store, trial, arena, &back, &err));
	}
	store_close(store);
	print_message("# %lld trials in 12 killed writers\n", (long long)total);
	assert_true(total > 0);
}

/* A child that is killed with half of a transaction in the file. */
static void
half_a_transaction(void)
{
	sqlite3 *handle;

	if (sqlite3_open(file("hot.db"), &handle) != SQLITE_OK ||
	    sqlite3_exec(handle,
		"PRAGMA cache_size = 2; BEGIN; UPDATE step SET output ="
		" hex(randomblob(20000)); DELETE FROM sample;"
		" INSERT INTO note VALUES('half', hex(randomblob(50000)))",
		NULL, NULL, NULL) != SQLITE_OK)
		_exit(1);
	raise(SIGKILL);
}

static void
a_reader_takes_back_what_a_kill_left_half_done(void **state)
{
	struct store *store = new_store("hot.db");
	struct outcome *back;
	int status;
	pid_t child;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		run_trial(store, i, 1);
	store_close(store);
	child = fork();
	if (child == 0)
		half_a_transaction();
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(access(file("hot.db-journal"), F_OK), 0);
	ok(store_open(&store, file("hot.db"), STORE_READ, &err));
	ok(store_load_outcome(store, 3, arena, &back, &err));
	assert_int_equal(back->sample_count, 6);
	assert_string_equal(back->steps[0].output, "done\n");
	ok(store_check_integrity(store, &err));
	/* and it still writes nothing of its own */
	assert_int_equal(store_note(store, "a", "b", &err), -1);
	store_close(store);
	assert_int_equal(access(file("hot.db-journal"), F_OK), -1);
}

static void
an_import_is_a_results_file(void **state)
{
	struct plan *plan = example_plan();
	struct session session = example_session("");
	struct outcome outcomes[2] = { *example_outcome(1, 3),
		*example_outcome(2, 4) };
	struct imported imported = { .plan = plan,
		.sessions = &session,
		.session_count = 1,
		.outcomes = outcomes,
		.outcome_count = 2 };
	struct store *store;
	struct store_summary summary;
	struct results_tables tables;

	(void)state;
	ok(store_create_imported(file("import.db"), &imported, &err));
	ok(store_open(&store, file("import.db"), STORE_READ, &err));
	ok(store_summarise(store, arena, &summary, &err));
	assert_true(summary.is_imported);
	assert_int_equal(summary.finished, 2);
	ok(store_tables(store, NULL, arena, &tables, &err));
	assert_int_equal(tables.items[0].series->run_count, 2);
	ok(store_check_integrity(store, &err));
	store_close(store);
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/store_test.XXXXXX");
	arena = arena_new();
	return mkdtemp(folder) == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	const char *command = arena_printf(arena, "rm -rf '%s'", folder);
	int rc = system(command);

	(void)state;
	arena_free(arena);
	return rc;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_comes_back_whole),
		cmocka_unit_test(a_file_is_private_and_never_overwritten),
		cmocka_unit_test(an_outcome_comes_back_whole),
		cmocka_unit_test(a_trial_must_be_begun_and_is_finished_once),
		cmocka_unit_test(what_is_left_is_known),
		cmocka_unit_test(a_rejected_cell_has_no_failures),
		cmocka_unit_test(
		    a_cell_that_downs_the_machine_twice_is_passed_over),
		cmocka_unit_test(each_ranked_metric_is_a_table),
		cmocka_unit_test(what_was_walked_warm_only_ranks),
		cmocka_unit_test(remarks_are_counted),
		cmocka_unit_test(a_sweep_ranks_each_of_its_sizes),
		cmocka_unit_test(shards_of_one_plan_become_one_file),
		cmocka_unit_test(a_damaged_file_is_refused_and_never_crashes),
		cmocka_unit_test(a_word_that_no_model_knows_is_damage),
		cmocka_unit_test(what_was_stored_survives_a_kill),
		cmocka_unit_test(
		    a_reader_takes_back_what_a_kill_left_half_done),
		cmocka_unit_test(an_import_is_a_results_file),
	};

	return cmocka_run_group_tests_name("store", tests, set_up, tear_down);
}
