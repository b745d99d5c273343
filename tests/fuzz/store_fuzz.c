/*
 * A results file that somebody changed: everything in it is read, ranked and
 * printed, and must come back with data or with one line of error.
 *
 * The input is a list of changes to a good file, so that small inputs reach
 * every table.  Its first byte says of what kind:
 *
 *     0    bytes of the file: place (three) and new value
 *     1    the same, and the file is cut off at the first place
 *     2    the rest is a journal that lies beside the file
 *     else rows: table, column, row, what, then what that needs (change_row)
 *
 * One input in sixteen, by its size, meets everything; the others what finds
 * most in little time: one table, in text and JSON.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "cli/reporting.h"
#include "report/report.h"
#include "store/store.h"
#include "store_change.h"
#include "store_memo.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* One line, and it says which file. */
static void
check_error(const struct error *err)
{
	must(err->text[0] != '\0' && strstr(err->text, folder) != NULL);
	for (const char *at = err->text; *at != '\0'; at++)
		must((unsigned char)*at >= ' ' && *at != 0x7f);
}

/* Nothing from a file may steer a terminal. */
static void
check_text(const char *format, const struct buffer *out)
{
	int is_plain = strcmp(format, "text") == 0;

	must(out->length > 0 && strlen(buffer_text(out)) == out->length);
	for (size_t i = 0; i < out->length; i++) {
		unsigned char c = (unsigned char)out->data[i];

		must((c >= ' ' || c == '\n') && c != 0x7f);
		must(!is_plain || c < 0x80);
	}
}

/* What the reader promises of a plan, whoever wrote it. */
static void
check_plan(const struct plan *plan)
{
	for (size_t i = 0; i < plan->trial_count; i++)
		must(plan->trials[i].index == i &&
		     plan->trials[i].cell < plan->cell_count &&
		     plan->trials[i].workload < plan->workload_count);
	for (size_t i = 0; i < plan->cell_count; i++) {
		const struct cell *cell = &plan->cells[i];

		must(cell->key != NULL && cell->filesystem != NULL);
		must(cell->duplicate_of == NO_CELL ||
		     cell->duplicate_of < plan->cell_count);
		for (size_t j = 0; j < cell->command_count; j++)
			must(cell->commands[j].argv != NULL);
	}
	for (size_t i = 0; i < plan->workload_count; i++)
		must(plan->workloads[i].title != NULL &&
		     plan->workloads[i].type != NULL);
	for (size_t i = 0; i < plan->target_count; i++)
		must(plan->targets[i].title != NULL);
}

/* Each format takes its time; text and JSON have between them all there is. */
static void
print_all(const struct report_input *input, const struct comparison_input *both,
    int is_thorough)
{
	struct buffer out;

	for (size_t i = 0; report_formats()[i] != NULL; i++) {
		const struct report_format *format = report_formats()[i];

		if (!is_thorough && strcmp(format->name, "text") != 0 &&
		    strcmp(format->name, "json") != 0)
			continue;
		buffer_init(&out);
		format->render(input, &out);
		check_text(format->name, &out);
		if (is_thorough && format->compare != NULL) {
			buffer_clear(&out);
			format->compare(both, &out);
			check_text(format->name, &out);
		}
		buffer_reset(&out);
	}
}

/* As "report" and "compare" do. */
static void
rank_all(struct report_input *input, const struct results_tables *read,
    size_t size, struct arena *arena)
{
	int is_thorough = size % 16 == 0;
	const struct analysis_options how = { .skip_planning = !is_thorough };
	static const char *const labels[] = { "a", "b" };
	size_t count = is_thorough || read->count == 0 ? read->count : 1;
	const struct results_table *items = read->items;
	struct report_workload *workloads =
	    arena_array(arena, count + 1, sizeof *workloads);
	const struct ranking **rankings =
	    arena_array(arena, count + 1, sizeof *rankings);
	const struct comparison **comparisons =
	    arena_array(arena, count + 1, sizeof *comparisons);
	struct comparison_input both = { .program = "fuzz",
		.comparisons = comparisons,
		.comparison_count = count };

	if (count < read->count)
		items += size % read->count;
	for (size_t i = 0; i < count; i++) {
		const struct series_table *series = items[i].series;
		const struct series_table *twice[] = { series, series };

		rankings[i] = analysis_rank(series, &how, arena);
		if (is_thorough)
			comparisons[i] =
			    analysis_compare(twice, labels, 2, 0, arena);
		workloads[i] = (struct report_workload){ .table = &items[i],
			.ranking = rankings[i],
			.sessions = series->session_count < 2 || !is_thorough
					? NULL
					: analysis_compare(
					      &series, NULL, 1, 0, arena) };
	}
	input->workloads = workloads;
	input->workload_count = count;
	if (count > 1)
		input->overall = analysis_overall(rankings, count, &how, arena);
	print_all(input, &both, is_thorough);
}

static void
read_all(struct store *store, size_t size, struct arena *arena)
{
	struct error err = { 0 };
	struct results_tables read = { 0 };
	struct report_input input = { .program = "fuzz", .path = "x.db" };
	struct store_summary summary;
	struct store_progress progress;
	struct outcome *outcome;
	struct session *sessions;
	struct failure *failures;
	const char **remarks;
	struct plan *plan;

	if (size % 16 == 0 && store_check_integrity(store, &err) == -1)
		check_error(&err);
	if (store_load_outcome(store, 2, arena, &outcome, &err) == -1)
		check_error(&err);
	if (store_load_plan(store, arena, &plan, &err) == -1 ||
	    store_sessions(
		store, arena, &sessions, &input.session_count, &err) == -1 ||
	    store_failures(
		store, arena, &failures, &input.failure_count, &err) == -1 ||
	    store_remarks(store, arena, &remarks, &input.warning_count, &err) ==
		-1 ||
	    store_summarise(store, arena, &summary, &err) == -1 ||
	    store_progress(store, arena, &progress, &err) == -1 ||
	    store_tables(store, NULL, arena, &read, &err) == -1) {
		check_error(&err);
		return;
	}
	check_plan(plan);
	input.plan = plan;
	input.is_imported = summary.is_imported;
	if (!summary.is_imported)
		input.again = reporting_again(arena, plan);
	input.sessions = sessions;
	input.failures = failures;
	input.warnings = remarks;
	input.trials_pending = progress.pending;
	rank_all(&input, &read, size, arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *const in[] = { path };
	struct error err = { 0 };
	struct store *store = NULL;
	struct arena *arena;

	if (good_size == 0)
		set_up();
	make_input(bytes, size);
	arena = arena_new();
	if (store_open(&store, path, STORE_READ, &err) == 0)
		read_all(store, size, arena);
	else
		check_error(&err);
	store_close(store);
	if (size % 16 == 15) {
		if (store_merge(other, in, 1, &err) == -1)
			check_error(&err);
		unlink(other);
	}
	arena_free(arena);
	return 0;
}
