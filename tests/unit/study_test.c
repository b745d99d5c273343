/*
 * The published studies, from their logs to the text that would be mailed:
 * import, store, analysis and report together.
 *
 * The wanted texts are in tests/golden; UPDATE_GOLDENS=1 writes them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "import/import.h"
#include "report/report.h"
#include "store/store.h"

static char folder[64];
static struct arena *arena;
static struct error err;

static void
ok(int rc)
{
	if (rc == -1)
		fail_msg("%s", err.text);
}

static void
compare_golden(const char *name, const struct buffer *got)
{
	const char *path = arena_printf(arena, "tests/golden/%s", name);
	struct buffer wanted;

	if (getenv("UPDATE_GOLDENS") != NULL) {
		FILE *out = fopen(path, "w");

		assert_non_null(out);
		fwrite(got->data, 1, got->length, out);
		fclose(out);
	}
	buffer_init(&wanted);
	ok(buffer_read_file(&wanted, path, 1 << 22, &err));
	assert_string_equal(buffer_text(&wanted), buffer_text(got));
	buffer_reset(&wanted);
}

/* Fit for mail: narrow, and nothing but printable ASCII. */
static void
check_mailable(const struct buffer *text)
{
	size_t width = 0;

	for (size_t i = 0; i < text->length; i++) {
		unsigned char c = (unsigned char)text->data[i];

		width = c == '\n' ? 0 : width + 1;
		if (width > 72)
			fail_msg("a line is wider than 72 columns: %.72s",
			    text->data + i - 72);
		assert_true(c == '\n' || (c >= ' ' && c < 0x7f));
	}
}

/* A results file with all its rankings. */
struct study {
	struct store *store;
	struct plan *plan;
	struct results_tables tables;
	struct report_workload *workloads;
	struct report_input input;
};

static void
load_study(struct study *study, const char *path, const char *again)
{
	struct session *sessions;
	struct failure *failures;
	struct store_summary summary;

	*study = (struct study){ 0 };
	ok(store_open(&study->store, path, STORE_READ, &err));
	ok(store_check_integrity(study->store, &err));
	ok(store_load_plan(study->store, arena, &study->plan, &err));
	ok(store_summarise(study->store, arena, &summary, &err));
	ok(store_tables(study->store, NULL, arena, &study->tables, &err));
	study->workloads =
	    arena_array(arena, study->tables.count, sizeof *study->workloads);
	for (size_t i = 0; i < study->tables.count; i++) {
		const struct series_table *series =
		    study->tables.items[i].series;

		study->workloads[i] = (struct report_workload){
			.table = &study->tables.items[i],
			.ranking = analysis_rank(series, NULL, arena),
			.sessions =
			    series->session_count < 2
				? NULL
				: analysis_compare(&series, NULL, 1, 0, arena),
		};
	}
	study->input = (struct report_input){
		.program = "mountmatrix",
		.path = path,
		.again = again,
		.plan = study->plan,
		.is_imported = summary.is_imported,
		.workloads = study->workloads,
		.workload_count = study->tables.count,
	};
	ok(store_sessions(
	    study->store, arena, &sessions, &study->input.session_count, &err));
	ok(store_failures(
	    study->store, arena, &failures, &study->input.failure_count, &err));
	study->input.sessions = sessions;
	study->input.failures = failures;
	store_close(study->store);
}

static void
import_study(struct study *study, const char *name, const char *format,
    const struct import_options *options)
{
	const char *path = arena_printf(arena, "%s/%s.db", folder, name);
	struct imported imported;

	ok(import_run(import_find(format), options, arena, &imported, &err));
	ok(store_create_imported(path, &imported, &err));
	load_study(study, path,
	    arena_printf(arena, "mountmatrix import %s %s", format,
		options->logs[0].path));
	study->input.warnings = imported.warnings;
	study->input.warning_count = imported.warning_count;
}

static void
check_report(struct study *study, const char *name)
{
	static const struct {
		const char *format, *extension;
	} formats[] = { { "text", "txt" }, { "markdown", "md" },
		{ "json", "json" }, { "csv", "csv" }, { "html", "html" } };

	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		struct buffer out;

		/* one study in all formats is enough */
		if (i > 0 && strcmp(name, "freebsd-create") != 0)
			break;
		buffer_init(&out);
		report_find(formats[i].format)->render(&study->input, &out);
		if (i == 0)
			check_mailable(&out);
		compare_golden(arena_printf(arena, "study-%s.%s", name,
				   formats[i].extension),
		    &out);
		buffer_reset(&out);
	}
}

