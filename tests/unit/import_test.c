/* Foreign logs: what is read out of them, and what is refused with the line
 * where it goes wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "import/import.h"
#include "import/json_read.h"
#include "model/plan.h"

static char folder[64];
static struct arena *arena;
static struct error err;

/* The text as a file; its name is the cell where no --cell is given. */
static const char *
file(const char *name, const char *text)
{
	const char *path = arena_printf(arena, "%s/%s", folder, name);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
	fclose(out);
	return path;
}

static int
import_text(const char *format, const char *text, struct imported *imported)
{
	const struct import_log log = { file("cell.log", text), NULL };
	const struct import_options options = { .logs = &log, .log_count = 1 };

	return import_run(import_find(format), &options, arena, imported, &err);
}

static double
sample_of(const struct imported *imported, size_t run, const char *metric)
{
	const struct outcome *outcome = &imported->outcomes[run];

	for (size_t i = 0; i < outcome->sample_count; i++)
		if (strcmp(outcome->samples[i].metric, metric) == 0)
			return outcome->samples[i].value;
	fail_msg("run %zu has no %s", run, metric);
	return NAN;
}

static const char *
unit_of(const struct imported *imported, size_t run, const char *metric)
{
	const struct outcome *outcome = &imported->outcomes[run];

	for (size_t i = 0; i < outcome->sample_count; i++)
		if (strcmp(outcome->samples[i].metric, metric) == 0)
			return outcome->samples[i].unit;
	return "";
}

/* The message must name the file, the line and the reason. */
static void
refused(const char *format, const char *text, int line, const char *reason)
{
	const char *place = arena_printf(arena, "cell.log:%d: ", line);
	struct imported imported;

	if (import_text(format, text, &imported) != -1)
		fail_msg("%s read: %s", format, text);
	if (strstr(err.text, place) == NULL || strstr(err.text, reason) == NULL)
		fail_msg("'%s' is not '%s...%s'", err.text, place, reason);
	assert_int_equal(err.kind, ERROR_USAGE);
}

/* Equal but for rounding. */
static void
near(double a, double b)
{
	if (!(fabs(a - b) < 1e-9 * (1 + fabs(b))))
		fail_msg("%.12g is not %.12g", a, b);
}

