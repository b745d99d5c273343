/*
 * The plan back out of its tables.  Every number is checked before it is used
 * as an index or a size.
 *
 * A table of the plan is a row of "parts": the question, and what takes one
 * row of the answer.  Parts come in an order in which what they refer to is
 * there already.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argv.h"
#include "store/internal.h"

/* More of anything than this is not a plan of ours. */
enum { ROW_LIMIT = 1000000 };

const char *const *
words_split(
    struct query *query, struct arena *arena, const char *line, size_t *count)
{
	struct argv argv;
	struct error err = { 0 };

	argv_init(&argv, arena);
	*count = 0;
	if (line != NULL && argv_split(&argv, line, &err) == -1) {
		query_damaged(query, "a quote is not closed in '%.60s'", line);
		return NULL;
	}
	*count = argv.count;
	return argv.count == 0 ? NULL : argv.items;
}

size_t
take_choice(struct query *query, struct arena *arena, const char *const *names,
    size_t count)
{
	const char *word = take_word(query, arena);

	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], word) == 0)
			return i;
	query_damaged(query, "'%.60s' is no word for this column", word);
	return 0;
}

/* A row's id, which must be the next one. */
static void
take_id(struct query *query, size_t expected)
{
	int64_t id = take_int(query);

	if (!query->failed && id != (int64_t)expected)
		query_damaged(query, "row %lld stands where %zu should be",
		    (long long)id, expected);
}

/* The place of something in an array of "count"; 0 after damage. */
static size_t
take_index(struct query *query, size_t count)
{
	return (size_t)take_range(query, 0, (int64_t)count - 1);
}

static uint64_t
take_unsigned(struct query *query, struct arena *arena, int base)
{
	const char *text = take_word(query, arena);
	char *end;
	uint64_t value = strtoull(text, &end, base);

	if (*text == '\0' || *text == '-' || *end != '\0')
		query_damaged(query, "'%.40s' is not a number", text);
	return value;
}

static void
take_head(struct query *query, struct arena *arena, struct plan *plan)
{
	plan->title = take_text(query, arena);
	plan->matrix_path = take_word(query, arena);
	plan->matrix_text = take_text(query, arena);
	plan->system = take_word(query, arena);
	plan->system_version = take_word(query, arena);
	plan->seed = take_unsigned(query, arena, 10);
	plan->rounds = take_range(query, 0, ROW_LIMIT);
	plan->budget_ns = take_range(query, 0, INT64_MAX);
	plan->baseline = take_text(query, arena);
	plan->memory_limit_bytes = take_range(query, 0, INT64_MAX);
}

/* "2/3" */
static void
take_shard(struct query *query, const char *text, struct plan *plan)
{
	char end;

	if (sscanf(text, "%9d/%9d%c", &plan->shard, &plan->shard_count, &end) !=
		2 ||
	    plan->shard < 1 || plan->shard > plan->shard_count)
		query_damaged(query, "'%.20s' is no shard", text);
}

static void
take_selection(struct query *query, struct arena *arena, struct plan *plan)
{
	const char *name = take_word(query, arena);
	const char *value = take_word(query, arena);

	if (strcmp(name, "only") == 0)
		plan->only =
		    words_split(query, arena, value, &plan->only_count);
	else
		take_shard(query, value, plan);
}

static void
take_target(struct query *query, struct arena *arena, struct plan *plan)
{
	struct target *target;

	plan->targets = arena_append(
	    arena, plan->targets, plan->target_count, sizeof *target);
	take_id(query, plan->target_count);
	target = &plan->targets[plan->target_count++];
	target->title = take_word(query, arena);
	target->kind = (enum target_kind)take_choice(
	    query, arena, target_kind_names, TARGET_MOUNTPOINT + 1);
	target->path = take_text(query, arena);
	target->image_is_auto = take_bool(query);
	target->size_bytes = take_int(query);
	target->remount = take_bool(query);
	target->serial = take_text(query, arena);
	target->overwrite = words_split(
	    query, arena, take_text(query, arena), &target->overwrite_count);
	target->more_devices = words_split(
	    query, arena, take_text(query, arena), &target->more_device_count);
	target->sector_size = take_range(query, 0, 1 << 20);
}

static void
take_tree(struct query *query, struct arena *arena, struct plan *plan)
{
	struct tree_spec *tree;
	struct tree_facts *facts;

	plan->trees =
	    arena_append(arena, plan->trees, plan->tree_count, sizeof *tree);
	plan->tree_facts = arena_append(
	    arena, plan->tree_facts, plan->tree_count, sizeof *facts);
	take_id(query, plan->tree_count);
	tree = &plan->trees[plan->tree_count];
	facts = &plan->tree_facts[plan->tree_count++];
	facts->title = tree->title = take_word(query, arena);
	tree->archive = take_text(query, arena);
	tree->copies = take_range(query, 0, ROW_LIMIT);
	tree->age_ns = take_int(query);
	facts->entries = take_range(query, 0, INT64_MAX);
	facts->files = take_range(query, 0, INT64_MAX);
	facts->directories = take_range(query, 0, INT64_MAX);
	facts->bytes = take_range(query, 0, INT64_MAX);
	facts->digest = take_unsigned(query, arena, 16);
}

