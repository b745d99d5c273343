#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/argv.h"
#include "base/clock.h"
#include "platform/counters.h"
#include "platform/isolate.h"
#include "platform/process.h"
#include "trial/blame.h"
#include "trial/trial.h"
#include "trial/words.h"

static const int64_t COMMAND_TIMEOUT_NS = 1800 * INT64_C(1000000000);
static const int64_t KILLED_NS = 10 * INT64_C(1000000000);

const char *
trial_counted_path(const struct trial *trial)
{
	if (trial->device[0] != '\0')
		return trial->device;
	return trial->is_mounted ? trial->mountpoint : trial->target->path;
}

static struct io_counts
counts_of(const struct device_counters *after,
    const struct device_counters *before, bool is_known)
{
	struct device_counters difference;

	if (!is_known)
		return (struct io_counts){ 0 };
	difference = counters_difference(after, before);
	return (struct io_counts){
		.known = true,
		.bytes_known = difference.has_bytes,
		.flushes_known = difference.has_flushes,
		.reads = (int64_t)difference.reads,
		.writes = (int64_t)difference.writes,
		.read_bytes = (int64_t)difference.read_bytes,
		.written_bytes = (int64_t)difference.write_bytes,
		.flushes = (int64_t)difference.flushes,
	};
}

static void
fill_step(struct step *step, const char *what, const struct proc_result *result)
{
	step->command = what;
	step->exit_code = result->exit_code;
	step->signal = result->signal;
	step->timed_out = result->timed_out;
	step->errors = result->errors;
	step->wall_ns = result->wall_ns;
	step->user_ns = result->user_ns;
	step->system_ns = result->system_ns;
	step->voluntary_switches = result->voluntary_switches;
	step->involuntary_switches = result->involuntary_switches;
	step->major_faults = result->major_faults;
}

void
span_begin(struct trial *trial, struct span *span)
{
	struct error ignored = { 0 };

	*span = (struct span){
		.counted = trial_counted_path(trial),
		.wall_ns = clock_wall_ns(),
	};
	span->is_counted =
	    span->counted != NULL &&
	    platform_counters(span->counted, &span->before, &ignored) == 0;
}

/* Who of a killed group is still in uninterruptible sleep: one that only
 * waits for its disk once more is gone after a moment. */
static void
wait_for_killed(struct trial *trial, pid_t group, struct process_list *stuck)
{
	int64_t until = clock_now_ns() + KILLED_NS;
	struct error ignored = { 0 };

	while (platform_stuck_processes(group, trial->arena, stuck, &ignored) ==
		   0 &&
	       stuck->count > 0 && clock_now_ns() < until)
		clock_sleep_ms(100);
}

/* What SIGKILL does not end: the child itself, or one of its group. */
static void
look_for_stuck(
    struct trial *trial, const char *what, const struct proc_result *result)
{
	struct night_state *state = trial->state;
	struct process_list list = { 0 };

	if (result->timed_out || result->stuck)
		wait_for_killed(trial, result->pid, &list);
	if (!result->stuck && list.count == 0)
		return;
	state->is_stuck = true;
	state->stuck_reason =
	    list.count == 0
		? arena_printf(state->arena,
		      "process %ld (%s) is in uninterruptible sleep",
		      (long)result->pid, what)
		: arena_printf(state->arena,
		      "process %ld (%s) is in uninterruptible sleep (%s)",
		      (long)list.items[0].pid, list.items[0].name,
		      list.items[0].what);
	trial_remark(trial, state->stuck_reason);
}

struct step *
span_end(struct trial *trial, struct span *span, enum rung rung,
    const char *what, const struct proc_result *result)
{
	struct device_counters after = { 0 };
	struct error ignored = { 0 };
	struct step *step;

	if (span->is_counted)
		span->is_counted =
		    platform_counters(span->counted, &after, &ignored) == 0;
	step = outcome_add_step(trial->outcome, trial->arena, rung);
	fill_step(step, what, result);
	step->started_wall_ns = span->wall_ns;
	step->io = counts_of(&after, &span->before, span->is_counted);
	step->kernel = trial_kernel_said(trial);
	look_for_stuck(trial, what, result);
	return step;
}

int
trial_child_setup(void *context)
{
	const struct child_setup *setup = context;

	platform_die_with_parent(setup->parent);
	return setup->limit != NULL ? platform_memory_limit_join(setup->limit)
				    : 0;
}

int
trial_run(struct trial *trial, enum rung rung, const struct proc_job *job,
    const char *what, struct proc_result *result, struct error *err)
{
	struct child_setup setup = { .parent = getpid() };
	int64_t limit = trial->state->night->options->step_timeout_ns;
	struct proc_job copy = *job;
	struct span span;
	struct step *step;

	if (limit > 0 && (copy.timeout_ns == 0 || limit < copy.timeout_ns))
		copy.timeout_ns = limit;
	copy.setup = trial_child_setup;
	copy.setup_context = &setup;
	span_begin(trial, &span);
	if (proc_run(&copy, trial->arena, result, err) == -1)
		return error_wrap(err, "%s", rung_name(rung));
	step = span_end(trial, &span, rung, what, result);
	/* a function's output is its result, in binary */
	step->output = job->argv != NULL ? result->output : "";
	if (result->cancelled)
		return error_set_kind(
		    err, ERROR_CANCELLED, "stopped by a signal");
	return 0;
}

