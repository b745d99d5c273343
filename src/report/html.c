#include "report/sections.h"

static void
render(const struct report_input *input, struct buffer *out)
{
	sections_render(input, document_to_html, out);
}

static void
compare(const struct comparison_input *input, struct buffer *out)
{
	sections_compare(input, document_to_html, out);
}

extern const struct report_format report_html;

const struct report_format report_html = {
	.name = "html",
	.summary = "one page that needs nothing from elsewhere",
	.render = render,
	.compare = compare,
};