static void
time_of_every_shell_is_read(void **state)
{
	static const struct {
		const char *text;
		double real, user, system;
	} logs[] = {
		{ "real 1.23\nuser 0.10\nsys 0.05\n", 1.23, 0.10, 0.05 },
		{ "\nreal\t1m2.500s\nuser\t0m0.100s\nsys\t0m0.050s\n", 62.5,
		    0.1, 0.05 },
		{ "       61.23 real         0.10 user         0.05 sys\n",
		    61.23, 0.10, 0.05 },
		{ "0.10user 0.05system 1:01.23elapsed 12%CPU (0avgtext+0avgdata"
		  " 1084maxresident)k\n16inputs+0outputs (1major+71minor)"
		  "pagefaults 0swaps\n",
		    61.23, 0.10, 0.05 },
		{ "\tUser time (seconds): 0.10\n\tSystem time (seconds): 0.05\n"
		  "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03\n",
		    3723, 0.10, 0.05 },
		{ "0.1u 0.05s 0:01.23 12.3% 0+0k 0+0io 0pf+0w\n", 1.23, 0.1,
		    0.05 },
		{ "find /usr  0.10s user 0.05s system 9% cpu 1:01.230 total\n",
		    61.23, 0.10, 0.05 },
		/* ksh */
		{ "real    0m1.23s\nuser    0m0.10s\nsys     0m0.05s\n", 1.23,
		    0.10, 0.05 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
		struct imported imported;

		if (import_text("time", logs[i].text, &imported) == -1)
			fail_msg("%s: %s", logs[i].text, err.text);
		assert_int_equal(imported.outcome_count, 1);
		near(sample_of(&imported, 0, "elapsed"), logs[i].real);
		near(sample_of(&imported, 0, "user"), logs[i].user);
		near(sample_of(&imported, 0, "system"), logs[i].system);
		assert_string_equal(imported.plan->cells[0].key, "cell");
	}
}

static void
time_that_is_cut_is_refused(void **state)
{
	static const char whole[] = "real 1.23\nuser 0.10\nsys 0.05\n";
	static const char *const damaged[] = { "real\t0m1.2x4s",
		"real\t1m-1.234s", "real 1.2.3", "real\t0m1.", "real -1",
		"real\t", "   61.23 real    0.1x user    0.05 sys",
		"   61.23 real    0.10 user", "   61.23 real",
		"0.10user 0.0:system 1:01.23elapsed 12%CPU",
		"0.10user 0.05system", "0.10user",
		"0.10user 0.05system 1:0a.23elapsed 12%CPU",
		"find 0.10s user 0.05s system 9% cpu 1:0a.23 total",
		"0.1u 0.05s 0:0a.23 12.3%",
		"find /usr  0.10s user 0.05s system 9% cpu 1:xx total",
		"find /usr  0.10s user 0.05s", "\tUser time (seconds): O.10",
		"\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:" };
	struct imported imported;

	(void)state;
	refused("time", "real 1.23\nuser 0.10\n", 2, "the log is cut");
	refused("time", "real 1.23\nuser 0.10\nreal 2\n", 3,
	    "before the system time");
	assert_int_equal(import_text("time", "hello\n", &imported), -1);
	assert_non_null(strstr(err.text, "nothing to import"));
	/* a figure that was edited, a line that was cut: the second run of
	 * each is not passed over in silence */
	for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++)
		refused("time",
		    arena_printf(arena, "%s%s\n", whole, damaged[i]), 4,
		    "no time that can be read");
	/* several runs, with other output between them */
	assert_int_equal(
	    import_text("time",
		"/usr\nreal 1\nuser 0\nsys 0\nnoise real\nreal 2\nuser 0\n"
		"sys 0\n",
		&imported),
	    0);
	assert_int_equal(imported.outcome_count, 2);
}

static const char postmark_report[] =
    "Time:\n\t76 seconds total\n"
    "\t74 seconds of transactions (135 per second)\n\nFiles:\n"
    "\t5535 created (72 per second)\n"
    "\t\tCreation alone: 500 files (250 per second)\n"
    "\t\tMixed with transactions: 5035 files (68 per second)\n"
    "\t4955 read (66 per second)\n"
    "\t5040 appended (68 per second)\n"
    "\t5535 deleted (72 per second)\n"
    "\t\tDeletion alone: 570 files (570 per second)\n"
    "\t\tMixed with transactions: 4965 files (67 per second)\n\n"
    "Data:\n\t312.38 megabytes read (4.11 megabytes per second)\n"
    "\t346.74 megabytes written (4.56 megabytes per second)\n";

static void
postmark_reports_are_read(void **state)
{
	struct imported imported;
	const char *two = arena_printf(
	    arena, "PostMark v1.51\n%spm>%s", postmark_report, "\n");

	(void)state;
	assert_int_equal(import_text("postmark", two, &imported), 0);
	assert_int_equal(imported.outcome_count, 1);
	near(sample_of(&imported, 0, "elapsed"), 76);
	near(sample_of(&imported, 0, "transactions_elapsed"), 74);
	near(sample_of(&imported, 0, "read_rate"), 66);
	near(sample_of(&imported, 0, "read_bandwidth"), 4.11);
	assert_string_equal(
	    imported.plan->workloads[0].settings[0].key, "clock_step");
	assert_int_equal(
	    import_text("postmark",
		"1 1 200.00 149.00 50.00 99.00 106.00 94.00 149.00 48.00"
		" 101.00 1048576.00 2097152.00\n",
		&imported),
	    0);
	near(sample_of(&imported, 0, "elapsed"), 1);
	near(sample_of(&imported, 0, "write_bandwidth"), 2);
}

/* A copy of the report with the first "from" made "to". */
static const char *
edited(const char *from, const char *to)
{
	const char *at = strstr(postmark_report, from);

	assert_non_null(at);
	return arena_printf(arena, "%.*s%s%s", (int)(at - postmark_report),
	    postmark_report, to, at + strlen(from));
}

