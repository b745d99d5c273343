#include "cli/reporting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/atimes.h"
#include "base/argv.h"
#include "base/buffer.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "plan/select.h"
#include "platform/lock.h"
#include "store/store.h"
#include "workload/workload.h"

enum { MOST_REMARKS = 12 };

/* Everything read from one file, and what analysis made of it. */
struct reading {
	struct store *store;
	struct results_tables tables;
	struct report_input input;
};

/* In the largest unit of which it is a whole number. */
static void
push_time(struct argv *line, int64_t ns)
{
	static const struct {
		int64_t ns;
		const char *unit;
	} units[] = { { 3600000000000, "h" }, { 60000000000, "m" },
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1, "ns" } };
	size_t i = 0;

	while (ns % units[i].ns != 0)
		i++;
	argv_pushf(
	    line, "%lld%s", (long long)(ns / units[i].ns), units[i].unit);
}

/* What the command line, or the matrix file of then, left out of the plan. */
static void
push_selection(struct argv *line, const struct plan *plan)
{
	const char *baseline = plan->baseline;

	for (size_t i = 0; i < plan->only_count; i++) {
		argv_push(line, "--only");
		argv_push(line, plan->only[i]);
	}
	if (plan->shard_count > 0) {
		argv_push(line, "--shard");
		argv_pushf(line, "%d/%d", plan->shard, plan->shard_count);
	}
	if (plan->budget_ns > 0) {
		argv_push(line, "--budget");
		push_time(line, plan->budget_ns);
	}
	if (baseline != NULL && baseline[0] != '\0' &&
	    strcmp(baseline, "default") != 0) {
		argv_push(line, "--baseline");
		argv_push(line, baseline);
	}
}

char *
reporting_again(struct arena *arena, const struct plan *plan)
{
	struct argv line;

	argv_init(&line, arena);
	argv_push(&line, "mountmatrix");
	argv_push(&line, "run");
	argv_push(&line, plan->matrix_path);
	argv_push(&line, "--seed");
	argv_pushf(&line, "%llu", (unsigned long long)plan->seed);
	argv_push(&line, "--rounds");
	argv_pushf(&line, "%lld", (long long)plan->rounds);
	push_selection(&line, plan);
	for (size_t i = 0; i < plan->target_count; i++)
		if (plan->targets[i].kind == TARGET_DEVICE) {
			argv_push(&line, "--destroy");
			argv_push(&line, plan->targets[i].path);
		}
	return argv_quote(&line);
}

/* The cell of that key, its tokens in any order. */
static size_t
find_key(const struct series_table *table, const char *key)
{
	size_t chosen = series_find_cell(table, key);

	for (size_t i = 0; chosen == SERIES_NONE && i < table->cell_count; i++)
		if (strchr(key, ':') != NULL && strpbrk(key, "*?[") == NULL &&
		    select_matches(key, table->cells[i].key))
			chosen = i;
	return chosen;
}

static bool
is_default(const char *key)
{
	const char *colon = strchr(key, ':');

	return strcmp(colon == NULL ? key : colon + 1, "default") == 0;
}

/* "default": each filesystem's own.  Where axes have no cell of that name, what
 * the matrix took for it stays, if that was one for each. */
static bool
set_default_baseline(struct series_table *table)
{
	size_t found = 0, stored = 0;

	for (size_t i = 0; i < table->cell_count; i++) {
		stored += table->cells[i].is_baseline ? 1 : 0;
		found += is_default(table->cells[i].key) ? 1 : 0;
	}
	for (size_t i = 0; i < table->cell_count && found > 0; i++)
		table->cells[i].is_baseline = is_default(table->cells[i].key);
	return found > 0 || stored > 0;
}

int
reporting_set_baseline(
    struct series_table *table, const char *key, struct error *err)
{
	size_t chosen = find_key(table, key);
	const char **keys;
	const char *nearest;

	if (chosen != SERIES_NONE) {
		for (size_t i = 0; i < table->cell_count; i++)
			table->cells[i].is_baseline = i == chosen;
		return 0;
	}
	if (strcmp(key, "default") == 0 && set_default_baseline(table))
		return 0;
	keys = arena_array(table->arena, table->cell_count + 1, sizeof *keys);
	for (size_t i = 0; i < table->cell_count; i++)
		keys[i] = table->cells[i].key;
	nearest = suggest_key(key, keys, table->cell_count);
	if (nearest != NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "there is no cell '%s'; did you mean '%s'?", key, nearest);
	return error_set_kind(
	    err, ERROR_USAGE, "there is no cell '%s' in these results", key);
}

/* Those of one workload, in front; how many. */
static size_t
keep_failures(struct failure *failures, size_t count, const char *workload)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (strcmp(failures[i].workload, workload) == 0)
			failures[kept++] = failures[i];
	return kept;
}

/* Is a run at work on the file? */
static bool
is_running(const char *path, struct arena *arena)
{
	char *key = realpath(path, NULL);
	bool is_held = key != NULL && platform_lock_is_held(arena, key);

	free(key);
	return is_held;
}

