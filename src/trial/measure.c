/* Rungs measure and flush: what all the rest is for. */
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "fs/classify.h"
#include "trial/blame.h"
#include "trial/trial.h"

static const struct metric metric_flush = { "flush", "s", LOWER_IS_BETTER,
	"sync and unmount after the workload" };
static const struct metric metric_flushed = { "elapsed_flushed", "s",
	LOWER_IS_BETTER, "the workload's time with the flush" };

/* --- memory limit -------------------------------------------------------- */

static int64_t
limit_bytes(const struct trial *trial)
{
	return trial->spec->memory_limit_bytes > 0
		   ? trial->spec->memory_limit_bytes
		   : trial->state->night->plan->memory_limit_bytes;
}

static int
limit_memory(struct trial *trial, struct error *err)
{
	struct error why = { 0 };
	int64_t bytes = limit_bytes(trial);
	int result;

	if (bytes <= 0)
		return 0;
	result = platform_memory_limit_create(
	    arena_printf(
		trial->arena, "%llx", (unsigned long long)clock_wall_ns()),
	    bytes, trial->arena, &trial->limit, &why);
	if (result != 0) {
		trial_remark(
		    trial, arena_printf(trial->arena,
			       "memory was not limited: %s", why.text));
		return 0;
	}
	trial->is_limited = true;
	trial->setup.limit = &trial->limit;
	return undo_push(
	    trial->state->undo, UNDO_CGROUP, trial->limit.path, "", err);
}

/* --- measure ------------------------------------------------------------- */

static void
add_sample(
    struct trial *trial, const char *name, const char *unit, double value)
{
	struct metric metric = { name, unit, LOWER_IS_BETTER, "" };

	outcome_add_sample(trial->outcome, trial->arena, &metric, 0, value);
}

/* A workload may count something itself: its own figure stands. */
static void
add_unless_there(
    struct trial *trial, const char *name, const char *unit, double value)
{
	double own;

	if (!workload_result_value(&trial->result, name, &own))
		add_sample(trial, name, unit, value);
}

static void
keep_samples(struct trial *trial)
{
	const struct workload_result *result = &trial->result;
	const struct proc_result *process = &result->process;

	for (size_t i = 0; i < result->sample_count; i++) {
		const struct sample *sample = &result->samples[i];
		struct metric metric = { sample->metric, sample->unit,
			sample->better, "" };

		outcome_add_sample(trial->outcome, trial->arena, &metric,
		    sample->pass, sample->value);
	}
	trial->outcome->curves = result->curves;
	trial->outcome->curve_count = result->curve_count;
	if (!workload_result_value(result, "elapsed", &trial->elapsed_s))
		trial->elapsed_s = (double)process->wall_ns / 1e9;
	add_unless_there(trial, "user", "s", (double)process->user_ns / 1e9);
	add_unless_there(
	    trial, "system", "s", (double)process->system_ns / 1e9);
	add_unless_there(trial, "voluntary_switches", "",
	    (double)process->voluntary_switches);
	add_unless_there(trial, "involuntary_switches", "",
	    (double)process->involuntary_switches);
	add_unless_there(
	    trial, "major_faults", "", (double)process->major_faults);
}

/* By itself, or what a shell says of its child. */
static bool
was_killed(const struct proc_result *process)
{
	return process->signal == SIGKILL ||
	       process->exit_code == 128 + SIGKILL;
}

/* A part of it may be killed while the rest goes on and ends well. */
static bool
lost_processes(const struct trial *trial)
{
	return trial->is_limited &&
	       platform_memory_limit_kills(&trial->limit) > 0;
}

/* Who killed a workload is known where the limit was ours, and where the
 * kernel says so: another one may be around all of us (a container's). */
static const char *
explain(struct trial *trial, const char *reason, const char *kernel)
{
	const char *killed = blame_killed(kernel, trial->arena);

	if (lost_processes(trial))
		return arena_printf(trial->arena,
		    "killed for want of memory, limited to %s (%s)",
		    units_format_size(trial->arena, trial->limit.bytes),
		    reason);
	if (killed != NULL && was_killed(&trial->result.process))
		return arena_printf(
		    trial->arena, "%s; the kernel says: %s", reason, killed);
	return reason;
}

/* "Cold" is what the device says it is: nothing read, nothing cold. */
static void
prove_cold(struct trial *trial, const struct io_counts *io)
{
	if (!trial->is_populated_by_us || !trial->is_cooled || !io->known)
		return;
	if (io->reads == 0)
		trial_remark(
		    trial, "warm: the device was not read while measuring");
}

/* Our own figures come from the clock that is never set; what a command prints
 * may come from the other one. */
static void
judge_clock(struct trial *trial, const struct clock_pair *began)
{
	int64_t step = clock_step_ns(began);

	if (step != 0 && trial->spec->pattern_count > 0)
		(void)trial_fail(trial, VERDICT_VOID, RUNG_MEASURE,
		    arena_printf(trial->arena,
			"the clock was set by %+.1f s while the command ran, whose figures may come from it",
			(double)step / 1e9));
}

