/*
 * The lines of an undo journal: text, one record each, with a digest at the
 * end so that a line the machine went down in is told from a whole one.
 */
#ifndef MM_TRIAL_UNDO_JOURNAL_H
#define MM_TRIAL_UNDO_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "trial/undo.h"

enum undo_verb {
	UNDO_VERB_DO, /* about to be done */
	UNDO_VERB_IS, /* exists now; detail is its identity */
	UNDO_VERB_UN, /* undone */
};

struct undo_record {
	enum undo_verb verb;
	uint64_t number;
	enum undo_kind kind;
	int64_t wall_ns;
	const char *subject;
	const char *detail;
};

/* Appends the record's line, newline included. */
void undo_record_format(const struct undo_record *record, struct buffer *line);

/* Reads one line of that length (without newline); -1 for a damaged one. */
int undo_record_parse(const char *line, size_t length, struct arena *arena,
    struct undo_record *record);

#endif
