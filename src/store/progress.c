/* How far a night is, and what went wrong in it. */
#include "store/internal.h"

static int
count_rows(struct db *db, const char *sql, size_t *count, struct error *err)
{
	int64_t value = 0;

	if (db_int(db, sql, &value, err) == -1)
		return -1;
	*count = (size_t)value;
	return 0;
}

static int
read_attempts(struct db *db, struct store_progress *progress, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT attempt.trial, trial.cell, attempt.verdict = 'aborted',"
	    " attempt.verdict = 'panic' FROM attempt"
	    " JOIN trial ON trial.id = attempt.trial");
	while (query_next(&query)) {
		size_t trial = (size_t)take_range(
		    &query, 0, (int64_t)progress->trial_count - 1);
		size_t cell = (size_t)take_range(
		    &query, 0, (int64_t)progress->cell_count - 1);
		bool is_aborted = take_bool(&query);
		bool is_panic = take_bool(&query);

		if (query.failed)
			break;
		if (is_aborted)
			progress->aborted[trial]++;
		else
			progress->done[trial] = true;
		if (is_panic)
			progress->panicked[cell] = true;
	}
	return query_close(&query, err);
}

static int
count_pending(struct db *db, struct arena *arena,
    struct store_progress *progress, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT trial.id, trial.cell, cell.status FROM trial"
	    " JOIN cell ON cell.id = trial.cell");
	while (query_next(&query)) {
		size_t trial = (size_t)take_range(
		    &query, 0, (int64_t)progress->trial_count - 1);
		size_t cell = (size_t)take_range(
		    &query, 0, (int64_t)progress->cell_count - 1);
		const char *word = take_word(&query, arena);
		enum cell_status status = CELL_OK;

		if (cell_status_parse(word, &status) == -1)
			query_damaged(&query, "'%.20s' is no status", word);
		if (query.failed)
			break;
		if (!progress->done[trial] && !progress->panicked[cell] &&
		    cell_status_runs(status))
			progress->pending++;
	}
	return query_close(&query, err);
}

/* A session without an end lasted at least until its last attempt's. */
static const char spent[] =
    "SELECT coalesce(sum(max(0, max(ended_ns, coalesce((SELECT"
    " max(attempt.started_ns, attempt.ended_ns) FROM attempt"
    " WHERE attempt.session = session.id ORDER BY attempt.id DESC LIMIT 1),"
    " 0)) - started_ns)), 0) FROM session";

static int
read_progress(struct db *db, struct arena *arena,
    struct store_progress *progress, struct error *err)
{
	if (count_rows(db, "SELECT count(*) FROM trial", &progress->trial_count,
		err) == -1 ||
	    count_rows(db, "SELECT count(*) FROM cell", &progress->cell_count,
		err) == -1)
		return -1;
	progress->done =
	    arena_array(arena, progress->trial_count, sizeof(bool));
	progress->aborted =
	    arena_array(arena, progress->trial_count, sizeof(int));
	progress->panicked =
	    arena_array(arena, progress->cell_count, sizeof(bool));
	if (read_attempts(db, progress, err) == -1 ||
	    count_pending(db, arena, progress, err) == -1)
		return -1;
	return db_int(db, spent, &progress->spent_ns, err);
}

int
store_progress(struct store *store, struct arena *arena,
    struct store_progress *progress, struct error *err)
{
	int rc;

	*progress = (struct store_progress){ 0 };
	if (db_begin(&store->db, false, err) == -1)
		return -1;
	rc = read_progress(&store->db, arena, progress, err);
	return db_end(&store->db, rc == -1, err);
}

static int
read_open(struct db *db, struct store_summary *summary, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT trial, started_ns FROM attempt WHERE id ="
	    " (SELECT max(id) FROM attempt) AND verdict = 'aborted'"
	    " AND ended_ns = 0");
	if (query_next(&query)) {
		summary->has_open = true;
		summary->open_trial = (size_t)take_range(&query, 0, INT32_MAX);
		summary->open_since_ns = take_time(&query);
	}
	return query_close(&query, err);
}

static int
summarise(struct db *db, struct arena *arena, struct store_summary *summary,
    struct error *err)
{
	const struct {
		const char *sql;
		size_t *count;
	} counts[] = {
		{ "SELECT count(*) FROM cell", &summary->cells },
		{ "SELECT count(*) FROM workload", &summary->workloads },
		{ "SELECT count(*) FROM trial", &summary->trials },
		{ "SELECT count(*) FROM session", &summary->sessions },
		{ "SELECT count(DISTINCT trial) FROM attempt"
		  " WHERE verdict <> 'aborted'",
		    &summary->finished },
		{ "SELECT count(DISTINCT trial) FROM attempt"
		  " WHERE verdict NOT IN ('aborted', 'ok')"
		  " AND NOT cell_rejected",
		    &summary->failed },
		{ "SELECT count(*) FROM attempt WHERE verdict = 'aborted'",
		    &summary->aborted_attempts },
	};
	struct query query;

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		if (count_rows(db, counts[i].sql, counts[i].count, err) == -1)
			return -1;
	query_open(&query, db,
	    "SELECT title, is_imported,"
	    " (SELECT coalesce(min(started_ns), 0) FROM session),"
	    " (SELECT coalesce(max(max(started_ns, ended_ns)), 0)"
	    "  FROM attempt) FROM plan");
	if (query_next(&query)) {
		summary->title = take_text(&query, arena);
		summary->is_imported = take_bool(&query);
		summary->started_wall_ns = take_time(&query);
		summary->last_wall_ns = take_time(&query);
	}
	if (query_close(&query, err) == -1)
		return -1;
	return read_open(db, summary, err);
}

