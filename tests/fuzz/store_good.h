/*
 * The results file that store_fuzz.c changes: small, with something in every
 * table, so that each column is read, ranked and printed by the harness.
 */
#ifndef MM_FUZZ_STORE_GOOD_H
#define MM_FUZZ_STORE_GOOD_H

#include <stdlib.h>
#include <string.h>

#include "store/store.h"

enum { GOOD_CELLS = 3, GOOD_WORKLOADS = 3, GOOD_BLOCKS = 2 };
enum { GOOD_TRIALS = GOOD_CELLS * GOOD_WORKLOADS * GOOD_BLOCKS + 1 };

static const struct metric good_metrics[] = {
	{ "elapsed", "s", LOWER_IS_BETTER, NULL },
	{ "elapsed_warm", "s", LOWER_IS_BETTER, NULL },
	{ "iops@4K", "1/s", HIGHER_IS_BETTER, NULL },
	{ "iops@64K", "1/s", HIGHER_IS_BETTER, NULL },
	{ "elapsed_flushed", "s", LOWER_IS_BETTER, NULL },
};

static struct outcome
good_outcome(struct arena *arena, size_t trial, size_t workload)
{
	static const char *const columns[] = { "blogs", "read", "write_a" };
	struct outcome outcome = { .trial = trial,
		.verdict = trial == 5 ? VERDICT_TIMEOUT : VERDICT_OK,
		.reason = trial == 5 ? "it took too long" : "",
		.notes = trial % 3 == 0 ? "warm: it is in use" : "",
		.started_wall_ns = 1000000000 * (int64_t)(trial + 1),
		.ended_wall_ns = 1000000000 * (int64_t)(trial + 2) - 1,
		.in_force = "rw,noatime" };
	struct step *step = outcome_add_step(&outcome, arena, RUNG_MEASURE);

	step->command = "measure it";
	step->user_ns = 300000000;
	step->io = (struct io_counts){ .known = true, .reads = 9 };
	for (size_t i = 0; i < sizeof good_metrics / sizeof *good_metrics; i++)
		if (workload == 0 ? i < 2 : workload == 1 ? i / 2 == 1 : i != 1)
			outcome_add_sample(&outcome, arena, &good_metrics[i], 0,
			    1.5 + (double)(trial * (i + 1) % 7) / 10);
	outcome_add_sample(&outcome, arena, &good_metrics[0], 1, 1.25);
	if (workload != 1)
		return outcome;
	outcome.curves = arena_array(arena, 1, sizeof *outcome.curves);
	outcome.curve_count = 1;
	outcome.curves[0] = (struct trial_curve){ .name = "c",
		.interval_s = 1,
		.columns = columns,
		.column_count = 3,
		.values = arena_array(arena, 12, sizeof(double)),
		.row_count = 4 };
	for (size_t i = 0; i < 12; i++)
		outcome.curves[0].values[i] = (double)(i * 7 % 5) + 1;
	return outcome;
}

static void
good_workloads(struct plan *plan, struct arena *arena)
{
	static const char *const step_values[] = { "0.01", NULL };
	static struct setting clock = {
		.key = "clock_step", .values = step_values, .value_count = 1
	};
	static struct metric_pattern pattern = {
		.metric = { "secs", "s", LOWER_IS_BETTER, "seconds" },
		.pattern = "took ([0-9.]+)"
	};

	plan->workload_count = GOOD_WORKLOADS;
	plan->workloads =
	    arena_array(arena, GOOD_WORKLOADS, sizeof *plan->workloads);
	plan->workloads[0] = (struct workload_spec){ .title = "find",
		.type = "traverse",
		.tree = "usr",
		.settings = &clock,
		.setting_count = 1,
		.timeout_ns = INT64_C(60000000000),
		.metric = "elapsed",
		.cache = CACHE_BOTH };
	plan->workloads[1] = (struct workload_spec){
		.title = "io", .type = "fileio", .metric = "iops"
	};
	plan->workloads[2] = (struct workload_spec){ .title = "own",
		.type = "command",
		.metric = "elapsed secs",
		.charge = CHARGE_FLUSHED,
		.patterns = &pattern,
		.pattern_count = 1 };
}

