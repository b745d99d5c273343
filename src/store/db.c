#include "store/db.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_TIMEOUT_MS = 5000 };

static const char settings[] = "PRAGMA foreign_keys = ON;"
			       "PRAGMA trusted_schema = OFF;"
			       "PRAGMA cell_size_check = ON;"
			       "PRAGMA temp_store = MEMORY;"
			       "PRAGMA synchronous = EXTRA;";

/* ":memory:" and "file:x?mode=memory" are other things to SQLite, and may be
 * files here. */
static int
open_file(struct db *db, const char *path, int flags)
{
	size_t size = strlen(path) + sizeof "./";
	char *name = malloc(size);
	int status;

	if (name == NULL)
		return SQLITE_NOMEM;
	(void)snprintf(name, size, "%s%s", path[0] == '/' ? "" : "./", path);
	status = sqlite3_open_v2(name, &db->handle, flags, NULL);
	free(name);
	return status;
}

int
db_open(struct db *db, const char *path, int flags, struct error *err)
{
	int status;

	*db = (struct db){ .path = strdup(path) };
	status = open_file(db, path, flags);
	if (status != SQLITE_OK || db->path == NULL) {
		error_set(err, "'%s': %s", path, sqlite3_errstr(status));
		db_close(db);
		return -1;
	}
	sqlite3_extended_result_codes(db->handle, 1);
	sqlite3_busy_timeout(db->handle, BUSY_TIMEOUT_MS);
	sqlite3_db_config(
	    db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, 2 * TEXT_LIMIT);
	sqlite3_limit(db->handle, SQLITE_LIMIT_ATTACHED, 0);
	if (db_exec(db, settings, err) == -1) {
		db_close(db);
		return -1;
	}
	return 0;
}

void
db_close(struct db *db)
{
	sqlite3_close(db->handle);
	free(db->path);
	*db = (struct db){ 0 };
}

/* A file that is not what it should be is the user's to replace; anything else
 * (no space, no memory, a lock) is not. */
static enum error_kind
kind_of(const struct db *db)
{
	switch (sqlite3_errcode(db->handle)) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_TOOBIG:
		return ERROR_USAGE;
	default:
		return ERROR_INTERNAL;
	}
}

/* SQLite's word for what went wrong, with what a person can do about it. */
static void
describe(struct db *db, char *text, size_t size)
{
	int status = sqlite3_extended_errcode(db->handle);

	switch (status & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		snprintf(text, size, "in use by another program for %d s",
		    BUSY_TIMEOUT_MS / 1000);
		break;
	case SQLITE_READONLY:
		snprintf(text, size, "cannot be written%s",
		    status == SQLITE_READONLY_ROLLBACK
			? ", which a run that was cut off in a write needs once"
			: "");
		break;
	case SQLITE_NOTADB:
		snprintf(
		    text, size, "not a results file, and no database at all");
		break;
	case SQLITE_CORRUPT:
		snprintf(text, size, "the file is damaged (%s)",
		    sqlite3_errmsg(db->handle));
		break;
	case SQLITE_FULL:
		snprintf(text, size,
		    "no room is left on its disk; make room, then go on with"
		    " 'mountmatrix resume'");
		break;
	case SQLITE_TOOBIG:
		snprintf(text, size,
		    "the file is damaged: a value has more than %d bytes",
		    2 * TEXT_LIMIT);
		break;
	default:
		snprintf(text, size, "%s", sqlite3_errmsg(db->handle));
	}
}

int
db_exec(struct db *db, const char *sql, struct error *err)
{
	char text[256];

	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	describe(db, text, sizeof text);
	return error_set_kind(err, kind_of(db), "'%s': %s", db->path, text);
}

int
db_begin(struct db *db, bool is_writing, struct error *err)
{
	return db_exec(db, is_writing ? "BEGIN IMMEDIATE" : "BEGIN", err);
}

