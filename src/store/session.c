/* Sittings, and what the crashes between them mean. */
#include "store/internal.h"

/*
 * Attempts that the machine went down in: the last one of a session that
 * never ended, followed by a session of another boot, or by this boot where
 * no session follows yet.  A program that was killed leaves the boot id as it
 * was.
 */
static const char judge[] =
    "WITH crash AS (SELECT attempt.id AS id, trial.cell AS cell"
    " FROM attempt JOIN session ON session.id = attempt.session"
    " JOIN trial ON trial.id = attempt.trial"
    " WHERE attempt.verdict IN ('aborted', 'panic')"
    " AND session.ended_ns = 0 AND session.boot_id <> ''"
    " AND attempt.id = (SELECT max(id) FROM attempt AS other"
    "  WHERE other.session = session.id)"
    " AND ifnull((SELECT next.boot_id FROM session AS next"
    "  WHERE next.id > session.id ORDER BY next.id LIMIT 1), ?1)"
    "  NOT IN ('', session.boot_id))"
    " UPDATE attempt SET verdict = 'panic',"
    " reason = 'the machine went down twice in trials of this cell'"
    " WHERE verdict = 'aborted' AND id IN (SELECT id FROM crash WHERE cell IN"
    "  (SELECT cell FROM crash GROUP BY cell HAVING count(*) >= 2))";

static void
write_facts(struct query *query, int64_t session, const char *kind,
    const struct fact_list *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		bind_int(query, session);
		bind_text(query, kind);
		bind_int(query, (int64_t)i);
		bind_text(query, facts->items[i].name);
		bind_text(query, facts->items[i].value);
		query_run(query);
	}
}

static const char *
or_empty(const char *text)
{
	return text == NULL ? "" : text;
}

int
session_write(struct db *db, struct session *session, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "INSERT INTO session(label, boot_id, program, started_ns,"
	    " ended_ns) VALUES(?, ?, ?, ?, ?)");
	bind_text(&query, or_empty(session->label));
	bind_text(&query, or_empty(session->boot_id));
	bind_text(&query, or_empty(session->program));
	bind_int(&query, session->started_wall_ns);
	bind_int(&query, session->ended_wall_ns);
	query_run(&query);
	if (query_close(&query, err) == -1)
		return -1;
	session->id = sqlite3_last_insert_rowid(db->handle);
	query_open(&query, db,
	    "INSERT INTO fact(session, kind, place, name, value)"
	    " VALUES(?, ?, ?, ?, ?)");
	write_facts(&query, session->id, "host", &session->host);
	write_facts(&query, session->id, "tool", &session->tools);
	return query_close(&query, err);
}

static int
judge_crashes(struct db *db, const char *boot_id, struct error *err)
{
	struct query query;

	query_open(&query, db, judge);
	bind_text(&query, or_empty(boot_id));
	query_run(&query);
	return query_close(&query, err);
}

int
store_judge_crashes(struct store *store, const char *boot_id, struct error *err)
{
	int rc;

	if (store_may_write(store, err) == -1 ||
	    db_begin(&store->db, true, err) == -1)
		return -1;
	rc = judge_crashes(&store->db, boot_id, err);
	return db_end(&store->db, rc == -1, err);
}

int
store_begin_session(
    struct store *store, struct session *session, struct error *err)
{
	int rc;

	if (store_may_write(store, err) == -1 ||
	    db_begin(&store->db, true, err) == -1)
		return -1;
	session->ended_wall_ns = 0;
	rc = session_write(&store->db, session, err);
	if (rc == 0)
		rc = judge_crashes(&store->db, session->boot_id, err);
	if (db_end(&store->db, rc == -1, err) == -1)
		return -1;
	store->session = session->id;
	return 0;
}

/* Behind all facts that were known at the start. */
static int
write_end_facts(struct store *store, const char *load, struct error *err)
{
	struct query query;

	query_open(&query, &store->db,
	    "INSERT INTO fact(session, kind, place, name, value)"
	    " SELECT ?1, 'host', ifnull(max(place), -1) + 1, 'load_at_end', ?2"
	    " FROM fact WHERE session = ?1 AND kind = 'host'");
	bind_int(&query, store->session);
	bind_text(&query, load);
	query_run(&query);
	return query_close(&query, err);
}

int
store_end_session(struct store *store, int64_t ended_wall_ns, const char *load,
    struct error *err)
{
	struct query query;

	if (load != NULL && load[0] != '\0' &&
	    write_end_facts(store, load, err) == -1)
		return -1;
	query_open(
	    &query, &store->db, "UPDATE session SET ended_ns = ? WHERE id = ?");
	bind_int(&query, ended_wall_ns);
	bind_int(&query, store->session);
	query_run(&query);
	store->session = 0;
	return query_close(&query, err);
}

static int
read_facts(struct db *db, struct arena *arena, struct session *session,
    struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT kind, name, value FROM fact WHERE session = ?"
	    " ORDER BY kind, place");
	bind_int(&query, session->id);
	while (query_next(&query)) {
		static const char *const kinds[] = { "host", "tool" };
		size_t kind = take_choice(&query, arena, kinds, 2);
		const char *name = take_word(&query, arena);
		const char *value = take_word(&query, arena);

		fact_list_add(arena,
		    kind == 0 ? &session->host : &session->tools, name, value);
	}
	return query_close(&query, err);
}

static int
read_sessions(struct db *db, struct arena *arena, struct session **sessions,
    size_t *count, struct error *err)
{
	struct query query;
	size_t capacity = 0;

	*sessions = NULL;
	*count = 0;
	query_open(&query, db,
	    "SELECT id, label, boot_id, program, started_ns, ended_ns"
	    " FROM session ORDER BY id");
	while (query_next(&query)) {
		struct session *session;

		if (*count == capacity)
			*sessions = arena_grow(arena, *sessions, *count,
			    &capacity, sizeof **sessions);
		session = &(*sessions)[(*count)++];
		*session = (struct session){ .id = take_int(&query) };
		session->label = take_word(&query, arena);
		session->boot_id = take_word(&query, arena);
		session->program = take_word(&query, arena);
		session->started_wall_ns = take_time(&query);
		session->ended_wall_ns = take_time(&query);
	}
	if (query_close(&query, err) == -1)
		return -1;
	for (size_t i = 0; i < *count; i++)
		if (read_facts(db, arena, &(*sessions)[i], err) == -1)
			return -1;
	return 0;
}

int
store_sessions(struct store *store, struct arena *arena,
    struct session **sessions, size_t *count, struct error *err)
{
	int rc;

	if (db_begin(&store->db, false, err) == -1)
		return -1;
	rc = read_sessions(&store->db, arena, sessions, count, err);
	return db_end(&store->db, rc == -1, err);
}
