/* mountmatrix clean: undoes whatever a crash left mounted or attached. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "platform/isolate.h"
#include "platform/lock.h"
#include "trial/undo.h"

static const struct cli_option options[] = {
	{ "kept", 0, NULL, "let go of every kept trial, too" },
	{ NULL, 0, NULL, NULL },
};

static void
tell(void *context, const char *text)
{
	(void)context;
	(void)printf("%s\n", text);
}

static void
tell_kept(void *context, const struct undo_kept *kept)
{
	char *enter = platform_pin_enter(kept->file, context);

	(void)printf("kept, not touched: %s, of %s\n", kept->mountpoint,
	    kept->results[0] != '\0' ? kept->results : kept->file);
	if (enter != NULL)
		(void)printf("  enter it with:   %s\n", enter);
	(void)printf("  let it go with:  mountmatrix clean %s\n",
	    kept->results[0] != '\0' ? kept->results : kept->file);
}

/* By the names that the journals have; a file that is gone by its own. */
static void
name_released(const struct cli_args *args, struct undo_release *release)
{
	struct arena *arena = args->arena;
	const char **names =
	    arena_array(arena, args->word_count + 1, sizeof *names);
	char path[PATH_MAX];

	for (size_t i = 0; i < args->word_count; i++)
		names[i] = realpath(args->words[i], path) != NULL
			       ? arena_strdup(arena, path)
			       : args->words[i];
	release->names = names;
	release->count = args->word_count;
	release->found =
	    arena_array(arena, args->word_count + 1, sizeof *release->found);
}

/* The status when a name was no kept trial's. */
static int
say_not_found(const struct cli_args *args, const struct undo_release *release)
{
	int status = EXIT_ALL_OK;

	for (size_t i = 0; i < release->count; i++) {
		if (release->found[i])
			continue;
		(void)fprintf(stderr, "mountmatrix: '%s' has no kept trial\n",
		    args->words[i]);
		status = EXIT_USAGE;
	}
	return status;
}

static int
exec(const struct cli_args *args)
{
	struct undo_report report = { tell, tell_kept, args->arena };
	struct undo_release release = { .all = cli_has(args, "kept") };
	struct undo_clean_counts counts = { 0 };
	struct error err = { 0 };
	const char *state;

	name_released(args, &release);
	if (platform_state_directory(args->arena, &state, &err) == -1 ||
	    undo_clean_all(state, &release, &report, &counts, &err) == -1)
		return cli_fail(&err);
	if (counts.undone + counts.gone + counts.left == 0)
		(void)printf("nothing %swas left behind\n",
		    counts.kept > 0 ? "else " : "");
	else
		(void)printf("%zu undone, %zu no longer there, %zu left\n",
		    counts.undone, counts.gone, counts.left);
	if (counts.running > 0)
		(void)printf("%zu running, not touched\n", counts.running);
	if (counts.left > 0)
		return EXIT_HOST;
	return say_not_found(args, &release);
}

const struct cli_command command_clean = {
	.name = "clean",
	.arguments = "[RESULTS...]",
	.summary = "Undoes whatever a crash left mounted or attached.",
	.help = "Only what this program recorded in its undo journal is "
		"touched, after a look\nthat it is still the same thing; "
		"nothing is forced, and a run that lives is left\nalone.  A "
		"trial kept by \"run --keep\" is named, and let go of only "
		"with --kept or\nby the name of its results file.",
	.options = options,
	.words_most = SIZE_MAX,
	.exec = exec,
};