static const char *const three_options[] = { "noatime", "softupdates",
	"async" };

static void
the_2001_study_gives_effects_and_no_places(void **state)
{
	const struct import_log log = { "fixtures/studies/find-usr-2001.csv",
		NULL };
	const struct import_value value = { NULL, "seconds" };
	const struct import_options options = {
		.logs = &log,
		.log_count = 1,
		.factors = three_options,
		.factor_count = 3,
		.values = &value,
		.value_count = 1,
		.metric = "elapsed",
		.unit = "s",
		.workload = "find",
		.driver = "ufs",
		.platform = "freebsd",
		.label = "January 2001",
	};
	struct study study;

	(void)state;
	import_study(&study, "find-2001", "csv", &options);
	assert_int_equal(study.input.workload_count, 1);
	for (size_t i = 0; i < study.workloads[0].ranking->row_count; i++)
		assert_int_equal(study.workloads[0].ranking->rows[i].place, 0);
	check_report(&study, "find-2001");
}

static void
the_2004_study_tells_one_pair_apart(void **state)
{
	static const char *const factors[] = { "system" };
	const struct import_log log = { "fixtures/studies/postmark-2004.csv",
		NULL };
	const struct import_value value = { "elapsed", "seconds" };
	const struct import_options options = {
		.logs = &log,
		.log_count = 1,
		.factors = factors,
		.factor_count = 1,
		.session = "kernel",
		.values = &value,
		.value_count = 1,
		.step = "1",
		.workload = "postmark",
	};
	const struct ranking *ranking;
	struct study study;
	size_t pairs = 0;

	(void)state;
	import_study(&study, "postmark-2004", "csv", &options);
	ranking = study.workloads[0].ranking;
	for (size_t i = 0; i < ranking->row_count; i++)
		for (size_t j = 0; j < i; j++)
			pairs += ranking_differs(
				     &ranking->rows[i], &ranking->rows[j])
				     ? 1
				     : 0;
	assert_int_equal(pairs, 1);
	check_report(&study, "postmark-2004");
}

static void
the_2008_logs_show_the_collapse(void **state)
{
	const struct import_log logs[] = {
		{ "fixtures/studies/blogbench-hammer-2008.log", "hammer" },
		{ "fixtures/studies/blogbench-ufs-2008.log", "ufs" },
	};
	const struct import_options options = { .logs = logs, .log_count = 2 };
	struct study study;

	(void)state;
	import_study(&study, "blogbench-2008", "blogbench", &options);
	assert_int_equal(study.input.workload_count, 2);
	check_report(&study, "blogbench-2008");
}

static void
the_2009_table_compares_over_sizes(void **state)
{
	static const char *const factors[] = { "system" };
	const struct import_log log = {
		"fixtures/studies/sysbench-rndrd-2009.csv", NULL
	};
	const struct import_value value = { "request_rate", "iops" };
	const struct import_options options = {
		.logs = &log,
		.log_count = 1,
		.factors = factors,
		.factor_count = 1,
		.block = "block_kib",
		.values = &value,
		.value_count = 1,
		.unit = "1/s",
		.better = "higher",
		.workload = "random read",
	};
	struct study study;

	(void)state;
	import_study(&study, "sysbench-2009", "csv", &options);
	check_report(&study, "sysbench-2009");
}

static void
the_freebsd_night_has_three_groups(void **state)
{
	const struct import_log log = {
		"fixtures/studies/freebsd-12.1-study.csv", NULL
	};
	const struct import_value values[] = {
		{ "create", "create_s+create_sync_s+umount1_s" },
		{ "find", "find_cold_s" },
	};
	const struct import_options options = {
		.logs = &log,
		.log_count = 1,
		.factors = three_options,
		.factor_count = 3,
		.block = "block",
		.in_force = "effective",
		.values = values,
		.value_count = 2,
		.workload = "small files",
		.driver = "ufs",
		.platform = "freebsd",
	};
	struct study study;
	const struct ranking *create, *find;

	(void)state;
	import_study(&study, "freebsd-create", "csv", &options);
	assert_int_equal(study.input.workload_count, 2);
	create = study.workloads[0].ranking;
	find = study.workloads[1].ranking;
	assert_int_equal(create->rows[0].rank_hi, 2);
	assert_int_equal(create->rows[7].rank_lo, 7);
	assert_int_equal(create->control_count, 2);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(find->rows[i].rank_lo, 1);
		assert_int_equal(find->rows[i].rank_hi, 8);
	}
	check_report(&study, "freebsd-create");
}

