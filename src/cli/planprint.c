#include "cli/planprint.h"

#include <stdio.h>
#include <string.h>

#include "base/argv.h"
#include "base/buffer.h"
#include "base/units.h"
#include "cli/cli.h"
#include "plan/predict.h"
#include "system/system.h"

static const struct {
	char letter;
	const char *variable;
} placeholders[] = {
	{ 'd', "$DEV" },
	{ 'r', "$RAW" },
	{ 'm', "$MNT" },
	{ 'i', "$IMG" },
	{ 'l', "mountmatrix" },
	{ 'u', "$UNIT" },
	{ 'b', "$BASE" },
};

/* "/dev/rwd0e" of "/dev/wd0e": only systems with both names use "%r". */
static const char *
raw_name(struct arena *arena, const char *path)
{
	const char *base = strrchr(path, '/');

	base = base == NULL ? path : base + 1;
	return arena_printf(arena, "%.*s%s%s", (int)(base - path), path,
	    base[0] == 'r' ? "" : "r", base);
}

/* The target's own name for a placeholder, or NULL. */
static const char *
name_of(struct arena *arena, char letter, const struct target *target)
{
	if (target == NULL || target->path == NULL)
		return NULL;
	if (target->kind == TARGET_DEVICE && letter == 'd')
		return target->path;
	if (target->kind == TARGET_DEVICE && letter == 'r')
		return raw_name(arena, target->path);
	if (letter == 'm' && (target->kind == TARGET_MOUNTPOINT ||
				 target->kind == TARGET_DIRECTORY))
		return target->path;
	return NULL;
}

static const char *
variable_of(char letter)
{
	for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0];
	     i++)
		if (placeholders[i].letter == letter)
			return placeholders[i].variable;
	return letter == '%' ? "%" : NULL;
}

/* True when a shell must be kept from reading the rest of the word. */
static bool
needs_quotes(const char *word)
{
	return word[0] == '\0' ||
	       strpbrk(word, " \t\n'\"\\$`*?[]<>|&;()#~!{}") != NULL;
}

/* Within double quotes. */
static void
put_plainly(struct buffer *line, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (strchr("\"\\$`", text[i]) != NULL)
			buffer_putc(line, '\\');
		buffer_putc(line, text[i]);
	}
}

static void
put_word(struct arena *arena, struct buffer *line, const char *word,
    const struct target *target)
{
	bool quoted = needs_quotes(word);
	struct buffer text;

	buffer_init(&text);
	for (; *word != '\0'; word++) {
		const char *name =
		    *word == '%' ? name_of(arena, word[1], target) : NULL;
		const char *variable = *word == '%' && word[1] != '\0'
					   ? variable_of(word[1])
					   : NULL;

		if (name != NULL) {
			quoted = quoted || needs_quotes(name);
			put_plainly(&text, name, strlen(name));
			word++;
		} else if (variable != NULL) {
			buffer_puts(&text, variable);
			word++;
		} else
			put_plainly(&text, word, 1);
	}
	buffer_printf(line, "%s%s%s", quoted ? "\"" : "", buffer_text(&text),
	    quoted ? "\"" : "");
	buffer_reset(&text);
}

char *
planprint_command(struct arena *arena, const struct command *command,
    const struct target *target)
{
	struct buffer line;
	char *copy;

	buffer_init(&line);
	for (size_t i = 0; command->argv[i] != NULL; i++) {
		if (i > 0)
			buffer_putc(&line, ' ');
		put_word(arena, &line, command->argv[i], target);
	}
	copy = arena_strdup(arena, buffer_text(&line));
	buffer_reset(&line);
	return copy;
}

static void
print_cell(
    const struct plan *plan, const struct cell *cell, struct arena *arena)
{
	const struct target *target = plan_target(plan, cell->target);

	(void)printf("\n%s  [%s, risk %s]%s\n", cell->key,
	    cell_status_name(cell->status), risk_name(cell->risk),
	    cell->is_baseline ? "  baseline" : "");
	if (cell->reason != NULL && cell->reason[0] != '\0')
		(void)printf("    %s\n", cell->reason);
	if (cell->duplicate_of != NO_CELL)
		(void)printf("    same options as %s: kept as an A/A control\n",
		    plan->cells[cell->duplicate_of].key);
	for (size_t i = 0; i < cell->command_count; i++)
		(void)printf("    %-9s %s\n", rung_name(cell->commands[i].rung),
		    planprint_command(arena, &cell->commands[i], target));
}

static void
print_settings(const struct workload_spec *spec)
{
	for (size_t i = 0; i < spec->setting_count; i++) {
		const struct setting *setting = &spec->settings[i];

		(void)printf("%s %s =", i > 0 ? "," : ":", setting->key);
		for (size_t k = 0; k < setting->value_count; k++)
			(void)printf(
			    "%s %s", k > 0 ? "," : "", setting->values[k]);
	}
}

