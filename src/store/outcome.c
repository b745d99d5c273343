/* An attempt with all its steps, samples and curves, read back. */
#include "store/internal.h"

enum { CURVE_LIMIT = 10000000 };

static enum verdict
take_verdict(struct query *query, struct arena *arena)
{
	const char *word = take_word(query, arena);
	enum verdict verdict = VERDICT_ABORTED;

	if (verdict_parse(word, &verdict) == -1)
		query_damaged(query, "'%.20s' is no verdict", word);
	return verdict;
}

static enum rung
take_rung(struct query *query, struct arena *arena)
{
	const char *word = take_word(query, arena);
	enum rung rung = RUNG_ATTACH;

	if (rung_parse(word, &rung) == -1)
		query_damaged(query, "'%.20s' is no step of a trial", word);
	return rung;
}

static int
read_verdict(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT trial, verdict, reason, failed_rung, started_ns, ended_ns,"
	    " in_force, notes, cell_rejected FROM attempt WHERE id = ?");
	bind_int(&query, attempt);
	if (query_next(&query)) {
		outcome->trial = (size_t)take_range(&query, 0, INT32_MAX);
		outcome->verdict = take_verdict(&query, arena);
		outcome->reason = take_word(&query, arena);
		if (take_is_null(&query))
			query.take_at++;
		else
			outcome->failed_rung = take_rung(&query, arena);
		outcome->started_wall_ns = take_time(&query);
		outcome->ended_wall_ns = take_time(&query);
		outcome->in_force = take_text(&query, arena);
		outcome->notes = take_word(&query, arena);
		outcome->cell_rejected = take_bool(&query);
	} else {
		query_damaged(
		    &query, "no attempt %lld is there", (long long)attempt);
	}
	return query_close(&query, err);
}

static void
take_io(struct query *query, struct io_counts *io)
{
	const struct {
		int64_t *count;
		bool *is_known;
	} values[] = { { &io->reads, &io->known }, { &io->writes, &io->known },
		{ &io->read_bytes, &io->bytes_known },
		{ &io->written_bytes, &io->bytes_known },
		{ &io->flushes, &io->flushes_known } };

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		*values[i].is_known = !take_is_null(query);
		if (*values[i].is_known)
			*values[i].count = take_int(query);
		else
			query->take_at++;
	}
}

static void
take_step(struct query *query, struct arena *arena, struct step *step)
{
	step->command = take_word(query, arena);
	step->exit_code = (int)take_range(query, INT32_MIN, INT32_MAX);
	step->signal = (int)take_range(query, 0, 1024);
	step->timed_out = take_bool(query);
	step->output = take_word(query, arena);
	step->errors = take_word(query, arena);
	step->kernel = take_word(query, arena);
	step->started_wall_ns = take_int(query);
	step->wall_ns = take_int(query);
	step->user_ns = take_int(query);
	step->system_ns = take_int(query);
	step->voluntary_switches = take_int(query);
	step->involuntary_switches = take_int(query);
	step->major_faults = take_int(query);
	take_io(query, &step->io);
}

static int
read_steps(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT rung, command, exit_code, signal, timed_out, output,"
	    " errors, kernel, started_ns, wall_ns, user_ns, system_ns,"
	    " voluntary_switches, involuntary_switches, major_faults,"
	    " device_reads, device_writes, device_read_bytes,"
	    " device_written_bytes, device_flushes FROM step"
	    " WHERE attempt = ? ORDER BY place");
	bind_int(&query, attempt);
	while (query_next(&query)) {
		enum rung rung = take_rung(&query, arena);

		take_step(
		    &query, arena, outcome_add_step(outcome, arena, rung));
	}
	return query_close(&query, err);
}

static int
read_samples(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT metric, unit, better, pass, value FROM sample"
	    " WHERE attempt = ? ORDER BY place");
	bind_int(&query, attempt);
	while (query_next(&query)) {
		struct metric metric = { .name = take_word(&query, arena),
			.unit = take_word(&query, arena) };
		const char *word = take_word(&query, arena);
		int pass;

		if (better_parse(word, &metric.better) == -1)
			query_damaged(
			    &query, "'%.20s' is not lower or higher", word);
		pass = (int)take_range(&query, 0, INT32_MAX);
		outcome_add_sample(
		    outcome, arena, &metric, pass, take_real(&query));
	}
	return query_close(&query, err);
}

