/* Results files that somebody made or changed with intent: each is refused in
 * one line that names it, nothing beside it is touched, and nothing hangs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "../fuzz/store_good.h"
#include "base/buffer.h"
#include "base/plain.h"

static char folder[64];
static struct arena *arena;
static struct buffer good;

static const char *
file(const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

static void
write_file(const char *path, const void *bytes, size_t size)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

/* A copy of the good file, changed with SQL that minds no constraint. */
static const char *
tampered(const char *name, const char *sql)
{
	const char *path = file(name);
	sqlite3 *handle;

	write_file(path, good.data, good.length);
	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	sqlite3_exec(handle,
	    "PRAGMA journal_mode = OFF; PRAGMA ignore_check_constraints = ON;"
	    "PRAGMA writable_schema = ON",
	    NULL, NULL, NULL);
	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	sqlite3_close(handle);
	return path;
}

/* Everything that "report" reads, until the first trouble. */
static int
read_all(const char *path, struct error *err)
{
	struct arena *scratch = arena_new();
	struct store *store = NULL;
	struct results_tables tables;
	struct store_progress progress;
	struct store_summary summary;
	struct session *sessions;
	struct failure *failures;
	const char **texts;
	struct plan *plan;
	size_t count;
	int rc = store_open(&store, path, STORE_READ, err);

	if (rc == 0)
		rc = store_load_plan(store, scratch, &plan, err);
	if (rc == 0)
		rc = store_sessions(store, scratch, &sessions, &count, err);
	if (rc == 0)
		rc = store_failures(store, scratch, &failures, &count, err);
	if (rc == 0)
		rc = store_remarks(store, scratch, &texts, &count, err);
	if (rc == 0)
		rc = store_summarise(store, scratch, &summary, err);
	if (rc == 0)
		rc = store_progress(store, scratch, &progress, err);
	if (rc == 0)
		rc = store_tables(store, NULL, scratch, &tables, err);
	store_close(store);
	arena_free(scratch);
	return rc;
}

static void
assert_refused(const char *path, const char *words)
{
	struct error err = { 0 };
	const char *name = strrchr(path, '/') + 1;

	if (read_all(path, &err) == 0)
		fail_msg("%s: it was taken", name);
	if (strstr(err.text, name) == NULL || strstr(err.text, words) == NULL)
		fail_msg("%s: not '%s' but: %s", name, words, err.text);
	for (const char *at = err.text; *at != '\0'; at++)
		assert_int_equal(plain_control(at), 0);
	assert_int_equal(err.kind, ERROR_USAGE);
}

static void
the_good_file_is_good(void **state)
{
	struct error err = { 0 };

	(void)state;
	if (read_all(tampered("good.db", "SELECT 1"), &err) == -1)
		fail_msg("%s", err.text);
	/* and it could be a night's, for the cases below */
	if (read_all(tampered("night.db", "UPDATE plan SET is_imported = 0"),
		&err) == -1)
		fail_msg("%s", err.text);
}

