/*
 * Runs a night over a plan that is given word by word, and the guard and the
 * undo journal by themselves, for the tests that need root.  Not installed.
 *
 *   night run OPTION...     one line per trial, cell and message
 *   night guard DEVICE [--destroy X] [--results FILE] [--size N]
 *               [--serial X] [--overwrite X] [--erase]
 *   night hold DEVICE FILE
 *   night clean DIR
 *
 * OPTIONs of run:
 *   --state DIR  --work DIR  --image DIR  --target KIND[:PATH]  --size BYTES
 *   --cell KEY DRIVER  then the lines of the cell just named:
 *      --make LINE --tune LINE --mount LINE --asked LIST --unmount LINE
 *      --check LINE --detach LINE --sysctl LINE --prop LINE --restore LINE
 *      --level TOGGLE=on|off
 *      --at STEP COMMAND     a shell command just before the cell's step
 *      --child STEP HOW[:N]  what happens to the step's first child, or the
 *                            first after N others: exit, signal, hang, garbage
 *      --clock STEP SECONDS  the time of day is set by so much while the
 *                            step's first child runs
 *    (the last three in the cell's first trial only, not in its retry)
 *   --tree ARCHIVE  --run LINE (workload command; none: null)
 *   --type WORKLOAD  --set KEY=VALUE
 *   --rounds N  --timeout S  --destroy X  --keep FILE  --bare  --steps
 *   --samples  --budget S  --step-timeout S  --no-probes
 *   --more DEVICE  --held DEVICE: is it held when the make begins?
 *   --each COMMAND         a shell command at the beginning of each trial
 *   --metric PATTERN       what the workload's command prints
 *   --once                 what fails is not tried again
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/argv.h"
#include "base/proc.h"
#include "platform/isolate.h"
#include "trial/guard.h"
#include "trial/night.h"
#include "trial/undo.h"

#include "inject.h"

enum { MOST = 32 };

static struct arena *arena;
static struct error err;
static struct plan plan;
static struct target target = { .title = "scratch" };
static struct cell cells[MOST];
static struct command commands[MOST][MOST];
static struct workload_spec workload = { .title = "w", .type = "null" };
static struct setting settings[MOST];
static struct tree_spec tree_spec = { .title = "tree", .copies = 1 };
static const struct tree *trees[1];
static const char *destroy[MOST];
static const char *more[MOST];
static const char *held[MOST];
static size_t held_count;
static struct night_options options = { .destroy = destroy };
static const char *results_path;
static const char *each_trial;
static size_t planned_count;
static bool is_once, is_bare, with_steps, with_samples, no_probes;
static int wake[2];

static int
failed(void)
{
	(void)fflush(stdout);
	(void)fprintf(stderr, "%s\n", err.text);
	return 3;
}

/* --- hooks: everything is printed ---------------------------------------- */

static void
print_steps(const struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->step_count; i++) {
		const struct step *step = &outcome->steps[i];

		(void)printf("step %s: %s: exit %d signal %d %.3f s",
		    rung_name(step->rung), step->command, step->exit_code,
		    step->signal, (double)step->wall_ns / 1e9);
		if (step->io.known)
			(void)printf(" reads %lld writes %lld flushes %lld",
			    (long long)step->io.reads,
			    (long long)step->io.writes,
			    (long long)step->io.flushes);
		(void)printf("\n%s%s", step->errors, step->kernel);
	}
}

static int
finish_trial(void *context, const struct planned_trial *trial,
    const struct outcome *outcome, struct error *error)
{
	(void)context;
	(void)error;
	(void)printf("trial %zu %s block %d%s%s: %s%s%s\n", trial->index,
	    plan.cells[trial->cell].key, trial->block,
	    trial->is_warm_up ? " warm-up" : "",
	    trial->is_retry ? " retry" : "", verdict_name(outcome->verdict),
	    outcome->reason[0] != '\0' ? ": " : "", outcome->reason);
	if (outcome->notes[0] != '\0')
		(void)printf("notes %zu: %s\n", trial->index, outcome->notes);
	for (size_t i = 0; with_samples && i < outcome->sample_count; i++)
		(void)printf("sample %zu %s %.6f %s\n", trial->index,
		    outcome->samples[i].metric, outcome->samples[i].value,
		    outcome->samples[i].unit);
	if (with_steps)
		print_steps(outcome);
	return fflush(stdout);
}

static int
cell_changed(void *context, const struct cell *cell, struct error *error)
{
	(void)context;
	(void)error;
	(void)printf("cell %s: %s; in force %s; atime %s; durability %s; %s\n",
	    cell->key, cell_status_name(cell->status),
	    cell->in_force != NULL ? cell->in_force : "-",
	    cell->atime_probe != NULL ? cell->atime_probe : "-",
	    cell->durability_probe != NULL ? cell->durability_probe : "-",
	    cell->reason != NULL ? cell->reason : "");
	return fflush(stdout);
}

