/* mountmatrix compare: the same cells in two or more results files, or in the
 * labelled sessions of one. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/analysis.h"
#include "base/buffer.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/differences.h"
#include "cli/reporting.h"
#include "report/report.h"
#include "store/store.h"

static const struct cli_option options[] = {
	{ "format", 'f', "NAME", "text, markdown, html or json" },
	{ "json", 0, NULL, "the same as -f json" },
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
	struct store_summary summary;
	struct results_tables tables;
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
	    store_summarise(store, args->arena, &side->summary, err) == -1 ||
	    store_tables(store, &filter, args->arena, &side->tables, err) == -1)
		rc = -1;
	if (rc == 0)
		reporting_name_unmeasured(side->plan, &side->tables);
	store_close(store);
	return rc;
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

/* A check that could compare nothing has not been passed. */
static int
judge(const struct comparison_input *input)
{
	bool any_compared = false;

	for (size_t i = 0; i < input->comparison_count; i++) {
		const struct comparison *comparison = input->comparisons[i];

		if (comparison->any_beyond_threshold || comparison->any_lost)
			return EXIT_CELLS;
		any_compared = any_compared || comparison->any_compared;
	}
	return any_compared ? EXIT_ALL_OK : EXIT_CELLS;
}

static int
print(const struct cli_args *args, const struct comparison_input *input)
{
	const char *name =
	    cli_has(args, "json") ? "json" : cli_value(args, "format");
	const struct report_format *format =
	    report_find(name != NULL ? name : "text");
	struct error err = { 0 };
	struct buffer text;

	if (format == NULL || format->compare == NULL) {
		(void)error_set_kind(&err, ERROR_USAGE,
		    "comparisons have no format '%s'; they have text, "
		    "markdown, html and json",
		    name);
		return cli_fail(&err);
	}
	buffer_init(&text);
	format->compare(input, &text);
	(void)fputs(buffer_text(&text), stdout);
	buffer_reset(&text);
	return input->has_threshold ? judge(input) : EXIT_ALL_OK;
}

static int
read_threshold(const struct cli_args *args, struct comparison_input *input,
    struct error *err)
{
	const char *text = cli_value(args, "fail-if-slower");

	if (text == NULL)
		return 0;
	input->has_threshold = true;
	if (units_parse_percent(text, &input->threshold_pct, err) == -1)
		return error_wrap(err, "--fail-if-slower");
	if (input->threshold_pct >= 0)
		return 0;
	return error_set_kind(
	    err, ERROR_USAGE, "--fail-if-slower: '%s' is below zero", text);
}

/* Of figures that were measured by others no host is known. */
static struct difference_side
side_of(const struct side *side, size_t session, const char *label)
{
	return (struct difference_side){
		.label = label,
		.plan = side->plan,
		.session =
		    side->summary.is_imported || session >= side->session_count
			? NULL
			: &side->sessions[session],
	};
}

static void
name_file_differences(
    const struct side *one, const struct side *two, struct sentences *warnings)
{
	struct difference_side a = side_of(one, 0, one->path);
	struct difference_side b = side_of(two, 0, two->path);

	differences_of_sessions(warnings, &a, &b);
	differences_of_plans(warnings, &a, &b);
}

/* A pattern of the shell's that takes in too much. */
static void
name_same_file(
    const struct side *one, const struct side *two, struct sentences *warnings)
{
	struct stat a, b;

	if (stat(one->path, &a) == -1 || stat(two->path, &b) == -1 ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return;
	sentences_add(warnings, arena_printf(warnings->arena,
				    "'%s' and '%s' are one and the same file",
				    one->path, two->path));
}

/* Sessions of one label are one side. */
static void
name_session_differences(const struct side *side, struct sentences *warnings)
{
	for (size_t i = 1; i < side->session_count; i++) {
		struct difference_side a =
		    side_of(side, 0, side->sessions[0].label);
		struct difference_side b =
		    side_of(side, i, side->sessions[i].label);

		if (strcmp(a.label, b.label) != 0)
			differences_of_sessions(warnings, &a, &b);
	}
}

/* Is there anything to lay side by side? */
static int
check_sides(const struct comparison_input *input, const struct side *sides,
    size_t count, struct error *err)
{
	if (input->comparison_count == 0)
		return error_set_kind(err, ERROR_USAGE,
		    "the results have no workload and metric in common");
	if (count == 1 && input->comparisons[0]->side_count < 2)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' has one session only, so there is nothing to compare "
		    "it with: name another file, or give sessions a --label",
		    sides[0].path);
	return 0;
}

static int
exec(const struct cli_args *args)
{
	size_t count = args->word_count;
	struct side *sides = arena_array(args->arena, count, sizeof *sides);
	const struct comparison **comparisons;
	struct comparison_input input = { .program =
					      "mountmatrix " MM_VERSION };
	struct sentences warnings = { .arena = args->arena };
	struct error err = { 0 };

	if (read_threshold(args, &input, &err) == -1)
		return cli_fail(&err);
	for (size_t i = 0; i < count; i++) {
		sides[i].path = args->words[i];
		if (read_side(args, &sides[i], &err) == -1)
			return cli_fail(&err);
	}
	if (count == 1)
		name_session_differences(&sides[0], &warnings);
	for (size_t i = 1; i < count; i++) {
		name_file_differences(&sides[0], &sides[i], &warnings);
		name_same_file(&sides[0], &sides[i], &warnings);
	}
	comparisons = arena_array(
	    args->arena, sides[0].tables.count + 1, sizeof *comparisons);
	input.comparison_count = compare_all(args, sides, count,
	    input.has_threshold ? input.threshold_pct : INFINITY, comparisons);
	input.comparisons = comparisons;
	input.warnings = warnings.items;
	input.warning_count = warnings.count;
	if (check_sides(&input, sides, count, &err) == -1)
		return cli_fail(&err);
	return print(args, &input);
}

const struct cli_command command_compare = {
	.name = "compare",
	.arguments = "RESULTS...",
	.summary = "Compares the same cells in two or more results files.",
	.help = "One file is compared by its labelled sessions (run --label).  "
		"With\n--fail-if-slower the exit status is 1 also when a cell "
		"that had values\nfailed, or when no cell could be compared.",
	.options = options,
	.words_least = 1,
	.words_most = SIZE_MAX,
	.exec = exec,
};
