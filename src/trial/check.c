/* A second look at what was measured: probes, tree, checker. */
#include "trial/blame.h"
#include "trial/trial.h"

static const int64_t CHECK_NS = INT64_C(4) * 3600 * 1000000000;

static bool
is_probe_due(const struct trial *trial)
{
	return trial->spec != NULL &&
	       trial->target->target->kind != TARGET_MOUNTPOINT &&
	       !trial->state->probed[trial->cell->index];
}

static bool
is_verify_due(const struct trial *trial)
{
	return trial->is_populated_by_us && !trial->workload->writes;
}

static int
look(struct trial *trial, struct error *err)
{
	int result;

	if (!is_probe_due(trial) && !is_verify_due(trial))
		return RUNG_DONE;
	if (!trial->is_mounted) {
		result = mount_cell(trial, RUNG_PROBE, err);
		if (result != RUNG_DONE)
			return result;
	}
	if (is_verify_due(trial)) {
		result = verify_tree(trial, err);
		if (result != RUNG_DONE)
			return result;
	}
	if (!is_probe_due(trial))
		return RUNG_DONE;
	return probe_cell(trial, err);
}

/* What unmounting would lose is looked at before the flush... */
int
rung_look_before(struct trial *trial, struct error *err)
{
	return trial->driver->is_volatile ? look(trial, err) : RUNG_DONE;
}

/* ...all else after it, so that the looking is not part of the flush. */
int
rung_look_after(struct trial *trial, struct error *err)
{
	return trial->driver->is_volatile ? RUNG_DONE : look(trial, err);
}

int
rung_check(struct trial *trial, struct error *err)
{
	for (size_t i = 0; i < trial->cell->command_count; i++) {
		const struct command *command = &trial->cell->commands[i];
		struct proc_job job = { .timeout_ns = CHECK_NS };
		struct proc_result result;
		struct blame blame;
		const char *line;

		if (command->rung != RUNG_CHECK)
			continue;
		job.argv = trial_words(trial, command->argv, &line);
		if (trial_run(trial, RUNG_CHECK, &job, line, &result, err) ==
		    -1)
			return -1;
		blame_check(line, &result, trial->arena, &blame);
		if (blame.verdict != VERDICT_OK)
			return trial_fail(
			    trial, blame.verdict, RUNG_CHECK, blame.reason);
		if (blame.reason[0] != '\0')
			trial_remark(trial, blame.reason);
	}
	return RUNG_DONE;
}