static void
print_held(void)
{
	struct error why = { 0 };

	for (size_t i = 0; i < held_count; i++)
		(void)printf("%s %s\n", held[i],
		    platform_open_exclusive(held[i], &why) == -1 ? "held"
								 : "free");
}

static int
progress(void *context, const struct night_event *event, struct error *error)
{
	(void)context;
	(void)error;
	if (event->kind == NIGHT_STEP_BEGINS && event->step == RUNG_MAKE)
		print_held();
	if (event->kind == NIGHT_MESSAGE)
		(void)printf("message: %s\n", event->text);
	if (event->kind == NIGHT_TRIAL_BEGINS && each_trial != NULL)
		(void)!system(each_trial);
	if (event->kind == NIGHT_STEP_BEGINS &&
	    event->trial->index < planned_count)
		inject_at(event->cell->index, event->step);
	return fflush(stdout);
}

/* --- the plan, word by word ---------------------------------------------- */

static const char *const *
split(const char *line)
{
	struct argv argv;

	argv_init(&argv, arena);
	if (argv_split(&argv, line, &err) == -1)
		exit(failed());
	return argv.items;
}

static void
add_command(enum rung rung, const char *line)
{
	struct cell *cell = &cells[plan.cell_count - 1];

	cell->commands[cell->command_count++] =
	    (struct command){ .rung = rung, .argv = split(line) };
}

static void
set_target(const char *text)
{
	static const char *const kinds[] = { "image", "device", "directory",
		"memory", "mountpoint" };
	size_t length = strcspn(text, ":");

	for (int i = 0; i < 5; i++)
		if (strncmp(text, kinds[i], length) == 0)
			target.kind = (enum target_kind)i;
	target.image_is_auto = target.kind == TARGET_IMAGE;
	target.remount = target.kind == TARGET_MOUNTPOINT;
	if (text[length] == ':') {
		target.path = text + length + 1;
		target.image_is_auto = false;
	}
}

static void
load_tree(const char *path)
{
	struct tree *tree;

	if (tree_load(path, NULL, &tree, &err) == -1)
		exit(failed());
	tree_spec.archive = path;
	trees[0] = tree;
	workload.tree = tree_spec.title;
}

/* "run=find %t" */
static void
set_setting(const char *text)
{
	const char **values = arena_array(arena, 1, sizeof *values);
	size_t length = strcspn(text, "=");

	values[0] = text + length + 1;
	settings[workload.setting_count++] = (struct setting){
		.key = arena_strndup(arena, text, length),
		.values = values,
		.value_count = 1,
	};
	workload.settings = settings;
}

static void
set_run(const char *line)
{
	workload.type = "command";
	set_setting(arena_printf(arena, "run=%s", line));
}

/* A figure that the command prints. */
static void
add_metric(const char *pattern)
{
	struct metric_pattern *metric = arena_array(arena, 1, sizeof *metric);

	metric->metric = (struct metric){ "printed", "", HIGHER_IS_BETTER, "" };
	metric->pattern = pattern;
	workload.patterns = metric;
	workload.pattern_count = 1;
}

/* "noatime=on" */
static void
add_level(struct cell *cell, const char *text)
{
	size_t length = strcspn(text, "=");

	if (cell->levels == NULL)
		cell->levels = arena_array(arena, MOST, sizeof *cell->levels);
	cell->levels[cell->level_count++] = (struct cell_level){
		.factor = arena_strndup(arena, text, length),
		.level = text + length + 1,
		.is_toggle = true,
	};
}

static bool
cell_option(const char *name, const char *value)
{
	static const struct {
		const char *name;
		enum rung rung;
	} rungs[] = { { "--make", RUNG_MAKE }, { "--tune", RUNG_TUNE },
		{ "--mount", RUNG_MOUNT }, { "--unmount", RUNG_UNMOUNT },
		{ "--check", RUNG_CHECK }, { "--detach", RUNG_DETACH },
		{ "--sysctl", RUNG_SYSCTL }, { "--prop", RUNG_PROP },
		{ "--restore", RUNG_RESTORE } };

	for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++)
		if (strcmp(name, rungs[i].name) == 0) {
			add_command(rungs[i].rung, value);
			return true;
		}
	if (strcmp(name, "--level") == 0) {
		add_level(&cells[plan.cell_count - 1], value);
		return true;
	}
	if (strcmp(name, "--asked") != 0)
		return false;
	cells[plan.cell_count - 1].asked = value;
	return true;
}

