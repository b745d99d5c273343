#include "config/outline.h"

#include <ctype.h>
#include <string.h>

#include "config/parse.h"

enum {
	MOST_TEXT = 4 * 1024 * 1024,
	MOST_INCLUDES = 1000,
	MOST_SECTIONS = 1000,
	MOST_TITLE = 64
};

/* One statement being read. */
struct reader {
	struct outline *outline;
	struct scan_source *source;
	struct outline_section *section;
	bool is_kept; /* goes into the clean text */
};

static int read_statements(struct reader *reader, const struct token *opened);

static int
complain(struct reader *reader, struct position at, const char *text)
{
	return diagnostics_add(reader->outline->diagnostics, at, "%s", text);
}

#define COMPLAIN(reader, at, ...)                                              \
	complain(                                                              \
	    reader, at, arena_printf((reader)->outline->arena, __VA_ARGS__))

static int
next(struct reader *reader, struct token *token)
{
	return scan_next(reader->source, token, reader->outline->diagnostics);
}

static const char *
show(const struct reader *reader, const struct token *token)
{
	return token_show(token, reader->outline->arena);
}

const char *
outline_name(const struct outline_section *section, struct arena *arena)
{
	return arena_printf(arena, "%s '%s'", section->name, section->title);
}

struct outline_key *
outline_key(const struct outline_section *section, const char *name)
{
	for (size_t i = 0; i < section->key_count; i++)
		if (strcmp(section->keys[i].name, name) == 0)
			return &section->keys[i];
	return NULL;
}

/* Appends a word to the clean text and notes where its lines came from. */
static void
emit(struct reader *reader, const struct token *token, const char *text,
    size_t length)
{
	struct outline *outline = reader->outline;
	struct position at = token->at;

	if (!reader->is_kept)
		return;
	buffer_append(&outline->clean, text, length);
	buffer_putc(&outline->clean, '\n');
	for (size_t i = 0; i <= length; i++) {
		if (i < length && text[i] != '\n')
			continue;
		outline->lines = arena_grow(outline->arena, outline->lines,
		    outline->line_count, &outline->line_capacity,
		    sizeof *outline->lines);
		outline->lines[outline->line_count++] = at;
		at.line++;
	}
}

static void
emit_text(struct reader *reader, const struct token *token, const char *text)
{
	emit(reader, token, text, strlen(text));
}

/* A value goes over in quotes, since libconfuse drops some characters of bare
 * words without a word. */
static void
emit_value(struct reader *reader, const struct token *token)
{
	struct buffer quoted;

	buffer_init(&quoted);
	parse_quote(token, &quoted);
	emit(reader, token, quoted.data, quoted.length);
	buffer_reset(&quoted);
}

static bool
is_value(const struct token *token)
{
	return token->kind == TOKEN_WORD || token->kind == TOKEN_STRING;
}

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
	emit_value(reader, token);
}

/* The values after "= {", to the closing brace. */
static int
read_list(
    struct reader *reader, struct outline_key *key, const struct token *opened)
{
	struct token token;

	if (next(reader, &token) == -1)
		return -1;
	while (token.kind != TOKEN_CLOSE) {
		if (token.kind == TOKEN_END)
			return complain(reader, opened->at,
			    "the list that opens with '{' here is not closed");
		if (!is_value(&token))
			return COMPLAIN(reader, token.at,
			    "expected a value or '}', not %s",
			    show(reader, &token));
		add_value(reader, key, &token);
		if (next(reader, &token) == -1)
			return -1;
		if (token.kind == TOKEN_COMMA) {
			emit_text(reader, &token, ",");
			if (next(reader, &token) == -1)
				return -1;
		} else if (token.kind != TOKEN_CLOSE &&
			   token.kind != TOKEN_END) {
			return COMPLAIN(reader, token.at,
			    "expected ',' or '}' in this list, not %s",
			    show(reader, &token));
		}
	}
	emit_text(reader, &token, "}");
	return 0;
}

/* What follows "name =". */
static int
read_value(struct reader *reader, struct outline_key *key)
{
	struct token token;

	if (next(reader, &token) == -1)
		return -1;
	if (token.kind == TOKEN_OPEN) {
		emit_text(reader, &token, "{");
		if (key != NULL)
			key->is_list = true;
		return read_list(reader, key, &token);
	}
	if (!is_value(&token))
		return COMPLAIN(reader, token.at,
		    "expected a value or a list in braces, not %s",
		    show(reader, &token));
	add_value(reader, key, &token);
	return 0;
}

/* The words inside a section that is unknown, to its closing brace: nothing
 * is judged but quotes and braces. */
static int
skip_section(struct reader *reader, const struct token *opened)
{
	struct token token;

	for (size_t depth = 1; depth > 0;) {
		if (next(reader, &token) == -1)
			return -1;
		if (token.kind == TOKEN_END)
			return complain(reader, opened->at,
			    "the section that opens with '{' here is not "
			    "closed");
		if (token.kind == TOKEN_OPEN)
			depth++;
		else if (token.kind == TOKEN_CLOSE)
			depth--;
	}
	return 0;
}

