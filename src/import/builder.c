#include "import/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "find-usr-2001.csv and 1 more" */
static const char *
title_of(const struct import_options *options, struct arena *arena)
{
	const char *path =
	    options->log_count > 0 ? options->logs[0].path : "nothing";
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;

	if (options->log_count < 2)
		return arena_strdup(arena, name);
	return arena_printf(
	    arena, "%s and %zu more", name, options->log_count - 1);
}

void
builder_init(struct builder *builder, const struct import_options *options,
    struct arena *arena, struct imported *imported)
{
	struct plan *plan = arena_alloc(arena, sizeof *plan);

	*imported = (struct imported){ .plan = plan };
	*builder = (struct builder){ .options = options,
		.arena = arena,
		.imported = imported,
		.plan = plan };
	plan->title = title_of(options, arena);
	plan->matrix_path = "";
	plan->matrix_text = "";
	plan->system = options->platform == NULL ? "" : options->platform;
	plan->system_version = "";
	plan->baseline = options->baseline;
}

size_t
builder_workload(struct builder *builder, const char *title, const char *type,
    const char *metric)
{
	struct plan *plan = builder->plan;

	for (size_t i = 0; i < plan->workload_count; i++)
		if (strcmp(plan->workloads[i].title, title) == 0)
			return i;
	if (plan->workload_count == builder->workload_capacity)
		plan->workloads = arena_grow(builder->arena, plan->workloads,
		    plan->workload_count, &builder->workload_capacity,
		    sizeof *plan->workloads);
	plan->workloads[plan->workload_count] = (struct workload_spec){
		.title = arena_strdup(builder->arena, title),
		.type = type,
		.metric = arena_strdup(builder->arena, metric),
		.charge = CHARGE_OWN,
	};
	return plan->workload_count++;
}

void
builder_set(struct builder *builder, size_t workload, const char *key,
    const char *value)
{
	struct workload_spec *spec = &builder->plan->workloads[workload];
	const char **values = arena_array(builder->arena, 1, sizeof *values);
	struct setting *settings;
	size_t at = 0;

	values[0] = arena_strdup(builder->arena, value);
	while (at < spec->setting_count &&
	       strcmp(spec->settings[at].key, key) != 0)
		at++;
	if (at == spec->setting_count) {
		settings =
		    arena_array(builder->arena, at + 1, sizeof *settings);
		if (at > 0)
			memcpy(settings, spec->settings, at * sizeof *settings);
		spec->settings = settings;
		spec->setting_count++;
	}
	spec->settings[at] =
	    (struct setting){ .key = key, .values = values, .value_count = 1 };
}

size_t
builder_cell(struct builder *builder, const char *key,
    const struct cell_level *levels, size_t level_count)
{
	struct plan *plan = builder->plan;
	struct cell *cell;
	size_t length = strcspn(key, ":");

	for (size_t i = 0; i < plan->cell_count; i++)
		if (strcmp(plan->cells[i].key, key) == 0)
			return i;
	if (plan->cell_count == builder->cell_capacity)
		plan->cells =
		    arena_grow(builder->arena, plan->cells, plan->cell_count,
			&builder->cell_capacity, sizeof *plan->cells);
	cell = &plan->cells[plan->cell_count];
	*cell = (struct cell){
		.index = plan->cell_count,
		.key = arena_strdup(builder->arena, key),
		.filesystem = key[length] == ':'
				  ? arena_strndup(builder->arena, key, length)
				  : "",
		.levels = arena_array(
		    builder->arena, level_count + 1, sizeof *levels),
		.level_count = level_count,
		.asked = "",
		.risk = RISK_SAFE,
		.duplicate_of = NO_CELL,
	};
	for (size_t i = 0; i < level_count; i++)
		cell->levels[i] = (struct cell_level){
			.factor =
			    arena_strdup(builder->arena, levels[i].factor),
			.level = arena_strdup(builder->arena, levels[i].level),
			.is_toggle = levels[i].is_toggle,
		};
	return plan->cell_count++;
}

const char *
builder_log_key(const struct builder *builder, const struct import_log *log)
{
	const char *key = log->cell, *slash, *dot;
	const char *driver = builder->options->driver;

	if (key == NULL) {
		slash = strrchr(log->path, '/');
		key = slash == NULL ? log->path : slash + 1;
		dot = strrchr(key, '.');
		if (dot != NULL && dot != key)
			key = arena_strndup(
			    builder->arena, key, (size_t)(dot - key));
	}
	if (driver != NULL && strchr(key, ':') == NULL)
		key = arena_printf(builder->arena, "%s:%s", driver, key);
	return key;
}

