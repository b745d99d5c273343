/* What the files of store/ share; for nobody else. */
#ifndef MM_STORE_INTERNAL_H
#define MM_STORE_INTERNAL_H

#include "store/db.h"
#include "store/store.h"

struct store {
	struct db db;
	enum store_mode mode;
	int64_t session; /* row of this sitting; 0 none */
	int64_t attempt; /* row of the open attempt; 0 none */
	size_t open_trial;
};

/* A list of words as one line that "sh" would read back, and the reverse. */
char *words_join(struct arena *arena, const char *const *words, size_t count);
const char *const *words_split(
    struct query *query, struct arena *arena, const char *line, size_t *count);

/* One row of table note; replaces one of the same name. */
int note_write(
    struct db *db, const char *name, const char *value, struct error *err);

/* Inside a transaction of the caller. */
int plan_write(struct db *db, const struct plan *plan, bool is_imported,
    struct error *err);
/* Refuses a plan of a night that lacks what running it needs. */
int plan_check(struct db *db, const struct plan *plan, struct error *err);
int trial_write(
    struct db *db, const struct planned_trial *trial, struct error *err);
int cell_update(struct db *db, const struct cell *cell, struct error *err);
int session_write(struct db *db, struct session *session, struct error *err);
int attempt_begin(struct db *db, size_t trial, int64_t session,
    int64_t started_wall_ns, int64_t *attempt, struct error *err);
int attempt_finish(struct db *db, int64_t attempt,
    const struct outcome *outcome, struct error *err);

/* Reads an attempt with all its parts. */
int attempt_read(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err);

/* Only its curves. */
int curves_read(struct db *db, int64_t attempt, struct arena *arena,
    struct outcome *outcome, struct error *err);

/* Makes a new file with the plan in it under a passing name, so that PATH
 * either is a whole results file or does not exist.  Fill, then settle. */
struct draft {
	struct db db;
	struct arena *arena; /* of the names */
	const char *path;
	const char *passing;
};

int draft_open(struct draft *draft, const char *path, struct error *err);
int draft_settle(struct draft *draft, bool failed, struct error *err);

/* Refuses what is no results file, and one with companions that are not ours;
 * before SQLite opens it. */
int file_inspect(const char *path, struct error *err);

/* Refuses writes to a store that was opened for reading. */
int store_may_write(const struct store *store, struct error *err);

/* The words by which plans are stored. */
extern const char *const target_kind_names[];
extern const char *const charge_names[];
extern const char *const cache_names[];

/* Index of the word among "count"; anything else is damage. */
size_t take_choice(struct query *query, struct arena *arena,
    const char *const *names, size_t count);

#endif
