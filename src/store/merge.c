/*
 * Shards of one plan into one results file.
 *
 * Trials are known by what they are (block, place, cell, workload), not by
 * their index, which differs between shards.
 */
#include <stdlib.h>

#include "store/internal.h"

/* One input: where its trials are in the new plan. */
struct shard {
	struct store *store;
	struct plan *plan;
	struct store_progress progress;
	size_t *trials; /* index in the new plan, per trial of this one */
};

struct merger {
	struct arena *arena;
	struct shard *shards;
	size_t count;
	struct plan plan; /* the new one */
	/* per trial of the new plan: the shard that finished it, plus 1 */
	size_t *done_by;
};

static int
open_shard(struct merger *merger, size_t i, const char *path, struct error *err)
{
	struct shard *shard = &merger->shards[i];

	if (store_open(&shard->store, path, STORE_READ, err) == -1 ||
	    store_load_plan(shard->store, merger->arena, &shard->plan, err) ==
		-1 ||
	    store_progress(
		shard->store, merger->arena, &shard->progress, err) == -1)
		return -1;
	if (shard->progress.trial_count != shard->plan->trial_count)
		return error_set(err,
		    "'%s' is being written, so it cannot be"
		    " merged yet",
		    path);
	if (i > 0 && store_plan_digest(shard->plan) !=
			 store_plan_digest(merger->shards[0].plan))
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' and '%s' are of different plans: cells, workloads,"
		    " trees or seed differ",
		    store_path(merger->shards[0].store), path);
	return 0;
}

static bool
is_same_trial(const struct planned_trial *a, const struct planned_trial *b)
{
	return a->block == b->block && a->position == b->position &&
	       a->cell == b->cell && a->workload == b->workload &&
	       a->is_retry == b->is_retry && !a->is_warm_up && !b->is_warm_up;
}

/* A trial and the shard it came from. */
struct origin {
	const struct planned_trial *trial;
	size_t shard;
};

static int
compare_numbers(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

/* In running order; what is the same trial comes together. */
static int
compare_origins(const void *a, const void *b)
{
	const struct planned_trial *x = ((const struct origin *)a)->trial;
	const struct planned_trial *y = ((const struct origin *)b)->trial;
	const int orders[] = {
		compare_numbers((size_t)x->block, (size_t)y->block),
		compare_numbers((size_t)x->position, (size_t)y->position),
		compare_numbers(x->cell, y->cell),
		compare_numbers(x->workload, y->workload),
		compare_numbers(x->is_retry, y->is_retry),
	};

	for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
		if (orders[i] != 0)
			return orders[i];
	return 0;
}

/* All shards' trials, in running order. */
static struct origin *
collect_origins(const struct merger *merger, size_t *count)
{
	struct origin *all;
	size_t at = 0;

	*count = 0;
	for (size_t i = 0; i < merger->count; i++)
		*count += merger->shards[i].plan->trial_count;
	all = arena_array(merger->arena, *count + 1, sizeof *all);
	for (size_t i = 0; i < merger->count; i++)
		for (size_t j = 0; j < merger->shards[i].plan->trial_count; j++)
			all[at++] =
			    (struct origin){ &merger->shards[i].plan->trials[j],
				    i };
	qsort(all, *count, sizeof *all, compare_origins);
	return all;
}

static int
refuse_overlap(const struct merger *merger, size_t one, size_t two,
    const struct planned_trial *trial, struct error *err)
{
	return error_set_kind(err, ERROR_USAGE,
	    "'%s' and '%s' both have block %d of '%s'",
	    store_path(merger->shards[one].store),
	    store_path(merger->shards[two].store), trial->block,
	    merger->plan.cells[trial->cell].key);
}

/* The new plan's trials: all shards' in running order, equal ones once. */
static int
join_trials(struct merger *merger, struct error *err)
{
	struct plan *plan = &merger->plan;
	size_t count;
	struct origin *all = collect_origins(merger, &count);

	plan->trials =
	    arena_array(merger->arena, count + 1, sizeof *plan->trials);
	merger->done_by =
	    arena_array(merger->arena, count + 1, sizeof *merger->done_by);
	plan->trial_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct shard *shard = &merger->shards[all[i].shard];
		size_t own = all[i].trial->index;
		size_t new = plan->trial_count;

		if (i > 0 && is_same_trial(all[i - 1].trial, all[i].trial))
			new --;
		else
			plan->trials[plan->trial_count++] = *all[i].trial;
		plan->trials[new].index = new;
		shard->trials[own] = new;
		if (!shard->progress.done[own])
			continue;
		if (merger->done_by[new] != 0)
			return refuse_overlap(merger, merger->done_by[new] - 1,
			    all[i].shard, all[i].trial, err);
		merger->done_by[new] = all[i].shard + 1;
	}
	return 0;
}

