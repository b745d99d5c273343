#include "cli/checkup.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* Of the column of subjects: the longest is mostly a cell. */
static int
subject_width(const struct plan *plan)
{
	size_t width = 24;

	for (size_t i = 0; i < plan->cell_count; i++)
		if (strlen(plan->cells[i].key) > width)
			width = strlen(plan->cells[i].key);
	return (int)width;
}

void
checkup_say(struct checkup *checkup, const char *what, const char *subject,
    const char *verdict, const char *text)
{
	struct arena *arena = checkup->args->arena;

	if (checkup->is_json) {
		(void)printf("%s\n  { \"check\": %s, \"subject\": %s, "
			     "\"verdict\": %s, \"text\": %s }",
		    checkup->findings > 0 ? "," : "",
		    cli_json_string(arena, what),
		    cli_json_string(arena, subject),
		    cli_json_string(arena, verdict),
		    cli_json_string(arena, text));
	} else
		(void)printf("%-7s %-*s %s%s%s\n", what,
		    subject_width(&checkup->prepared.plan), subject, verdict,
		    text[0] != '\0' ? ": " : "", text);
	/* a cell takes a second: whoever reads a pipe sees each as it comes */
	(void)fflush(stdout);
	checkup->findings++;
}
