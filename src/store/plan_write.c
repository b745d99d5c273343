/* A resolved plan into its tables. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/argv.h"
#include "store/internal.h"

const char *const target_kind_names[] = {
	[TARGET_IMAGE] = "image",
	[TARGET_DEVICE] = "device",
	[TARGET_DIRECTORY] = "directory",
	[TARGET_MEMORY] = "memory",
	[TARGET_MOUNTPOINT] = "mountpoint",
};

const char *const charge_names[] = {
	[CHARGE_DEFAULT] = "default",
	[CHARGE_OWN] = "own",
	[CHARGE_FLUSHED] = "flushed",
};

const char *const cache_names[] = {
	[CACHE_DEFAULT] = "default",
	[CACHE_COLD] = "cold",
	[CACHE_WARM] = "warm",
	[CACHE_BOTH] = "both",
};

char *
words_join(struct arena *arena, const char *const *words, size_t count)
{
	struct argv argv;

	argv_init(&argv, arena);
	for (size_t i = 0; i < count; i++)
		argv_push(&argv, words[i]);
	return argv_quote(&argv);
}

static int
write_head(
    struct db *db, const struct plan *plan, bool is_imported, struct error *err)
{
	char seed[24], digest[24];
	struct query query;

	snprintf(seed, sizeof seed, "%" PRIu64, plan->seed);
	snprintf(digest, sizeof digest, "%016" PRIx64, store_plan_digest(plan));
	query_open(&query, db,
	    "INSERT INTO plan(id, title, matrix_path, matrix_text, system,"
	    " system_version, seed, rounds, budget_ns, baseline,"
	    " memory_limit_bytes, digest, is_imported)"
	    " VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	bind_text(&query, plan->title);
	bind_text(&query, plan->matrix_path);
	bind_text(&query, plan->matrix_text);
	bind_text(&query, plan->system);
	bind_text(&query, plan->system_version);
	bind_text(&query, seed);
	bind_int(&query, plan->rounds);
	bind_int(&query, plan->budget_ns);
	bind_text(&query, plan->baseline);
	bind_int(&query, plan->memory_limit_bytes);
	bind_text(&query, digest);
	bind_bool(&query, is_imported);
	query_run(&query);
	return query_close(&query, err);
}

/* As notes, and only what was asked for. */
static int
write_selection(struct db *db, const struct plan *plan, struct arena *arena,
    struct error *err)
{
	if (plan->only_count > 0 &&
	    note_write(db, "only",
		words_join(arena, plan->only, plan->only_count), err) == -1)
		return -1;
	if (plan->shard_count == 0)
		return 0;
	return note_write(db, "shard",
	    arena_printf(arena, "%d/%d", plan->shard, plan->shard_count), err);
}

static int
write_targets(struct db *db, const struct plan *plan, struct arena *arena,
    struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "INSERT INTO target(id, title, kind, path, image_is_auto,"
	    " size_bytes, remount, serial, overwrite, more_devices,"
	    " sector_size) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < plan->target_count; i++) {
		const struct target *target = &plan->targets[i];

		bind_int(&query, (int64_t)i);
		bind_text(&query, target->title);
		bind_text(&query, target_kind_names[target->kind]);
		bind_text(&query, target->path);
		bind_bool(&query, target->image_is_auto);
		bind_int(&query, target->size_bytes);
		bind_bool(&query, target->remount);
		bind_text(&query, target->serial);
		bind_text(&query, words_join(arena, target->overwrite,
				      target->overwrite_count));
		bind_text(&query, words_join(arena, target->more_devices,
				      target->more_device_count));
		bind_int(&query, target->sector_size);
		query_run(&query);
	}
	return query_close(&query, err);
}

static int
write_trees(struct db *db, const struct plan *plan, struct error *err)
{
	static const struct tree_facts unknown;
	struct query query;
	char digest[24];

	query_open(&query, db,
	    "INSERT INTO tree(id, title, archive, copies, age_ns, entries,"
	    " files, directories, bytes, digest)"
	    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < plan->tree_count; i++) {
		const struct tree_spec *tree = &plan->trees[i];
		const struct tree_facts *facts =
		    plan->tree_facts == NULL ? &unknown : &plan->tree_facts[i];

		snprintf(digest, sizeof digest, "%016" PRIx64, facts->digest);
		bind_int(&query, (int64_t)i);
		bind_text(&query, tree->title);
		bind_text(&query, tree->archive);
		bind_int(&query, tree->copies);
		bind_int(&query, tree->age_ns);
		bind_int(&query, facts->entries);
		bind_int(&query, facts->files);
		bind_int(&query, facts->directories);
		bind_int(&query, facts->bytes);
		bind_text(&query, digest);
		query_run(&query);
	}
	return query_close(&query, err);
}