static void
an_edited_postmark_report_is_found_out(void **state)
{
	(void)state;
	refused("postmark", edited("76 seconds total", "66 seconds total"), 6,
	    "edited");
	refused(
	    "postmark", edited("5535 created", "5536 created"), 6, "edited");
	refused("postmark", edited("(66 per second)", "(76 per second)"), 9,
	    "edited");
	refused("postmark", edited("\t5040 appended (68 per second)\n", ""), 10,
	    "'appended' should be here");
	refused("postmark", arena_strndup(arena, postmark_report, 200), 8,
	    "should be here");
	refused("postmark",
	    arena_strndup(arena, postmark_report,
		(size_t)(strstr(postmark_report, "\t4955") - postmark_report)),
	    8, "the log is cut");
}

static const char blogbench_head[] =
    "Frequency = 10 secs\nBenchmarking for 2 iterations.\n\n"
    "  Nb blogs   R articles    W articles    R pictures    W pictures"
    "    R comments    W comments\n";

static void
blogbench_logs_become_curves(void **state)
{
	const char *text = arena_printf(arena, "%s%s%s", blogbench_head,
	    " 17 90598 894 64890 945 44719 2268\n"
	    " 22 82772 362 63112 348 52860 1002\n",
	    "\nFinal score for writes:            22\n"
	    "Final score for reads :         40279\n");
	const struct trial_curve *curve;
	struct imported imported;

	(void)state;
	assert_int_equal(import_text("blogbench", text, &imported), 0);
	near(sample_of(&imported, 0, "reads"), 40279);
	near(sample_of(&imported, 0, "writes"), 22);
	curve = &imported.outcomes[0].curves[0];
	assert_int_equal(curve->row_count, 2);
	near(curve->interval_s, 10);
	assert_string_equal(curve->columns[1], "read");
	near(curve->values[1], 90598 + 64890 + 44719);
	near(curve->values[9 + 2], 362 + 348 + 1002);
}

static void
a_cut_blogbench_log_is_refused(void **state)
{
	(void)state;
	refused("blogbench",
	    arena_printf(arena, "%s 17 1 2 3 4 5 6\n", blogbench_head), 5,
	    "the final score for writes is missing");
	refused("blogbench",
	    arena_printf(arena, "%s 17 1 2 3 4\n", blogbench_head), 5,
	    "seven whole numbers");
	refused("blogbench",
	    arena_printf(
		arena, "%s 17 1 2 3 4 5 6\n 16 1 2 3 4 5 6\n", blogbench_head),
	    6, "falls from 17 to 16");
	refused("blogbench",
	    arena_printf(arena,
		"%s 17 1 2 3 4 5 6\nFinal score for writes: 17\n"
		"Final score for reads : 9\n",
		blogbench_head),
	    7, "1 intervals are there of 2");
	refused("blogbench",
	    arena_printf(arena,
		"%s 17 1 2 3 4 5 6\n 18 1 2 3 4 5 6\n"
		"Final score for writes: 20\nFinal score for reads : 9\n",
		blogbench_head),
	    8, "was edited");
}

static const char sysbench_1_0[] =
    "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\n"
    "Running the test with following options:\nNumber of threads: 1\n"
    "4 files, 4MiB each\nBlock size 16KiB\nNumber of IO requests: 0\n"
    "Doing random read test\n\nThreads started!\n\n\n"
    "File operations:\n    reads/s:                      300.50\n"
    "    writes/s:                     200.00\n"
    "    fsyncs/s:                     0.00\n\n"
    "Throughput:\n    read, MiB/s:                  4.70\n"
    "    written, MiB/s:               3.12\n\n"
    "General statistics:\n    total time:                    1.0001s\n"
    "    total number of events:        500\n\n"
    "Latency (ms):\n         min:                   0.10\n"
    "         avg:                  2.00\n"
    "         max:                102.06\n"
    "         95th percentile:        4.00\n"
    "         sum:                   924.25\n\n"
    "Threads fairness:\n    events (avg/stddev):   388968.0000/0.00\n";