int
store_summarise(struct store *store, struct arena *arena,
    struct store_summary *summary, struct error *err)
{
	int rc;

	*summary = (struct store_summary){ 0 };
	if (db_begin(&store->db, false, err) == -1)
		return -1;
	rc = summarise(&store->db, arena, summary, err);
	return db_end(&store->db, rc == -1, err);
}

/* The last attempt of each trial, those left out that are good, that may be
 * running now, or that found the cell rejected or unsafe: these are told of
 * the cell. */
static const char bad_attempts[] =
    "SELECT cell.key, workload.title, trial.block, trial.is_warm_up,"
    " attempt.verdict, attempt.failed_rung, attempt.reason, trial.id,"
    " attempt.started_ns FROM attempt"
    " JOIN trial ON trial.id = attempt.trial"
    " JOIN cell ON cell.id = trial.cell"
    " JOIN workload ON workload.id = trial.workload"
    " WHERE attempt.id = (SELECT max(other.id) FROM attempt AS other"
    "  WHERE other.trial = attempt.trial) AND attempt.verdict <> 'ok'"
    " AND NOT (attempt.verdict = 'aborted' AND attempt.ended_ns = 0"
    "  AND attempt.id = (SELECT max(id) FROM attempt))"
    " AND NOT attempt.cell_rejected AND NOT (cell.status = 'unsafe'"
    "  AND coalesce(attempt.failed_rung, '') = 'guard')"
    " ORDER BY trial.block, trial.position, trial.id";

static void
take_failure(struct query *query, struct arena *arena, struct failure *failure)
{
	const char *word;

	failure->cell = take_word(query, arena);
	failure->workload = take_word(query, arena);
	failure->block = (int)take_range(query, 0, INT32_MAX);
	failure->is_warm_up = take_bool(query);
	word = take_word(query, arena);
	if (verdict_parse(word, &failure->verdict) == -1)
		query_damaged(query, "'%.20s' is no verdict", word);
	word = take_text(query, arena);
	if (word != NULL && rung_parse(word, &failure->rung) == -1)
		query_damaged(query, "'%.20s' is no step of a trial", word);
	failure->reason = take_word(query, arena);
	failure->trial = take_int(query);
	failure->started_wall_ns = take_time(query);
}

int
store_failures(struct store *store, struct arena *arena,
    struct failure **failures, size_t *count, struct error *err)
{
	struct query query;
	size_t capacity = 0;

	*failures = NULL;
	*count = 0;
	query_open(&query, &store->db, bad_attempts);
	while (query_next(&query)) {
		if (*count == capacity)
			*failures = arena_grow(arena, *failures, *count,
			    &capacity, sizeof **failures);
		(*failures)[*count] = (struct failure){ 0 };
		take_failure(&query, arena, &(*failures)[(*count)++]);
	}
	return query_close(&query, err);
}

/* Every remark of a workload with how many runs made it, and of how many. */
static const char remarks[] =
    "SELECT w.title, a.notes, COUNT(*),"
    " (SELECT COUNT(*) FROM attempt b JOIN trial u ON b.trial = u.id"
    " WHERE u.workload = t.workload AND NOT u.is_warm_up"
    " AND b.verdict <> 'aborted')"
    " FROM attempt a JOIN trial t ON a.trial = t.id"
    " JOIN workload w ON t.workload = w.id"
    " WHERE a.notes <> '' AND NOT t.is_warm_up AND a.verdict <> 'aborted'"
    " GROUP BY t.workload, a.notes ORDER BY 3 DESC, t.workload, a.notes";

int
store_remarks(struct store *store, struct arena *arena, const char ***texts,
    size_t *count, struct error *err)
{
	struct query query;
	size_t capacity = 0;

	*texts = NULL;
	*count = 0;
	query_open(&query, &store->db, remarks);
	while (query_next(&query)) {
		const char *title = take_word(&query, arena);
		const char *remark = take_word(&query, arena);
		long long made = take_int(&query), runs = take_int(&query);

		if (*count == capacity)
			*texts = arena_grow(
			    arena, *texts, *count, &capacity, sizeof **texts);
		(*texts)[(*count)++] =
		    arena_printf(arena, "%s, %lld of %lld run%s: %s", title,
			made, runs, runs == 1 ? "" : "s", remark);
	}
	return query_close(&query, err);
}
