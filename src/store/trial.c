/* The life of an attempt: begun, finished, or cut off. */
#include "store/internal.h"

int
attempt_begin(struct db *db, size_t trial, int64_t session,
    int64_t started_wall_ns, int64_t *attempt, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "INSERT INTO attempt(trial, session, verdict, reason, started_ns,"
	    " ended_ns, notes, cell_rejected)"
	    " VALUES(?, ?, ?, '', ?, 0, '', 0)");
	bind_int(&query, (int64_t)trial);
	bind_int(&query, session);
	bind_text(&query, verdict_name(VERDICT_ABORTED));
	bind_int(&query, started_wall_ns);
	query_run(&query);
	if (query_close(&query, err) == -1)
		return -1;
	*attempt = sqlite3_last_insert_rowid(db->handle);
	return 0;
}

static void
bind_io(struct query *query, const struct io_counts *io)
{
	const struct {
		int64_t count;
		bool is_known;
	} values[] = { { io->reads, true }, { io->writes, true },
		{ io->read_bytes, io->bytes_known },
		{ io->written_bytes, io->bytes_known },
		{ io->flushes, io->flushes_known } };

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		if (io->known && values[i].is_known)
			bind_int(query, values[i].count);
		else
			bind_null(query);
	}
}

static void
write_step(
    struct query *query, int64_t attempt, size_t place, const struct step *step)
{
	bind_int(query, attempt);
	bind_int(query, (int64_t)place);
	bind_text(query, rung_name(step->rung));
	bind_text(query, step->command == NULL ? "" : step->command);
	bind_int(query, step->exit_code);
	bind_int(query, step->signal);
	bind_bool(query, step->timed_out);
	bind_text(query, step->output == NULL ? "" : step->output);
	bind_text(query, step->errors == NULL ? "" : step->errors);
	bind_text(query, step->kernel == NULL ? "" : step->kernel);
	bind_int(query, step->started_wall_ns);
	bind_int(query, step->wall_ns);
	bind_int(query, step->user_ns);
	bind_int(query, step->system_ns);
	bind_int(query, step->voluntary_switches);
	bind_int(query, step->involuntary_switches);
	bind_int(query, step->major_faults);
	bind_io(query, &step->io);
	query_run(query);
}

static int
write_steps(struct db *db, int64_t attempt, const struct outcome *outcome,
    struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "INSERT INTO step(attempt, place, rung, command, exit_code, signal,"
	    " timed_out, output, errors, kernel, started_ns, wall_ns, user_ns,"
	    " system_ns, voluntary_switches, involuntary_switches,"
	    " major_faults, device_reads, device_writes, device_read_bytes,"
	    " device_written_bytes, device_flushes) VALUES(?, ?, ?, ?, ?, ?, ?,"
	    " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < outcome->step_count; i++)
		write_step(&query, attempt, i, &outcome->steps[i]);
	return query_close(&query, err);
}

static int
write_samples(struct db *db, int64_t attempt, const struct outcome *outcome,
    struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "INSERT INTO sample(attempt, place, metric, unit, better, pass,"
	    " value) VALUES(?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < outcome->sample_count; i++) {
		const struct sample *sample = &outcome->samples[i];

		bind_int(&query, attempt);
		bind_int(&query, (int64_t)i);
		bind_text(&query, sample->metric);
		bind_text(&query, sample->unit == NULL ? "" : sample->unit);
		bind_text(&query, better_name(sample->better));
		bind_int(&query, sample->pass);
		bind_real(&query, sample->value);
		query_run(&query);
	}
	return query_close(&query, err);
}

static void
write_curve_rows(struct query *columns, struct query *values, int64_t id,
    const struct trial_curve *curve)
{
	for (size_t i = 0; i < curve->column_count; i++) {
		bind_int(columns, id);
		bind_int(columns, (int64_t)i);
		bind_text(columns, curve->columns[i]);
		query_run(columns);
	}
	for (size_t row = 0; row < curve->row_count; row++)
		for (size_t i = 0; i < curve->column_count; i++) {
			bind_int(values, id);
			bind_int(values, (int64_t)row);
			bind_int(values, (int64_t)i);
			bind_real(values,
			    curve->values[row * curve->column_count + i]);
			query_run(values);
		}
}

static int
write_curves(struct db *db, int64_t attempt, const struct outcome *outcome,
    struct error *err)
{
	struct query query, columns, values;
	int rc;

