/* Facts about a night beside its tables: name and value. */
#include "store/internal.h"

int
note_write(
    struct db *db, const char *name, const char *value, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "INSERT OR REPLACE INTO note(name, value) VALUES(?, ?)");
	bind_text(&query, name);
	bind_text(&query, value);
	query_run(&query);
	return query_close(&query, err);
}
