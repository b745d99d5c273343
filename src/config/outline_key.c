/* Keys and their values, and names that are no key here. */
#include <string.h>

#include "config/outline_reader.h"

static void
add_value(
    struct reader *reader, struct outline_key *key, const struct token *token)
{
	if (key != NULL && reader->is_kept) {
		key->values = arena_grow(reader->outline->arena, key->values,
		    key->count, &key->capacity, sizeof *key->values);
		key->values[key->count++] =
		    (struct outline_value){ "", token->at };
	}
	outline_emit_value(reader, token);
}

/* The values after "= {", to the closing brace. */
static int
read_list(
    struct reader *reader, struct outline_key *key, const struct token *opened)
{
	struct token token;

	if (outline_next(reader, &token) == -1)
		return -1;
	while (token.kind != TOKEN_CLOSE) {
		if (token.kind == TOKEN_END)
			return outline_complain(reader, opened->at,
			    "the list that opens with '{' here is not closed");
		if (!token_is_value(&token))
			return COMPLAIN(reader, token.at,
			    "expected a value or '}', not %s",
			    outline_show(reader, &token));
		add_value(reader, key, &token);
		if (outline_next(reader, &token) == -1)
			return -1;
		if (token.kind == TOKEN_COMMA) {
			outline_emit(reader, &token, ",");
			if (outline_next(reader, &token) == -1)
				return -1;
		} else if (token.kind != TOKEN_CLOSE &&
			   token.kind != TOKEN_END) {
			return COMPLAIN(reader, token.at,
			    "expected ',' or '}' in this list, not %s",
			    outline_show(reader, &token));
		}
	}
	outline_emit(reader, &token, "}");
	return 0;
}

/* What follows "name =". */
static int
read_value(struct reader *reader, struct outline_key *key)
{
	struct token token;

	if (outline_next(reader, &token) == -1)
		return -1;
	if (token.kind == TOKEN_OPEN) {
		outline_emit(reader, &token, "{");
		if (key != NULL)
			key->is_list = true;
		return read_list(reader, key, &token);
	}
	if (!token_is_value(&token))
		return COMPLAIN(reader, token.at,
		    "expected a value or a list in braces, not %s",
		    outline_show(reader, &token));
	add_value(reader, key, &token);
	return 0;
}

bool
outline_is_astray(
    const struct reader *reader, const char *word, bool is_section)
{
	return reader->section->title != NULL &&
	       grammar_find(reader->outline->top->grammar, word, is_section) !=
		   NULL;
}

void
outline_unknown(
    struct reader *reader, const struct token *name, const char *what)
{
	struct outline *outline = reader->outline;
	const struct outline_section *section = reader->section;
	const char *word =
	    arena_strndup(outline->arena, name->raw, name->length);
	const char *nearest = grammar_nearest(section->grammar, word);
	const char *where = section->title == NULL
				? ""
				: arena_printf(outline->arena, " in %s",
				      outline_name(section, outline->arena));

	if (nearest != NULL && strcmp(nearest, word) != 0)
		COMPLAIN(reader, name->at,
		    "unknown %s %s%s; did you mean '%s'?", what,
		    outline_show(reader, name), where, nearest);
	else if (outline_is_astray(reader, word, strcmp(what, "section") == 0))
		COMPLAIN(reader, name->at,
		    "%s %s does not belong%s; is the '}' of line %d missing?",
		    what, outline_show(reader, name), where, section->at.line);
	else
		COMPLAIN(reader, name->at, "unknown %s %s%s", what,
		    outline_show(reader, name), where);
}

static struct outline_key *
add_key(struct reader *reader, const char *name, const struct token *token)
{
	struct outline_section *section = reader->section;

	section->keys = arena_grow(reader->outline->arena, section->keys,
	    section->key_count, &section->key_capacity, sizeof *section->keys);
	section->keys[section->key_count] =
	    (struct outline_key){ .name = name, .at = token->at };
	return &section->keys[section->key_count++];
}

int
outline_read_key(
    struct reader *outer, const struct token *name, const struct token *op)
{
	struct reader reader = *outer;
	struct outline_key *key = NULL, *before;
	const char *word =
	    arena_strndup(reader.outline->arena, name->raw, name->length);
	const struct grammar *row =
	    grammar_find(reader.section->grammar, word, false);

	if (row == NULL) {
		if (grammar_find(reader.section->grammar, word, true) != NULL)
			COMPLAIN(&reader, name->at,
			    "'%s' is a section: write %s NAME { ... }", word,
			    word);
		else
			outline_unknown(&reader, name, "key");
		reader.is_kept = false;
		return read_value(&reader, NULL);
	}
	before = outline_key(reader.section, word);
	if (before != NULL && op->kind == TOKEN_EQUALS) {
		COMPLAIN(&reader, name->at,
		    "'%s' is set twice; it was set before in %s", word,
		    outline_line(&reader, name->at, before->at));
		reader.is_kept = false;
	} else {
		key =
		    before != NULL ? before : add_key(&reader, row->name, name);
	}
	outline_emit(&reader, name, row->name);
	outline_emit(&reader, op, op->kind == TOKEN_APPEND ? "+=" : "=");
	return read_value(&reader, key);
}
