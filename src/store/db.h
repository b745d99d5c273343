/*
 * SQLite in small: statements that bind and read their columns in order, and
 * that remember the first thing that went wrong until it is asked for.
 *
 *     struct query q;
 *
 *     query_open(&q, db, "SELECT name, value FROM note WHERE id > ?");
 *     bind_int(&q, 3);
 *     while (query_next(&q)) {
 *             name = take_text(&q, arena);
 *             value = take_real(&q);
 *     }
 *     return query_close(&q, err);
 *
 * query_next ends the loop also at an error, and query_close tells it.  Every
 * take_* checks the stored type: a file may be damaged or made by an enemy,
 * and SQLite lets any column hold anything.
 */
#ifndef MM_STORE_DB_H
#define MM_STORE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Longer texts than this are refused when read. */
enum { TEXT_LIMIT = 16 * 1024 * 1024 };

struct db {
	sqlite3 *handle;
	char *path;
};

struct query {
	struct db *db;
	sqlite3_stmt *statement;
	int bind_at; /* index of the next parameter */
	int take_at; /* of the next column */
	bool failed;
	enum error_kind kind;
	char trouble[256];
};

/* Opens with our settings (timeout, foreign keys, no trust in the file). */
int db_open(struct db *db, const char *path, int flags, struct error *err);
void db_close(struct db *db);

/* Statements without parameters or rows. */
int db_exec(struct db *db, const char *sql, struct error *err);

/* A transaction; db_end with failed = true takes it back.  Returns 0, or -1
 * when it failed before or fails now. */
int db_begin(struct db *db, bool is_writing, struct error *err);
int db_end(struct db *db, bool failed, struct error *err);

void query_open(struct query *query, struct db *db, const char *sql);
void bind_int(struct query *query, int64_t value);
void bind_bool(struct query *query, bool value);
void bind_real(struct query *query, double value); /* NAN is NULL */
void bind_text(struct query *query, const char *text);
void bind_null(struct query *query);

/* True when there is a row. */
bool query_next(struct query *query);

/* Runs a statement that gives no rows and makes it ready to bind again. */
void query_run(struct query *query);

/* Ready to bind again. */
void query_again(struct query *query);

int query_close(struct query *query, struct error *err);

/* The same after something else that gave "rc": the first error stays. */
int query_close_after(struct query *query, int rc, struct error *err);

int64_t take_int(struct query *query);
int64_t take_range(struct query *query, int64_t low, int64_t high);
bool take_bool(struct query *query);
/* Of the day, in ns since 1970: none lies before, so that any two may be
 * subtracted. */
int64_t take_time(struct query *query);
double take_real(struct query *query);        /* NULL is NAN */
double take_finite(struct query *query);      /* NULL, inf are damage */
bool take_is_null(const struct query *query); /* of the next column */
/* NULL stays NULL. */
char *take_text(struct query *query, struct arena *arena);
/* NULL is damage. */
char *take_word(struct query *query, struct arena *arena);

/* Says that the row makes no sense; the loop ends. */
void query_damaged(struct query *query, const char *format, ...)
    MM_PRINTF(2, 3);

/* The single integer that a statement without parameters gives. */
int db_int(struct db *db, const char *sql, int64_t *value, struct error *err);

#endif