/* What the cells' probes and counters say of access times, in front. */
static void
add_atimes(struct reading *reading, struct arena *arena)
{
	struct report_input *input = &reading->input;
	const char **warnings, **all;
	size_t count =
	    atimes_unwritten(input->plan, &reading->tables, &warnings, arena);

	if (count == 0)
		return;
	all = arena_array(arena, count + input->warning_count, sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = warnings[i];
	for (size_t i = 0; i < input->warning_count; i++)
		all[count + i] = input->warnings[i];
	input->warnings = all;
	input->warning_count += count;
}

static int
load(struct reading *reading, const char *path,
    const struct reporting_options *options, struct arena *arena,
    struct error *err)
{
	struct report_input *input = &reading->input;
	struct store_filter filter = { options->workload, options->metric };
	struct store_summary summary;
	struct session *sessions;
	struct failure *failures;
	const char **remarks;
	struct store_progress progress;
	struct plan *plan;

	if (store_load_plan(reading->store, arena, &plan, err) == -1 ||
	    store_sessions(reading->store, arena, &sessions,
		&input->session_count, err) == -1 ||
	    store_failures(reading->store, arena, &failures,
		&input->failure_count, err) == -1 ||
	    store_remarks(reading->store, arena, &remarks,
		&input->warning_count, err) == -1 ||
	    store_summarise(reading->store, arena, &summary, err) == -1 ||
	    store_progress(reading->store, arena, &progress, err) == -1 ||
	    store_tables(
		reading->store, &filter, arena, &reading->tables, err) == -1)
		return -1;
	reporting_name_unmeasured(plan, &reading->tables);
	input->program = "mountmatrix " MM_VERSION;
	input->path = path;
	input->trials_pending = progress.pending;
	input->is_running = !options->is_own && is_running(path, arena);
	input->plan = plan;
	input->is_imported = summary.is_imported;
	input->again =
	    summary.is_imported ? NULL : reporting_again(arena, plan);
	input->sessions = sessions;
	if (options->workload != NULL)
		input->failure_count = keep_failures(
		    failures, input->failure_count, options->workload);
	input->failures = failures;
	/* each workload may word its own; the first ones say enough */
	input->warnings = remarks;
	if (input->warning_count > MOST_REMARKS)
		input->warning_count = MOST_REMARKS;
	add_atimes(reading, arena);
	return 0;
}

static bool
has_value(const struct series_table *table)
{
	for (size_t i = 0; i < table->run_count; i++)
		if (table->runs[i].state == RUN_OK)
			return true;
	return false;
}

/* As its workload's type has it; NULL for what a command says of itself. */
static const struct metric *
metric_of(const struct plan *plan, const struct series_table *table)
{
	const struct workload_spec *spec = NULL;
	const struct workload *type;

	for (size_t i = 0; i < plan->workload_count; i++)
		if (strcmp(plan->workloads[i].title, table->workload) == 0)
			spec = &plan->workloads[i];
	for (size_t i = 0; spec != NULL && i < spec->pattern_count; i++)
		if (strcmp(spec->patterns[i].metric.name, table->metric) == 0)
			return NULL;
	type = spec == NULL ? NULL : workload_find(spec->type);
	for (const struct metric *m = type == NULL ? NULL : type->metrics;
	     m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, table->metric) == 0)
			return m;
	return NULL;
}

void
reporting_name_unmeasured(
    const struct plan *plan, const struct results_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++) {
		struct series_table *table = tables->items[i].series;
		const struct metric *metric =
		    has_value(table) ? NULL : metric_of(plan, table);

		if (metric != NULL) {
			table->unit = metric->unit;
			table->better = metric->better;
		}
	}
}

/* Labelled sessions in one file (kernels, say) are worth a word each. */
static const struct comparison *
compare_sessions(const struct series_table *table, struct arena *arena)
{
	if (table->session_count < 2)
		return NULL;
	return analysis_compare(&table, NULL, 1, 0, arena);
}

static int
rank(struct reading *reading, const struct reporting_options *options,
    struct arena *arena, struct error *err)
{
	size_t count = reading->tables.count;
	struct analysis_options how = { .keep_outliers =
					    options->keep_outliers };
	struct report_workload *workloads =
	    arena_array(arena, count + 1, sizeof *workloads);
	const struct ranking **rankings =
	    arena_array(arena, count + 1, sizeof *rankings);

	for (size_t i = 0; i < count; i++) {
		struct results_table *table = &reading->tables.items[i];

		if (options->baseline != NULL &&
		    reporting_set_baseline(
			table->series, options->baseline, err) == -1)
			return -1;
		rankings[i] = analysis_rank(table->series, &how, arena);
		workloads[i].table = table;
		workloads[i].ranking = rankings[i];
		workloads[i].sessions = compare_sessions(table->series, arena);
	}
	reading->input.workloads = workloads;
	reading->input.workload_count = count;
	if (count > 1)
		reading->input.overall =
		    analysis_overall(rankings, count, &how, arena);
	return 0;
}

static bool
all_ok(const struct report_input *input)
{
	for (size_t i = 0; i < input->plan->cell_count; i++)
		if (!cell_status_runs(input->plan->cells[i].status))
			return false;
	return input->failure_count == 0;
}

int
reporting_print(const char *path, const struct reporting_options *options,
    struct arena *arena, bool *cells_ok, struct error *err)
{
	const char *name = options->format != NULL ? options->format : "text";
	const struct report_format *format = report_find(name);
	struct reading reading = { 0 };
	struct buffer text;
	int rc;

	if (format == NULL)
		return error_set_kind(
		    err, ERROR_USAGE, "there is no report format '%s'", name);
	if (store_open(&reading.store, path, STORE_READ, err) == -1)
		return -1;
	rc = load(&reading, path, options, arena, err);
	if (rc == 0)
		rc = rank(&reading, options, arena, err);
	if (rc == 0) {
		buffer_init(&text);
		format->render(&reading.input, &text);
		(void)fputs(buffer_text(&text), stdout);
		buffer_reset(&text);
		if (cells_ok != NULL)
			*cells_ok = all_ok(&reading.input);
	}
	store_close(reading.store);
	return rc;
}
