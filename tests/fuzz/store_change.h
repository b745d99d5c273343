/*
 * A good results file, and how an input changes it: see store_fuzz.c.
 */
#ifndef MM_FUZZ_STORE_CHANGE_H
#define MM_FUZZ_STORE_CHANGE_H

#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store_good.h"

enum { SIZE_LIMIT = 1 << 20, TABLE_LIMIT = 32, TEXT = 64 };

/* A folder in memory where there is one: thousands of files are made. */
static char folder[TEXT], path[2 * TEXT], journal[3 * TEXT], other[3 * TEXT];

static unsigned char good[SIZE_LIMIT], loose[SIZE_LIMIT], changed[SIZE_LIMIT];
static size_t good_size, loose_size;

/* The tables, as they must be said to be for the file to be read at all. */
static struct table {
	char *name, *sql;
	int column_count;
	sqlite3_int64 row; /* in sqlite_master */
} tables[TABLE_LIMIT];
static size_t table_count;

/* What is left of the input. */
struct feed {
	const uint8_t *bytes;
	size_t size;
};

static unsigned
take(struct feed *feed)
{
	if (feed->size == 0)
		return 0;
	feed->size--;
	return *feed->bytes++;
}

static void
must(int is_so)
{
	if (!is_so)
		abort();
}

static void
write_file(const char *name, const void *bytes, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	must(fd != -1 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static size_t
read_file(const char *name, unsigned char *bytes)
{
	FILE *in = fopen(name, "rb");
	size_t size;

	must(in != NULL);
	size = fread(bytes, 1, SIZE_LIMIT, in);
	must(size < SIZE_LIMIT);
	fclose(in);
	return size;
}

static void
clean_up(void)
{
	unlink(path);
	unlink(journal);
	unlink(other);
	rmdir(folder);
	for (size_t i = 0; i < table_count; i++) {
		sqlite3_free(tables[i].name);
		sqlite3_free(tables[i].sql);
	}
}

static sqlite3 *
open_raw(void)
{
	sqlite3 *handle;

	must(sqlite3_open(path, &handle) == SQLITE_OK);
	sqlite3_exec(handle,
	    "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;"
	    "PRAGMA writable_schema = ON; PRAGMA foreign_keys = OFF",
	    NULL, NULL, NULL);
	return handle;
}

static int
note_table(void *row, int count, char **values, char **names)
{
	struct table *table = &tables[table_count++];

	(void)count;
	(void)names;
	(void)row;
	must(table_count < TABLE_LIMIT);
	table->row = strtoll(values[0], NULL, 10);
	table->name = sqlite3_mprintf("%s", values[1]);
	table->sql = sqlite3_mprintf("%s", values[2]);
	table->column_count = (int)strtol(values[3], NULL, 10);
	return 0;
}

/* The same file with tables that take any value in any column. */
static void
make_loose(void)
{
	static const char loosen[] =
	    "UPDATE sqlite_master SET sql = replace(replace(replace(replace("
	    "replace(replace(replace(sql, ' INTEGER PRIMARY KEY', '@'),"
	    " ' INTEGER', ''), ' TEXT', ''), ' REAL', ''), ' NOT NULL', ''),"
	    " ' CHECK(id = 1)', ''), '@', ' INTEGER PRIMARY KEY')"
	    " WHERE type = 'table'";
	sqlite3 *handle = open_raw();

	must(sqlite3_exec(handle,
		 "SELECT rowid, name, sql,"
		 " (SELECT count(*) FROM pragma_table_info(m.name))"
		 " FROM sqlite_master AS m WHERE type = 'table'",
		 note_table, NULL, NULL) == SQLITE_OK);
	must(sqlite3_exec(handle, loosen, NULL, NULL, NULL) == SQLITE_OK);
	sqlite3_close(handle);
	loose_size = read_file(path, loose);
}

static void
set_up(void)
{
	const char *place = getenv("TMPDIR");

	if (access("/dev/shm", W_OK) == 0)
		place = "/dev/shm";
	snprintf(folder, sizeof folder, "%.40s/mm-store-XXXXXX",
	    place == NULL ? "/tmp" : place);
	must(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/x.db", folder);
	snprintf(journal, sizeof journal, "%s-journal", path);
	snprintf(other, sizeof other, "%s/merged.db", folder);
	atexit(clean_up);
	good_store(path);
	good_size = read_file(path, good);
	make_loose();
}

/* Any value: what a column never has, or what it has elsewhere. */
static void
bind_value(sqlite3_stmt *statement, struct feed *feed)
{
	static const int64_t integers[] = { 0, 1, -1, 2, INT64_MAX, INT64_MIN,
		INT32_MAX, INT64_C(1) + INT32_MAX, 1000000, 1000001,
		INT64_MAX / 1000, UINT32_MAX };
	static const double reals[] = { 0.0, -0.0, -1.0, 1e308, -1e308, 1e-320,
		5e-324, 0.1, 1e18, INFINITY, -INFINITY, 1.0 };
	static const char *const words[] = { "aborted", "ok", "failed",
		"timeout", "void", "panic", "measure", "mount", "own",
		"flushed", "cold", "both", "warm", "lower", "higher", "safe",
		"duplicate-of", "rejected", "image", "device", "host", "tool",
		"elapsed", "secs", "iops@4K", "cpu", "clock_step", "reads",
		"system", "default", "e:default", "on", "off", "", "'", "\n",
		"\033[2J", "a\\", "\"", "18446744073709551616", "nan",
		"0x1p999", "\xff\xfe", "\xc2\x9b" };
	static char text[1 << 17];
	unsigned kind = take(feed) % 7, byte = take(feed);
	size_t size;

	switch (kind) {
	case 0:
		sqlite3_bind_null(statement, 1);
		break;
	case 1:
		sqlite3_bind_int64(statement, 1,
		    integers[byte % (sizeof integers / sizeof *integers)]);
		break;
	case 2:
		sqlite3_bind_double(
		    statement, 1, reals[byte % (sizeof reals / sizeof *reals)]);
		break;
	case 3:
		sqlite3_bind_text(statement, 1,
		    words[byte % (sizeof words / sizeof *words)], -1,
		    SQLITE_STATIC);
		break;
	case 4: /* long */
		size = (size_t)1 << byte % 18;
		memset(text, (int)take(feed), size - 1);
		sqlite3_bind_text(
		    statement, 1, text, (int)size - 1, SQLITE_STATIC);
		break;
	case 5:
		sqlite3_bind_int64(statement, 1, (int8_t)byte);
		break;
	default:
		size = byte / 2 < feed->size ? byte / 2 : feed->size;
		if (byte % 2 == 0)
			sqlite3_bind_text(statement, 1,
			    (const char *)feed->bytes, (int)size,
			    SQLITE_STATIC);
		else
			sqlite3_bind_blob(statement, 1, feed->bytes, (int)size,
			    SQLITE_STATIC);
		feed->bytes += size;
		feed->size -= size;
		break;
	}
}

/* The name of a column, which sqlite3_free takes. */
static char *
column_name(sqlite3 *handle, const char *table, unsigned column)
{
	char *sql = sqlite3_mprintf(
	    "SELECT name FROM pragma_table_info(%Q) WHERE cid = %u", table,
	    column);
	sqlite3_stmt *statement;
	char *name = NULL;

	if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) ==
		SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW)
		name = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	sqlite3_free(sql);
	return name;
}

/* One value, every value of a column, a row more or less. */
static void
change_row(sqlite3 *handle, struct feed *feed)
{
	const struct table *table = &tables[take(feed) % table_count];
	unsigned column = take(feed) % (unsigned)table->column_count;
	unsigned row = take(feed), what = take(feed) % 8;
	char *name = column_name(handle, table->name, column), *sql;
	sqlite3_stmt *statement;

	if (what == 0)
		sql = sqlite3_mprintf("DELETE FROM \"%w\" WHERE ?1 IS NOT 0"
				      " AND rowid = (SELECT rowid FROM \"%w\""
				      " LIMIT 1 OFFSET %u)",
		    table->name, table->name, row);
	else if (what == 1)
		sql = sqlite3_mprintf("UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1",
		    table->name, name);
	else if (what == 2)
		sql = sqlite3_mprintf("INSERT OR IGNORE INTO \"%w\"(\"%w\")"
				      " VALUES(?1)",
		    table->name, name);
	else
		sql = sqlite3_mprintf("UPDATE OR REPLACE \"%w\" SET \"%w\" = ?1"
				      " WHERE rowid = (SELECT rowid FROM"
				      " \"%w\" LIMIT 1 OFFSET %u)",
		    table->name, name, table->name, row % 32);
	must(
	    sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) == SQLITE_OK);
	bind_value(statement, feed);
	sqlite3_step(statement); /* an id that is no integer is refused */
	sqlite3_finalize(statement);
	sqlite3_free(sql);
	sqlite3_free(name);
}

