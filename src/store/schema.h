/*
 * The tables of a results file.  Words are those of the model: a rung, a
 * verdict or a status is stored by its name, a command line as "sh" would
 * read it, so that the file can be asked with plain SQL.
 */
#ifndef MM_STORE_SCHEMA_H
#define MM_STORE_SCHEMA_H

#include "store/db.h"

/* "mmrx": in the file's header, so that file(1) can tell it. */
enum { SCHEMA_APPLICATION_ID = 0x6d6d7278, SCHEMA_VERSION = 1 };

/* Makes all tables in an empty file. */
int schema_create(struct db *db, struct error *err);

/*
 * Refuses a file that is not ours, of another version, or whose tables are
 * not exactly those that schema_create makes: no view, trigger or changed
 * column can then stand in for one.
 */
int schema_verify(struct db *db, struct error *err);

#endif
