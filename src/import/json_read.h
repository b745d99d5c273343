/*
 * A JSON document as a tree, for logs of fio and hyperfine.
 *
 * Strict but for one thing: text before the first '{' is passed over, since
 * fio prints warnings there.  Nesting is limited, numbers are doubles, and a
 * document that is cut gives the line where it ends.
 */
#ifndef MM_IMPORT_JSON_READ_H
#define MM_IMPORT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum json_kind {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_TEXT,
	JSON_LIST,
	JSON_OBJECT,
};

struct json_value {
	enum json_kind kind;
	const char *key; /* within an object */
	double number;   /* also of a bool: 0 or 1 */
	const char *text;
	int line;
	struct json_value *first; /* of a list or object */
	struct json_value *next;  /* of its own list or object */
};

/* Reads the document in the file. */
int json_read(const char *path, struct arena *arena, struct json_value **root,
    struct error *err);

/* The member of that name, or NULL; NULL has none. */
const struct json_value *json_member(
    const struct json_value *object, const char *key);

/* The number of that name, or "otherwise". */
double json_number_of(
    const struct json_value *object, const char *key, double otherwise);

#endif
