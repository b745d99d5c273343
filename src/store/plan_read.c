/* The plan back out of its tables.  Every number is checked before it is used
 * as an index or a size. */
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

/* How many rows a table has, as the size of an array; ids count from 0. */
static size_t
row_count(struct query *query, const char *sql, struct db *db)
{
	struct error err = { 0 };
	int64_t count = 0;

	if (query->failed)
		return 0;
	if (db_int(db, sql, &count, &err) == -1 || count < 0 ||
	    count > ROW_LIMIT) {
		query_damaged(query, "a table cannot be counted");
		return 0;
	}
	return (size_t)count;
}

/* A row's id, which must be the next one. */
static size_t
take_id(struct query *query, size_t expected)
{
	int64_t id = take_int(query);

	if (!query->failed && id != (int64_t)expected)
		query_damaged(query, "row %lld stands where %zu should be",
		    (long long)id, expected);
	return expected;
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

static int
read_head(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;
	size_t rows = 0;

	query_open(&query, db,
	    "SELECT title, matrix_path, matrix_text, system, system_version,"
	    " seed, rounds, budget_ns, baseline, memory_limit_bytes"
	    " FROM plan");
	for (; query_next(&query); rows++) {
		plan->title = take_text(&query, arena);
		plan->matrix_path = take_text(&query, arena);
		plan->matrix_text = take_text(&query, arena);
		plan->system = take_text(&query, arena);
		plan->system_version = take_text(&query, arena);
		plan->seed = take_unsigned(&query, arena, 10);
		plan->rounds = take_range(&query, 0, ROW_LIMIT);
		plan->budget_ns = take_range(&query, 0, INT64_MAX);
		plan->baseline = take_text(&query, arena);
		plan->memory_limit_bytes = take_range(&query, 0, INT64_MAX);
	}
	if (rows != 1)
		query_damaged(&query, "it has no plan");
	return query_close(&query, err);
}

static void
take_target(struct query *query, struct arena *arena, struct target *target)
{
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

static int
read_targets(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT id, title, kind, path, image_is_auto, size_bytes, remount,"
	    " serial, overwrite, more_devices, sector_size FROM target"
	    " ORDER BY id");
	plan->target_count =
	    row_count(&query, "SELECT count(*) FROM target", db);
	plan->targets =
	    arena_array(arena, plan->target_count, sizeof *plan->targets);
	for (size_t i = 0; i < plan->target_count && query_next(&query); i++) {
		take_id(&query, i);
		take_target(&query, arena, &plan->targets[i]);
	}
	return query_close(&query, err);
}

static int
read_trees(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT id, title, archive, copies, age_ns, entries, files,"
	    " directories, bytes, digest FROM tree ORDER BY id");
	plan->tree_count = row_count(&query, "SELECT count(*) FROM tree", db);
	plan->trees = arena_array(arena, plan->tree_count, sizeof *plan->trees);
	plan->tree_facts =
	    arena_array(arena, plan->tree_count, sizeof *plan->tree_facts);
	for (size_t i = 0; i < plan->tree_count && query_next(&query); i++) {
		struct tree_spec *tree = &plan->trees[i];
		struct tree_facts *facts = &plan->tree_facts[i];

		take_id(&query, i);
		facts->title = tree->title = take_word(&query, arena);
		tree->archive = take_text(&query, arena);
		tree->copies = take_range(&query, 0, ROW_LIMIT);
		tree->age_ns = take_int(&query);
		facts->entries = take_range(&query, 0, INT64_MAX);
		facts->files = take_range(&query, 0, INT64_MAX);
		facts->directories = take_range(&query, 0, INT64_MAX);
		facts->bytes = take_range(&query, 0, INT64_MAX);
		facts->digest = take_unsigned(&query, arena, 16);
	}
	return query_close(&query, err);
}