/* What was learnt of a cell, from the first shard that learnt something. */
static void
join_cells(struct merger *merger)
{
	struct plan *plan = &merger->plan;

	for (size_t i = 1; i < merger->count; i++)
		for (size_t j = 0; j < plan->cell_count; j++) {
			struct cell *cell = &plan->cells[j];
			const struct cell *other =
			    &merger->shards[i].plan->cells[j];

			if (cell->in_force == NULL)
				cell->in_force = other->in_force;
			if (cell->atime_probe == NULL)
				cell->atime_probe = other->atime_probe;
			if (cell->durability_probe == NULL)
				cell->durability_probe =
				    other->durability_probe;
			if (cell->status != CELL_OK)
				continue;
			cell->status = other->status;
			cell->reason = other->reason;
			cell->duplicate_of = other->duplicate_of;
		}
}

static int
copy_attempts(struct merger *merger, struct db *db, struct shard *shard,
    int64_t from, int64_t to, struct error *err)
{
	struct query query;
	int rc = 0;

	query_open(&query, &shard->store->db,
	    "SELECT id, trial FROM attempt WHERE session = ? ORDER BY id");
	bind_int(&query, from);
	while (rc == 0 && query_next(&query)) {
		int64_t id = take_int(&query), new;
		size_t trial = (size_t)take_range(
		    &query, 0, (int64_t)shard->plan->trial_count - 1);
		struct outcome outcome = { 0 };

		if (query.failed)
			break;
		rc = attempt_read(
		    &shard->store->db, id, merger->arena, &outcome, err);
		outcome.trial = shard->trials[trial];
		if (rc == 0)
			rc = attempt_begin(db, outcome.trial, to,
			    outcome.started_wall_ns, &new, err);
		if (rc == 0)
			rc = attempt_finish(db, new, &outcome, err);
	}
	return query_close_after(&query, rc, err);
}

static int
copy_shard(struct merger *merger, struct db *db, struct shard *shard,
    struct error *err)
{
	struct session *sessions;
	size_t count;

	if (store_sessions(
		shard->store, merger->arena, &sessions, &count, err) == -1)
		return -1;
	for (size_t i = 0; i < count; i++) {
		int64_t from = sessions[i].id;

		/* whatever cut it off is over: another host comes next */
		if (sessions[i].ended_wall_ns == 0)
			sessions[i].ended_wall_ns =
			    sessions[i].started_wall_ns + 1;
		if (session_write(db, &sessions[i], err) == -1 ||
		    copy_attempts(
			merger, db, shard, from, sessions[i].id, err) == -1)
			return -1;
	}
	return 0;
}

static int
write_merged(struct merger *merger, const char *out, struct error *err)
{
	struct draft draft;
	int rc;

	if (draft_open(&draft, out, err) == -1)
		return -1;
	rc = plan_write(&draft.db, &merger->plan, false, err);
	for (size_t i = 0; rc == 0 && i < merger->count; i++)
		rc = copy_shard(merger, &draft.db, &merger->shards[i], err);
	return draft_settle(&draft, rc == -1, err);
}

static int
merge(struct merger *merger, const char *out, const char *const *in,
    struct error *err)
{
	for (size_t i = 0; i < merger->count; i++) {
		struct shard *shard = &merger->shards[i];

		if (open_shard(merger, i, in[i], err) == -1)
			return -1;
		shard->trials = arena_array(merger->arena,
		    shard->plan->trial_count + 1, sizeof *shard->trials);
	}
	merger->plan = *merger->shards[0].plan;
	merger->plan.shard = merger->plan.shard_count = 0;
	join_cells(merger);
	if (join_trials(merger, err) == -1)
		return -1;
	return write_merged(merger, out, err);
}

int
store_merge(
    const char *out, const char *const *in, size_t count, struct error *err)
{
	struct merger merger = { .arena = arena_new(), .count = count };
	int rc;

	merger.shards = arena_array(merger.arena, count, sizeof *merger.shards);
	rc = count == 0 ? error_set_kind(err, ERROR_USAGE, "nothing to merge")
			: merge(&merger, out, in, err);
	for (size_t i = 0; i < count; i++)
		store_close(merger.shards[i].store);
	arena_free(merger.arena);
	return rc;
}