static void
write_settings(struct query *query, size_t workload,
    const struct workload_spec *spec, struct arena *arena)
{
	for (size_t i = 0; i < spec->setting_count; i++) {
		const struct setting *setting = &spec->settings[i];

		bind_int(query, (int64_t)workload);
		bind_int(query, (int64_t)i);
		bind_text(query, setting->key);
		bind_text(query,
		    words_join(arena, setting->values, setting->value_count));
		query_run(query);
	}
}

static void
write_patterns(
    struct query *query, size_t workload, const struct workload_spec *spec)
{
	for (size_t i = 0; i < spec->pattern_count; i++) {
		const struct metric_pattern *pattern = &spec->patterns[i];

		bind_int(query, (int64_t)workload);
		bind_int(query, (int64_t)i);
		bind_text(query, pattern->metric.name);
		bind_text(query, pattern->metric.unit);
		bind_text(query, better_name(pattern->metric.better));
		bind_text(query, pattern->metric.summary);
		bind_text(query, pattern->pattern);
		query_run(query);
	}
}

static void
write_workload(
    struct query *query, size_t id, const struct workload_spec *workload)
{
	bind_int(query, (int64_t)id);
	bind_text(query, workload->title);
	bind_text(query, workload->type);
	bind_text(query, workload->tree);
	bind_int(query, workload->timeout_ns);
	bind_int(query, workload->memory_limit_bytes);
	bind_text(query, workload->metric);
	bind_text(query, charge_names[workload->charge]);
	bind_text(query, cache_names[workload->cache]);
	query_run(query);
}

static int
write_workloads(struct db *db, const struct plan *plan, struct arena *arena,
    struct error *err)
{
	struct query query, settings, patterns;
	int rc;

	query_open(&query, db,
	    "INSERT INTO workload(id, title, type, tree, timeout_ns,"
	    " memory_limit_bytes, metric, charge, cache)"
	    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
	query_open(&settings, db,
	    "INSERT INTO setting(workload, place, key, \"values\")"
	    " VALUES(?, ?, ?, ?)");
	query_open(&patterns, db,
	    "INSERT INTO pattern(workload, place, metric, unit, better,"
	    " summary, pattern) VALUES(?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < plan->workload_count; i++) {
		write_workload(&query, i, &plan->workloads[i]);
		write_settings(&settings, i, &plan->workloads[i], arena);
		write_patterns(&patterns, i, &plan->workloads[i]);
	}
	rc = query_close(&query, err);
	rc = query_close_after(&settings, rc, err);
	return query_close_after(&patterns, rc, err);
}

static void
bind_duplicate(struct query *query, const struct cell *cell)
{
	if (cell->duplicate_of == NO_CELL)
		bind_null(query);
	else
		bind_int(query, (int64_t)cell->duplicate_of);
}

static void
write_cell(struct query *query, size_t id, const struct cell *cell)
{
	bind_int(query, (int64_t)id);
	bind_text(query, cell->key);
	bind_text(query, cell->filesystem);
	bind_text(query, cell->driver);
	bind_text(query, cell->target);
	bind_text(query, cell->asked);
	bind_text(query, cell->expected);
	bind_text(query, cell->in_force);
	bind_text(query, risk_name(cell->risk));
	bind_text(query, cell_status_name(cell->status));
	bind_text(query, cell->reason);
	bind_duplicate(query, cell);
	bind_bool(query, cell->is_baseline);
	bind_text(query, cell->atime_probe);
	bind_text(query, cell->durability_probe);
	query_run(query);
}

static void
write_levels(struct query *query, size_t id, const struct cell *cell)
{
	for (size_t i = 0; i < cell->level_count; i++) {
		bind_int(query, (int64_t)id);
		bind_int(query, (int64_t)i);
		bind_text(query, cell->levels[i].factor);
		bind_text(query, cell->levels[i].level);
		bind_bool(query, cell->levels[i].is_toggle);
		query_run(query);
	}
}

static void
write_commands(struct query *query, size_t id, const struct cell *cell,
    struct arena *arena)
{
	for (size_t i = 0; i < cell->command_count; i++) {
		const struct command *command = &cell->commands[i];
		size_t words = 0;

		while (command->argv[words] != NULL)
			words++;
		bind_int(query, (int64_t)id);
		bind_int(query, (int64_t)i);
		bind_text(query, rung_name(command->rung));
		bind_text(query, words_join(arena, command->argv, words));
		query_run(query);
	}
}

static int
write_cells(struct db *db, const struct plan *plan, struct arena *arena,
    struct error *err)
{
	struct query query, levels, commands;
	int rc;

