#include "report/sections.h"

static void
render(const struct report_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	sections_report(input, &document);
	document_to_text(&document, out);
	arena_free(arena);
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	sections_comparison(input, &document);
	document_to_text(&document, out);
	arena_free(arena);
}

extern const struct report_format report_text;

const struct report_format report_text = {
	.name = "text",
	.summary = "plain text of at most 72 columns, to be mailed",
	.render = render,
	.compare = compare,
	.several_first = "",
	.several_between = "\n",
	.several_last = "",
};