static const char sysbench_0_4[] =
    "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\n"
    "Running the test with following options:\nNumber of threads: 1\n\n"
    "Block size 16Kb\nDoing random read test\nThreads started!\nDone.\n\n"
    "Operations performed:  10000 Read, 0 Write, 0 Other = 10000 Total\n"
    "Read 156.25Mb  Written 0b  Total transferred 156.25Mb"
    "  (2.5943Mb/sec)\n  166.04 Requests/sec executed\n\n"
    "Test execution summary:\n    total time:        60.2273s\n"
    "    per-request statistics:\n         min:          0.0001s\n"
    "         avg:          0.0060s\n         max:          4.1047s\n"
    "         approx.  95 percentile:      0.0086s\n\nThreads fairness:\n";

static void
sysbench_reports_are_read_in_their_units(void **state)
{
	struct imported imported;

	(void)state;
	assert_int_equal(import_text("sysbench", sysbench_1_0, &imported), 0);
	assert_int_equal(imported.outcome_count, 1);
	near(sample_of(&imported, 0, "request_rate"), 500.5);
	near(sample_of(&imported, 0, "bandwidth"), 7.82);
	near(sample_of(&imported, 0, "latency_p95"), 0.004);
	assert_int_equal(import_text("sysbench", sysbench_0_4, &imported), 0);
	near(sample_of(&imported, 0, "request_rate"), 166.04);
	near(sample_of(&imported, 0, "bandwidth"), 2.5943);
	near(sample_of(&imported, 0, "latency_avg"), 0.006);
	near(sample_of(&imported, 0, "latency_p95"), 0.0086);
	/* rows of a table: seconds and milliseconds are told apart */
	assert_int_equal(import_text("sysbench",
			     "size MB/s IOPS min avg max 95%\n"
			     "16K 2.59 166.17 0.0000 0.0060 4.1047 0.0086\n"
			     "32K 6.34 203.13 0.01 4.92 570.37 7.88\n",
			     &imported),
	    0);
	assert_int_equal(imported.outcome_count, 2);
	near(sample_of(&imported, 0, "latency_avg"), 0.006);
	near(sample_of(&imported, 1, "latency_avg"), 0.00492);
	assert_int_equal(imported.plan->trials[1].block, 2);
	assert_int_equal(imported.warning_count, 1);
}

/* The first digit of the words, or behind them, is a letter O. */
static const char *
misread(const char *report, const char *words, bool behind)
{
	char *copy = arena_strdup(arena, report);
	char *at = strstr(copy, words) + (behind ? strlen(words) : 0);

	at += strcspn(at, "0123456789");
	*at = 'O';
	return copy;
}

static void
a_cut_sysbench_report_is_refused(void **state)
{
	(void)state;
	refused("sysbench", arena_strndup(arena, sysbench_1_0, 300), 15,
	    "is the line cut");
	refused("sysbench", "16K 2.59 166.17 0.0 0.0060\n", 1, "is it cut?");
	refused("sysbench", misread(sysbench_1_0, "reads/s:", true), 14,
	    "no number that can be read");
	refused("sysbench", misread(sysbench_1_0, "95th percentile:", true), 30,
	    "no number that can be read");
	refused("sysbench", misread(sysbench_1_0, "written, MiB/s:", true), 20,
	    "no number that can be read");
	refused("sysbench", misread(sysbench_0_4, "max:", true), 20,
	    "no number that can be read");
	refused("sysbench", misread(sysbench_0_4, "(2.5", false), 12,
	    "no number that can be read");
	refused("sysbench", misread(sysbench_0_4, " 166.04", false), 13,
	    "no number that can be read");
	refused("sysbench",
	    arena_printf(arena, "%.200s\n%s", sysbench_1_0, sysbench_1_0), 11,
	    "a new report begins");
}