static int
settle_result(struct trial *trial, const struct step *step)
{
	const struct workload_result *result = &trial->result;
	enum verdict verdict = result->verdict;

	trial->measured_io = step->io;
	prove_cold(trial, &step->io);
	if (result->notes[0] != '\0')
		trial_remark(trial, result->notes);
	if (result->verdict == VERDICT_OK && lost_processes(trial))
		return trial_fail(trial, VERDICT_FAILED, RUNG_MEASURE,
		    explain(trial, "it went on with less of it", step->kernel));
	if (result->verdict == VERDICT_OK) {
		keep_samples(trial);
		return RUNG_DONE;
	}
	/* a command says it in words only */
	if (verdict == VERDICT_FAILED && fs_says_no_room(result->reason))
		verdict = VERDICT_NO_SPACE;
	return trial_fail(trial, verdict, RUNG_MEASURE,
	    explain(trial, result->reason, step->kernel));
}

int
rung_measure(struct trial *trial, struct error *err)
{
	const struct workload_spec *spec = trial->spec;
	struct workload_job job = {
		.workload = trial->workload,
		.keys = trial->keys,
		.patterns = spec->patterns,
		.pattern_count = spec->pattern_count,
		.tree = trial->tree,
		.copies =
		    trial->tree_spec != NULL ? trial->tree_spec->copies : 0,
		.age_ns =
		    trial->tree_spec != NULL ? trial->tree_spec->age_ns : 0,
		.directory = trial->work,
		.tree_directory = trial->tree_folder,
		.timeout_ns = spec->timeout_ns,
		.cell = trial->cell,
		.block = trial->planned->block,
		.position = trial->planned->position,
		.setup = trial_child_setup,
		.setup_context = &trial->setup,
	};
	struct clock_pair began;
	struct span span;
	struct step *step;
	int result;

	trial->setup = (struct child_setup){ .parent = getpid() };
	if (limit_memory(trial, err) == -1)
		return -1;
	began = clock_pair_now();
	span_begin(trial, &span);
	if (workload_execute(&job, trial->arena, &trial->result, err) == -1)
		return error_wrap(err, "measure");
	step = span_end(trial, &span, RUNG_MEASURE,
	    arena_printf(
		trial->arena, "workload %s (%s)", spec->title, spec->type),
	    &trial->result.process);
	step->output = "";
	result = settle_result(trial, step);
	if (result == RUNG_DONE)
		judge_clock(trial, &began);
	return result;
}

/* --- flush --------------------------------------------------------------- */

static void
add_io(struct io_counts *sum, const struct io_counts *io)
{
	sum->known = sum->known && io->known;
	sum->bytes_known = sum->bytes_known && io->bytes_known;
	sum->flushes_known = sum->flushes_known && io->flushes_known;
	sum->reads += io->reads;
	sum->writes += io->writes;
	sum->read_bytes += io->read_bytes;
	sum->written_bytes += io->written_bytes;
	sum->flushes += io->flushes;
}

static void
add_flush_steps(struct trial *trial, size_t first)
{
	const struct outcome *outcome = trial->outcome;

	for (size_t i = first; i < outcome->step_count; i++)
		add_io(&trial->measured_io, &outcome->steps[i].io);
}

static void
keep_device_samples(struct trial *trial)
{
	const struct io_counts *io = &trial->measured_io;

	/* a plain folder's device is everybody's: its counts prove nothing */
	if (!io->known || trial->device[0] == '\0')
		return;
	add_sample(trial, "device_reads", "", (double)io->reads);
	add_sample(trial, "device_writes", "", (double)io->writes);
	if (io->bytes_known) {
		add_sample(
		    trial, "device_read_bytes", "B", (double)io->read_bytes);
		add_sample(trial, "device_written_bytes", "B",
		    (double)io->written_bytes);
	}
	if (io->flushes_known)
		add_sample(trial, "device_flushes", "", (double)io->flushes);
}

int
rung_flush(struct trial *trial, struct error *err)
{
	size_t first = trial->outcome->step_count;
	int64_t sync_ns = 0, unmount_ns = 0;
	double flush_s;
	int result = RUNG_DONE;
	const char *wrong = trial_gone_wrong(trial);

	if (wrong != NULL)
		return trial_fail(trial, VERDICT_FAILED, RUNG_MEASURE, wrong);
	if (trial->target->target->kind != TARGET_MOUNTPOINT)
		result = sync_cell(trial, RUNG_FLUSH, &sync_ns, err);
	if (result == RUNG_DONE && trial_has(trial, RUNG_MOUNT))
		result = unmount_cell(trial, RUNG_FLUSH, &unmount_ns, err);
	if (result != RUNG_DONE)
		return result;
	add_flush_steps(trial, first);
	flush_s = (double)(sync_ns + unmount_ns) / 1e9;
	outcome_add_sample(
	    trial->outcome, trial->arena, &metric_flush, 0, flush_s);
	outcome_add_sample(trial->outcome, trial->arena, &metric_flushed, 0,
	    trial->elapsed_s + flush_s);
	keep_device_samples(trial);
	trial_judge_kernel(trial);
	return RUNG_DONE;
}