/* What a trial does between mount and check, which is no command line. */
static void
print_workloads(const struct plan *plan)
{
	(void)puts("\nworkloads, each on a cell just mounted:");
	for (size_t i = 0; i < plan->workload_count; i++) {
		const struct workload_spec *spec = &plan->workloads[i];

		(void)printf("  %s\n", spec->title);
		for (size_t j = 0; spec->tree != NULL && j < plan->tree_count;
		     j++) {
			const struct tree_spec *tree = &plan->trees[j];

			if (strcmp(tree->title, spec->tree) == 0)
				(void)printf("    %-9s tree %s, %lld x\n",
				    rung_name(RUNG_POPULATE), tree->title,
				    (long long)tree->copies);
		}
		(void)printf(
		    "    %-9s %s", rung_name(RUNG_MEASURE), spec->type);
		print_settings(spec);
		(void)printf("\n    %-9s sync and unmount%s\n",
		    rung_name(RUNG_FLUSH),
		    spec->charge == CHARGE_FLUSHED ? ", which counts" : "");
	}
}

static void
print_order(const struct plan *plan)
{
	int block = -1;

	(void)puts("\norder of the trials:");
	for (size_t i = 0; i < plan->trial_count; i++) {
		const struct planned_trial *trial = &plan->trials[i];

		if (trial->is_warm_up)
			(void)printf("  warm-up: %s %s\n",
			    plan->cells[trial->cell].key,
			    plan->workloads[trial->workload].title);
		else {
			if (trial->block != block)
				(void)printf("  block %d:\n", trial->block);
			block = trial->block;
			(void)printf("    %3d %s %s\n", trial->position,
			    plan->cells[trial->cell].key,
			    plan->workloads[trial->workload].title);
		}
	}
}

char *
planprint_size(const struct plan *plan, struct arena *arena)
{
	return arena_printf(arena, "%s, %s, %s, %s",
	    units_format_count(arena, plan->cell_count, "cell"),
	    units_format_count(arena, plan->workload_count, "workload"),
	    units_format_count(arena, (size_t)plan->rounds, "block"),
	    units_format_count(arena, plan->trial_count, "trial"));
}

/* A rule of thumb, said as one: it may be several times too high or low. */
static void
print_prediction(
    const struct plan *plan, int64_t predicted_ns, struct arena *arena)
{
	if (predicted_ns <= 0)
		return;
	(void)printf("predicted time: about %s, by rule of thumb\n",
	    units_format_duration(arena, predicted_ns));
	for (size_t i = 0; i < plan->workload_count; i++)
		if (predict_is_blind(&plan->workloads[i]))
			(void)printf("predicted time: nothing is known of %s, "
				     "taken to be 30 s a pass\n",
			    plan->workloads[i].title);
}

void
planprint_text(
    const struct plan *plan, int64_t predicted_ns, struct arena *arena)
{
	(void)printf("%s\n", plan->title != NULL ? plan->title : "");
	(void)printf("%s on %s%s%s: %s, seed %llu\n", plan->matrix_path,
	    plan->system, plan->system_version[0] != '\0' ? " " : "",
	    plan->system_version, planprint_size(plan, arena),
	    (unsigned long long)plan->seed);
	print_prediction(plan, predicted_ns, arena);
	for (size_t i = 0; i < plan->cell_count; i++)
		print_cell(plan, &plan->cells[i], arena);
	print_workloads(plan);
	print_order(plan);
}

static void
print_variables(const struct cell *cell, const struct target *target)
{
	static const int64_t MIB = INT64_C(1024) * 1024;

	(void)printf("\n# %s\n", cell->key);
	if (target == NULL)
		return;
	if (target->kind == TARGET_IMAGE)
		(void)printf("dd if=/dev/zero of=$IMG bs=%lld count=%lld\n",
		    (long long)MIB,
		    (long long)((target->size_bytes + MIB - 1) / MIB));
	if (target->kind == TARGET_MEMORY)
		(void)puts("mkdir -p $BASE");
}

/* The command that makes a device of the image, and what it is called. */
static void
print_attach(const struct plan *plan, const char *line, struct arena *arena)
{
	const struct system *system;
	const struct system_attach *way = NULL;
	const char *ignored, *device;
	struct error err = { 0 };

	if (system_find(plan->system, &system, &ignored, &err) == 0)
		way = system_attach_of(system, plan->system_version);
	if (way == NULL)
		return;
	device = system_attached_device(way, "${UNIT}", arena);
	if (way->prints != NULL)
		(void)printf("UNIT=$(%s); UNIT=${UNIT##*[!0-9]}\n", line);
	else
		(void)printf("UNIT=${UNIT:-0}; %s\n", line);
	(void)printf("DEV=%s\n", device);
	if (system->has_raw_names)
		(void)printf(
		    "RAW=%s\n", system_raw_name(system, device, arena));
}