static void
take_workload(struct query *query, struct arena *arena, struct plan *plan)
{
	struct workload_spec *spec;

	plan->workloads = arena_append(
	    arena, plan->workloads, plan->workload_count, sizeof *spec);
	take_id(query, plan->workload_count);
	spec = &plan->workloads[plan->workload_count++];
	spec->title = take_word(query, arena);
	spec->type = take_word(query, arena);
	spec->tree = take_text(query, arena);
	spec->timeout_ns = take_range(query, 0, INT64_MAX);
	spec->memory_limit_bytes = take_range(query, 0, INT64_MAX);
	spec->metric = take_text(query, arena);
	spec->charge = (enum charge)take_choice(
	    query, arena, charge_names, CHARGE_FLUSHED + 1);
	spec->cache =
	    (enum cache)take_choice(query, arena, cache_names, CACHE_BOTH + 1);
}

/* The workload or the cell that the row at hand belongs to; NULL when there
 * is no such one. */
static struct workload_spec *
take_workload_of(struct query *query, struct plan *plan)
{
	size_t at = take_index(query, plan->workload_count);

	return query->failed ? NULL : &plan->workloads[at];
}

static struct cell *
take_cell_of(struct query *query, struct plan *plan)
{
	size_t at = take_index(query, plan->cell_count);

	return query->failed ? NULL : &plan->cells[at];
}

static void
take_setting(struct query *query, struct arena *arena, struct plan *plan)
{
	struct workload_spec *spec = take_workload_of(query, plan);
	struct setting *setting;

	if (spec == NULL)
		return;
	spec->settings = arena_append(
	    arena, spec->settings, spec->setting_count, sizeof *setting);
	setting = &spec->settings[spec->setting_count++];
	setting->key = take_word(query, arena);
	setting->values = words_split(
	    query, arena, take_word(query, arena), &setting->value_count);
}

static void
take_pattern(struct query *query, struct arena *arena, struct plan *plan)
{
	struct workload_spec *spec = take_workload_of(query, plan);
	struct metric_pattern *pattern;
	const char *word;

	if (spec == NULL)
		return;
	spec->patterns = arena_append(
	    arena, spec->patterns, spec->pattern_count, sizeof *pattern);
	pattern = &spec->patterns[spec->pattern_count++];
	pattern->metric.name = take_word(query, arena);
	pattern->metric.unit = take_text(query, arena);
	word = take_word(query, arena);
	if (better_parse(word, &pattern->metric.better) == -1)
		query_damaged(query, "'%.20s' is not lower or higher", word);
	pattern->metric.summary = take_text(query, arena);
	pattern->pattern = take_text(query, arena);
}

/* Whether there is a cell of that number shows when all have been read. */
static size_t
take_duplicate(struct query *query)
{
	if (!take_is_null(query))
		return (size_t)take_range(query, 0, ROW_LIMIT);
	query->take_at++;
	return NO_CELL;
}

static void
take_cell(struct query *query, struct arena *arena, struct plan *plan)
{
	struct cell *cell;
	const char *word;

	plan->cells =
	    arena_append(arena, plan->cells, plan->cell_count, sizeof *cell);
	take_id(query, plan->cell_count);
	cell = &plan->cells[plan->cell_count];
	cell->index = plan->cell_count++;
	cell->key = take_word(query, arena);
	cell->filesystem = take_word(query, arena);
	cell->driver = take_text(query, arena);
	cell->target = take_text(query, arena);
	cell->asked = take_text(query, arena);
	cell->expected = take_text(query, arena);
	cell->in_force = take_text(query, arena);
	word = take_word(query, arena);
	if (risk_parse(word, &cell->risk) == -1)
		query_damaged(query, "'%.20s' is no risk", word);
	word = take_word(query, arena);
	if (cell_status_parse(word, &cell->status) == -1)
		query_damaged(query, "'%.20s' is no status", word);
	cell->reason = take_text(query, arena);
	cell->duplicate_of = take_duplicate(query);
	cell->is_baseline = take_bool(query);
	cell->atime_probe = take_text(query, arena);
	cell->durability_probe = take_text(query, arena);
}

static void
take_level(struct query *query, struct arena *arena, struct plan *plan)
{
	struct cell *cell = take_cell_of(query, plan);
	struct cell_level *level;

	if (cell == NULL)
		return;
	cell->levels =
	    arena_append(arena, cell->levels, cell->level_count, sizeof *level);
	level = &cell->levels[cell->level_count++];
	level->factor = take_word(query, arena);
	level->level = take_word(query, arena);
	level->is_toggle = take_bool(query);
}

