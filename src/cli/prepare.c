#include "cli/prepare.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"
#include "config/config.h"
#include "fs/build.h"
#include "plan/plan_make.h"
#include "platform/host.h"
#include "system/system.h"
#include "workload/workload.h"

/* Prints them; all in one text. */
static const char *
report_diagnostics(const struct diagnostics *diagnostics, struct arena *arena)
{
	const char *all = "";

	for (size_t i = 0; i < diagnostics->count; i++) {
		const char *line =
		    diagnostic_format(&diagnostics->items[i], arena);

		(void)fprintf(stderr, "%s\n", line);
		all =
		    arena_printf(arena, "%s%s%s", all, i > 0 ? "; " : "", line);
	}
	if (diagnostics->dropped > 0)
		(void)fprintf(stderr, "and %zu more\n", diagnostics->dropped);
	return all;
}

/* "I/N" */
static int
parse_shard(const char *text, struct plan_options *options, struct error *err)
{
	char end;

	if (text == NULL)
		return 0;
	if (sscanf(text, "%9d/%9d%c", &options->shard, &options->shard_count,
		&end) != 2 ||
	    options->shard < 1 || options->shard > options->shard_count)
		return error_set_kind(err, ERROR_USAGE,
		    "--shard: '%s' is not of the form I/N with I in 1..N",
		    text);
	return 0;
}

static int
read_options(const struct cli_args *args, struct plan_options *options,
    struct error *err)
{
	const char *budget = cli_value(args, "budget");
	const char **only;
	int64_t seed;

	if (cli_integer(args, "rounds", 1, 0, &options->rounds, err) == -1 ||
	    cli_integer(args, "seed", 1, 0, &seed, err) == -1 ||
	    parse_shard(cli_value(args, "shard"), options, err) == -1)
		return -1;
	if (budget != NULL &&
	    units_parse_duration(budget, &options->budget_ns, err) == -1)
		return error_wrap(err, "--budget");
	options->seed = (uint64_t)seed;
	options->baseline = cli_value(args, "baseline");
	options->only_count = cli_values(args, "only", &only);
	options->only = only;
	options->allow_many = cli_has(args, "yes");
	return 0;
}

/* A seed that differs every time, small enough to be typed again. */
static uint64_t
draw_seed(void)
{
	struct rng rng;

	rng_seed(&rng, (uint64_t)clock_wall_ns() ^ (uint64_t)clock_now_ns());
	return 1 + rng_below(&rng, 999999);
}

/* Which sample ranks, and whether with the flush: the tables' defaults where
 * the matrix leaves it open. */
static void
resolve_workload(struct workload_spec *spec)
{
	const struct workload *workload = workload_find(spec->type);

	if (workload == NULL)
		return;
	if (spec->charge == CHARGE_DEFAULT)
		spec->charge =
		    workload->is_classic ? CHARGE_OWN : CHARGE_FLUSHED;
	if (spec->metric != NULL)
		return;
	if (spec->pattern_count > 0)
		spec->metric = spec->patterns[0].metric.name;
	else if (strcmp(spec->type, "blogbench") == 0)
		/* apart: together they would hide that one collapsed */
		spec->metric = "reads writes";
	else if (workload->metrics != NULL && workload->metrics[0].name != NULL)
		spec->metric = workload->metrics[0].name;
}

static const struct filesystem *
filesystem_of(const struct matrix *matrix, const struct cell *cell)
{
	for (size_t i = 0; i < matrix->filesystem_count; i++)
		if (strcmp(matrix->filesystems[i].title, cell->filesystem) == 0)
			return &matrix->filesystems[i];
	return NULL;
}

static int
build_commands(
    struct prepared *prepared, struct arena *arena, struct error *err)
{
	const struct plan *plan = &prepared->plan;

	for (size_t i = 0; i < plan->cell_count; i++) {
		struct cell *cell = &plan->cells[i];
		const struct filesystem *filesystem =
		    filesystem_of(&prepared->matrix, cell);

		if (!cell_status_runs(cell->status))
			continue;
		if (fs_build_commands(cell, filesystem, plan->system,
			plan->system_version, arena, err) == -1)
			return error_wrap(err, "cell '%s'", cell->key);
	}
	return 0;
}

int
prepare_plan(const struct cli_args *args, const char *path,
    struct prepared *prepared, struct error *err)
{
	struct arena *arena = args->arena;
	const char *platform = cli_value(args, "platform");
	struct plan_options options = { 0 };
	struct config_options config = { 0 };
	struct diagnostics diagnostics;
	const struct system *system;
	const char *version;

	if (platform == NULL)
		platform = platform_system(arena);
	if (system_find(platform, &system, &version, err) == -1 ||
	    read_options(args, &options, err) == -1)
		return -1;
	config.system = options.system = system->name;
	config.version = options.system_version = version;
	if (config_load(path, &config, arena, &prepared->matrix, &diagnostics,
		err) == -1) {
		prepared->complaints = report_diagnostics(&diagnostics, arena);
		if (diagnostics.count > 0)
			err->text[0] = '\0';
		return -1;
	}
	if (options.seed == 0 && prepared->matrix.seed == 0)
		options.seed = draw_seed();
	for (size_t i = 0; i < prepared->matrix.workload_count; i++)
		resolve_workload(&prepared->matrix.workloads[i]);
	if (plan_make(
		&prepared->matrix, &options, arena, &prepared->plan, err) == -1)
		return -1;
	if (build_commands(prepared, arena, err) == -1)
		return -1;
	/* the tables may have found more cells that cannot be */
	plan_refresh(&prepared->plan, &options, arena);
	return 0;
}

