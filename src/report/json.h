/*
 * Writes JSON, indented by two: commas and ends are seen to.
 *
 * A number that is not finite becomes null; a text that is not UTF-8 gets
 * U+FFFD for every byte that is wrong.  Keys are NULL inside lists.
 */
#ifndef MM_REPORT_JSON_H
#define MM_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

struct json {
	struct buffer *out;
	int depth;
	bool is_first; /* no comma before the next value */
};

void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_text(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, double number);
void json_integer(struct json *json, const char *key, int64_t number);
void json_unsigned(struct json *json, const char *key, uint64_t number);
void json_bool(struct json *json, const char *key, bool is_true);
void json_null(struct json *json, const char *key);

#endif