static void
take_command(struct query *query, struct arena *arena, struct plan *plan)
{
	static const char *const nothing[] = { NULL };
	struct cell *cell = take_cell_of(query, plan);
	struct command *command;
	const char *word;
	size_t words;

	if (cell == NULL)
		return;
	cell->commands = arena_append(
	    arena, cell->commands, cell->command_count, sizeof *command);
	command = &cell->commands[cell->command_count++];
	word = take_word(query, arena);
	if (rung_parse(word, &command->rung) == -1)
		query_damaged(query, "'%.20s' is no step of a trial", word);
	command->argv =
	    words_split(query, arena, take_word(query, arena), &words);
	if (command->argv == NULL)
		command->argv = nothing;
}

static void
take_trial(struct query *query, struct arena *arena, struct plan *plan)
{
	struct planned_trial *trial;

	plan->trials =
	    arena_append(arena, plan->trials, plan->trial_count, sizeof *trial);
	take_id(query, plan->trial_count);
	trial = &plan->trials[plan->trial_count];
	trial->index = plan->trial_count++;
	trial->block = (int)take_range(query, 0, ROW_LIMIT);
	trial->position = (int)take_range(query, 0, ROW_LIMIT);
	trial->cell = take_index(query, plan->cell_count);
	trial->workload = take_index(query, plan->workload_count);
	trial->is_warm_up = take_bool(query);
	trial->is_retry = take_bool(query);
}

struct part {
	const char *sql;
	void (*take)(struct query *, struct arena *, struct plan *);
	bool is_single; /* exactly one row */
};

static const struct part parts[] = {
	{ .sql = "SELECT title, matrix_path, matrix_text, system,"
		 " system_version, seed, rounds, budget_ns, baseline,"
		 " memory_limit_bytes FROM plan",
	    .take = take_head,
	    .is_single = true },
	{ .sql = "SELECT name, value FROM note"
		 " WHERE name IN ('only', 'shard')",
	    .take = take_selection },
	{ .sql = "SELECT id, title, kind, path, image_is_auto, size_bytes,"
		 " remount, serial, overwrite, more_devices, sector_size"
		 " FROM target ORDER BY id",
	    .take = take_target },
	{ .sql = "SELECT id, title, archive, copies, age_ns, entries, files,"
		 " directories, bytes, digest FROM tree ORDER BY id",
	    .take = take_tree },
	{ .sql = "SELECT id, title, type, tree, timeout_ns,"
		 " memory_limit_bytes, metric, charge, cache"
		 " FROM workload ORDER BY id",
	    .take = take_workload },
	{ .sql = "SELECT workload, key, \"values\" FROM setting"
		 " ORDER BY workload, place",
	    .take = take_setting },
	{ .sql = "SELECT workload, metric, unit, better, summary, pattern"
		 " FROM pattern ORDER BY workload, place",
	    .take = take_pattern },
	{ .sql = "SELECT id, key, filesystem, driver, target, asked, expected,"
		 " in_force, risk, status, reason, duplicate_of, is_baseline,"
		 " atime_probe, durability_probe FROM cell ORDER BY id",
	    .take = take_cell },
	{ .sql = "SELECT cell, factor, level, is_toggle FROM level"
		 " ORDER BY cell, place",
	    .take = take_level },
	{ .sql = "SELECT cell, rung, line FROM command ORDER BY cell, place",
	    .take = take_command },
	{ .sql = "SELECT id, block, position, cell, workload, is_warm_up,"
		 " is_retry FROM trial ORDER BY id",
	    .take = take_trial },
};

static int
read_part(struct db *db, const struct part *part, struct arena *arena,
    struct plan *plan, struct error *err)
{
	struct query query;
	int rows = 0;

	for (query_open(&query, db, part->sql); query_next(&query); rows++) {
		if (rows == ROW_LIMIT)
			query_damaged(&query, "a table has too many rows");
		else
			part->take(&query, arena, plan);
	}
	if (part->is_single && rows != 1)
		query_damaged(&query, "it has no plan");
	return query_close(&query, err);
}

static int
check_duplicates(
    const struct db *db, const struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->cell_count; i++) {
		size_t other = plan->cells[i].duplicate_of;

		if (other != NO_CELL && other >= plan->cell_count)
			return error_set_kind(err, ERROR_USAGE,
			    "'%s': the file is damaged: a duplicate of cell"
			    " %zu",
			    db->path, other);
	}
	return 0;
}

static int
read_plan(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (read_part(db, &parts[i], arena, plan, err) == -1)
			return -1;
	if (check_duplicates(db, plan, err) == -1)
		return -1;
	return plan_check(db, plan, err);
}

int
store_load_plan(struct store *store, struct arena *arena, struct plan **plan,
    struct error *err)
{
	struct plan *loaded = arena_alloc(arena, sizeof *loaded);
	int rc;

	if (db_begin(&store->db, false, err) == -1)
		return -1;
	rc = read_plan(&store->db, arena, loaded, err);
	if (db_end(&store->db, rc == -1, err) == -1)
		return -1;
	*plan = loaded;
	return 0;
}
