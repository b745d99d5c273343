#include "store/schema.h"

#include <stdio.h>
#include <string.h>

static const char *const tables[] = {
	"CREATE TABLE plan(id INTEGER PRIMARY KEY CHECK(id = 1),"
	" title TEXT, matrix_path TEXT, matrix_text TEXT, system TEXT,"
	" system_version TEXT, seed TEXT NOT NULL, rounds INTEGER NOT NULL,"
	" budget_ns INTEGER NOT NULL, baseline TEXT,"
	" memory_limit_bytes INTEGER NOT NULL, digest TEXT NOT NULL,"
	" is_imported INTEGER NOT NULL)",

	"CREATE TABLE target(id INTEGER PRIMARY KEY, title TEXT NOT NULL,"
	" kind TEXT NOT NULL, path TEXT, image_is_auto INTEGER NOT NULL,"
	" size_bytes INTEGER NOT NULL, remount INTEGER NOT NULL, serial TEXT,"
	" overwrite TEXT, more_devices TEXT, sector_size INTEGER NOT NULL)",

	"CREATE TABLE tree(id INTEGER PRIMARY KEY, title TEXT NOT NULL,"
	" archive TEXT, copies INTEGER NOT NULL, age_ns INTEGER NOT NULL,"
	" entries INTEGER NOT NULL, files INTEGER NOT NULL,"
	" directories INTEGER NOT NULL, bytes INTEGER NOT NULL,"
	" digest TEXT NOT NULL)",

	"CREATE TABLE workload(id INTEGER PRIMARY KEY, title TEXT NOT NULL,"
	" type TEXT NOT NULL, tree TEXT, timeout_ns INTEGER NOT NULL,"
	" memory_limit_bytes INTEGER NOT NULL, metric TEXT,"
	" charge TEXT NOT NULL, cache TEXT NOT NULL)",

	"CREATE TABLE setting(workload INTEGER NOT NULL REFERENCES workload,"
	" place INTEGER NOT NULL, key TEXT NOT NULL, \"values\" TEXT NOT NULL,"
	" PRIMARY KEY(workload, place))",

	"CREATE TABLE pattern(workload INTEGER NOT NULL REFERENCES workload,"
	" place INTEGER NOT NULL, metric TEXT NOT NULL, unit TEXT,"
	" better TEXT NOT NULL, summary TEXT, pattern TEXT,"
	" PRIMARY KEY(workload, place))",

	"CREATE TABLE cell(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	" filesystem TEXT NOT NULL, driver TEXT, target TEXT, asked TEXT,"
	" expected TEXT, in_force TEXT, risk TEXT NOT NULL,"
	" status TEXT NOT NULL, reason TEXT,"
	" duplicate_of INTEGER REFERENCES cell DEFERRABLE INITIALLY DEFERRED,"
	" is_baseline INTEGER NOT NULL,"
	" atime_probe TEXT, durability_probe TEXT)",

	"CREATE TABLE level(cell INTEGER NOT NULL REFERENCES cell,"
	" place INTEGER NOT NULL, factor TEXT NOT NULL, level TEXT NOT NULL,"
	" is_toggle INTEGER NOT NULL, PRIMARY KEY(cell, place))",

	"CREATE TABLE command(cell INTEGER NOT NULL REFERENCES cell,"
	" place INTEGER NOT NULL, rung TEXT NOT NULL, line TEXT NOT NULL,"
	" PRIMARY KEY(cell, place))",

	"CREATE TABLE trial(id INTEGER PRIMARY KEY, block INTEGER NOT NULL,"
	" position INTEGER NOT NULL, cell INTEGER NOT NULL REFERENCES cell,"
	" workload INTEGER NOT NULL REFERENCES workload,"
	" is_warm_up INTEGER NOT NULL, is_retry INTEGER NOT NULL)",

	"CREATE TABLE session(id INTEGER PRIMARY KEY, label TEXT NOT NULL,"
	" boot_id TEXT NOT NULL, program TEXT NOT NULL,"
	" started_ns INTEGER NOT NULL, ended_ns INTEGER NOT NULL)",

	"CREATE TABLE fact(session INTEGER NOT NULL REFERENCES session,"
	" kind TEXT NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,"
	" value TEXT NOT NULL, PRIMARY KEY(session, kind, place))",

	"CREATE TABLE attempt(id INTEGER PRIMARY KEY,"
	" trial INTEGER NOT NULL REFERENCES trial,"
	" session INTEGER NOT NULL REFERENCES session, verdict TEXT NOT NULL,"
	" reason TEXT NOT NULL, failed_rung TEXT, started_ns INTEGER NOT NULL,"
	" ended_ns INTEGER NOT NULL, in_force TEXT, notes TEXT NOT NULL,"
	" cell_rejected INTEGER NOT NULL)",

	"CREATE TABLE step(attempt INTEGER NOT NULL REFERENCES attempt,"
	" place INTEGER NOT NULL, rung TEXT NOT NULL, command TEXT NOT NULL,"
	" exit_code INTEGER NOT NULL, signal INTEGER NOT NULL,"
	" timed_out INTEGER NOT NULL, output TEXT NOT NULL,"
	" errors TEXT NOT NULL, kernel TEXT NOT NULL,"
	" started_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL,"
	" user_ns INTEGER NOT NULL, system_ns INTEGER NOT NULL,"
	" voluntary_switches INTEGER NOT NULL,"
	" involuntary_switches INTEGER NOT NULL,"
	" major_faults INTEGER NOT NULL, device_reads INTEGER,"
	" device_writes INTEGER, device_read_bytes INTEGER,"
	" device_written_bytes INTEGER, device_flushes INTEGER,"
	" PRIMARY KEY(attempt, place))",

	"CREATE TABLE sample(attempt INTEGER NOT NULL REFERENCES attempt,"
	" place INTEGER NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL,"
	" better TEXT NOT NULL, pass INTEGER NOT NULL, value REAL,"
	" PRIMARY KEY(attempt, place))",

	"CREATE TABLE curve(id INTEGER PRIMARY KEY,"
	" attempt INTEGER NOT NULL REFERENCES attempt,"
	" place INTEGER NOT NULL, name TEXT NOT NULL, interval_s REAL,"
	" rows INTEGER NOT NULL)",

	"CREATE TABLE curve_column(curve INTEGER NOT NULL REFERENCES curve,"
	" place INTEGER NOT NULL, name TEXT NOT NULL,"
	" PRIMARY KEY(curve, place))",

	"CREATE TABLE curve_value(curve INTEGER NOT NULL REFERENCES curve,"
	" \"row\" INTEGER NOT NULL, place INTEGER NOT NULL, value REAL,"
	" PRIMARY KEY(curve, \"row\", place))",

	"CREATE TABLE note(name TEXT PRIMARY KEY, value TEXT NOT NULL)",

	"CREATE INDEX attempt_of_trial ON attempt(trial)",
	"CREATE INDEX curve_of_attempt ON curve(attempt)",
};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

