/*
 * Rungs sysctl and restore: settings of the whole system, put back.
 *
 * A command "sysctl NAME=VALUE" is preceded by reading the old value, whose
 * restoring is recorded before the new one is set.
 */
#include <ctype.h>
#include <string.h>

#include "base/argv.h"
#include "trial/trial.h"

static const int64_t TIMEOUT_NS = 60 * INT64_C(1000000000);

/* The "NAME=VALUE" among the words of a sysctl command, or NULL. */
static const char *
assignment(const char *const *argv)
{
	if (strcmp(argv[0], "sysctl") != 0)
		return NULL;
	for (size_t i = 1; argv[i] != NULL; i++)
		if (argv[i][0] != '-' && strchr(argv[i], '=') != NULL)
			return argv[i];
	return NULL;
}

/* The one line that was printed, as it is: a value may have tabs in it.  NULL
 * for what is no value. */
static const char *
value_of(const struct proc_result *result, struct arena *arena)
{
	size_t length = strcspn(result->output, "\n");

	if (length == 0 || length + 1 < result->output_size)
		return NULL;
	for (size_t i = 0; i < length; i++)
		if (result->output[i] != '\t' &&
		    !isprint((unsigned char)result->output[i]))
			return NULL;
	return arena_strndup(arena, result->output, length);
}

static int
save_old(struct trial *trial, const char *word, struct error *err)
{
	struct arena *arena = trial->arena;
	const char *name =
	    arena_strndup(arena, word, (size_t)(strchr(word, '=') - word));
	const char *argv[] = { "sysctl", "-n", name, NULL };
	struct proc_job job = { .argv = argv, .timeout_ns = TIMEOUT_NS };
	const char *line = arena_printf(arena, "sysctl -n %s", name);
	struct proc_result result;
	const char *old, *back;

	if (trial_run(trial, RUNG_SYSCTL, &job, line, &result, err) == -1)
		return -1;
	if (!proc_succeeded(&result))
		return trial_blame(trial, RUNG_SYSCTL, line, &result);
	old = value_of(&result, arena);
	if (old == NULL)
		return trial_fail(trial, VERDICT_FAILED, RUNG_SYSCTL,
		    arena_printf(arena,
			"'%s' printed no value, so nothing was set", line));
	back = arena_printf(arena, "sysctl %s",
	    argv_quote_word(arena, arena_printf(arena, "%s=%s", name, old)));
	return undo_push(trial->state->undo, UNDO_COMMAND, back,
	    arena_printf(arena, "restored %s=%s", name, old), err);
}

int
rung_sysctl(struct trial *trial, struct error *err)
{
	for (size_t i = 0; i < trial->cell->command_count; i++) {
		const struct command *command = &trial->cell->commands[i];
		const char *line, *word;
		const char *const *argv;
		int result;

		if (command->rung != RUNG_SYSCTL)
			continue;
		argv = trial_words(trial, command->argv, &line);
		word = assignment(argv);
		if (word == NULL)
			continue;
		result = save_old(trial, word, err);
		if (result != RUNG_DONE)
			return result;
	}
	return trial_commands(trial, RUNG_SYSCTL, err);
}

/* The unwinding puts the values back; commands that a plan names for it are
 * run before. */
int
rung_restore(struct trial *trial, struct error *err)
{
	return trial_commands(trial, RUNG_RESTORE, err);
}
