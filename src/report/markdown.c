#include "report/sections.h"

static void
render(const struct report_input *input, struct buffer *out)
{
	sections_render(input, document_to_markdown, out);
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	sections_compare(input, document_to_markdown, out);
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