static void
the_dragonfly_night_ranks_formats(void **state)
{
	static const char *const factors[] = { "cell" };
	const struct import_log log = {
		"fixtures/studies/dragonfly-5.9-study.csv", NULL
	};
	const struct import_value value = { "create",
		"create_s+create_sync_s+umount1_s" };
	const struct import_value besides[] = {
		{ "device_writes", "writes_create+writes_sync+writes_umount1" },
		{ "device_flushes", "nodata_create" },
	};
	const struct import_options options = {
		.logs = &log,
		.log_count = 1,
		.factors = factors,
		.factor_count = 1,
		.block = "block",
		.in_force = "effective",
		.values = &value,
		.value_count = 1,
		.besides = besides,
		.beside_count = 2,
		.workload = "small files",
		.platform = "dragonfly",
	};
	struct study study;

	(void)state;
	import_study(&study, "dragonfly-create", "csv", &options);
	assert_int_equal(study.workloads[0].ranking->rows[0].rank_hi, 1);
	check_report(&study, "dragonfly-create");
}

/* What "report -f csv" writes, "import csv" reads to the same ranking. */
static void
csv_goes_out_and_comes_back(void **state)
{
	const struct import_log log = { "tests/golden/study-freebsd-create.csv",
		NULL };
	const struct import_options options = {
		.logs = &log,
		.log_count = 1,
		.factors = three_options,
		.factor_count = 3,
	};
	struct study study;
	const struct ranking *create;

	(void)state;
	import_study(&study, "again", "csv", &options);
	assert_int_equal(study.input.workload_count, 2);
	create = study.workloads[0].ranking;
	assert_int_equal(create->row_count, 8);
	assert_int_equal(create->rows[0].runs, 6);
	assert_int_equal(create->rows[0].rank_hi, 2);
	assert_int_equal(create->rows[7].rank_lo, 7);
	assert_true(create->noise.df == 35);
	assert_string_equal(
	    study.tables.items[0].series->cells[0].key, "ufs:default");
	assert_int_equal(study.plan->trial_count, 48);
}

/* Two kernels, not interleaved: config means on each side. */
static void
sessions_are_compared_and_called_confounded(void **state)
{
	const struct results_table *table;
	const struct comparison *comparison;
	const struct comparison *list[1];
	struct comparison_input input = { .program = "mountmatrix",
		.comparisons = list,
		.comparison_count = 1,
		.has_threshold = true,
		.threshold_pct = 5 };
	const struct series_table *tables[1];
	struct store *store;
	struct results_tables loaded;
	static const char *const formats[][2] = { { "text", "txt" },
		{ "json", "json" }, { "markdown", "md" } };

	(void)state;
	ok(store_open(&store,
	    arena_printf(arena, "%s/postmark-2004.db", folder), STORE_READ,
	    &err));
	ok(store_tables(store, NULL, arena, &loaded, &err));
	store_close(store);
	table = &loaded.items[0];
	assert_int_equal(table->series->session_count, 2);
	tables[0] = table->series;
	comparison = analysis_compare(tables, NULL, 1, 5, arena);
	list[0] = comparison;
	assert_true(comparison->confounded);
	for (size_t i = 0; i < 3; i++) {
		struct buffer out;

		buffer_init(&out);
		report_find(formats[i][0])->compare(&input, &out);
		if (i == 0)
			check_mailable(&out);
		compare_golden(
		    arena_printf(arena, "compare-2004.%s", formats[i][1]),
		    &out);
		buffer_reset(&out);
	}
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/study_test.XXXXXX");
	arena = arena_new();
	return mkdtemp(folder) == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	int rc = system(arena_printf(arena, "rm -rf '%s'", folder));

	(void)state;
	arena_free(arena);
	return rc;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_2001_study_gives_effects_and_no_places),
		cmocka_unit_test(the_2004_study_tells_one_pair_apart),
		cmocka_unit_test(sessions_are_compared_and_called_confounded),
		cmocka_unit_test(the_2008_logs_show_the_collapse),
		cmocka_unit_test(the_2009_table_compares_over_sizes),
		cmocka_unit_test(the_freebsd_night_has_three_groups),
		cmocka_unit_test(the_dragonfly_night_ranks_formats),
		cmocka_unit_test(csv_goes_out_and_comes_back),
	};

	return cmocka_run_group_tests_name("study", tests, set_up, tear_down);
}
