#include "report/json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

/* How long a UTF-8 sequence is that begins with this byte; 0: none does. */
static size_t
sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Length of the UTF-8 sequence here, 0 when there is none. */
static size_t
sequence(const unsigned char *at)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = sequence_length(at[0]);
	uint32_t code;

	if (length < 2)
		return length;
	code = at[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < lowest[length] || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return length;
}

static void
put_string(struct buffer *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	buffer_putc(out, '"');
	while (*at != '\0') {
		size_t length = sequence(at);

		if (length == 0)
			buffer_puts(out, "\\ufffd");
		else if (*at == '"' || *at == '\\')
			buffer_printf(out, "\\%c", *at);
		else if (plain_control((const char *)at) > 0)
			buffer_printf(
			    out, "\\u%04x", length == 1 ? at[0] : at[1]);
		else
			buffer_append(out, at, length);
		at += length == 0 ? 1 : length;
	}
	buffer_putc(out, '"');
}

static void
put_key(struct json *json, const char *key)
{
	if (json->depth > 0)
		buffer_printf(json->out, "%s\n%*s", json->is_first ? "" : ",",
		    2 * json->depth, "");
	json->is_first = false;
	if (key == NULL)
		return;
	put_string(json->out, key);
	buffer_puts(json->out, ": ");
}

void
json_open(struct json *json, const char *key, char bracket)
{
	put_key(json, key);
	buffer_putc(json->out, bracket);
	json->depth++;
	json->is_first = true;
}

void
json_close(struct json *json, char bracket)
{
	json->depth--;
	if (!json->is_first)
		buffer_printf(json->out, "\n%*s", 2 * json->depth, "");
	buffer_putc(json->out, bracket);
	if (json->depth == 0)
		buffer_putc(json->out, '\n');
	json->is_first = false;
}

void
json_text(struct json *json, const char *key, const char *text)
{
	if (text == NULL) {
		json_null(json, key);
		return;
	}
	put_key(json, key);
	put_string(json->out, text);
}

void
json_number(struct json *json, const char *key, double number)
{
	if (!isfinite(number)) {
		json_null(json, key);
		return;
	}
	put_key(json, key);
	buffer_printf(json->out, "%.10g", number);
}

void
json_integer(struct json *json, const char *key, int64_t number)
{
	put_key(json, key);
	buffer_printf(json->out, "%" PRId64, number);
}

void
json_unsigned(struct json *json, const char *key, uint64_t number)
{
	put_key(json, key);
	buffer_printf(json->out, "%" PRIu64, number);
}

void
json_bool(struct json *json, const char *key, bool is_true)
{
	put_key(json, key);
	buffer_puts(json->out, is_true ? "true" : "false");
}

void
json_null(struct json *json, const char *key)
{
	put_key(json, key);
	buffer_puts(json->out, "null");
}
