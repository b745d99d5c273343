#include "store/readings.h"

#include <math.h>
#include <string.h>

/* A report of more is no report; one takes milliseconds. */
enum { METRIC_LIMIT = 1024 };

size_t
readings_find(const struct readings *readings, const char *name)
{
	for (size_t i = 0; i < readings->names.count; i++)
		if (strcmp(readings->names.items[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

static int
load_names(struct readings *readings, struct error *err)
{
	struct named_list *list = &readings->names;
	struct query query;

	*list = (struct named_list){ 0 };
	query_open(&query, &readings->store->db,
	    "SELECT sample.metric, sample.unit, sample.better FROM sample"
	    " JOIN attempt ON attempt.id = sample.attempt"
	    " JOIN trial ON trial.id = attempt.trial"
	    " WHERE trial.workload = ? AND sample.pass = 0"
	    " GROUP BY sample.metric"
	    " ORDER BY min(attempt.id * 100000 + sample.place)");
	bind_int(&query, (int64_t)readings->workload);
	while (query_next(&query)) {
		struct named *named;
		const char *word;

		if (list->count == METRIC_LIMIT) {
			query_damaged(&query, "too many metrics");
			break;
		}
		if (list->count == list->capacity)
			list->items = arena_grow(readings->arena, list->items,
			    list->count, &list->capacity, sizeof *list->items);
		named = &list->items[list->count++];
		named->name = take_word(&query, readings->arena);
		named->unit = take_word(&query, readings->arena);
		word = take_word(&query, readings->arena);
		if (better_parse(word, &named->better) == -1)
			query_damaged(
			    &query, "'%.20s' is not lower or higher", word);
	}
	return query_close(&query, err);
}

static size_t
session_index(const struct readings *readings, int64_t id)
{
	for (size_t i = 0; i < readings->session_count; i++)
		if (readings->sessions[i].id == id)
			return i;
	return SIZE_MAX;
}

static void
take_run(struct query *query, struct readings *readings, struct run *run)
{
	const char *word;
	int64_t session;

	run->attempt = take_int(query);
	run->trial = (size_t)take_range(query, 0, INT32_MAX);
	session = take_int(query);
	run->session = session_index(readings, session);
	if (run->session == SIZE_MAX)
		query_damaged(
		    query, "no session %lld is there", (long long)session);
	run->cell = (size_t)take_range(
	    query, 0, (int64_t)readings->plan->cell_count - 1);
	run->block = (int)take_range(query, 0, INT32_MAX);
	run->position = (int)take_range(query, 0, INT32_MAX);
	run->is_warm_up = take_bool(query);
	word = take_word(query, readings->arena);
	if (verdict_parse(word, &run->verdict) == -1)
		query_damaged(query, "'%.20s' is no verdict", word);
	run->reason = take_word(query, readings->arena);
	run->started_ns = take_time(query);
	run->ended_ns = take_time(query);
}

static int
load_runs(struct readings *readings, struct error *err)
{
	struct arena *arena = readings->arena;
	struct query query;

	readings->runs = NULL;
	readings->run_count = readings->run_capacity = 0;
	query_open(&query, &readings->store->db,
	    "SELECT attempt.id, trial.id, attempt.session, trial.cell,"
	    " trial.block, trial.position, trial.is_warm_up, attempt.verdict,"
	    " attempt.reason, attempt.started_ns, attempt.ended_ns FROM trial"
	    " JOIN attempt ON attempt.id = (SELECT max(id) FROM attempt"
	    "  WHERE attempt.trial = trial.id AND verdict <> 'aborted')"
	    " WHERE trial.workload = ?"
	    /* a cell that the system rejected was never run */
	    " AND NOT attempt.cell_rejected ORDER BY attempt.id");
	bind_int(&query, (int64_t)readings->workload);
	while (query_next(&query)) {
		struct run *run;

		if (readings->run_count == readings->run_capacity)
			readings->runs = arena_grow(arena, readings->runs,
			    readings->run_count, &readings->run_capacity,
			    sizeof *readings->runs);
		run = &readings->runs[readings->run_count++];
		*run = (struct run){ 0 };
		take_run(&query, readings, run);
		run->values = arena_array(
		    arena, readings->names.count + 1, sizeof *run->values);
		for (size_t i = 0; i <= readings->names.count; i++)
			run->values[i] = NAN;
	}
	return query_close(&query, err);
}

static int
load_values(struct readings *readings, struct error *err)
{
	struct query query;
	int rc = 0;

	query_open(&query, &readings->store->db,
	    "SELECT metric, value FROM sample WHERE attempt = ? AND pass = 0");
	for (size_t i = 0; i < readings->run_count; i++) {
		struct run *run = &readings->runs[i];

		bind_int(&query, run->attempt);
		while (query_next(&query)) {
			size_t name = readings_find(
			    readings, take_word(&query, readings->arena));
			double value = take_real(&query);

			if (name != SIZE_MAX)
				run->values[name] = value;
		}
		query_again(&query);
	}
	return query_close_after(&query, rc, err);
}

/* CPU time of the measured step, from the child's rusage. */
static int
load_cpu(struct readings *readings, struct error *err)
{
	struct query query;

	query_open(&query, &readings->store->db,
	    "SELECT sum(user_ns + system_ns) FROM step WHERE attempt = ?"
	    " AND rung = 'measure'");
	for (size_t i = 0; i < readings->run_count; i++) {
		struct run *run = &readings->runs[i];

		bind_int(&query, run->attempt);
		if (query_next(&query) && !take_is_null(&query)) {
			double ns = take_real(&query);

			if (ns > 0)
				run->values[readings->names.count] = ns / 1e9;
		}
		query_again(&query);
	}
	return query_close(&query, err);
}

int
readings_load(struct readings *readings, size_t workload, struct error *err)
{
	readings->workload = workload;
	if (load_names(readings, err) == -1 || load_runs(readings, err) == -1 ||
	    load_values(readings, err) == -1)
		return -1;
	return load_cpu(readings, err);
}
