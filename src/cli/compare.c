/* mountmatrix compare: the same cells in two or more results files, or in the
 * labelled sessions of one. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/buffer.h"
#include "base/units.h"
#include "cli/cli.h"
#include "report/report.h"
#include "store/store.h"

static const struct cli_option options[] = {
	{ "format", 'f', "NAME", "text, markdown or json" },
	{ "workload", 'w', "TITLE", "only this workload" },
	{ "fail-if-slower", 0, "PERCENT",
	    "exit 1 when a cell is slower by more, beyond noise" },
	{ NULL, 0, NULL, NULL },
};

/* One results file, read. */
struct side {
	const char *path;
	struct plan *plan;
	struct session *sessions;
	size_t session_count;
	struct results_tables tables;
};

struct warnings {
	const char **items;
	size_t count;
	size_t capacity;
};

static int
read_side(const struct cli_args *args, struct side *side, struct error *err)
{
	struct store_filter filter = { .workload =
					   cli_value(args, "workload") };
	struct store *store;
	int rc = 0;

	if (store_open(&store, side->path, STORE_READ, err) == -1)
		return -1;
	if (store_load_plan(store, args->arena, &side->plan, err) == -1 ||
	    store_sessions(store, args->arena, &side->sessions,
		&side->session_count, err) == -1 ||
	    store_tables(store, &filter, args->arena, &side->tables, err) == -1)
		rc = -1;
	store_close(store);
	return rc;
}

static void
warn(struct warnings *warnings, struct arena *arena, char *text)
{
	if (warnings->count == warnings->capacity)
		warnings->items =
		    arena_grow(arena, warnings->items, warnings->count,
			&warnings->capacity, sizeof *warnings->items);
	warnings->items[warnings->count++] = text;
}

static const char *
host_fact(const struct side *side, const char *name)
{
	const char *value = side->session_count == 0
				? NULL
				: fact_list_get(&side->sessions[0].host, name);

	return value != NULL ? value : "unknown";
}

static void
compare_hosts(const struct side *a, const struct side *b, struct arena *arena,
    struct warnings *warnings)
{
	static const char *const names[] = { "system", "release", "hostname",
		"machine", "cpu", "cpus", "memory", "debugging" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *x = host_fact(a, names[i]);
		const char *y = host_fact(b, names[i]);

		if (strcmp(x, y) != 0)
			warn(warnings, arena,
			    arena_printf(arena,
				"the hosts differ in %s: '%s' in %s, '%s' in "
				"%s",
				names[i], x, a->path, y, b->path));
	}
}

static void
compare_trees(const struct side *a, const struct side *b, struct arena *arena,
    struct warnings *warnings)
{
	for (size_t i = 0; i < a->plan->tree_count; i++)
		for (size_t j = 0; j < b->plan->tree_count; j++) {
			const struct tree_facts *x = &a->plan->tree_facts[i];
			const struct tree_facts *y = &b->plan->tree_facts[j];

			if (x->title == NULL || y->title == NULL ||
			    strcmp(x->title, y->title) != 0 ||
			    x->digest == y->digest)
				continue;
			warn(warnings, arena,
			    arena_printf(arena,
				"the tree '%s' is not the same in %s and %s",
				x->title, a->path, b->path));
		}
}

static void
compare_cells(const struct side *a, const struct side *b, struct arena *arena,
    struct warnings *warnings)
{
	for (size_t i = 0; i < a->plan->cell_count; i++) {
		const struct cell *x = &a->plan->cells[i];
		size_t found = plan_find_cell(b->plan, x->key);
		const char *in_force;

		if (found == NO_CELL || x->in_force == NULL)
			continue;
		in_force = b->plan->cells[found].in_force;
		if (in_force == NULL || strcmp(x->in_force, in_force) == 0)
			continue;
		warn(warnings, arena,
		    arena_printf(arena,
			"cell '%s' had other options in force: '%s' in %s, "
			"'%s' in %s",
			x->key, x->in_force, a->path, in_force, b->path));
	}
}

static bool
same_settings(const struct workload_spec *a, const struct workload_spec *b)
{
	if (strcmp(a->type, b->type) != 0 ||
	    a->setting_count != b->setting_count)
		return false;
	for (size_t i = 0; i < a->setting_count; i++) {
		const struct setting *x = &a->settings[i];
		const struct setting *y = &b->settings[i];

		if (strcmp(x->key, y->key) != 0 ||
		    x->value_count != y->value_count)
			return false;
		for (size_t j = 0; j < x->value_count; j++)
			if (strcmp(x->values[j], y->values[j]) != 0)
				return false;
	}
	return true;
}