/* True for a name that belongs at the top of the file, met inside a section:
 * most likely a brace before it is missing. */
static bool
is_astray(const struct reader *reader, const char *word, bool is_section)
{
	return reader->section->title != NULL &&
	       grammar_find(reader->outline->top->grammar, word, is_section) !=
		   NULL;
}

/* A key or section that is in no table, or in another place's. */
static void
complain_unknown(
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
		    show(reader, name), where, nearest);
	else if (is_astray(reader, word, strcmp(what, "section") == 0))
		COMPLAIN(reader, name->at,
		    "%s %s does not belong%s; is the '}' of line %d missing?",
		    what, show(reader, name), where, section->at.line);
	else
		COMPLAIN(reader, name->at, "unknown %s %s%s", what,
		    show(reader, name), where);
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

/* "name = value" or "name += value"; the operator is "op". */
static int
read_key(struct reader *outer, const struct token *name, const struct token *op)
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
			complain_unknown(&reader, name, "key");
		reader.is_kept = false;
		return read_value(&reader, NULL);
	}
	before = outline_key(reader.section, word);
	if (before != NULL && op->kind == TOKEN_EQUALS) {
		COMPLAIN(&reader, name->at,
		    "'%s' is set twice; it was set before in line %d", word,
		    before->at.line);
		reader.is_kept = false;
	} else {
		key =
		    before != NULL ? before : add_key(&reader, row->name, name);
	}
	emit_text(&reader, name, row->name);
	emit_text(&reader, op, op->kind == TOKEN_APPEND ? "+=" : "=");
	return read_value(&reader, key);
}

/* What a title may have beside letters and digits.  That of an option is a
 * token, "data=journal"; the others become part of names. */
static const char *
title_marks(const struct grammar *row)
{
	return strcmp(row->name, "option") == 0 ? "._-=:,/@%" : "._-";
}

static bool
is_good_title(const char *title, const char *marks)
{
	size_t length = strlen(title);

	for (const char *c = title; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c) && strchr(marks, *c) == NULL)
			return false;
	return length > 0 && length <= MOST_TITLE && title[0] != '-' &&
	       title[0] != '.';
}

static const struct outline_section *
find_section(
    const struct outline_section *in, const char *name, const char *title)
{
	for (size_t i = 0; i < in->section_count; i++)
		if (strcmp(in->sections[i]->name, name) == 0 &&
		    strcmp(in->sections[i]->title, title) == 0)
			return in->sections[i];
	return NULL;
}

/* Fills in "inner" for a section whose '{' comes next; not kept when it
 * cannot stand as it is. */
static void
name_section(struct reader *inner, const struct token *name,
    const struct token *title, const struct grammar *row)
{
	struct outline *outline = inner->outline;
	struct outline_section *section =
	    arena_alloc(outline->arena, sizeof *section);
	const struct outline_section *before;

	*section = (struct outline_section){ .name = row->name,
		.title = "?",
		.grammar = row->inside,
		.at = name->at };
	if (title->kind == TOKEN_OPEN) {
		inner->is_kept = false;
		COMPLAIN(inner, name->at,
		    "this %s has no title: write %s NAME { ... }", row->name,
		    row->name);
	} else {
		section->title = parse_text(title, outline->arena);
	}
	before = find_section(inner->section, row->name, section->title);
	if (before != NULL) {
		inner->is_kept = false;
		COMPLAIN(inner, name->at, "there is another %s %s, in line %d",
		    row->name, show(inner, title), before->at.line);
	} else if (inner->is_kept &&
		   !is_good_title(section->title, title_marks(row))) {
		COMPLAIN(inner, title->at,
		    "title %s: use letters, digits and any of %s, at most %d",
		    show(inner, title), title_marks(row), MOST_TITLE);
		inner->is_kept = false;
	}
	if (inner->is_kept) {
		struct outline_section *in = inner->section;

		in->sections = arena_grow(outline->arena, in->sections,
		    in->section_count, &in->section_capacity,
		    sizeof(struct outline_section *));
		in->sections[in->section_count++] = section;
	}
	inner->section = section;
}

/* "name title {" or "name {": "first" is what comes after the name. */
static int
read_section(
    struct reader *outer, const struct token *name, const struct token *first)
{
	struct reader inner = *outer;
	struct token opened = *first;
	const char *word =
	    arena_strndup(inner.outline->arena, name->raw, name->length);
	const struct grammar *row =
	    grammar_find(inner.section->grammar, word, true);