	query_open(&query, db,
	    "INSERT INTO curve(attempt, place, name, interval_s, rows)"
	    " VALUES(?, ?, ?, ?, ?)");
	query_open(&columns, db,
	    "INSERT INTO curve_column(curve, place, name) VALUES(?, ?, ?)");
	query_open(&values, db,
	    "INSERT INTO curve_value(curve, \"row\", place, value)"
	    " VALUES(?, ?, ?, ?)");
	for (size_t i = 0; i < outcome->curve_count; i++) {
		const struct trial_curve *curve = &outcome->curves[i];

		bind_int(&query, attempt);
		bind_int(&query, (int64_t)i);
		bind_text(&query, curve->name);
		bind_real(&query, curve->interval_s);
		bind_int(&query, (int64_t)curve->row_count);
		query_run(&query);
		write_curve_rows(&columns, &values,
		    sqlite3_last_insert_rowid(db->handle), curve);
	}
	rc = query_close(&query, err);
	rc = query_close_after(&columns, rc, err);
	return query_close_after(&values, rc, err);
}

static int
write_verdict(struct db *db, int64_t attempt, const struct outcome *outcome,
    struct error *err)
{
	bool is_ok = outcome->verdict == VERDICT_OK;
	struct query query;

	query_open(&query, db,
	    "UPDATE attempt SET verdict = ?, reason = ?, failed_rung = ?,"
	    " ended_ns = ?, in_force = ?, notes = ?, cell_rejected = ?"
	    " WHERE id = ? AND verdict = 'aborted'");
	bind_text(&query, verdict_name(outcome->verdict));
	bind_text(&query, outcome->reason == NULL ? "" : outcome->reason);
	bind_text(&query, is_ok ? NULL : rung_name(outcome->failed_rung));
	bind_int(&query, outcome->ended_wall_ns);
	bind_text(&query, outcome->in_force);
	bind_text(&query, outcome->notes == NULL ? "" : outcome->notes);
	bind_bool(&query, outcome->cell_rejected);
	bind_int(&query, attempt);
	query_run(&query);
	if (query_close(&query, err) == -1)
		return -1;
	if (sqlite3_changes(db->handle) != 1)
		return error_set(err, "'%s': trial %zu was not begun", db->path,
		    outcome->trial);
	return 0;
}

int
attempt_finish(struct db *db, int64_t attempt, const struct outcome *outcome,
    struct error *err)
{
	if (write_verdict(db, attempt, outcome, err) == -1 ||
	    write_steps(db, attempt, outcome, err) == -1 ||
	    write_samples(db, attempt, outcome, err) == -1)
		return -1;
	return write_curves(db, attempt, outcome, err);
}

int
store_begin_trial(struct store *store, size_t trial, int64_t started_wall_ns,
    struct error *err)
{
	if (store_may_write(store, err) == -1)
		return -1;
	if (store->session == 0)
		return error_set(
		    err, "'%s': no session was begun", store->db.path);
	if (attempt_begin(&store->db, trial, store->session, started_wall_ns,
		&store->attempt, err) == -1)
		return -1;
	store->open_trial = trial;
	return 0;
}

int
store_finish_trial(struct store *store, const struct outcome *outcome,
    const struct cell *cell, struct error *err)
{
	int rc;

	if (store->attempt == 0 || store->open_trial != outcome->trial)
		return error_set(err, "'%s': trial %zu was not begun",
		    store->db.path, outcome->trial);
	if (db_begin(&store->db, true, err) == -1)
		return -1;
	rc = attempt_finish(&store->db, store->attempt, outcome, err);
	if (rc == 0 && cell != NULL)
		rc = cell_update(&store->db, cell, err);
	if (db_end(&store->db, rc == -1, err) == -1)
		return -1;
	store->attempt = 0;
	return 0;
}

int
store_update_cell(
    struct store *store, const struct cell *cell, struct error *err)
{
	int rc;

	if (store_may_write(store, err) == -1 ||
	    db_begin(&store->db, true, err) == -1)
		return -1;
	rc = cell_update(&store->db, cell, err);
	return db_end(&store->db, rc == -1, err);
}

int
store_add_trial(
    struct store *store, const struct planned_trial *trial, struct error *err)
{
	int64_t count;
	int rc;

	if (store_may_write(store, err) == -1 ||
	    db_begin(&store->db, true, err) == -1)
		return -1;
	rc = db_int(&store->db, "SELECT count(*) FROM trial", &count, err);
	if (rc == 0 && count != (int64_t)trial->index)
		rc = error_set(err,
		    "'%s' has %lld trials, so %zu cannot be"
		    " added",
		    store->db.path, (long long)count, trial->index);
	if (rc == 0)
		rc = trial_write(&store->db, trial, err);
	return db_end(&store->db, rc == -1, err);
}