static void
hyperfine_gives_every_time(void **state)
{
	struct imported imported;

	(void)state;
	assert_int_equal(import_text("hyperfine",
			     "{ \"results\": [ { \"command\": \"find /usr\","
			     " \"mean\": 2, \"times\": [1.5, 2.5],"
			     " \"exit_codes\": [0, 1] } ] }\n",
			     &imported),
	    0);
	assert_int_equal(imported.outcome_count, 2);
	assert_string_equal(imported.plan->cells[0].key, "cell");
	near(sample_of(&imported, 0, "elapsed"), 1.5);
	assert_int_equal(imported.outcomes[1].verdict, VERDICT_FAILED);
	assert_int_equal(import_text("hyperfine",
			     "{\"results\":[{\"command\":\"a\",\"times\":[1]},"
			     "{\"command\":\"b\",\"times\":[2]}]}",
			     &imported),
	    0);
	assert_string_equal(imported.plan->cells[1].key, "b");
	refused("hyperfine", "{\n\"results\": [\n{\"command\":\"a\"}]}", 3,
	    "without times");
	refused("hyperfine", "{\n\"results\": [\n{\"command\":\"a\",", 3,
	    "the log is cut");
	refused("hyperfine",
	    "{\"results\":[{\"command\":\"a\",\"mean\":2,\n"
	    "\"times\":[1.5]}]}",
	    2, "are not those that gave the mean");
	refused("hyperfine",
	    "{\"results\":[{\"command\":\"a\",\n\"times\":[1.5,2.5],"
	    "\"exit_codes\":[0]}]}",
	    2, "and the exit codes");
	refused("hyperfine",
	    "{\"results\":[{\"command\":\"a\",\"mean\":2,\n"
	    "\"times\":[2,\n\"x\"]}]}",
	    3, "a time that is no number");
}

static void
fio_gives_reads_and_writes_apart(void **state)
{
	static const char text[] =
	    "fio: a warning\n{ \"fio version\": \"fio-3.33\", \"jobs\": [ {"
	    " \"jobname\": \"x\", \"error\": 0, \"read\": { \"total_ios\":"
	    " 132, \"iops\": 13200.5, \"bw_bytes\": 54067200, \"lat_ns\": {"
	    " \"mean\": 66598.5 } }, \"write\": { \"total_ios\": 124,"
	    " \"iops\": 12400, \"bw_bytes\": 50790400, \"lat_ns\": {"
	    " \"mean\": 1000 } } } ] }";
	static const char *const edited[] = { ", \"iops\": \"132\"",
		", \"iops\": -132", "" };
	struct imported imported;

	(void)state;
	assert_int_equal(import_text("fio", text, &imported), 0);
	near(sample_of(&imported, 0, "read_iops"), 13200.5);
	near(sample_of(&imported, 0, "write_bandwidth"), 50790400);
	near(sample_of(&imported, 0, "read_latency"), 66598.5e-9);
	assert_string_equal(
	    imported.plan->workloads[0].metric, "read_iops write_iops");
	refused("fio", "{\n \"jobs\": [] }", 1, "not fio's");
	/* text, below zero, not there */
	for (size_t i = 0; i < sizeof edited / sizeof edited[0]; i++)
		refused("fio",
		    arena_printf(arena,
			"{\"fio version\": \"3\", \"jobs\": [ {"
			" \"jobname\": \"x\",\n\"read\": {"
			" \"total_ios\": 132 %s } } ] }",
			edited[i]),
		    2, "no number of iops");
}

