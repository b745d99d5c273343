/* Is the file whole?  SQLite's own check, then every part of ours read. */
#include <string.h>

#include "store/internal.h"

/* SQLite's first finding, without the headings between stars; whole, or cut
 * between two words. */
static const char *
first_line(struct arena *arena, const char *text)
{
	enum { MOST = 120 };
	size_t length;

	while (strncmp(text, "***", 3) == 0 && strchr(text, '\n') != NULL)
		text = strchr(text, '\n') + 1;
	length = strcspn(text, "\n");
	if (length > MOST) {
		length = MOST;
		while (length > 0 && text[length] != ' ')
			length--;
	}
	return arena_strndup(arena, text, length > 0 ? length : MOST);
}

static int
check_pages(struct db *db, struct error *err)
{
	struct arena *arena = arena_new();
	struct query query;

	query_open(&query, db, "PRAGMA integrity_check(5)");
	while (query_next(&query)) {
		const char *text = take_word(&query, arena);

		if (strcmp(text, "ok") == 0)
			continue;
		query_damaged(&query, "%s", first_line(arena, text));
		break; /* one tells enough */
	}
	arena_free(arena);
	return query_close(&query, err);
}

static int
check_references(struct db *db, struct error *err)
{
	struct arena *arena = arena_new();
	struct query query;

	query_open(&query, db, "PRAGMA foreign_key_check");
	if (query_next(&query))
		query_damaged(&query, "a row of '%s' refers to none",
		    take_word(&query, arena));
	arena_free(arena);
	return query_close(&query, err);
}

/* What foreign keys cannot say. */
static const struct {
	const char *what;
	const char *sql;
} rules[] = {
	{ "a trial has two good attempts",
	    "SELECT count(*) FROM (SELECT 1 FROM attempt WHERE verdict = 'ok'"
	    " GROUP BY trial HAVING count(*) > 1)" },
	{ "a finished attempt has no end",
	    "SELECT count(*) FROM attempt WHERE verdict NOT IN ('aborted',"
	    " 'panic') AND ended_ns < started_ns" },
	{ "a trial that was cut off has samples",
	    "SELECT count(*) FROM sample JOIN attempt"
	    " ON attempt.id = sample.attempt WHERE attempt.verdict = 'aborted'"
	    " AND attempt.ended_ns = 0" },
};

static int
check_rules(struct db *db, struct error *err)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		int64_t count;

		if (db_int(db, rules[i].sql, &count, err) == -1)
			return -1;
		if (count != 0)
			return error_set_kind(err, ERROR_USAGE,
			    "'%s': the file is damaged: %s", db->path,
			    rules[i].what);
	}
	return 0;
}

/* Every attempt is read once, so that a word no program knows is found. */
static int
check_attempts(struct db *db, struct error *err)
{
	struct query query;
	int rc = 0;

	query_open(&query, db, "SELECT id FROM attempt ORDER BY id");
	while (rc == 0 && query_next(&query)) {
		struct arena *arena = arena_new();
		struct outcome outcome = { 0 };

		rc = attempt_read(db, take_int(&query), arena, &outcome, err);
		arena_free(arena);
	}
	return query_close_after(&query, rc, err);
}

int
store_check_integrity(struct store *store, struct error *err)
{
	struct arena *arena = arena_new();
	struct session *sessions;
	struct plan *plan;
	size_t count;
	int rc = check_pages(&store->db, err);

	if (rc == 0)
		rc = check_references(&store->db, err);
	if (rc == 0)
		rc = check_rules(&store->db, err);
	if (rc == 0)
		rc = store_load_plan(store, arena, &plan, err);
	if (rc == 0)
		rc = store_sessions(store, arena, &sessions, &count, err);
	if (rc == 0)
		rc = check_attempts(&store->db, err);
	arena_free(arena);
	return rc;
}