int
db_end(struct db *db, bool failed, struct error *err)
{
	if (!failed && db_exec(db, "COMMIT", err) == 0)
		return 0;
	if (!sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

/* Remembers the first trouble only. */
static void
query_fail(struct query *query)
{
	if (query->failed)
		return;
	query->failed = true;
	query->kind = kind_of(query->db);
	describe(query->db, query->trouble, sizeof query->trouble);
}

void
query_damaged(struct query *query, const char *format, ...)
{
	char text[160];
	va_list arguments;

	if (query->failed)
		return;
	query->failed = true;
	query->kind = ERROR_USAGE;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	snprintf(query->trouble, sizeof query->trouble,
	    "the file is damaged: %s", text);
}

void
query_open(struct query *query, struct db *db, const char *sql)
{
	*query = (struct query){ .db = db, .bind_at = 1 };
	if (sqlite3_prepare_v2(db->handle, sql, -1, &query->statement, NULL) !=
	    SQLITE_OK)
		query_fail(query);
}

static void
bound(struct query *query, int status)
{
	if (status != SQLITE_OK)
		query_fail(query);
	query->bind_at++;
}

void
bind_int(struct query *query, int64_t value)
{
	if (!query->failed)
		bound(query, sqlite3_bind_int64(
				 query->statement, query->bind_at, value));
}

void
bind_bool(struct query *query, bool value)
{
	bind_int(query, value ? 1 : 0);
}

void
bind_real(struct query *query, double value)
{
	if (!query->failed)
		bound(query, sqlite3_bind_double(
				 query->statement, query->bind_at, value));
}

void
bind_null(struct query *query)
{
	if (!query->failed)
		bound(
		    query, sqlite3_bind_null(query->statement, query->bind_at));
}

void
bind_text(struct query *query, const char *text)
{
	if (text == NULL) {
		bind_null(query);
		return;
	}
	if (!query->failed)
		bound(query, sqlite3_bind_text(query->statement, query->bind_at,
				 text, -1, SQLITE_TRANSIENT));
}

bool
query_next(struct query *query)
{
	int status;

	if (query->failed)
		return false;
	status = sqlite3_step(query->statement);
	query->take_at = 0;
	if (status == SQLITE_ROW)
		return true;
	if (status != SQLITE_DONE)
		query_fail(query);
	return false;
}

void
query_again(struct query *query)
{
	if (query->failed)
		return;
	sqlite3_reset(query->statement);
	query->bind_at = 1;
	query->take_at = 0;
}

void
query_run(struct query *query)
{
	query_next(query);
	query_again(query);
}

int
query_close(struct query *query, struct error *err)
{
	sqlite3_finalize(query->statement);
	query->statement = NULL;
	if (!query->failed)
		return 0;
	return error_set_kind(
	    err, query->kind, "'%s': %s", query->db->path, query->trouble);
}

int
query_close_after(struct query *query, int rc, struct error *err)
{
	struct error ignored = { 0 };

	return query_close(query, rc == 0 ? err : &ignored) == -1 ? -1 : rc;
}

static const char *
column_name(const struct query *query)
{
	const char *name =
	    sqlite3_column_name(query->statement, query->take_at);

	return name == NULL ? "?" : name;
}

bool
take_is_null(const struct query *query)
{
	return !query->failed && sqlite3_column_type(query->statement,
				     query->take_at) == SQLITE_NULL;
}

int64_t
take_int(struct query *query)
{
	return take_range(query, INT64_MIN, INT64_MAX);
}

int64_t
take_range(struct query *query, int64_t low, int64_t high)
{
	int64_t value;

	if (query->failed)
		return low > 0 ? low : 0;
	value = sqlite3_column_int64(query->statement, query->take_at);
	if (sqlite3_column_type(query->statement, query->take_at) !=
	    SQLITE_INTEGER)
		query_damaged(
		    query, "'%s' is not an integer", column_name(query));
	else if (value < low || value > high)
		query_damaged(query, "'%s' is %lld", column_name(query),
		    (long long)value);
	query->take_at++;
	return query->failed ? (low > 0 ? low : 0) : value;
}

int64_t
take_time(struct query *query)
{
	return take_range(query, 0, INT64_MAX);
}

bool
take_bool(struct query *query)
{
	return take_range(query, 0, 1) == 1;
}

double
take_real(struct query *query)
{
	int type;
	double value;

	if (query->failed)
		return NAN;
	type = sqlite3_column_type(query->statement, query->take_at);
	value = sqlite3_column_double(query->statement, query->take_at);
	if (type == SQLITE_NULL)
		value = NAN;
	else if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
		query_damaged(
		    query, "'%s' is not a number", column_name(query));
	query->take_at++;
	return value;
}

double
take_finite(struct query *query)
{
	double value = take_real(query);

	if (!query->failed && !isfinite(value))
		query_damaged(query, "a value is not a finite number");
	return query->failed ? 0 : value;
}

char *
take_text(struct query *query, struct arena *arena)
{
	int type, size;
	const unsigned char *text;
	char *copy = NULL;

	if (query->failed)
		return NULL;
	type = sqlite3_column_type(query->statement, query->take_at);
	if (type == SQLITE_TEXT) {
		text = sqlite3_column_text(query->statement, query->take_at);
		size = sqlite3_column_bytes(query->statement, query->take_at);
		if (text == NULL || size > TEXT_LIMIT)
			query_damaged(
			    query, "'%s' is too long", column_name(query));
		else
			copy = arena_strndup(
			    arena, (const char *)text, (size_t)size);
	} else if (type != SQLITE_NULL) {
		query_damaged(query, "'%s' is not a text", column_name(query));
	}
	query->take_at++;
	return copy;
}

char *
take_word(struct query *query, struct arena *arena)
{
	const char *column = query->failed ? "" : column_name(query);
	char *text = take_text(query, arena);

	if (text == NULL && !query->failed)
		query_damaged(query, "'%s' is missing", column);
	return text == NULL ? arena_strdup(arena, "") : text;
}

int
db_int(struct db *db, const char *sql, int64_t *value, struct error *err)
{
	struct query query;

	query_open(&query, db, sql);
	if (query_next(&query))
		*value = take_int(&query);
	else
		query_damaged(&query, "no answer");
	return query_close(&query, err);
}