static int
read_settings(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;
	struct workload_spec *spec;
	size_t capacity = 0, at = SIZE_MAX;

	query_open(&query, db,
	    "SELECT workload, key, \"values\" FROM setting"
	    " ORDER BY workload, place");
	while (query_next(&query)) {
		struct setting *setting;
		size_t workload = (size_t)take_range(
		    &query, 0, (int64_t)plan->workload_count - 1);

		if (query.failed)
			break;
		spec = &plan->workloads[workload];
		if (workload != at)
			capacity = 0;
		at = workload;
		if (spec->setting_count == capacity)
			spec->settings = arena_grow(arena, spec->settings,
			    spec->setting_count, &capacity,
			    sizeof *spec->settings);
		setting = &spec->settings[spec->setting_count++];
		setting->key = take_word(&query, arena);
		setting->values = words_split(&query, arena,
		    take_word(&query, arena), &setting->value_count);
	}
	return query_close(&query, err);
}

static void
take_pattern(
    struct query *query, struct arena *arena, struct metric_pattern *pattern)
{
	const char *word;

	pattern->metric.name = take_word(query, arena);
	pattern->metric.unit = take_text(query, arena);
	word = take_word(query, arena);
	if (better_parse(word, &pattern->metric.better) == -1)
		query_damaged(query, "'%.20s' is not lower or higher", word);
	pattern->metric.summary = take_text(query, arena);
	pattern->pattern = take_text(query, arena);
}

static int
read_patterns(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;
	struct workload_spec *spec;
	size_t capacity = 0, at = SIZE_MAX;

	query_open(&query, db,
	    "SELECT workload, metric, unit, better, summary, pattern"
	    " FROM pattern ORDER BY workload, place");
	while (query_next(&query)) {
		size_t workload = (size_t)take_range(
		    &query, 0, (int64_t)plan->workload_count - 1);

		if (query.failed)
			break;
		spec = &plan->workloads[workload];
		if (workload != at)
			capacity = 0;
		at = workload;
		if (spec->pattern_count == capacity)
			spec->patterns = arena_grow(arena, spec->patterns,
			    spec->pattern_count, &capacity,
			    sizeof *spec->patterns);
		take_pattern(
		    &query, arena, &spec->patterns[spec->pattern_count++]);
	}
	return query_close(&query, err);
}

static int
read_workloads(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT id, title, type, tree, timeout_ns, memory_limit_bytes,"
	    " metric, charge, cache FROM workload ORDER BY id");
	plan->workload_count =
	    row_count(&query, "SELECT count(*) FROM workload", db);
	plan->workloads =
	    arena_array(arena, plan->workload_count, sizeof *plan->workloads);
	for (size_t i = 0; i < plan->workload_count && query_next(&query);
	     i++) {
		struct workload_spec *spec = &plan->workloads[i];

		take_id(&query, i);
		spec->title = take_word(&query, arena);
		spec->type = take_word(&query, arena);
		spec->tree = take_text(&query, arena);
		spec->timeout_ns = take_range(&query, 0, INT64_MAX);
		spec->memory_limit_bytes = take_range(&query, 0, INT64_MAX);
		spec->metric = take_text(&query, arena);
		spec->charge = (enum charge)take_choice(
		    &query, arena, charge_names, CHARGE_FLUSHED + 1);
		spec->cache = (enum cache)take_choice(
		    &query, arena, cache_names, CACHE_BOTH + 1);
	}
	return query_close(&query, err);
}

static void
take_cell(struct query *query, struct arena *arena, struct cell *cell,
    size_t cell_count)
{
	const char *word;

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
	cell->duplicate_of = NO_CELL;
	if (take_is_null(query))
		query->take_at++;
	else
		cell->duplicate_of =
		    (size_t)take_range(query, 0, (int64_t)cell_count - 1);
	cell->is_baseline = take_bool(query);
	cell->atime_probe = take_text(query, arena);
	cell->durability_probe = take_text(query, arena);
}

static int
read_cells(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT id, key, filesystem, driver, target, asked, expected,"
	    " in_force, risk, status, reason, duplicate_of, is_baseline,"
	    " atime_probe, durability_probe FROM cell ORDER BY id");
	plan->cell_count = row_count(&query, "SELECT count(*) FROM cell", db);
	plan->cells = arena_array(arena, plan->cell_count, sizeof *plan->cells);
	for (size_t i = 0; i < plan->cell_count && query_next(&query); i++) {
		plan->cells[i].index = take_id(&query, i);
		take_cell(&query, arena, &plan->cells[i], plan->cell_count);
	}
	return query_close(&query, err);
}

