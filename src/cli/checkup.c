#include "cli/checkup.h"

#include <stdio.h>

#include "cli/cli.h"

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
		(void)printf("%-7s %-34s %s%s%s\n", what, subject, verdict,
		    text[0] != '\0' ? ": " : "", text);
	/* a cell takes a second: whoever reads a pipe sees each as it comes */
	(void)fflush(stdout);
	checkup->findings++;
}