static void
json_is_strict_and_not_deep(void **state)
{
	static const char *const bad[] = { "{", "{\"a\"}", "{\"a\":}",
		"{\"a\":1,}", "{\"a\":01x}", "{\"a\":\"\\q\"}", "{} x",
		"{\"a\":\"open", "{\"a\":[1 2]}", "{\"a\":inf}", "{\"a\":tru}",
		"{\"a\":\"\\u12\"}" };
	struct json_value *root;
	const struct json_value *a;
	char deep[400];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (json_read(file("x.json", bad[i]), arena, &root, &err) == 0)
			fail_msg("read: %s", bad[i]);
	memset(deep, '[', sizeof deep);
	memcpy(deep, "{\"a\":", 5);
	deep[sizeof deep - 1] = '\0';
	assert_int_equal(
	    json_read(file("x.json", deep), arena, &root, &err), -1);
	assert_non_null(strstr(err.text, "too deeply"));
	assert_int_equal(
	    json_read(file("x.json",
			  "{\"a\": [true, false, null, -1.5e2, \"\\u00e9\\n\"]"
			  "}\n"),
		arena, &root, &err),
	    0);
	a = json_member(root, "a");
	near(a->first->number, 1);
	near(a->first->next->number, 0);
	near(a->first->next->next->next->number, -150);
	assert_string_equal(
	    a->first->next->next->next->next->text, "\xc3\xa9\n");
}

static int
import_csv(const char *text, const struct import_options *like,
    struct imported *imported)
{
	const struct import_log log = { file("cell.log", text), NULL };
	struct import_options options = *like;

	options.logs = &log;
	options.log_count = 1;
	return import_run(import_find("csv"), &options, arena, imported, &err);
}

static void
csv_columns_become_cells(void **state)
{
	static const char *const factors[] = { "noatime", "data" };
	const struct import_value value = { NULL, "a_s+b_s" };
	const struct import_options options = { .factors = factors,
		.factor_count = 2,
		.block = "block",
		.values = &value,
		.value_count = 1,
		.metric = "elapsed",
		.driver = "ext4" };
	struct imported imported;

	(void)state;
	assert_int_equal(import_csv("\xef\xbb\xbf# note\nnoatime,data,block,"
				    "a_s,b_s\r\n1,ordered,1,1.5,1\r\n"
				    "0,\"write\"\"back\",1,2,1\r\n",
			     &options, &imported),
	    0);
	assert_int_equal(imported.plan->cell_count, 2);
	/* the plainest cell comes first, whatever the rows' order */
	assert_string_equal(
	    imported.plan->cells[0].key, "ext4:data=write\"back");
	assert_string_equal(
	    imported.plan->cells[1].key, "ext4:noatime+data=ordered");
	assert_int_equal(imported.plan->trials[0].cell, 1);
	assert_string_equal(imported.plan->cells[1].levels[0].level, "on");
	assert_true(imported.plan->cells[1].levels[0].is_toggle);
	assert_false(imported.plan->cells[1].levels[1].is_toggle);
	near(sample_of(&imported, 0, "elapsed"), 2.5);
	assert_string_equal(unit_of(&imported, 0, "elapsed"), "s");
	assert_int_equal(imported.plan->trials[0].block, 1);
}

static void
csv_that_says_too_little_is_asked_for_more(void **state)
{
	static const char *const factors[] = { "x" };
	const struct import_value value = { NULL, "v" };
	struct import_options options = { .factors = factors,
		.factor_count = 1,
		.values = &value,
		.value_count = 1 };
	struct imported imported;
	const char *text = "x,v\n1,2\n0,3\n";

	(void)state;
	assert_int_equal(import_csv(text, &options, &imported), -1);
	assert_non_null(strstr(err.text, "give --unit"));
	options.unit = "MB/s";
	assert_int_equal(import_csv(text, &options, &imported), -1);
	assert_non_null(strstr(err.text, "--better"));
	options.better = "higher";
	assert_int_equal(import_csv(text, &options, &imported), 0);
	assert_int_equal(
	    imported.outcomes[0].samples[0].better, HIGHER_IS_BETTER);
	options.block = "blok";
	assert_int_equal(
	    import_csv("x,v,block\n1,2,1\n", &options, &imported), -1);
	assert_non_null(strstr(err.text, "did you mean 'block'?"));
	options.block = NULL;
	options.factor_count = 0;
	assert_int_equal(import_csv(text, &options, &imported), -1);
	assert_non_null(strstr(err.text, "--factors"));
	options.baseline = "y";
	options.factor_count = 1;
	assert_int_equal(import_csv(text, &options, &imported), -1);
	assert_non_null(strstr(err.text, "baseline 'y'"));
}