static void
good_cells(struct plan *plan, struct arena *arena)
{
	static struct cell_level levels[GOOD_CELLS][2] = {
		{ { "noatime", "off", true }, { "data", "ordered", false } },
		{ { "noatime", "on", true }, { "data", "ordered", false } },
		{ { "noatime", "on", true }, { "data", "writeback", false } },
	};
	static const char *const keys[] = { "e:default", "e:noatime",
		"e:noatime+data=writeback" };
	static const char *const words[] = { "mount", "%d", "a b", NULL };
	static struct command command = { RUNG_MOUNT, words };

	plan->cell_count = GOOD_CELLS;
	plan->cells = arena_array(arena, GOOD_CELLS, sizeof *plan->cells);
	for (size_t i = 0; i < GOOD_CELLS; i++)
		plan->cells[i] = (struct cell){ .index = i,
			.key = keys[i],
			.filesystem = "e",
			.driver = "ext4",
			.target = "t",
			.in_force = "rw",
			.risk = RISK_FUNC,
			.status = i == 2 ? CELL_CHANGED : CELL_OK,
			.reason = i == 2 ? "it did as it pleased" : NULL,
			.levels = levels[i],
			.level_count = 2,
			.commands = &command,
			.command_count = 1,
			.duplicate_of = i == 2 ? 1 : NO_CELL,
			.is_baseline = i == 0 };
}

static void
good_plan(struct plan *plan, struct arena *arena)
{
	static const char *const uuids[] = { "my label" };
	static struct target target = { .title = "t",
		.kind = TARGET_IMAGE,
		.image_is_auto = true,
		.size_bytes = 1 << 30,
		.overwrite = uuids,
		.overwrite_count = 1 };
	static struct tree_spec tree = {
		.title = "usr", .archive = "usr.tar", .copies = 2
	};
	static struct tree_facts facts = { .title = "usr", .entries = 10 };

	*plan = (struct plan){ .title = "a night",
		.matrix_path = "matrix/x.conf",
		.system = "linux",
		.system_version = "",
		.rounds = GOOD_BLOCKS,
		.baseline = "default",
		.targets = &target,
		.target_count = 1,
		.trees = &tree,
		.tree_facts = &facts,
		.tree_count = 1,
		.trial_count = GOOD_TRIALS };
	good_workloads(plan, arena);
	good_cells(plan, arena);
	plan->trials = arena_array(arena, GOOD_TRIALS, sizeof *plan->trials);
	plan->trials[0] =
	    (struct planned_trial){ .position = 1, .is_warm_up = true };
	for (size_t i = 1; i < GOOD_TRIALS; i++)
		plan->trials[i] = (struct planned_trial){ .index = i,
			.block =
			    (int)((i - 1) / (GOOD_TRIALS / GOOD_BLOCKS)) + 1,
			.position =
			    (int)((i - 1) % (GOOD_TRIALS / GOOD_BLOCKS)) + 1,
			.cell = (i - 1) % GOOD_CELLS,
			.workload = (i - 1) / GOOD_CELLS % GOOD_WORKLOADS };
}

/* Makes the file; two sessions with a label each, so that they compare. */
static void
good_store(const char *path)
{
	struct arena *arena = arena_new();
	struct plan plan;
	struct session sessions[2] = {
		{ .label = "6.1", .boot_id = "b", .started_wall_ns = 1 },
		{ .label = "6.2", .boot_id = "c", .started_wall_ns = 2 },
	};
	struct outcome outcomes[GOOD_TRIALS];
	size_t outcome_sessions[GOOD_TRIALS];
	struct imported imported = { .plan = &plan,
		.sessions = sessions,
		.session_count = 2,
		.outcomes = outcomes,
		.outcome_sessions = outcome_sessions,
		.outcome_count = GOOD_TRIALS };
	struct error err = { 0 };

	good_plan(&plan, arena);
	for (size_t i = 0; i < 2; i++) {
		fact_list_add(arena, &sessions[i].host, "system", "Linux");
		fact_list_add(arena, &sessions[i].tools, "mkfs", "1.47");
	}
	for (size_t i = 0; i < GOOD_TRIALS; i++) {
		outcomes[i] = good_outcome(arena, i, plan.trials[i].workload);
		outcome_sessions[i] = plan.trials[i].block == GOOD_BLOCKS;
	}
	if (store_create_imported(path, &imported, &err) == -1)
		abort();
	arena_free(arena);
}

#endif
