/* Rung read back: what the kernel put in force, against what was asked. */
#include <string.h>

#include "fs/readback.h"
#include "platform/filesystem.h"
#include "platform/mounts.h"
#include "trial/cell_state.h"
#include "trial/trial.h"

static const int64_t TIMEOUT_NS = 60 * INT64_C(1000000000);

/* Runs the driver's own reports; one that fails says nothing, which is data
 * in its step. */
static int
read_outputs(struct trial *trial, struct fs_sources *sources, struct error *err)
{
	const struct plan *plan = trial->state->night->plan;
	const struct readback **list;
	const char **outputs;
	size_t count;

	count = fs_readbacks(trial->driver, plan->system, plan->system_version,
	    &list, trial->arena);
	outputs = arena_array(trial->arena, count + 1, sizeof *outputs);
	for (size_t i = 0; i < count; i++) {
		struct proc_job job = { .timeout_ns = TIMEOUT_NS };
		struct proc_result result;
		const char *line;

		job.argv = trial_line_words(trial, list[i]->command, &line);
		if (trial_run(trial, RUNG_READBACK, &job, line, &result, err) ==
		    -1)
			return -1;
		outputs[i] = arena_printf(
		    trial->arena, "%s%s", result.output, result.errors);
	}
	sources->outputs = outputs;
	sources->output_count = count;
	return 0;
}

static int
read_sources(struct trial *trial, struct fs_sources *sources, struct error *err)
{
	struct mount_list list = { 0 };
	const struct mount_entry *entry;
	uint64_t raw;

	*sources = (struct fs_sources){ .mountpoint = trial->mountpoint };
	if (platform_mounts(trial->arena, &list, err) == -1)
		return -1;
	entry = mount_list_at(&list, trial->mountpoint);
	if (entry == NULL)
		return 0;
	sources->mount_options = entry->options;
	sources->super_options = entry->super_options;
	sources->report = platform_mount_report(trial->arena, entry);
	if (entry->options[0] == '\0' &&
	    platform_flags(trial->mountpoint, trial->arena,
		&sources->mount_options, &raw, err) == -1)
		return -1;
	return read_outputs(trial, sources, err);
}

int
rung_readback(struct trial *trial, struct error *err)
{
	struct cell *cell = trial->cell;
	const struct plan *plan = trial->state->night->plan;
	struct fs_sources sources;
	struct cell found;

	if (!trial_has(trial, RUNG_MOUNT))
		return RUNG_DONE;
	if (read_sources(trial, &sources, err) == -1)
		return error_wrap(err, "read back");
	cell_bind_rows(trial->state, cell);
	found = *cell;
	fs_compare(&found, trial->driver, plan->system, plan->system_version,
	    &sources, trial->arena);
	trial->outcome->in_force = found.in_force;
	trial_note_step(trial, RUNG_READBACK, "options in force", 0)->output =
	    found.in_force != NULL ? found.in_force : "";
	return cell_found(trial->state, cell, &found, err);
}