int
prepare_scratch_targets(
    struct prepared *prepared, struct arena *arena, struct error *err)
{
	static const int64_t SCRATCH_BYTES = 512LL * 1024 * 1024;
	struct plan *plan = &prepared->plan;
	bool is_changed = false;

	for (size_t i = 0; i < plan->target_count; i++) {
		struct target *target = &plan->targets[i];

		if (target->kind != TARGET_DEVICE &&
		    target->kind != TARGET_IMAGE)
			continue;
		is_changed = is_changed || target->kind == TARGET_DEVICE;
		target->kind = TARGET_IMAGE;
		target->image_is_auto = true;
	}
	/* the commands of a device neither attach nor detach anything */
	if (is_changed && build_commands(prepared, arena, err) == -1)
		return -1;
	for (size_t i = 0; i < plan->target_count; i++) {
		struct target *target = &plan->targets[i];

		if (target->kind == TARGET_IMAGE &&
		    (target->size_bytes <= 0 ||
			target->size_bytes > SCRATCH_BYTES))
			target->size_bytes = SCRATCH_BYTES;
	}
	return 0;
}

static bool
is_used(const struct plan *plan, const char *tree)
{
	for (size_t i = 0; i < plan->workload_count; i++)
		if (plan->workloads[i].tree != NULL &&
		    strcmp(plan->workloads[i].tree, tree) == 0)
			return true;
	return false;
}

/* No tree is worth reading that holds many times what the largest target has
 * room for; compression and holes may make it some times.  0: not known. */
static int64_t
largest_tree(const struct plan *plan)
{
	const int64_t times = 16;
	int64_t largest = 0;

	for (size_t i = 0; i < plan->target_count; i++) {
		int64_t size = plan->targets[i].size_bytes;

		if (size <= 0 || size > INT64_MAX / times)
			return 0;
		if (size > largest)
			largest = size;
	}
	return largest * times;
}

/* Contents of all trees together that are kept in memory: a quarter of the
 * machine's, since what is measured needs the rest, and 1 GiB at most. */
static int64_t
memory_for_trees(void)
{
	const int64_t most = INT64_C(1) << 30;
	int64_t memory = platform_memory_bytes();

	return memory <= 0 || memory / 4 > most ? most : memory / 4;
}

static int
load_tree(struct plan *plan, size_t index, struct tree_limits *limits,
    struct tree **tree, struct error *err)
{
	const struct tree_spec *spec = &plan->trees[index];
	const struct tree_summary *summary;

	plan->tree_facts[index].title = spec->title;
	if (!is_used(plan, spec->title))
		return 0;
	if (tree_load(spec->archive, limits, tree, err) == -1)
		return error_wrap(err, "tree '%s'", spec->title);
	summary = tree_summary(*tree);
	if (!summary->is_streamed && !summary->is_manifest)
		limits->memory_bytes -= summary->bytes;
	if (limits->memory_bytes < 1)
		limits->memory_bytes = 1;
	plan->tree_facts[index] = (struct tree_facts){
		.title = spec->title,
		.entries = summary->entries,
		.files = summary->files,
		.directories = summary->directories,
		.bytes = summary->bytes,
		.digest = summary->digest,
	};
	return 0;
}

size_t
prepare_each_tree(struct plan *plan, struct tree ***trees, struct error *errors,
    struct arena *arena)
{
	struct tree_limits limits = { .content_bytes = largest_tree(plan),
		.memory_bytes = memory_for_trees() };
	size_t bad = plan->tree_count;

	*trees = arena_array(arena, plan->tree_count + 1, sizeof **trees);
	if (plan->tree_facts == NULL)
		plan->tree_facts = arena_array(
		    arena, plan->tree_count + 1, sizeof *plan->tree_facts);
	for (size_t i = 0; i < plan->tree_count; i++)
		if (load_tree(plan, i, &limits, &(*trees)[i], &errors[i]) ==
			-1 &&
		    bad == plan->tree_count)
			bad = i;
	return bad;
}

int
prepare_trees(struct plan *plan, struct tree ***trees, struct arena *arena,
    struct error *err)
{
	struct error *errors =
	    arena_array(arena, plan->tree_count + 1, sizeof *errors);
	size_t bad = prepare_each_tree(plan, trees, errors, arena);

	if (bad == plan->tree_count)
		return 0;
	prepare_free_trees(plan, *trees);
	*err = errors[bad];
	return -1;
}

void
prepare_free_trees(const struct plan *plan, struct tree **trees)
{
	for (size_t i = 0; trees != NULL && i < plan->tree_count; i++) {
		tree_free(trees[i]);
		trees[i] = NULL;
	}
}

bool
prepare_may_use(const struct target *target, const struct isolation *isolation)
{
	return isolation->is_root || target->kind == TARGET_DIRECTORY ||
	       (target->kind == TARGET_MEMORY && isolation->has_mounts);
}

int
prepare_fail(const struct error *err)
{
	if (err->text[0] == '\0')
		return err->kind == ERROR_USAGE ? EXIT_USAGE : EXIT_HOST;
	return cli_fail(err);
}
