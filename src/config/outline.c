#include "config/outline.h"

#include <ctype.h>
#include <string.h>

#include "config/outline_reader.h"
#include "config/parse.h"

enum {
	MOST_TEXT = 4 * 1024 * 1024,
	MOST_INCLUDES = 1000,
	MOST_SECTIONS = 1000,
	MOST_TITLE = 64
};

static int read_statements(struct reader *reader, const struct token *opened);

/* The words inside a section that is unknown, to its closing brace: nothing
 * is judged but quotes and braces. */
static int
skip_section(struct reader *reader, const struct token *opened)
{
	struct token token;

	for (size_t depth = 1; depth > 0;) {
		if (outline_next(reader, &token) == -1)
			return -1;
		if (token.kind == TOKEN_END)
			return outline_complain(reader, opened->at,
			    "the section that opens with '{' here is not "
			    "closed");
		if (token.kind == TOKEN_OPEN)
			depth++;
		else if (token.kind == TOKEN_CLOSE)
			depth--;
	}
	return 0;
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
	before = outline_find(inner->section, row->name, section->title);
	if (before != NULL) {
		inner->is_kept = false;
		COMPLAIN(inner, name->at, "there is another %s %s, in %s",
		    row->name, outline_show(inner, title),
		    outline_line(inner, name->at, before->at));
	} else if (inner->is_kept &&
		   !is_good_title(section->title, title_marks(row))) {
		COMPLAIN(inner, title->at,
		    "title %s: use letters, digits and any of %s, at most %d",
		    outline_show(inner, title), title_marks(row), MOST_TITLE);
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

	if (first->kind != TOKEN_OPEN && outline_next(&inner, &opened) == -1)
		return -1;
	if (opened.kind != TOKEN_OPEN && row == NULL)
		return COMPLAIN(&inner, first->at,
		    "expected '=' or a section's '{' after %s, not %s",
		    outline_show(&inner, name), outline_show(&inner, first));
	if (opened.kind != TOKEN_OPEN)
		return COMPLAIN(&inner, opened.at,
		    "expected '{' after %s %s, not %s", row->name,
		    outline_show(&inner, first), outline_show(&inner, &opened));
	if (row == NULL) {
		if (grammar_find(inner.section->grammar, word, false) != NULL &&
		    !outline_is_astray(&inner, word, true))
			COMPLAIN(&inner, name->at,
			    "'%s' is a key: write %s = VALUE", word, word);
		else
			outline_unknown(&inner, name, "section");
		return skip_section(&inner, &opened);
	}
	if (inner.section->section_count == MOST_SECTIONS)
		return COMPLAIN(&inner, name->at,
		    "more than %d sections in one place", MOST_SECTIONS);
	name_section(&inner, name, first, row);
	outline_emit(&inner, name, row->alias != NULL ? row->alias : row->name);
	if (first->kind != TOKEN_OPEN)
		outline_emit_value(&inner, first);
	outline_emit(&inner, &opened, "{");
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

	if (outline_next(reader, &argument) == -1 ||
	    outline_next(reader, &end) == -1)
		return -1;
	if (!token_is_value(&argument) || end.kind != TOKEN_RIGHT)
		return outline_complain(
		    reader, name->at, "expected include(\"FILE\")");
	if (scan_open(&source,
		include_path(reader, parse_text(&argument, outline->arena)),
		reader->source, argument.at, outline->diagnostics) == -1)
		return 0; /* the rest of this file can still be judged */
	if (++outline->include_count > MOST_INCLUDES ||
	    outline->text.length > MOST_TEXT)
		return outline_complain(reader, name->at,
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

	if (!token_is_value(name))
		return COMPLAIN(reader, name->at,
		    "expected the name of a key or section, not %s",
		    outline_show(reader, name));
	if (outline_next(reader, &first) == -1)
		return -1;
	if (first.kind == TOKEN_EQUALS || first.kind == TOKEN_APPEND)
		return outline_read_key(reader, name, &first);
	if (first.kind == TOKEN_OPEN || token_is_value(&first))
		return read_section(reader, name, &first);
	if (first.kind == TOKEN_LEFT && name->length == strlen("include") &&
	    memcmp(name->raw, "include", name->length) == 0)
		return read_include(reader, name);
	return COMPLAIN(reader, first.at,
	    "expected '=' or a section's '{' after %s, not %s",
	    outline_show(reader, name), outline_show(reader, &first));
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
		if (outline_next(reader, &token) == -1)
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
				return outline_complain(reader, token.at,
				    "'}' without a '{' before it");
			outline_emit(reader, &token, "}");
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
