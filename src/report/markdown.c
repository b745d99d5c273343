#include "report/sections.h"

static void
render(const struct report_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	sections_report(input, &document);
	document_to_markdown(&document, out);
	arena_free(arena);
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	sections_comparison(input, &document);
	document_to_markdown(&document, out);
	arena_free(arena);
}

extern const struct report_format report_markdown;

const struct report_format report_markdown = {
	.name = "markdown",
	.summary = "for a wiki or an issue",
	.render = render,
	.compare = compare,
	.several_first = "",
	.several_between = "\n",
	.several_last = "",
};
