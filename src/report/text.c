#include "report/sections.h"

static void
render(const struct report_input *input, struct buffer *out)
{
	sections_render(input, document_to_text, out);
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	sections_compare(input, document_to_text, out);
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