static void
add_cell(const char *key, const char *driver)
{
	cells[plan.cell_count] = (struct cell){
		.index = plan.cell_count,
		.key = key,
		.filesystem = driver,
		.driver = driver,
		.target = target.title,
		.commands = commands[plan.cell_count],
		.asked = "",
		.expected = "",
		.duplicate_of = NO_CELL,
	};
	plan.cell_count++;
}

static void
run_option(const char *name, const char *value)
{
	if (strcmp(name, "--state") == 0)
		options.state_directory = value;
	else if (strcmp(name, "--work") == 0)
		options.work_directory = value;
	else if (strcmp(name, "--image") == 0)
		options.image_directory = value;
	else if (strcmp(name, "--target") == 0)
		set_target(value);
	else if (strcmp(name, "--size") == 0)
		target.size_bytes = strtoll(value, NULL, 10);
	else if (strcmp(name, "--tree") == 0)
		load_tree(value);
	else if (strcmp(name, "--run") == 0)
		set_run(value);
	else if (strcmp(name, "--type") == 0)
		workload.type = value;
	else if (strcmp(name, "--set") == 0)
		set_setting(value);
	else if (strcmp(name, "--rounds") == 0)
		plan.rounds = strtoll(value, NULL, 10);
	else if (strcmp(name, "--timeout") == 0)
		workload.timeout_ns = strtoll(value, NULL, 10) * 1000000000;
	else if (strcmp(name, "--step-timeout") == 0)
		options.step_timeout_ns = strtoll(value, NULL, 10) * 1000000000;
	else if (strcmp(name, "--budget") == 0)
		plan.budget_ns = strtoll(value, NULL, 10) * 1000000000;
	else if (strcmp(name, "--memory") == 0)
		workload.memory_limit_bytes = strtoll(value, NULL, 10);
	else if (strcmp(name, "--destroy") == 0)
		destroy[options.destroy_count++] = value;
	else if (strcmp(name, "--more") == 0)
		more[target.more_device_count++] = value;
	else if (strcmp(name, "--held") == 0)
		held[held_count++] = value;
	else if (strcmp(name, "--results") == 0)
		options.results_path = results_path = value;
	else if (strcmp(name, "--metric") == 0)
		add_metric(value);
	else if (strcmp(name, "--each") == 0)
		each_trial = value;
	else if (strcmp(name, "--keep") == 0) {
		options.keep = true;
		options.keep_file = value;
	} else if (!cell_option(name, value)) {
		(void)fprintf(stderr, "unknown option '%s'\n", name);
		exit(2);
	}
}

static void
parse(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--bare") == 0)
			is_bare = true;
		else if (strcmp(argv[i], "--once") == 0)
			is_once = true;
		else if (strcmp(argv[i], "--steps") == 0)
			with_steps = true;
		else if (strcmp(argv[i], "--no-probes") == 0)
			no_probes = true;
		else if (strcmp(argv[i], "--samples") == 0)
			with_samples = true;
		else if (i + 2 < argc && plan.cell_count > 0 &&
			 inject_option(plan.cell_count - 1, &argv[i]))
			i += 2;
		else if (strcmp(argv[i], "--cell") == 0 && i + 2 < argc) {
			add_cell(argv[i + 1], argv[i + 2]);
			i += 2;
		} else if (i + 1 < argc) {
			run_option(argv[i], argv[i + 1]);
			i++;
		}
	}
}

static void
finish_plan(void)
{
	size_t per_block = plan.cell_count;
	size_t count = per_block * (size_t)plan.rounds;

	plan.trials = arena_array(arena, count, sizeof *plan.trials);
	for (size_t i = 0; i < count; i++)
		plan.trials[i] = (struct planned_trial){
			.index = i,
			.block = (int)(i / per_block) + 1,
			.position = (int)(i % per_block) + 1,
			.cell = i % per_block,
			.is_retry = is_once,
		};
	/* what is known is not probed again */
	for (size_t i = 0; no_probes && i < plan.cell_count; i++)
		cells[i].atime_probe = "not asked";
	plan.trial_count = planned_count = count;
	plan.title = "test";
	plan.system = "linux";
	plan.system_version = "";
	plan.targets = &target;
	target.more_devices = more;
	plan.target_count = 1;
	plan.trees = &tree_spec;
	plan.tree_count = 1;
	plan.workloads = &workload;
	plan.workload_count = 1;
	plan.cells = cells;
}

/* --- run ----------------------------------------------------------------- */

static void
stop(int number)
{
	(void)number;
	(void)!write(wake[1], "x", 1);
}