struct step *
trial_note_step(
    struct trial *trial, enum rung rung, const char *what, int64_t wall_ns)
{
	struct step *step =
	    outcome_add_step(trial->outcome, trial->arena, rung);

	step->command = what;
	step->started_wall_ns = clock_wall_ns() - wall_ns;
	step->wall_ns = wall_ns;
	step->kernel = trial_kernel_said(trial);
	return step;
}

void
trial_remark(struct trial *trial, const char *text)
{
	struct outcome *outcome = trial->outcome;

	if (strstr(outcome->notes, text) != NULL)
		return;
	outcome->notes =
	    outcome->notes[0] == '\0'
		? arena_strdup(trial->arena, text)
		: arena_printf(trial->arena, "%s; %s", outcome->notes, text);
}

int
trial_fail(struct trial *trial, enum verdict verdict, enum rung rung,
    const char *reason)
{
	const char *name = rung_name(rung);
	size_t length = strlen(name);
	/* "mount: exit 32": the tool has the step's name */
	bool is_said =
	    strncmp(reason, name, length) == 0 && reason[length] == ':';

	outcome_fail(trial->outcome, verdict, rung,
	    is_said ? reason
		    : arena_printf(trial->arena, "%s: %s", name, reason));
	return RUNG_FAILED;
}

/* A device that has gone explains every other complaint. */
static bool
has_vanished(const struct trial *trial)
{
	struct stat status;

	return trial->device[0] != '\0' && stat(trial->device, &status) == -1;
}

/* What the last step's kernel lines say of this trial. */
static const char *
last_kernel(struct trial *trial)
{
	const struct outcome *outcome = trial->outcome;

	if (outcome->step_count == 0)
		return "";
	return blame_without_others(
	    outcome->steps[outcome->step_count - 1].kernel,
	    trial_kernel_name(trial), trial->arena);
}

int
trial_blame(struct trial *trial, enum rung rung, const char *what,
    const struct proc_result *result)
{
	struct blame blame;

	blame_command(
	    rung, what, result, last_kernel(trial), trial->arena, &blame);
	if (has_vanished(trial)) {
		blame.is_rejected = false;
		blame.reason =
		    arena_printf(trial->arena, "the device '%s' is gone (%s)",
			trial->device, blame.reason);
	}
	/* options that were taken once cannot be what is wrong now */
	trial->outcome->cell_rejected =
	    blame.is_rejected &&
	    !trial->state->mounted_once[trial->cell->index];
	return trial_fail(trial, blame.verdict, rung, blame.reason);
}

/* --- the cell's commands ------------------------------------------------- */

const char *const *
trial_words(struct trial *trial, const char *const *argv, const char **line)
{
	const struct word_values values = {
		.device = trial->device,
		.raw = words_raw_name(trial->state->night->plan->system,
		    trial->device, trial->arena),
		.mountpoint = trial->mountpoint,
		.image = trial->target->target->kind == TARGET_IMAGE
			     ? trial->target->path
			     : "",
		.unit = trial->unit,
		.beside = trial->state->beside,
		.from = trial->target->target->more_devices,
		.to = trial->target->more_devices,
		.replaced = trial->target->target->more_device_count,
	};

	return words_fill(argv, &values, trial->arena, line);
}

const char *const *
trial_line_words(struct trial *trial, const char *text, const char **line)
{
	static const char *const none[] = { "false", NULL };
	struct error ignored = { 0 };
	struct argv argv;

	argv_init(&argv, trial->arena);
	if (argv_split(&argv, text, &ignored) == -1 || argv.count == 0)
		return trial_words(trial, none, line);
	return trial_words(trial, argv.items, line);
}

bool
trial_has(const struct trial *trial, enum rung rung)
{
	for (size_t i = 0; i < trial->cell->command_count; i++)
		if (trial->cell->commands[i].rung == rung)
			return true;
	return false;
}

int
trial_commands(struct trial *trial, enum rung rung, struct error *err)
{
	for (size_t i = 0; i < trial->cell->command_count; i++) {
		const struct command *command = &trial->cell->commands[i];
		struct proc_job job = { .timeout_ns = COMMAND_TIMEOUT_NS };
		struct proc_result result;
		const char *line;

		if (command->rung != rung)
			continue;
		job.argv = trial_words(trial, command->argv, &line);
		if (rung == RUNG_MAKE) {
			job.release_fds = trial->held;
			job.release_count = trial->held_count;
			trial->held_count = 0;
		}
		if (trial_run(trial, rung, &job, line, &result, err) == -1)
			return -1;
		if (!proc_succeeded(&result))
			return trial_blame(trial, rung, line, &result);
	}
	return RUNG_DONE;
}

/* --- progress ------------------------------------------------------------ */

int
trial_announce(struct trial *trial, enum rung rung, struct error *err)
{
	return night_tell(trial->state,
	    &(struct night_event){
		.kind = NIGHT_STEP_BEGINS,
		.trial = trial->planned,
		.cell = trial->cell,
		.workload = trial->spec,
		.step = rung,
	    },
	    err);
}
