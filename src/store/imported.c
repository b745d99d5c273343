/* A results file out of an imported log: the same tables as after a night. */
#include "store/internal.h"

static int
write_outcome(struct db *db, const struct imported *imported, size_t i,
    const int64_t *sessions, struct error *err)
{
	const struct outcome *outcome = &imported->outcomes[i];
	size_t session = imported->outcome_sessions == NULL
			     ? 0
			     : imported->outcome_sessions[i];
	int64_t attempt;

	if (session >= imported->session_count)
		return error_set(
		    err, "'%s': outcome %zu is of no session", db->path, i);
	if (attempt_begin(db, outcome->trial, sessions[session],
		outcome->started_wall_ns, &attempt, err) == -1)
		return -1;
	return attempt_finish(db, attempt, outcome, err);
}

static int
write_imported(
    struct db *db, const struct imported *imported, struct error *err)
{
	struct arena *arena = arena_new();
	int64_t *ids =
	    arena_array(arena, imported->session_count + 1, sizeof *ids);
	int rc = plan_write(db, imported->plan, true, err);

	for (size_t i = 0; rc == 0 && i < imported->session_count; i++) {
		struct session session = imported->sessions[i];

		/* it has ended, whether or not the log says when */
		if (session.ended_wall_ns == 0)
			session.ended_wall_ns = session.started_wall_ns == 0
						    ? 1
						    : session.started_wall_ns;
		rc = session_write(db, &session, err);
		ids[i] = session.id;
	}
	for (size_t i = 0; rc == 0 && i < imported->outcome_count; i++)
		rc = write_outcome(db, imported, i, ids, err);
	arena_free(arena);
	return rc;
}

int
store_create_imported(
    const char *path, const struct imported *imported, struct error *err)
{
	struct draft draft;
	int rc;

	if (draft_open(&draft, path, err) == -1)
		return -1;
	rc = write_imported(&draft.db, imported, err);
	return draft_settle(&draft, rc == -1, err);
}