static int
run_night(void *context)
{
	static const struct night_hooks hooks = {
		.finish_trial = finish_trial,
		.cell_changed = cell_changed,
		.progress = progress,
	};
	struct night night = {
		.plan = &plan,
		.options = &options,
		.hooks = &hooks,
		.trees = trees,
	};

	(void)context;
	if (night_run(&night, arena, &err) == -1)
		return failed();
	(void)printf("end: %s%s%s; %zu ok, %zu not ok\n",
	    night_end_name(night.end), night.end_reason[0] != '\0' ? ": " : "",
	    night.end_reason, night.trials_ok, night.trials_not_ok);
	(void)fflush(stdout);
	return night.trials_not_ok > 0;
}

static struct isolate child;

static void
forward(int number)
{
	platform_isolate_signal(&child, number);
}

static int
command_run(int argc, char **argv)
{
	struct isolate_job job = { .function = run_night };
	int code, number;

	plan.rounds = 1;
	parse(argc, argv);
	finish_plan();
	job.keep = options.keep;
	job.share_mounts = target.kind == TARGET_MOUNTPOINT;
	if (pipe(wake) == -1)
		return 3;
	(void)fcntl(wake[0], F_SETFD, FD_CLOEXEC);
	(void)signal(SIGTERM, stop);
	(void)signal(SIGINT, stop);
	proc_set_cancel(wake[0]);
	(void)pthread_atfork(NULL, inject_parent, inject_child);
	if (is_bare)
		return run_night(NULL);
	(void)fflush(stdout);
	if (platform_isolate_start(&job, arena, &child, &err) == -1)
		return failed();
	(void)signal(SIGTERM, forward);
	(void)signal(SIGINT, forward);
	if (platform_isolate_wait(&child, &code, &number, &err) == -1)
		return failed();
	if (options.keep_file != NULL &&
	    platform_isolate_pin(&child, options.keep_file, &err) == -1)
		return failed();
	platform_isolate_close(&child);
	return code == -1 ? 128 + number : code;
}

/* --- guard and clean ----------------------------------------------------- */

static int
command_guard(int argc, char **argv)
{
	static const char *overwrite[MOST];
	struct guard_request request = { .target = &target,
		.label = GUARD_LABEL };
	struct guard_report report;
	bool erase = false;
	int fd;

	target.kind = TARGET_DEVICE;
	target.path = request.path = argv[0];
	target.overwrite = overwrite;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--erase") == 0)
			erase = true;
		else if (strcmp(argv[i], "--overwrite") == 0)
			overwrite[target.overwrite_count++] = argv[++i];
		else if (strcmp(argv[i], "--serial") == 0)
			target.serial = argv[++i];
		else if (strcmp(argv[i], "--need") == 0)
			request.need_bytes = strtoll(argv[++i], NULL, 10);
		else if (i + 1 < argc) {
			run_option(argv[i], argv[i + 1]);
			i++;
		}
	}
	request.destroy = destroy;
	request.destroy_count = options.destroy_count;
	request.results_path = results_path;
	if (guard_check(&request, erase, arena, &report, &fd, &err) == -1)
		return failed();
	for (size_t i = 0; i < report.count; i++)
		(void)printf("%s: %s\n", report.refusals[i].rule,
		    report.refusals[i].text);
	if (report.is_safe)
		(void)printf("safe\n");
	return report.is_safe ? 0 : 1;
}

static void
say(void *context, const char *text)
{
	(void)context;
	(void)printf("%s\n", text);
}

static int
command_clean(const char *directory)
{
	const struct undo_report report = { .tell = say };
	const struct undo_release release = { .all = true };
	struct undo_clean_counts counts;

	if (undo_clean_all(directory, &release, &report, &counts, &err) == -1)
		return failed();
	(void)printf("undone %zu gone %zu left %zu running %zu\n",
	    counts.undone, counts.gone, counts.left, counts.running);
	return counts.left > 0;
}

/* Holds a device exclusively until it is killed; makes the file when so. */
static int
command_hold(const char *device, const char *file)
{
	if (platform_open_exclusive(device, &err) == -1)
		return failed();
	(void)close(open(file, O_WRONLY | O_CREAT, 0600));
	for (;;)
		(void)pause();
}

int
main(int argc, char **argv)
{
	arena = arena_new();
	if (argc > 2 && strcmp(argv[1], "run") == 0)
		return command_run(argc - 2, argv + 2);
	if (argc > 2 && strcmp(argv[1], "guard") == 0)
		return command_guard(argc - 2, argv + 2);
	if (argc > 3 && strcmp(argv[1], "hold") == 0)
		return command_hold(argv[2], argv[3]);
	if (argc > 2 && strcmp(argv[1], "clean") == 0)
		return command_clean(argv[2]);
	(void)fprintf(stderr, "usage: night run|guard|hold|clean ...\n");
	return 2;
}
