/* mountmatrix clean: undoes whatever a crash left mounted or attached. */
#include <stdio.h>

#include "cli/cli.h"
#include "platform/lock.h"
#include "trial/undo.h"

static void
tell(void *context, const char *text)
{
	(void)context;
	(void)printf("%s\n", text);
}

static int
exec(const struct cli_args *args)
{
	struct undo_report report = { .tell = tell };
	struct undo_clean_counts counts = { 0 };
	struct error err = { 0 };
	const char *state;

	if (platform_state_directory(args->arena, &state, &err) == -1 ||
	    undo_clean_all(state, true, &report, &counts, &err) == -1)
		return cli_fail(&err);
	if (counts.undone + counts.gone + counts.left == 0)
		(void)puts("nothing was left behind");
	else
		(void)printf("%zu undone, %zu no longer there, %zu left\n",
		    counts.undone, counts.gone, counts.left);
	if (counts.running > 0)
		(void)printf("%zu running, not touched\n", counts.running);
	return counts.left == 0 ? EXIT_ALL_OK : EXIT_HOST;
}

const struct cli_command command_clean = {
	.name = "clean",
	.arguments = "",
	.summary = "Undoes whatever a crash left mounted or attached.",
	.help = "Only what this program recorded in its undo journal is "
		"touched, after a look\nthat it is still the same thing; "
		"nothing is forced.  A filesystem kept by\n\"run --keep\" is "
		"let go as well.",
	.exec = exec,
};