static int
read_columns(struct db *db, int64_t id, struct arena *arena,
    struct trial_curve *curve, struct error *err)
{
	struct query query;
	const char **columns = NULL;
	size_t capacity = 0;

	query_open(&query, db,
	    "SELECT name FROM curve_column WHERE curve = ? ORDER BY place");
	bind_int(&query, id);
	while (query_next(&query)) {
		if (curve->column_count == capacity)
			columns = arena_grow(arena, columns,
			    curve->column_count, &capacity, sizeof *columns);
		columns[curve->column_count++] = take_word(&query, arena);
	}
	curve->columns = columns;
	return query_close(&query, err);
}

/* Values must come row by row, column by column, none missing. */
static int
read_values(struct db *db, int64_t id, struct arena *arena,
    struct trial_curve *curve, struct error *err)
{
	struct query query;
	size_t total, at = 0;

	query_open(&query, db,
	    "SELECT \"row\", place, value FROM curve_value WHERE curve = ?"
	    " ORDER BY \"row\", place");
	bind_int(&query, id);
	if (curve->column_count > 0 &&
	    curve->row_count > CURVE_LIMIT / curve->column_count)
		query_damaged(&query, "a curve has too many values");
	total = query.failed ? 0 : curve->row_count * curve->column_count;
	curve->values = arena_array(arena, total, sizeof *curve->values);
	for (; query_next(&query); at++) {
		int64_t row = take_int(&query);
		int64_t place = take_int(&query);

		if (at >= total || row != (int64_t)(at / curve->column_count) ||
		    place != (int64_t)(at % curve->column_count)) {
			query_damaged(&query, "a curve is not whole");
			break;
		}
		curve->values[at] = take_real(&query);
	}
	if (at != total)
		query_damaged(&query, "a curve is not whole");
	return query_close(&query, err);
}

int
curves_read(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err)
{
	struct query query;
	size_t capacity = 0;
	int rc = 0;

	query_open(&query, db,
	    "SELECT id, name, interval_s, rows FROM curve WHERE attempt = ?"
	    " ORDER BY place");
	bind_int(&query, attempt);
	while (rc == 0 && query_next(&query)) {
		struct trial_curve *curve;
		int64_t id = take_int(&query);

		if (outcome->curve_count == capacity)
			outcome->curves = arena_grow(arena, outcome->curves,
			    outcome->curve_count, &capacity,
			    sizeof *outcome->curves);
		curve = &outcome->curves[outcome->curve_count++];
		*curve = (struct trial_curve){ 0 };
		curve->name = take_word(&query, arena);
		curve->interval_s = take_finite(&query);
		curve->row_count = (size_t)take_range(&query, 0, CURVE_LIMIT);
		if (query.failed)
			break;
		rc = read_columns(db, id, arena, curve, err);
		if (rc == 0)
			rc = read_values(db, id, arena, curve, err);
	}
	return query_close_after(&query, rc, err);
}

int
attempt_read(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err)
{
	if (read_verdict(db, attempt, arena, outcome, err) == -1 ||
	    read_steps(db, attempt, arena, outcome, err) == -1 ||
	    read_samples(db, attempt, arena, outcome, err) == -1)
		return -1;
	return curves_read(db, attempt, arena, outcome, err);
}

int
store_load_outcome(struct store *store, size_t trial, struct arena *arena,
    struct outcome **outcome, struct error *err)
{
	struct query query;
	int64_t attempt = 0;

	query_open(&query, &store->db,
	    "SELECT id FROM attempt WHERE trial = ? ORDER BY id DESC LIMIT 1");
	bind_int(&query, (int64_t)trial);
	if (query_next(&query))
		attempt = take_int(&query);
	if (query_close(&query, err) == -1)
		return -1;
	if (attempt == 0)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' has nothing on trial %zu", store->db.path, trial);
	*outcome = outcome_new(arena, trial);
	return attempt_read(&store->db, attempt, arena, *outcome, err);
}