	query_open(&query, db,
	    "INSERT INTO cell(id, key, filesystem, driver, target, asked,"
	    " expected, in_force, risk, status, reason, duplicate_of,"
	    " is_baseline, atime_probe, durability_probe)"
	    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	query_open(&levels, db,
	    "INSERT INTO level(cell, place, factor, level, is_toggle)"
	    " VALUES(?, ?, ?, ?, ?)");
	query_open(&commands, db,
	    "INSERT INTO command(cell, place, rung, line)"
	    " VALUES(?, ?, ?, ?)");
	for (size_t i = 0; i < plan->cell_count; i++) {
		write_cell(&query, i, &plan->cells[i]);
		write_levels(&levels, i, &plan->cells[i]);
		write_commands(&commands, i, &plan->cells[i], arena);
	}
	rc = query_close(&query, err);
	rc = query_close_after(&levels, rc, err);
	return query_close_after(&commands, rc, err);
}

static const char insert_trial[] =
    "INSERT INTO trial(id, block, position, cell, workload, is_warm_up,"
    " is_retry) VALUES(?, ?, ?, ?, ?, ?, ?)";

static void
bind_trial(struct query *query, size_t id, const struct planned_trial *trial)
{
	bind_int(query, (int64_t)id);
	bind_int(query, trial->block);
	bind_int(query, trial->position);
	bind_int(query, (int64_t)trial->cell);
	bind_int(query, (int64_t)trial->workload);
	bind_bool(query, trial->is_warm_up);
	bind_bool(query, trial->is_retry);
	query_run(query);
}

int
trial_write(struct db *db, const struct planned_trial *trial, struct error *err)
{
	struct query query;

	query_open(&query, db, insert_trial);
	bind_trial(&query, trial->index, trial);
	return query_close(&query, err);
}

static int
write_trials(struct db *db, const struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db, insert_trial);
	for (size_t i = 0; i < plan->trial_count; i++)
		bind_trial(&query, i, &plan->trials[i]);
	return query_close(&query, err);
}

int
plan_write(
    struct db *db, const struct plan *plan, bool is_imported, struct error *err)
{
	struct arena *arena = arena_new();
	int rc = write_head(db, plan, is_imported, err);

	if (rc == 0)
		rc = write_selection(db, plan, arena, err);
	if (rc == 0)
		rc = write_targets(db, plan, arena, err);
	if (rc == 0)
		rc = write_trees(db, plan, err);
	if (rc == 0)
		rc = write_workloads(db, plan, arena, err);
	if (rc == 0)
		rc = write_cells(db, plan, arena, err);
	if (rc == 0)
		rc = write_trials(db, plan, err);
	arena_free(arena);
	return rc;
}

int
cell_update(struct db *db, const struct cell *cell, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "UPDATE cell SET in_force = ?, risk = ?, status = ?, reason = ?,"
	    " duplicate_of = ?, atime_probe = ?, durability_probe = ?"
	    " WHERE id = ? AND key = ?");
	bind_text(&query, cell->in_force);
	bind_text(&query, risk_name(cell->risk));
	bind_text(&query, cell_status_name(cell->status));
	bind_text(&query, cell->reason);
	bind_duplicate(&query, cell);
	bind_text(&query, cell->atime_probe);
	bind_text(&query, cell->durability_probe);
	bind_int(&query, (int64_t)cell->index);
	bind_text(&query, cell->key);
	query_run(&query);
	if (query_close(&query, err) == -1)
		return -1;
	if (sqlite3_changes(db->handle) != 1)
		return error_set(err, "'%s' has no cell '%s' at %zu", db->path,
		    cell->key, cell->index);
	return 0;
}