void
planprint_script(const struct plan *plan, struct arena *arena)
{
	(void)printf(
	    "#!/bin/sh\n"
	    "# %s: every cell of %s on %s, made and mounted by hand.\n"
	    "# It destroys what is on the targets.  Give MNT (an empty "
	    "folder) and IMG\n# (a file to make) in the environment, "
	    "and UNIT where unit 0 is taken.\n"
	    "set -efx\n: \"${MNT:?an empty folder}\" "
	    "\"${IMG:?a file to make}\"\nBASE=$MNT.base\n"
	    "# names may hold blanks: nothing is split\nIFS=\n",
	    plan->title != NULL ? plan->title : "plan", plan->matrix_path,
	    plan->system);
	for (size_t i = 0; i < plan->cell_count; i++) {
		const struct cell *cell = &plan->cells[i];
		const struct target *target = plan_target(plan, cell->target);

		if (!cell_status_runs(cell->status))
			continue;
		if (target != NULL && target->kind == TARGET_MOUNTPOINT) {
			(void)printf("\n# %s: not here; what is mounted there "
				     "is mounted anew by 'run',\n# which puts "
				     "its options back\n",
			    cell->key);
			continue;
		}
		print_variables(cell, target);
		for (size_t j = 0; j < cell->command_count; j++) {
			const struct command *command = &cell->commands[j];
			const char *line =
			    planprint_command(arena, command, target);

			if (command->rung == RUNG_ATTACH)
				print_attach(plan, line, arena);
			else
				(void)printf("%s\n", line);
			if (command->rung == RUNG_MOUNT)
				(void)puts("mount | grep -F \"$MNT\"");
		}
	}
}

static void
print_json_cell(
    const struct plan *plan, const struct cell *cell, struct arena *arena)
{
	const struct target *target = plan_target(plan, cell->target);

	(void)printf("    { \"cell\": %s, \"filesystem\": %s, \"status\": %s, "
		     "\"reason\": %s,\n      \"risk\": %s, \"asked\": %s, "
		     "\"commands\": [",
	    cli_json_string(arena, cell->key),
	    cli_json_string(arena, cell->driver),
	    cli_json_string(arena, cell_status_name(cell->status)),
	    cli_json_string(arena, cell->reason != NULL ? cell->reason : ""),
	    cli_json_string(arena, risk_name(cell->risk)),
	    cli_json_string(arena, cell->asked != NULL ? cell->asked : ""));
	for (size_t i = 0; i < cell->command_count; i++)
		(void)printf("%s\n      { \"step\": %s, \"command\": %s }",
		    i > 0 ? "," : "",
		    cli_json_string(arena, rung_name(cell->commands[i].rung)),
		    cli_json_string(arena,
			planprint_command(arena, &cell->commands[i], target)));
	(void)printf(" ] }");
}

void
planprint_json(
    const struct plan *plan, int64_t predicted_ns, struct arena *arena)
{
	(void)printf("{ \"format\": \"mountmatrix-plan\", \"version\": 1,\n"
		     "  \"title\": %s, \"system\": %s, \"seed\": %llu, "
		     "\"rounds\": %lld,\n  \"predicted_s\": %.1f,\n"
		     "  \"cells\": [\n",
	    cli_json_string(arena, plan->title != NULL ? plan->title : ""),
	    cli_json_string(arena, plan->system),
	    (unsigned long long)plan->seed, (long long)plan->rounds,
	    (double)predicted_ns / 1e9);
	for (size_t i = 0; i < plan->cell_count; i++) {
		print_json_cell(plan, &plan->cells[i], arena);
		(void)puts(i + 1 < plan->cell_count ? "," : "");
	}
	(void)puts("  ],\n  \"trials\": [");
	for (size_t i = 0; i < plan->trial_count; i++) {
		const struct planned_trial *trial = &plan->trials[i];

		(void)printf("    { \"block\": %d, \"position\": %d, \"cell\": "
			     "%s, \"workload\": %s, \"warm_up\": %s }%s\n",
		    trial->block, trial->position,
		    cli_json_string(arena, plan->cells[trial->cell].key),
		    cli_json_string(
			arena, plan->workloads[trial->workload].title),
		    trial->is_warm_up ? "true" : "false",
		    i + 1 < plan->trial_count ? "," : "");
	}
	(void)puts("  ] }");
}
