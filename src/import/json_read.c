#include "import/json_read.h"

#include <string.h>

#include "base/buffer.h"
#include "import/log.h"

enum { DEEPEST = 64 };

struct reader {
	struct log log; /* for messages: its line is where "at" is */
	const char *at;
	struct arena *arena;
	struct error *err;
	int depth;
};

static int read_value(struct reader *reader, struct json_value *value);

static int
fail(struct reader *reader, const char *what)
{
	if (*reader->at == '\0')
		return log_fail(
		    &reader->log, reader->err, "the log is cut: %s", what);
	return log_fail(&reader->log, reader->err, "%s, not '%.20s'", what,
	    arena_strndup(
		reader->arena, reader->at, strcspn(reader->at, "\n")));
}

static void
skip_blanks(struct reader *reader)
{
	for (; strchr(" \t\r\n", *reader->at) != NULL && *reader->at != '\0';
	     reader->at++)
		if (*reader->at == '\n')
			reader->log.line++;
}

static bool
take(struct reader *reader, char c)
{
	skip_blanks(reader);
	if (*reader->at != c)
		return false;
	reader->at++;
	return true;
}

/* A code point as UTF-8. */
static void
put_code(struct buffer *out, unsigned code)
{
	if (code < 0x80) {
		buffer_putc(out, (char)code);
	} else if (code < 0x800) {
		buffer_putc(out, (char)(0xc0 | code >> 6));
		buffer_putc(out, (char)(0x80 | (code & 0x3f)));
	} else {
		buffer_putc(out, (char)(0xe0 | code >> 12));
		buffer_putc(out, (char)(0x80 | (code >> 6 & 0x3f)));
		buffer_putc(out, (char)(0x80 | (code & 0x3f)));
	}
}

static int
read_escape(struct reader *reader, struct buffer *out)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	char c = *reader->at++;
	const char *letter = c == '\0' ? NULL : strchr(letters, c);
	unsigned code = 0;

	if (letter != NULL) {
		buffer_putc(out, meant[letter - letters]);
		return 0;
	}
	if (c != 'u') {
		reader->at--;
		return fail(reader, "an escape should be here");
	}
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		char lower = (char)(*reader->at | 0x20);
		const char *digit =
		    *reader->at == '\0' ? NULL : strchr(digits, lower);

		if (digit == NULL)
			return fail(reader, "four digits should be here");
		code = code << 4 | (unsigned)(digit - digits);
		reader->at++;
	}
	/* halves of a pair and NUL name nothing that a log needs */
	put_code(
	    out, code == 0 || (code >= 0xd800 && code < 0xe000) ? '?' : code);
	return 0;
}

static int
read_text(struct reader *reader, const char **text)
{
	struct buffer buffer;
	int rc = 0;

	buffer_init(&buffer);
	while (rc == 0 && *reader->at != '"') {
		if (*reader->at == '\0' || *reader->at == '\n')
			rc = fail(reader, "a quote is not closed");
		else if (*reader->at == '\\') {
			reader->at++;
			rc = read_escape(reader, &buffer);
		} else
			buffer_putc(&buffer, *reader->at++);
	}
	if (rc == 0) {
		reader->at++;
		*text = arena_strdup(reader->arena, buffer_text(&buffer));
	}
	buffer_reset(&buffer);
	return rc;
}

/* The members of a list or object, behind its bracket. */
static int
read_members(struct reader *reader, struct json_value *parent, char end)
{
	struct json_value **tail = &parent->first;

	if (take(reader, end))
		return 0;
	do {
		struct json_value *value =
		    arena_alloc(reader->arena, sizeof *value);

		if (parent->kind == JSON_OBJECT) {
			if (!take(reader, '"'))
				return fail(reader, "a name should be here");
			if (read_text(reader, &value->key) == -1)
				return -1;
			if (!take(reader, ':'))
				return fail(reader, "':' should be here");
		}
		if (read_value(reader, value) == -1)
			return -1;
		*tail = value;
		tail = &value->next;
	} while (take(reader, ','));
	if (!take(reader, end))
		return fail(reader, end == '}' ? "',' or '}' should be here"
					       : "',' or ']' should be here");
	return 0;
}

static int
read_nested(struct reader *reader, struct json_value *value, char end)
{
	int rc;

	if (++reader->depth > DEEPEST)
		return fail(reader, "nested too deeply");
	rc = read_members(reader, value, end);
	reader->depth--;
	return rc;
}

static bool
take_name(struct reader *reader, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(reader->at, name, length) != 0)
		return false;
	reader->at += length;
	return true;
}

static int
read_value(struct reader *reader, struct json_value *value)
{
	size_t length;

	skip_blanks(reader);
	value->line = reader->log.line;
	if (take(reader, '{')) {
		value->kind = JSON_OBJECT;
		return read_nested(reader, value, '}');
	}
	if (take(reader, '[')) {
		value->kind = JSON_LIST;
		return read_nested(reader, value, ']');
	}
	if (take(reader, '"')) {
		value->kind = JSON_TEXT;
		return read_text(reader, &value->text);
	}
	if (take_name(reader, "null"))
		return 0;
	if (take_name(reader, "true") || take_name(reader, "false")) {
		value->kind = JSON_BOOL;
		value->number = reader->at[-2] == 'u' ? 1 : 0;
		return 0;
	}
	length = strspn(reader->at, "0123456789.eE+-");
	if (!read_number(arena_strndup(reader->arena, reader->at, length),
		&value->number))
		return fail(reader, "a value should be here");
	value->kind = JSON_NUMBER;
	reader->at += length;
	return 0;
}

int
json_read(const char *path, struct arena *arena, struct json_value **root,
    struct error *err)
{
	struct reader reader = { .arena = arena, .err = err };
	char *start;

	if (log_open(&reader.log, arena, path, err) == -1)
		return -1;
	reader.log.line = 1;
	start = strchr(reader.log.next, '{');
	if (start == NULL)
		return log_fail(&reader.log, err, "no JSON is there");
	for (const char *at = reader.log.next; at < start; at++)
		if (*at == '\n')
			reader.log.line++;
	reader.at = start;
	*root = arena_alloc(arena, sizeof **root);
	if (read_value(&reader, *root) == -1)
		return -1;
	skip_blanks(&reader);
	if (*reader.at != '\0')
		return fail(&reader, "nothing should follow");
	return 0;
}

const struct json_value *
json_member(const struct json_value *object, const char *key)
{
	if (object == NULL || object->kind != JSON_OBJECT)
		return NULL;
	for (const struct json_value *value = object->first; value != NULL;
	     value = value->next)
		if (strcmp(value->key, key) == 0)
			return value;
	return NULL;
}

double
json_number_of(
    const struct json_value *object, const char *key, double otherwise)
{
	const struct json_value *value = json_member(object, key);

	return value != NULL && value->kind == JSON_NUMBER ? value->number
							   : otherwise;
}