static void
compare_workloads(const struct side *a, const struct side *b,
    struct arena *arena, struct warnings *warnings)
{
	for (size_t i = 0; i < a->plan->workload_count; i++)
		for (size_t j = 0; j < b->plan->workload_count; j++) {
			const struct workload_spec *x = &a->plan->workloads[i];
			const struct workload_spec *y = &b->plan->workloads[j];

			if (strcmp(x->title, y->title) == 0 &&
			    !same_settings(x, y))
				warn(warnings, arena,
				    arena_printf(arena,
					"workload '%s' was set otherwise in "
					"%s than in %s",
					x->title, a->path, b->path));
		}
}

/* The table of side "b" that measures the same as "table", or NULL. */
static const struct series_table *
same_table(const struct side *side, const struct series_table *table)
{
	for (size_t i = 0; i < side->tables.count; i++) {
		const struct series_table *other = side->tables.items[i].series;

		if (strcmp(other->workload, table->workload) == 0 &&
		    strcmp(other->metric, table->metric) == 0)
			return other;
	}
	return NULL;
}

/* Comparisons of every metric that all sides have. */
static size_t
compare_all(const struct cli_args *args, const struct side *sides, size_t count,
    double threshold, const struct comparison **comparisons)
{
	const struct series_table **tables =
	    arena_array(args->arena, count, sizeof *tables);
	const char **labels = arena_array(args->arena, count, sizeof *labels);
	size_t made = 0;

	for (size_t i = 0; i < sides[0].tables.count; i++) {
		bool everywhere = true;

		for (size_t j = 0; j < count; j++) {
			tables[j] = same_table(
			    &sides[j], sides[0].tables.items[i].series);
			labels[j] = sides[j].path;
			everywhere = everywhere && tables[j] != NULL;
		}
		if (everywhere)
			comparisons[made++] = analysis_compare(
			    tables, labels, count, threshold, args->arena);
	}
	return made;
}

static int
print(const struct cli_args *args, const struct comparison_input *input)
{
	const char *name = cli_value(args, "format");
	const struct report_format *format =
	    report_find(name != NULL ? name : "text");
	struct error err = { 0 };
	struct buffer text;

	if (format == NULL || format->compare == NULL) {
		(void)error_set_kind(&err, ERROR_USAGE,
		    "comparisons have no format '%s'; they have text, "
		    "markdown and json",
		    name);
		return cli_fail(&err);
	}
	buffer_init(&text);
	format->compare(input, &text);
	(void)fputs(buffer_text(&text), stdout);
	buffer_reset(&text);
	if (input->threshold_pct <= 0)
		return EXIT_ALL_OK;
	for (size_t i = 0; i < input->comparison_count; i++)
		if (input->comparisons[i]->any_beyond_threshold)
			return EXIT_CELLS;
	return EXIT_ALL_OK;
}

static int
exec(const struct cli_args *args)
{
	size_t count = args->word_count;
	struct side *sides = arena_array(args->arena, count, sizeof *sides);
	const struct comparison **comparisons;
	struct comparison_input input = { .program =
					      "mountmatrix " MM_VERSION };
	struct warnings warnings = { 0 };
	struct error err = { 0 };
	const char *threshold = cli_value(args, "fail-if-slower");

	if (threshold != NULL &&
	    units_parse_percent(threshold, &input.threshold_pct, &err) == -1)
		return cli_fail(&err);
	for (size_t i = 0; i < count; i++) {
		sides[i].path = args->words[i];
		if (read_side(args, &sides[i], &err) == -1)
			return cli_fail(&err);
		if (i == 0)
			continue;
		compare_hosts(&sides[0], &sides[i], args->arena, &warnings);
		compare_trees(&sides[0], &sides[i], args->arena, &warnings);
		compare_workloads(&sides[0], &sides[i], args->arena, &warnings);
		compare_cells(&sides[0], &sides[i], args->arena, &warnings);
	}
	comparisons = arena_array(
	    args->arena, sides[0].tables.count + 1, sizeof *comparisons);
	input.comparison_count =
	    compare_all(args, sides, count, input.threshold_pct, comparisons);
	input.comparisons = comparisons;
	input.warnings = warnings.items;
	input.warning_count = warnings.count;
	if (input.comparison_count == 0) {
		(void)error_set_kind(&err, ERROR_USAGE,
		    "the results have no workload and metric in common");
		return cli_fail(&err);
	}
	return print(args, &input);
}

const struct cli_command command_compare = {
	.name = "compare",
	.arguments = "RESULTS...",
	.summary = "Compares the same cells in two or more results files.",
	.help = "One file is compared by its labelled sessions (run --label).",
	.options = options,
	.words_least = 1,
	.words_most = SIZE_MAX,
	.exec = exec,
};
