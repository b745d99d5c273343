/*
 * A results file that somebody changed: everything in it is read, and must
 * come back with data or with one line of error.
 *
 * The input is a list of changes to a good file made at the start: four bytes
 * each, place (three) and new value.  So small inputs reach every table.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "report/report.h"
#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[64];
static unsigned char *good, *changed;
static size_t good_size;

static void
remove_file(void)
{
	unlink(path);
	free(good);
	free(changed);
}

static struct outcome
make_outcome(struct arena *arena, size_t trial)
{
	static const struct metric elapsed = { "elapsed", "s", LOWER_IS_BETTER,
		NULL };
	static const char *const columns[] = { "blogs", "read", "write" };
	struct outcome outcome = {
		.trial = trial, .verdict = VERDICT_OK, .reason = "", .notes = ""
	};

	outcome_add_step(&outcome, arena, RUNG_MEASURE)->command = "measure";
	outcome_add_sample(
	    &outcome, arena, &elapsed, 0, 1.5 + (double)trial / 10);
	outcome.curves = arena_array(arena, 1, sizeof *outcome.curves);
	outcome.curve_count = 1;
	outcome.curves[0] = (struct trial_curve){ .name = "c",
		.interval_s = 1,
		.columns = columns,
		.column_count = 3,
		.values = arena_array(arena, 12, sizeof(double)),
		.row_count = 4 };
	return outcome;
}

static void
make_plan(struct plan *plan, struct arena *arena)
{
	static struct cell_level on = { "noatime", "on", true };
	static struct cell_level off = { "noatime", "off", true };
	static const char *const words[] = { "mount", "%d", "a b", NULL };
	static struct command command = { RUNG_MOUNT, words };

	plan->rounds = 3;
	plan->workload_count = 1;
	plan->workloads = arena_array(arena, 1, sizeof *plan->workloads);
	plan->workloads[0] = (struct workload_spec){
		.title = "find", .type = "traverse", .metric = "elapsed"
	};
	plan->cell_count = 2;
	plan->cells = arena_array(arena, 2, sizeof *plan->cells);
	for (size_t i = 0; i < 2; i++)
		plan->cells[i] = (struct cell){ .index = i,
			.key = i == 0 ? "e:default" : "e:noatime",
			.filesystem = "e",
			.driver = "ext4",
			.levels = i == 0 ? &off : &on,
			.level_count = 1,
			.commands = &command,
			.command_count = 1,
			.duplicate_of = NO_CELL };
	plan->trial_count = 6;
	plan->trials = arena_array(arena, 6, sizeof *plan->trials);
	for (size_t i = 0; i < 6; i++)
		plan->trials[i] = (struct planned_trial){ .index = i,
			.block = (int)(i / 2) + 1,
			.position = (int)(i % 2) + 1,
			.cell = i % 2 };
}

static void
make_good(void)
{
	struct arena *arena = arena_new();
	struct plan plan = { 0 };
	struct session session = { .label = "x", .boot_id = "b" };
	struct outcome outcomes[6];
	struct imported imported = { .plan = &plan,
		.sessions = &session,
		.session_count = 1,
		.outcomes = outcomes,
		.outcome_count = 6 };
	struct error err = { 0 };
	FILE *in;

	snprintf(
	    path, sizeof path, "/tmp/mountmatrix-store-%ld.db", (long)getpid());
	unlink(path);
	make_plan(&plan, arena);
	fact_list_add(arena, &session.host, "system", "Linux");
	for (size_t i = 0; i < 6; i++)
		outcomes[i] = make_outcome(arena, i);
	if (store_create_imported(path, &imported, &err) == -1)
		abort();
	good = malloc(1 << 22);
	changed = malloc(1 << 22);
	in = fopen(path, "rb");
	if (good == NULL || changed == NULL || in == NULL)
		abort();
	good_size = fread(good, 1, 1 << 22, in);
	fclose(in);
	atexit(remove_file);
	arena_free(arena);
}

/* Ranking and printing take long, so not every input is worth them. */
static void
print_all(struct report_input *input, struct report_workload *workload,
    const struct results_tables *tables, struct arena *arena)
{
	struct buffer out;

	for (size_t i = 0; i < tables->count && i < 3; i++) {
		workload->table = &tables->items[i];
		workload->ranking =
		    analysis_rank(tables->items[i].series, NULL, arena);
		input->workload_count = 1;
		for (size_t j = 0; report_formats()[j] != NULL; j++) {
			buffer_init(&out);
			report_formats()[j]->render(input, &out);
			buffer_reset(&out);
		}
	}
}

static void
read_all(struct store *store, struct arena *arena, bool with_ranking)
{
	struct error err = { 0 };
	struct results_tables tables = { 0 };
	struct report_workload workload = { 0 };
	struct report_input input = { .program = "fuzz",
		.workloads = &workload };
	struct store_progress progress;
	struct session *sessions;
	struct failure *failures;
	struct plan *plan;

	store_check_integrity(store, &err);
	store_progress(store, arena, &progress, &err);
	if (store_load_plan(store, arena, &plan, &err) == -1 ||
	    store_sessions(
		store, arena, &sessions, &input.session_count, &err) == -1 ||
	    store_failures(
		store, arena, &failures, &input.failure_count, &err) == -1 ||
	    store_tables(store, NULL, arena, &tables, &err) == -1) {
		if (err.text[0] == '\0' || strchr(err.text, '\n') != NULL)
			abort();
		return;
	}
	input.plan = plan;
	input.sessions = sessions;
	input.failures = failures;
	if (with_ranking)
		print_all(&input, &workload, &tables, arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err = { 0 };
	struct store *store = NULL;
	struct arena *arena;
	int fd;

	if (good == NULL)
		make_good();
	memcpy(changed, good, good_size);
	for (size_t i = 0; i + 4 <= size; i += 4) {
		size_t place = (size_t)bytes[i] << 16 |
			       (size_t)bytes[i + 1] << 8 | bytes[i + 2];

		changed[place % good_size] = bytes[i + 3];
	}
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd == -1 || write(fd, changed, good_size) != (ssize_t)good_size)
		abort();
	close(fd);
	arena = arena_new();
	if (store_open(&store, path, STORE_READ, &err) == 0)
		read_all(store, arena, size > 0 && bytes[0] % 16 == 0);
	store_close(store);
	arena_free(arena);
	return 0;
}