static void
change_rows(struct feed *feed)
{
	sqlite3 *handle;
	sqlite3_stmt *statement;

	write_file(path, loose, loose_size);
	handle = open_raw();
	sqlite3_exec(handle, "BEGIN", NULL, NULL, NULL);
	for (int i = 0; feed->size > 0 && i < 64; i++)
		change_row(handle, feed);
	must(sqlite3_prepare_v2(handle,
		 "UPDATE sqlite_master SET sql = ?1 WHERE rowid = ?2", -1,
		 &statement, NULL) == SQLITE_OK);
	for (size_t i = 0; i < table_count; i++) {
		sqlite3_bind_text(
		    statement, 1, tables[i].sql, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 2, tables[i].row);
		must(sqlite3_step(statement) == SQLITE_DONE);
		sqlite3_reset(statement);
	}
	sqlite3_finalize(statement);
	must(sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
	sqlite3_close(handle);
}

static void
change_bytes(struct feed *feed, int is_cut)
{
	size_t size = good_size;

	memcpy(changed, good, good_size);
	while (feed->size >= 4) {
		size_t place = (size_t)take(feed) << 16;

		place |= (size_t)take(feed) << 8;
		place |= take(feed);
		place %= good_size;
		if (is_cut && size == good_size)
			size = place;
		changed[place] = (unsigned char)take(feed);
	}
	write_file(path, changed, size);
}

static void
make_input(const uint8_t *bytes, size_t size)
{
	struct feed feed = { bytes, size };
	unsigned kind = take(&feed);

	unlink(journal);
	if (kind > 2) {
		change_rows(&feed);
	} else if (kind < 2) {
		change_bytes(&feed, kind == 1);
	} else {
		write_file(path, good, good_size);
		write_file(journal, feed.bytes, feed.size);
	}
}

#endif