/* No view, trigger, or table of another kind can stand in for ours. */
static void
tables_of_others_are_refused(void **state)
{
	static const struct {
		const char *sql, *words;
	} cases[] = {
		{ "PRAGMA application_id = 5", "not a results file of this" },
		{ "PRAGMA user_version = 2000000000",
		    "version 2000000000 of the tables, this program reads" },
		{ "PRAGMA user_version = 0", "has version 0" },
		{ "CREATE TABLE more(a)", "not as this program makes it" },
		{ "DROP TABLE note", "20 of 21 tables" },
		{ "DROP TABLE note;"
		  "CREATE VIEW note AS SELECT 1 AS name, 2 AS value",
		    "'CREATE VIEW note" },
		{ "CREATE TRIGGER t AFTER INSERT ON session BEGIN"
		  " DELETE FROM cell; END",
		    "'CREATE TRIGGER t" },
		{ "CREATE TRIGGER t AFTER INSERT ON session BEGIN"
		  " DELETE FROM cell; END;"
		  "UPDATE sqlite_master SET name = 'sqlite_t' WHERE name = 't'",
		    "the file is damaged" },
		{ "CREATE INDEX more ON note(value)", "'CREATE INDEX more" },
		{ "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE note"
		  " USING fts5(a)' WHERE name = 'note'",
		    "the file is damaged" },
		{ "UPDATE sqlite_master SET sql = replace(sql,"
		  " 'value TEXT NOT NULL)', 'value TEXT AS (upper(name)))')"
		  " WHERE name = 'note'",
		    "not as this program makes it" },
		{ "UPDATE sqlite_master SET sql = replace(sql, 'title',"
		  " '\"\033[2J\"') WHERE name = 'plan'",
		    "the file is damaged" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_refused(tampered(arena_printf(arena, "table-%zu.db", i),
				   cases[i].sql),
		    cases[i].words);
}

/* Rows that no night and no import has. */
static void
rows_without_sense_are_refused(void **state)
{
	static const struct {
		const char *sql, *words;
	} cases[] = {
		{ "DELETE FROM plan", "it has no plan" },
		{ "UPDATE plan SET matrix_path = NULL",
		    "'matrix_path' is missing" },
		{ "UPDATE plan SET system = NULL", "'system' is missing" },
		{ "UPDATE plan SET title = zeroblob(40000000)",
		    "more than 33554432 bytes" },
		{ "UPDATE plan SET title = printf('%.*c', 20000000, 'x')",
		    "'title' is too long" },
		{ "UPDATE plan SET title = x'00'", "'title' is not a text" },
		{ "UPDATE plan SET is_imported = 0;"
		  "UPDATE cell SET driver = NULL WHERE id = 1",
		    "a cell has no driver: 'e:noatime'" },
		{ "UPDATE plan SET is_imported = 0;"
		  "UPDATE cell SET target = 'u'",
		    "a cell has no such target: 'e:default'" },
		{ "UPDATE plan SET is_imported = 0;"
		  "UPDATE target SET kind = 'device'",
		    "a target has no path: 't'" },
		{ "UPDATE plan SET is_imported = 0; DELETE FROM tree",
		    "a workload has no such tree: 'find'" },
		{ "UPDATE cell SET status = char(27) || '[2J' || char(10) ||"
		  " 'mountmatrix: all is well'",
		    "' [2J mountmatrix:" },
		{ "UPDATE attempt SET started_ns = -9223372036854775807",
		    "'started_ns' is -9223372036854775807" },
		{ "UPDATE session SET ended_ns = -1", "'ended_ns' is -1" },
		{ "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
		  " i < 9000) UPDATE workload SET metric = (SELECT"
		  " group_concat('x' || i, ' ') FROM n)",
		    "ranks more than 512 metrics" },
		{ "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
		  " i < 9000) INSERT INTO sample SELECT 2, 100 + i, 'x@' || i,"
		  " 's', 'lower', 0, 1.0 FROM n",
		    "too many metrics" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_refused(tampered(arena_printf(arena, "row-%zu.db", i),
				   cases[i].sql),
		    cases[i].words);
}

/* An index may say that a table has more rows than it has. */
static void
rows_that_are_only_in_an_index_are_missed(void **state)
{
	(void)state;
	assert_refused(
	    tampered("index.db",
		/* its schema has no index while the row goes */
		"CREATE TEMP TABLE kept AS SELECT rowid AS id, * FROM"
		" sqlite_master WHERE tbl_name = 'cell';"
		"DELETE FROM sqlite_master WHERE type = 'index' AND"
		" tbl_name = 'cell';"
		"UPDATE sqlite_master SET sql = replace(sql, ' UNIQUE', '')"
		" WHERE name = 'cell';"
		"PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON;"
		"DELETE FROM cell WHERE id = 2;"
		"DELETE FROM sqlite_master WHERE tbl_name = 'cell';"
		"INSERT INTO sqlite_master(rowid, type, name, tbl_name,"
		" rootpage, sql) SELECT * FROM kept"),
	    "the file is damaged");
}

/* What lies beside the file as a link or as something that blocks. */
static void
only_regular_files_are_opened(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(file("fifo.db"), 0600), 0);
	assert_refused(file("fifo.db"), "is not a regular file");
	assert_int_equal(mkdir(file("dir.db"), 0700), 0);
	assert_refused(file("dir.db"), "is not a regular file");
	assert_int_equal(symlink("loop.db", file("loop.db")), 0);
	assert_refused(file("loop.db"), "cannot open");
	assert_int_equal(symlink("/dev/zero", file("zero.db")), 0);
	assert_refused(file("zero.db"), "is not a regular file");
	write_file(file("empty.db"), "", 0);
	assert_refused(file("empty.db"), "is not a results file");
	write_file(file("text.db"), "not a database\n", 15);
	assert_refused(file("text.db"), "is not a results file");
	write_file(file("short.db"), good.data, 99);
	assert_refused(file("short.db"), "is not a results file");
	write_file(file("cut.db"), good.data, good.length / 2);
	assert_refused(file("cut.db"), "is damaged");
}

enum { HEADER = 512, PAGE = 4096 };

static void
put_number(unsigned char *at, uint32_t value)
{
	for (int i = 3; i >= 0; i--, value >>= 8)
		at[i] = (unsigned char)value;
}

static const unsigned char journal_magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20,
	0xa1, 0x63, 0xd7 };

/* The head of a journal without pages for a database of so many. */
static void
put_head(unsigned char *bytes, uint32_t pages)
{
	memset(bytes, 0, HEADER);
	memcpy(bytes, journal_magic, sizeof journal_magic);
	put_number(bytes + 16, pages);
	put_number(bytes + 20, HEADER);
	put_number(bytes + 24, PAGE);
}

/* SQLite removes the super-journal that a journal names, and a journal can
 * name any file. */
static void
a_journal_cannot_have_another_file_removed(void **state)
{
	unsigned char bytes[HEADER + 256];
	const char *victim = file("victim");
	size_t length = strlen(victim), at = HEADER;
	uint32_t sum = 0;

	(void)state;
	write_file(victim, "dear\n", 5);
	put_head(bytes, (uint32_t)(good.length / PAGE));
	put_number(bytes + at, 0x40000000 / PAGE + 1);
	memcpy(bytes + at + 4, victim, length);
	for (size_t i = 0; i < length; i++)
		sum += (unsigned char)victim[i];
	at += 4 + length;
	put_number(bytes + at, (uint32_t)length);
	put_number(bytes + at + 4, sum);
	memcpy(bytes + at + 8, journal_magic, sizeof journal_magic);
	write_file(file("super.db"), good.data, good.length);
	write_file(file("super.db-journal"), bytes, at + 16);
	/* also through a link, beside which nothing lies */
	assert_int_equal(symlink("super.db", file("link.db")), 0);
	assert_refused(file("super.db"), "it names another file");
	assert_int_equal(access(victim, F_OK), 0);
	{
		struct error err = { 0 };

		assert_int_equal(read_all(file("link.db"), &err), -1);
		assert_non_null(strstr(err.text, "super.db-journal"));
	}
	assert_int_equal(access(victim, F_OK), 0);
	assert_int_equal(access(file("super.db-journal"), F_OK), 0);
}

static void
a_journal_cannot_make_the_file_grow(void **state)
{
	unsigned char bytes[HEADER];
	struct stat about;

	(void)state;
	put_head(bytes, 0x7fffffff);
	write_file(file("grow.db"), good.data, good.length);
	write_file(file("grow.db-journal"), bytes, sizeof bytes);
	assert_refused(file("grow.db"), "it would make it grow");
	assert_int_equal(stat(file("grow.db"), &about), 0);
	assert_int_equal(about.st_size, good.length);
}

/* The log of another mode would change what is read, whatever the header
 * says. */
static void
a_log_beside_the_file_is_refused(void **state)
{
	static const char junk[] = "7\177\006\202";
	struct buffer other;

	(void)state;
	write_file(file("log.db"), good.data, good.length);
	write_file(file("log.db-wal"), junk, sizeof junk);
	assert_refused(file("log.db"), "no results file has one");
	assert_int_equal(access(file("log.db-wal"), F_OK), 0);
	assert_int_equal(access(file("log.db-shm"), F_OK), -1);
	buffer_init(&other);
	buffer_append(&other, good.data, good.length);
	other.data[18] = other.data[19] = 2;
	write_file(file("wal.db"), other.data, other.length);
	buffer_reset(&other);
	assert_refused(file("wal.db"), "its journal mode is not DELETE");
	assert_int_equal(access(file("wal.db-wal"), F_OK), -1);
}

static void
control_characters_are_made_blank(void **state)
{
	char text[] = "a\033[2Jb\n\x7f\xc2\x9b"
		      "c\xc3\xa9\xc2";
	struct error err = { 0 };

	(void)state;
	assert_string_equal(plain_make(text), "a [2Jb    c\xc3\xa9\xc2");
	error_set(&err, "'%s'", "x\ny\033");
	assert_string_equal(err.text, "'x y '");
}

static int
set_up(void **state)
{
	struct error err = { 0 };

	(void)state;
	strcpy(folder, "/tmp/store_hostile.XXXXXX");
	arena = arena_new();
	if (mkdtemp(folder) == NULL)
		return -1;
	good_store(file("made.db"));
	buffer_init(&good);
	return buffer_read_file(&good, file("made.db"), 1 << 22, &err);
}

static int
tear_down(void **state)
{
	const char *command = arena_printf(arena, "rm -rf '%s'", folder);
	int rc = system(command);

	(void)state;
	buffer_reset(&good);
	arena_free(arena);
	return rc;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_good_file_is_good),
		cmocka_unit_test(tables_of_others_are_refused),
		cmocka_unit_test(rows_without_sense_are_refused),
		cmocka_unit_test(rows_that_are_only_in_an_index_are_missed),
		cmocka_unit_test(only_regular_files_are_opened),
		cmocka_unit_test(a_journal_cannot_have_another_file_removed),
		cmocka_unit_test(a_journal_cannot_make_the_file_grow),
		cmocka_unit_test(a_log_beside_the_file_is_refused),
		cmocka_unit_test(control_characters_are_made_blank),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