int
schema_create(struct db *db, struct error *err)
{
	char sql[96];

	for (size_t i = 0; i < TABLE_COUNT; i++)
		if (db_exec(db, tables[i], err) == -1)
			return -1;
	snprintf(sql, sizeof sql,
	    "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
	return db_exec(db, sql, err);
}

/* Is the statement one of ours? */
static bool
is_ours(const char *sql)
{
	for (size_t i = 0; i < TABLE_COUNT; i++)
		if (strcmp(tables[i], sql) == 0)
			return true;
	return false;
}

static int
verify_tables(struct db *db, struct error *err)
{
	struct arena *arena = arena_new();
	struct query query;
	size_t found = 0;
	int rc;

	/* whatever its name is: SQLite makes what the text says, and a trigger
	 * may be called like a table of SQLite's own */
	query_open(&query, db,
	    "SELECT sql FROM sqlite_master WHERE NOT (type = 'index'"
	    " AND sql IS NULL AND name LIKE 'sqlite\\_autoindex\\_%'"
	    " ESCAPE '\\')");
	while (query_next(&query)) {
		const char *sql = take_word(&query, arena);

		if (!is_ours(sql))
			query_damaged(&query,
			    "a table is not as this program makes it: '%.60s'",
			    sql);
		found++;
	}
	if (found != TABLE_COUNT)
		query_damaged(&query, "%zu of %d tables are there", found,
		    (int)TABLE_COUNT);
	rc = query_close(&query, err);
	arena_free(arena);
	return rc;
}

int
schema_verify(struct db *db, struct error *err)
{
	int64_t id, version;

	if (db_int(db, "PRAGMA application_id", &id, err) == -1 ||
	    db_int(db, "PRAGMA user_version", &version, err) == -1)
		return -1;
	if (id != SCHEMA_APPLICATION_ID)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is not a results file of this program", db->path);
	if (version != SCHEMA_VERSION)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' has version %lld of the tables, this program reads"
		    " version %d",
		    db->path, (long long)version, SCHEMA_VERSION);
	return verify_tables(db, err);
}