static void
csv_that_is_cut_is_refused(void **state)
{
	static const char *const factors[] = { "x" };
	const struct import_value value = { NULL, "v_s" };
	const struct import_options options = { .factors = factors,
		.factor_count = 1,
		.block = "b",
		.values = &value,
		.value_count = 1 };
	static const struct {
		const char *text, *wanted;
	} cases[] = {
		{ "x,b,v_s\n1,1,2\n0,1\n", "cell.log:3: 2 columns" },
		{ "x,b,v_s\n1,1,2e\n", "cell.log:2: '2e' in column 'v_s'" },
		{ "x,b,v_s\n1,1,\n", "cell.log:2: '' in column" },
		{ "x,b,v_s\n1,one,2\n", "cell.log:2: block 'one'" },
		{ "x,b,v_s\n1,1,-2\n", "below zero" },
		{ "x,b,x\n1,1,-2\n", "two columns are named 'x'" },
		{ "x,b,v_s\n\"1,1,2\n", "a quote is not closed" },
		{ "# only a comment\n", "no table is there" },
		{ "x,b,v_s\n", "nothing to import" },
		{ "x,b,v_s\n1,1,nan\n", "is not a number" },
		{ "x,b,v_s\n1,1,0x10\n", "is not a number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct imported imported;

		if (import_csv(cases[i].text, &options, &imported) != -1)
			fail_msg("read: %s", cases[i].text);
		if (strstr(err.text, cases[i].wanted) == NULL)
			fail_msg("'%s' is not '%s'", err.text, cases[i].wanted);
	}
}

static void
a_missing_value_of_r_is_a_failed_run(void **state)
{
	static const char *const factors[] = { "x" };
	const struct import_value value = { NULL, "v_s" };
	const struct import_options options = { .factors = factors,
		.factor_count = 1,
		.values = &value,
		.value_count = 1 };
	struct imported imported;

	(void)state;
	assert_int_equal(
	    import_csv("x,v_s\n1,NA\n0,2\n", &options, &imported), 0);
	assert_int_equal(imported.outcomes[0].verdict, VERDICT_FAILED);
	assert_int_equal(imported.outcomes[1].verdict, VERDICT_OK);
}

static void
options_of_another_format_are_refused(void **state)
{
	const struct import_log log = { "whatever", NULL };
	const struct import_options options = {
		.logs = &log, .log_count = 1, .block = "block"
	};
	struct imported imported;

	(void)state;
	assert_int_equal(
	    import_run(import_find("time"), &options, arena, &imported, &err),
	    -1);
	assert_non_null(strstr(err.text, "takes no --block"));
	assert_null(import_find("nothing"));
	for (size_t i = 0; import_formats()[i] != NULL; i++)
		assert_ptr_equal(import_find(import_formats()[i]->name),
		    import_formats()[i]);
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/import_test.XXXXXX");
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
		cmocka_unit_test(time_of_every_shell_is_read),
		cmocka_unit_test(time_that_is_cut_is_refused),
		cmocka_unit_test(postmark_reports_are_read),
		cmocka_unit_test(an_edited_postmark_report_is_found_out),
		cmocka_unit_test(blogbench_logs_become_curves),
		cmocka_unit_test(a_cut_blogbench_log_is_refused),
		cmocka_unit_test(sysbench_reports_are_read_in_their_units),
		cmocka_unit_test(a_cut_sysbench_report_is_refused),
		cmocka_unit_test(hyperfine_gives_every_time),
		cmocka_unit_test(fio_gives_reads_and_writes_apart),
		cmocka_unit_test(json_is_strict_and_not_deep),
		cmocka_unit_test(csv_columns_become_cells),
		cmocka_unit_test(csv_that_says_too_little_is_asked_for_more),
		cmocka_unit_test(csv_that_is_cut_is_refused),
		cmocka_unit_test(a_missing_value_of_r_is_a_failed_run),
		cmocka_unit_test(options_of_another_format_are_refused),
	};

	return cmocka_run_group_tests_name("import", tests, set_up, tear_down);
}
