#include "report/sections.h"

static void
render(const struct report_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	sections_report(input, &document);
	document_to_html(&document,
	    input->plan->title == NULL ? "results" : input->plan->title, out);
	arena_free(arena);
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	struct arena *arena = arena_new();
	struct document document;

	document_init(&document, arena);
	sections_comparison(input, &document);
	document_to_html(&document, "Comparison", out);
	arena_free(arena);
}

extern const struct report_format report_html;

const struct report_format report_html = {
	.name = "html",
	.summary = "one page that needs nothing from elsewhere",
	.render = render,
	.compare = compare,
};