	if (first->kind != TOKEN_OPEN && next(&inner, &opened) == -1)
		return -1;
	if (opened.kind != TOKEN_OPEN && row == NULL)
		return COMPLAIN(&inner, first->at,
		    "expected '=' or a section's '{' after %s, not %s",
		    show(&inner, name), show(&inner, first));
	if (opened.kind != TOKEN_OPEN)
		return COMPLAIN(&inner, opened.at,
		    "expected '{' after %s %s, not %s", row->name,
		    show(&inner, first), show(&inner, &opened));
	if (row == NULL) {
		if (grammar_find(inner.section->grammar, word, false) != NULL &&
		    !is_astray(&inner, word, true))
			COMPLAIN(&inner, name->at,
			    "'%s' is a key: write %s = VALUE", word, word);
		else
			complain_unknown(&inner, name, "section");
		return skip_section(&inner, &opened);
	}
	if (inner.section->section_count == MOST_SECTIONS)
		return COMPLAIN(&inner, name->at,
		    "more than %d sections in one place", MOST_SECTIONS);
	name_section(&inner, name, first, row);
	emit_text(&inner, name, row->alias != NULL ? row->alias : row->name);
	if (first->kind != TOKEN_OPEN)
		emit_value(&inner, first);
	emit_text(&inner, &opened, "{");
	return read_statements(&inner, &opened);
}

/* The path of an included file: relative to the file that includes it. */
static const char *
include_path(const struct reader *reader, const char *name)
{
	const char *from = reader->source->path;
	const char *slash = strrchr(from, '/');

	if (name[0] == '/' || slash == NULL)
		return name;
	return arena_printf(
	    reader->outline->arena, "%.*s/%s", (int)(slash - from), from, name);
}

/* include("file"), "(" having been read.  "name" is the word "include". */
static int
read_include(struct reader *reader, const struct token *name)
{
	struct outline *outline = reader->outline;
	struct token argument, end;
	struct reader inner = *reader;
	struct scan_source source;

	if (next(reader, &argument) == -1 || next(reader, &end) == -1)
		return -1;
	if (!is_value(&argument) || end.kind != TOKEN_RIGHT)
		return complain(reader, name->at, "expected include(\"FILE\")");
	if (scan_open(&source,
		include_path(reader, parse_text(&argument, outline->arena)),
		reader->source, argument.at, outline->diagnostics) == -1)
		return 0; /* the rest of this file can still be judged */
	if (++outline->include_count > MOST_INCLUDES ||
	    outline->text.length > MOST_TEXT)
		return complain(reader, name->at,
		    "too many included files: more than 1000, or 4 MiB");
	buffer_append(&outline->text,
	    reader->source->text + reader->source->kept,
	    name->start - reader->source->kept);
	reader->source->kept = reader->source->at;
	inner.source = &source;
	return read_statements(&inner, NULL);
}

static int
read_statement(struct reader *reader, const struct token *name)
{
	struct token first;

	if (!is_value(name))
		return COMPLAIN(reader, name->at,
		    "expected the name of a key or section, not %s",
		    show(reader, name));
	if (next(reader, &first) == -1)
		return -1;
	if (first.kind == TOKEN_EQUALS || first.kind == TOKEN_APPEND)
		return read_key(reader, name, &first);
	if (first.kind == TOKEN_OPEN || is_value(&first))
		return read_section(reader, name, &first);
	if (first.kind == TOKEN_LEFT && name->length == strlen("include") &&
	    memcmp(name->raw, "include", name->length) == 0)
		return read_include(reader, name);
	return COMPLAIN(reader, first.at,
	    "expected '=' or a section's '{' after %s, not %s",
	    show(reader, name), show(reader, &first));
}

/* The rest of a source joins the text as read. */
static void
keep_text(struct reader *reader)
{
	struct scan_source *source = reader->source;

	buffer_append(&reader->outline->text, source->text + source->kept,
	    source->length - source->kept);
	source->kept = source->length;
}

/* Statements up to the '}' that belongs to "opened", or to the end of the
 * file when that is NULL. */
static int
read_statements(struct reader *reader, const struct token *opened)
{
	struct token token;

	for (;;) {
		if (next(reader, &token) == -1)
			return -1;
		if (token.kind == TOKEN_END) {
			if (opened == NULL) {
				keep_text(reader);
				return 0;
			}
			return COMPLAIN(reader, opened->at,
			    "the '{' of %s is not closed",
			    outline_name(
				reader->section, reader->outline->arena));
		}
		if (token.kind == TOKEN_CLOSE) {
			if (opened == NULL)
				return complain(reader, token.at,
				    "'}' without a '{' before it");
			emit_text(reader, &token, "}");
			return 0;
		}
		if (read_statement(reader, &token) == -1)
			return -1;
	}
}

int
outline_read(struct outline *outline, const char *path, struct arena *arena,
    struct diagnostics *diagnostics)
{
	struct scan_source source;
	struct reader reader = { outline, &source, NULL, true };

	*outline =
	    (struct outline){ .arena = arena, .diagnostics = diagnostics };
	buffer_init(&outline->clean);
	buffer_init(&outline->text);
	outline->top = arena_alloc(arena, sizeof *outline->top);
	outline->top->name = "file";
	outline->top->at = (struct position){ path, 1 };
	outline->top->grammar = grammar_make(arena);
	reader.section = outline->top;
	if (scan_open(&source, path, NULL, (struct position){ path, 0 },
		diagnostics) == -1)
		return -1;
	return read_statements(&reader, NULL);
}

void
outline_reset(struct outline *outline)
{
	buffer_reset(&outline->clean);
	buffer_reset(&outline->text);
}