size_t
builder_session(struct builder *builder, const char *label)
{
	struct imported *imported = builder->imported;
	const char *name = label != NULL ? label : builder->options->label;
	struct session *session;

	if (name == NULL)
		name = "";
	for (size_t i = 0; i < imported->session_count; i++)
		if (strcmp(imported->sessions[i].label, name) == 0)
			return i;
	if (imported->session_count == builder->session_capacity)
		imported->sessions = arena_grow(builder->arena,
		    imported->sessions, imported->session_count,
		    &builder->session_capacity, sizeof *imported->sessions);
	session = &imported->sessions[imported->session_count];
	*session = (struct session){
		.label = arena_strdup(builder->arena, name),
		.boot_id = "",
		.program = "",
	};
	if (builder->options->platform != NULL)
		fact_list_add(builder->arena, &session->host, "system",
		    builder->options->platform);
	return imported->session_count++;
}

struct outcome *
builder_add_run(struct builder *builder, size_t cell, size_t workload,
    int block, size_t session)
{
	struct imported *imported = builder->imported;
	struct plan *plan = builder->plan;
	size_t index = plan->trial_count;

	if (index == builder->trial_capacity)
		plan->trials = arena_grow(builder->arena, plan->trials, index,
		    &builder->trial_capacity, sizeof *plan->trials);
	plan->trials[plan->trial_count++] = (struct planned_trial){
		.index = index,
		.block = block,
		.cell = cell,
		.workload = workload,
	};
	if (index == builder->outcome_capacity)
		imported->outcomes =
		    arena_grow(builder->arena, imported->outcomes, index,
			&builder->outcome_capacity, sizeof *imported->outcomes);
	if (index == builder->outcome_session_capacity)
		imported->outcome_sessions =
		    arena_grow(builder->arena, imported->outcome_sessions,
			index, &builder->outcome_session_capacity,
			sizeof *imported->outcome_sessions);
	imported->outcome_sessions[index] = session;
	imported->outcomes[index] = (struct outcome){
		.trial = index,
		.verdict = VERDICT_OK,
		.reason = "",
		.notes = "",
	};
	imported->outcome_count = index + 1;
	if (block > plan->rounds)
		plan->rounds = block;
	return &imported->outcomes[index];
}

struct planned_trial *
builder_last_trial(struct builder *builder)
{
	return &builder->plan->trials[builder->plan->trial_count - 1];
}

void
builder_add_sample(struct builder *builder, struct outcome *outcome,
    const char *metric, const char *unit, enum better better, double value)
{
	const struct metric what = { metric, unit, better, NULL };

	outcome_add_sample(outcome, builder->arena, &what, 0, value);
}

bool
builder_has_warned(const struct builder *builder, const char *text)
{
	for (size_t i = 0; i < builder->imported->warning_count; i++)
		if (strcmp(builder->imported->warnings[i], text) == 0)
			return true;
	return false;
}

void
builder_warn(struct builder *builder, const char *format, ...)
{
	struct imported *imported = builder->imported;
	const char **warnings;
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (builder_has_warned(builder, text))
		return;
	warnings = arena_array(
	    builder->arena, imported->warning_count + 1, sizeof *warnings);
	for (size_t i = 0; i < imported->warning_count; i++)
		warnings[i] = imported->warnings[i];
	warnings[imported->warning_count++] =
	    arena_strdup(builder->arena, text);
	imported->warnings = warnings;
}

/* "default" is each filesystem's own; a key names one cell. */
static int
name_baseline(struct builder *builder, struct error *err)
{
	struct plan *plan = builder->plan;
	const char *baseline =
	    plan->baseline == NULL ? "default" : plan->baseline;
	bool found = false;

	for (size_t i = 0; i < plan->cell_count; i++) {
		const char *key = plan->cells[i].key;
		const char *colon = strchr(key, ':');

		plan->cells[i].is_baseline =
		    strcmp(key, baseline) == 0 ||
		    (colon != NULL && strcmp(colon + 1, baseline) == 0);
		found = found || plan->cells[i].is_baseline;
	}
	if (!found && plan->baseline != NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "baseline '%s' is no cell of this log", plan->baseline);
	return 0;
}

int
builder_finish(struct builder *builder, struct error *err)
{
	if (builder->imported->outcome_count == 0)
		return error_set_kind(err, ERROR_USAGE,
		    "%s: nothing to import was found",
		    builder->options->log_count > 0
			? builder->options->logs[0].path
			: "no file");
	return name_baseline(builder, err);
}

int
builder_each_log(struct builder *builder,
    int (*read)(struct builder *builder, struct log *log, size_t cell,
	struct error *err),
    struct error *err)
{
	for (size_t i = 0; i < builder->options->log_count; i++) {
		const struct import_log *source = &builder->options->logs[i];
		size_t before = builder->imported->outcome_count;
		size_t cell = builder_cell(
		    builder, builder_log_key(builder, source), NULL, 0);
		struct log log;

		if (log_open(&log, builder->arena, source->path, err) == -1 ||
		    read(builder, &log, cell, err) == -1)
			return -1;
		if (builder->imported->outcome_count == before)
			return error_set_kind(err, ERROR_USAGE,
			    "%s: nothing to import was found", source->path);
	}
	return builder_finish(builder, err);
}
