#include "trial/undo_journal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* do|is|un  number  kind  time  subject  detail  digest, tabs between */
enum { FIELDS = 7 };

static const char *const verbs[] = { "do", "is", "un" };

static const char *const kinds[UNDO_KIND_COUNT] = {
	[UNDO_FILE] = "file",
	[UNDO_FOLDER] = "folder",
	[UNDO_TREE] = "tree",
	[UNDO_ATTACH] = "attach",
	[UNDO_MOUNT] = "mount",
	[UNDO_REMOUNT] = "remount",
	[UNDO_COMMAND] = "command",
	[UNDO_CGROUP] = "cgroup",
	[UNDO_PIN] = "pin",
};

static uint64_t
digest(const char *text, size_t length)
{
	struct hash hash;

	hash_init(&hash);
	hash_update(&hash, text, length);
	return hash_final(&hash);
}

static void
put_escaped(struct buffer *line, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '\t' || *text == '\n' || *text == '%')
			buffer_printf(line, "%%%02x", (unsigned char)*text);
		else
			buffer_putc(line, *text);
}

static char *
unescape(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_strndup(arena, text, length);
	char *out = copy;

	for (const char *in = copy; *in != '\0';) {
		if (*in == '%' && in[1] != '\0' && in[2] != '\0') {
			const char digits[] = { in[1], in[2], '\0' };

			*out++ = (char)strtoul(digits, NULL, 16);
			in += 3;
		} else
			*out++ = *in++;
	}
	*out = '\0';
	return copy;
}

void
undo_record_format(const struct undo_record *record, struct buffer *line)
{
	size_t start = line->length;

	buffer_printf(line, "%s\t%" PRIu64 "\t%s\t%" PRId64 "\t",
	    verbs[record->verb], record->number, kinds[record->kind],
	    record->wall_ns);
	put_escaped(line, record->subject);
	buffer_putc(line, '\t');
	put_escaped(line, record->detail);
	buffer_printf(line, "\t%016" PRIx64 "\n",
	    digest(buffer_text(line) + start, line->length - start));
}

static int
find_word(const char *const *words, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], text) == 0)
			return (int)i;
	return -1;
}

/* Cuts the line at its tabs; false unless there are exactly seven fields. */
static bool
cut(const char *line, size_t length, struct arena *arena, char *fields[FIELDS])
{
	size_t start = 0;
	int count = 0;

	for (size_t i = 0; i <= length; i++) {
		if (i < length && line[i] != '\t')
			continue;
		if (count == FIELDS)
			return false;
		fields[count++] = unescape(arena, line + start, i - start);
		start = i + 1;
	}
	return count == FIELDS;
}

int
undo_record_parse(const char *line, size_t length, struct arena *arena,
    struct undo_record *record)
{
	char *fields[FIELDS];
	size_t body = length;
	int verb, kind;

	while (body > 0 && line[body - 1] != '\t')
		body--;
	if (body == 0 || memchr(line, '\0', length) != NULL ||
	    !cut(line, length, arena, fields))
		return -1;
	if (strtoull(fields[6], NULL, 16) != digest(line, body - 1))
		return -1;
	verb = find_word(verbs, sizeof verbs / sizeof verbs[0], fields[0]);
	kind = find_word(kinds, UNDO_KIND_COUNT, fields[2]);
	if (verb == -1 || kind == -1)
		return -1;
	*record = (struct undo_record){
		.verb = (enum undo_verb)verb,
		.number = strtoull(fields[1], NULL, 10),
		.kind = (enum undo_kind)kind,
		.wall_ns = strtoll(fields[3], NULL, 10),
		.subject = fields[4],
		.detail = fields[5],
	};
	return 0;
}