static int
read_levels(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;
	size_t capacity = 0, at = SIZE_MAX;

	query_open(&query, db,
	    "SELECT cell, factor, level, is_toggle FROM level"
	    " ORDER BY cell, place");
	while (query_next(&query)) {
		struct cell_level *level;
		size_t index = (size_t)take_range(
		    &query, 0, (int64_t)plan->cell_count - 1);
		struct cell *cell;

		if (query.failed)
			break;
		cell = &plan->cells[index];
		if (index != at)
			capacity = 0;
		at = index;
		if (cell->level_count == capacity)
			cell->levels = arena_grow(arena, cell->levels,
			    cell->level_count, &capacity, sizeof *cell->levels);
		level = &cell->levels[cell->level_count++];
		level->factor = take_word(&query, arena);
		level->level = take_word(&query, arena);
		level->is_toggle = take_bool(&query);
	}
	return query_close(&query, err);
}

static void
take_command(struct query *query, struct arena *arena, struct command *command)
{
	static const char *const nothing[] = { NULL };
	const char *word = take_word(query, arena);
	size_t words;

	if (rung_parse(word, &command->rung) == -1)
		query_damaged(query, "'%.20s' is no step of a trial", word);
	command->argv =
	    words_split(query, arena, take_word(query, arena), &words);
	if (command->argv == NULL)
		command->argv = nothing;
}

static int
read_commands(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;
	size_t capacity = 0, at = SIZE_MAX;

	query_open(&query, db,
	    "SELECT cell, rung, line FROM command ORDER BY cell, place");
	while (query_next(&query)) {
		size_t index = (size_t)take_range(
		    &query, 0, (int64_t)plan->cell_count - 1);
		struct cell *cell;

		if (query.failed)
			break;
		cell = &plan->cells[index];
		if (index != at)
			capacity = 0;
		at = index;
		if (cell->command_count == capacity)
			cell->commands = arena_grow(arena, cell->commands,
			    cell->command_count, &capacity,
			    sizeof *cell->commands);
		take_command(
		    &query, arena, &cell->commands[cell->command_count++]);
	}
	return query_close(&query, err);
}

static int
read_trials(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT id, block, position, cell, workload, is_warm_up, is_retry"
	    " FROM trial ORDER BY id");
	plan->trial_count = row_count(&query, "SELECT count(*) FROM trial", db);
	plan->trials =
	    arena_array(arena, plan->trial_count, sizeof *plan->trials);
	for (size_t i = 0; i < plan->trial_count && query_next(&query); i++) {
		struct planned_trial *trial = &plan->trials[i];

		trial->index = take_id(&query, i);
		trial->block = (int)take_range(&query, 0, ROW_LIMIT);
		trial->position = (int)take_range(&query, 0, ROW_LIMIT);
		trial->cell = (size_t)take_range(
		    &query, 0, (int64_t)plan->cell_count - 1);
		trial->workload = (size_t)take_range(
		    &query, 0, (int64_t)plan->workload_count - 1);
		trial->is_warm_up = take_bool(&query);
		trial->is_retry = take_bool(&query);
	}
	return query_close(&query, err);
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

static int
read_selection(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	struct query query;

	query_open(&query, db,
	    "SELECT name, value FROM note WHERE name IN ('only', 'shard')");
	while (query_next(&query)) {
		const char *name = take_word(&query, arena);
		const char *value = take_word(&query, arena);

		if (strcmp(name, "only") == 0)
			plan->only = words_split(
			    &query, arena, value, &plan->only_count);
		else
			take_shard(&query, value, plan);
	}
	return query_close(&query, err);
}

static int
read_plan(
    struct db *db, struct arena *arena, struct plan *plan, struct error *err)
{
	static int (*const parts[])(struct db *, struct arena *, struct plan *,
	    struct error *) = { read_head, read_selection, read_targets,
		read_trees, read_workloads, read_settings, read_patterns,
		read_cells, read_levels, read_commands, read_trials };

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i](db, arena, plan, err) == -1)
			return -1;
	return 0;
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
