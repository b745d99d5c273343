#include "config/parse.h"

#include <confuse.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libconfuse hands its error function nothing of ours. */
static struct outline *being_parsed;

static void record_error(cfg_t *cfg, const char *format, va_list args)
    MM_PRINTF(2, 0);

static void
record_error(cfg_t *cfg, const char *format, va_list args)
{
	struct outline *outline = being_parsed;
	struct position at = { "?", 0 };
	char text[256];

	if (outline == NULL)
		return;
	vsnprintf(text, sizeof text, format, args);
	if (outline->line_count > 0) {
		size_t line = cfg->line > 0 ? (size_t)cfg->line - 1 : 0;

		if (line >= outline->line_count)
			line = outline->line_count - 1;
		at = outline->lines[line];
	}
	diagnostics_add(outline->diagnostics, at, "%s", text);
}

/* The option array of a table.  Every leaf is a list of texts, so that "010",
 * "" and "2G" stay what was written until they are bound. */
static cfg_opt_t *
make_options(const struct grammar *grammar, struct arena *arena)
{
	const cfg_opt_t end = CFG_END();
	cfg_opt_t *options;
	size_t count = 0;

	while (grammar[count].name != NULL)
		count++;
	options = arena_array(arena, count + 1, sizeof *options);
	for (size_t i = 0; i < count; i++) {
		const char *name = grammar[i].alias != NULL ? grammar[i].alias
							    : grammar[i].name;
		cfg_opt_t leaf = CFG_STR_LIST(name, NULL, CFGF_NODEFAULT);
		cfg_opt_t section = CFG_SEC(
		    name, NULL, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);

		if (grammar[i].inside != NULL)
			section.subopts =
			    make_options(grammar[i].inside, arena);
		options[i] = grammar[i].inside != NULL ? section : leaf;
	}
	options[count] = end;
	return options;
}

static cfg_t *
read_text(cfg_opt_t *options, const char *text, size_t length)
{
	cfg_t *cfg = cfg_init(options, CFGF_NONE);
	FILE *file;
	char *copy;
	int status = CFG_PARSE_ERROR;

	if (cfg == NULL)
		return NULL;
	cfg_set_error_function(cfg, record_error);
	copy = strndup(text, length);
	file = copy == NULL ? NULL : fmemopen(copy, length, "r");
	if (file != NULL) {
		status = cfg_parse_fp(cfg, file);
		fclose(file);
	}
	free(copy);
	if (status == CFG_SUCCESS)
		return cfg;
	cfg_free(cfg);
	return NULL;
}

static void take_section(
    struct outline *outline, struct outline_section *section, cfg_t *cfg);

/* The sections of one name stand in one order on both sides. */
static void
take_sections(
    struct outline *outline, struct outline_section *section, cfg_t *cfg)
{
	for (const struct grammar *row = section->grammar; row->name != NULL;
	     row++) {
		unsigned int index = 0;

		for (size_t i = 0; i < section->section_count; i++) {
			if (row->inside == NULL ||
			    strcmp(section->sections[i]->name, row->name) != 0)
				continue;
			take_section(outline, section->sections[i],
			    cfg_getnsec(cfg,
				row->alias != NULL ? row->alias : row->name,
				index++));
		}
	}
}

static void
take_section(
    struct outline *outline, struct outline_section *section, cfg_t *cfg)
{
	if (cfg == NULL)
		return;
	for (size_t k = 0; k < section->key_count; k++) {
		struct outline_key *key = &section->keys[k];

		for (size_t i = 0; i < key->count; i++) {
			const char *text =
			    cfg_getnstr(cfg, key->name, (unsigned int)i);

			key->values[i].text = arena_strdup(
			    outline->arena, text == NULL ? "" : text);
		}
	}
	take_sections(outline, section, cfg);
}

int
parse_outline(struct outline *outline)
{
	size_t before = outline->diagnostics->count;
	cfg_t *cfg;

	if (outline->clean.length == 0)
		return 0;
	being_parsed = outline;
	cfg = read_text(make_options(outline->top->grammar, outline->arena),
	    outline->clean.data, outline->clean.length);
	being_parsed = NULL;
	if (cfg == NULL) {
		if (outline->diagnostics->count == before)
			diagnostics_add(outline->diagnostics, outline->top->at,
			    "libconfuse cannot read this");
		return -1;
	}
	take_section(outline, outline->top, cfg);
	cfg_free(cfg);
	return 0;
}

void
parse_quote(const struct token *token, struct buffer *buffer)
{
	if (token->kind == TOKEN_STRING) {
		buffer_append(buffer, token->raw, token->length);
		return;
	}
	buffer_putc(buffer, '"');
	for (size_t i = 0; i < token->length; i++) {
		if (token->raw[i] == '\\')
			buffer_putc(buffer, '\\');
		buffer_putc(buffer, token->raw[i]);
	}
	buffer_putc(buffer, '"');
}

static bool
is_plain(const struct token *token)
{
	for (size_t i = 0; i < token->length; i++)
		if (token->raw[i] == '\\' || token->raw[i] == '$')
			return false;
	return true;
}

const char *
parse_text(const struct token *token, struct arena *arena)
{
	cfg_opt_t options[] = { CFG_STR_LIST("text", NULL, CFGF_NODEFAULT),
		CFG_END() };
	size_t quotes = token->kind == TOKEN_STRING ? 1 : 0;
	const char *text = NULL;
	struct buffer line;
	cfg_t *cfg;

	if (is_plain(token))
		return arena_strndup(
		    arena, token->raw + quotes, token->length - 2 * quotes);
	buffer_init(&line);
	buffer_puts(&line, "text = ");
	parse_quote(token, &line);
	buffer_putc(&line, '\n');
	cfg = read_text(options, line.data, line.length);
	buffer_reset(&line);
	if (cfg != NULL) {
		text = cfg_getnstr(cfg, "text", 0);
		text = arena_strdup(arena, text == NULL ? "" : text);
		cfg_free(cfg);
	}
	return text == NULL ? "" : text;
}
