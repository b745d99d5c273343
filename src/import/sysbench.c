/*
 * sysbench fileio: reports of 0.4 and 1.0, and rows of block-size tables
 * ("16K 3.34 214.37 0.01 4.66 245.09 7.54": size, MB/s, requests/s, latency
 * min, avg, max, 95 %).
 *
 * Where a cell ran once at each of several block sizes, the sizes serve as
 * blocks of one comparison; where it ran more than once at a size, each size
 * is a workload of its own.
 */
#include <math.h>
#include <string.h>

#include "import/builder.h"

enum { MINIMUM, AVERAGE, MAXIMUM, P95, LATENCIES };

static const char *const latency_names[LATENCIES] = { "latency_min",
	"latency_avg", "latency_max", "latency_p95" };

/* One report or row. */
struct request_test {
	size_t cell;
	const char *mode; /* "random read" */
	const char *size; /* "16KiB" */
	double rate, bandwidth, seconds;
	double latency[LATENCIES]; /* s; NAN */
};

struct collected {
	struct builder *builder;
	struct request_test *tests;
	size_t count, capacity;
};

/* A report while its lines are read. */
struct partial {
	struct request_test test;
	double reads, writes;
	bool is_open, has_reads, has_rate, in_milliseconds;
	int opened_at;
};

static void
collect(struct collected *collected, const struct request_test *test)
{
	if (collected->count == collected->capacity)
		collected->tests = arena_grow(collected->builder->arena,
		    collected->tests, collected->count, &collected->capacity,
		    sizeof *collected->tests);
	collected->tests[collected->count++] = *test;
}

static void
open_report(struct partial *partial, struct log *log, size_t cell)
{
	*partial = (struct partial){ .is_open = true,
		.opened_at = log->line,
		.test = { .cell = cell,
		    .mode = "",
		    .size = "",
		    .bandwidth = NAN,
		    .seconds = NAN } };
	for (int i = 0; i < LATENCIES; i++)
		partial->test.latency[i] = NAN;
}

/* "4.66ms", "0.0066s", or "4.66" under "Latency (ms):". */
static void
read_latency(const char *text, struct partial *partial)
{
	static const char *const names[LATENCIES] = {
		"min:", "avg:", "max:", "95th percentile:"
	};
	double value;

	for (int i = 0; i < LATENCIES; i++) {
		const char *at = text;
		size_t length = strlen(names[i]);
		const char *old = strncmp(text, "approx.", 7) == 0
				      ? strstr(text, "95 percentile:")
				      : NULL;

		if (i == P95 && old != NULL) {
			at = old;
			length = strlen("95 percentile:");
		} else if (strncmp(at, names[i], length) != 0) {
			continue;
		}
		at += length;
		if (scan_text(at, " #ms$", &value, NULL) ||
		    (partial->in_milliseconds &&
			scan_text(at, " #$", &value, NULL)))
			partial->test.latency[i] = value / 1000;
		else if (scan_text(at, " #s$", &value, NULL))
			partial->test.latency[i] = value;
		return;
	}
}

static void
read_head(struct arena *arena, char *text, struct partial *partial)
{
	char *end;

	if (strncmp(text, "Block size ", 11) == 0) {
		partial->test.size = arena_strdup(arena, text + 11);
	} else if (strncmp(text, "Doing ", 6) == 0 &&
		   (end = strstr(text, " test")) != NULL) {
		*end = '\0';
		partial->test.mode = arena_strdup(arena, text + 6);
	} else if (strcmp(text, "Latency (ms):") == 0) {
		partial->in_milliseconds = true;
	}
}

/* The bytes of 0.4, in the middle of a sentence. */
static void
read_total(const char *text, struct partial *partial)
{
	const char *total = strstr(text, "Total transferred");
	const char *bracket = total == NULL ? NULL : strchr(total, '(');
	struct scanned_word word;
	double value;

	if (bracket == NULL || !scan_text(bracket, "(#@/sec)", &value, &word))
		return;
	if (strcmp(word.text, "Mb") == 0)
		partial->test.bandwidth = value;
	else if (strcmp(word.text, "Kb") == 0)
		partial->test.bandwidth = value / 1024;
	else if (strcmp(word.text, "Gb") == 0)
		partial->test.bandwidth = value * 1024;
}

/* Throughput: of 1.0 on lines of their own, of 0.4 in sentences. */
static void
read_rates(const char *text, struct partial *partial)
{
	double value;

	if (scan_text(text, "reads/s: #", &value, NULL)) {
		partial->reads = value;
		partial->has_reads = true;
	} else if (scan_text(text, "writes/s: #", &value, NULL)) {
		partial->writes = value;
		partial->has_rate = partial->has_reads;
	} else if (scan_text(text, "read, MiB/s: #", &value, NULL)) {
		partial->test.bandwidth = value;
	} else if (scan_text(text, "written, MiB/s: #", &value, NULL)) {
		partial->test.bandwidth += value;
	} else if (scan_text(text, "# Requests/sec executed", &value, NULL)) {
		partial->reads = value;
		partial->has_rate = true;
	} else if (scan_text(text, "total time: #s$", &value, NULL)) {
		partial->test.seconds = value;
	} else {
		read_total(text, partial);
	}
}

/* The last part of a report; everything must be there by now. */
static int
close_report(struct collected *collected, struct log *log,
    struct partial *partial, struct error *err)
{
	partial->is_open = false;
	if (!partial->has_rate)
		return log_fail(log, err,
		    "the report that begins in line %d has no requests per"
		    " second: the log is cut, or not of fileio",
		    partial->opened_at);
	if (isnan(partial->test.latency[AVERAGE]))
		return log_fail(log, err,
		    "the report that begins in line %d has no latency: the"
		    " log is cut",
		    partial->opened_at);
	partial->test.rate = partial->reads + partial->writes;
	if (partial->test.rate <= 0 || !isfinite(partial->test.rate))
		return log_fail(log, err,
		    "the report that begins in line %d has no requests",
		    partial->opened_at);
	collect(collected, &partial->test);
	return 0;
}

/* "16K", "16KiB", "1024" */
static bool
is_size(const char *word)
{
	size_t digits = strspn(word, "0123456789");

	return digits > 0 && digits < 10 && strlen(word + digits) <= 3 &&
	       strspn(word + digits, "kKmMiBb") == strlen(word + digits);
}

/*
 * With one thread, average latency x rate is one second in a second: that
 * tells what unit a row's latencies are in.
 */
static void
settle_unit(
    struct builder *builder, struct request_test *test, const double *latency)
{
	double product = latency[AVERAGE] * test->rate;
	double unit = product > 0.5 && product < 1.5    ? 1
		      : product > 500 && product < 1500 ? 1e-3
							: NAN;

	if (isnan(unit))
		builder_warn(builder,
		    "latencies of a table are left out: neither seconds nor"
		    " milliseconds agree with the rate");
	for (int i = 0; i < LATENCIES; i++)
		test->latency[i] = latency[i] * unit;
}

/* A table's row: 1 yes, 0 no, -1 one that is not whole. */
static int
read_row(struct collected *collected, struct log *log, const char *line,
    size_t cell, struct error *err)
{
	struct request_test test = { .cell = cell, .mode = "", .seconds = NAN };
	struct arena *arena = collected->builder->arena;
	double numbers[6];
	size_t count = 0;
	char *save = NULL;
	char *word = strtok_r(arena_strdup(arena, line), " \t,;|", &save);

	if (word == NULL || !is_size(word))
		return 0;
	test.size = word;
	while ((word = strtok_r(NULL, " \t,;|", &save)) != NULL) {
		if (count == 0 &&
		    (strcmp(word, "KiB") == 0 || strcmp(word, "KB") == 0))
			continue;
		if (count == 6 || !read_number(word, &numbers[count]))
			return count < 2
				   ? 0
				   : log_fail(log, err,
					 "a row has a size and six numbers");
		count++;
	}
	if (count < 2)
		return 0;
	if (count < 6)
		return log_fail(log, err,
		    "a row has a size and six numbers, here are %zu: is it"
		    " cut?",
		    count);
	if (numbers[1] <= 0)
		return log_fail(log, err, "a rate of %g", numbers[1]);
	test.bandwidth = numbers[0];
	test.rate = numbers[1];
	settle_unit(collected->builder, &test, &numbers[2]);
	collect(collected, &test);
	return 1;
}

static bool
is_report_start(const char *text)
{
	return strncmp(text, "sysbench ", 9) == 0 ||
	       strcmp(text, "Running the test with following options:") == 0;
}

/* A line that a report has a figure in, and this one has none.  To pass over
 * it would be to lose that figure without a word. */
static bool
is_damaged(const char *text)
{
	static const char *const labels[] = { "reads/s:", "writes/s:",
		"fsyncs/s:", "read, MiB/s:", "written, MiB/s:", "total time:",
		"total number of events:", "min:", "avg:", "max:",
		"95th percentile:", "approx.  95 percentile:", "sum:" };
	const char *total = strstr(text, "Total transferred");
	double value;

	for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
		const char *rest = text + strlen(labels[i]);

		if (strncmp(text, labels[i], strlen(labels[i])) == 0)
			return !scan_text(rest, " #$", &value, NULL) &&
			       !scan_text(rest, " #s$", &value, NULL) &&
			       !scan_text(rest, " #ms$", &value, NULL);
	}
	if (total != NULL)
		return strchr(total, '(') == NULL ||
		       !scan_text(strchr(total, '('), "(#", &value, NULL);
	return strstr(text, "Requests/sec executed") != NULL &&
	       !scan_text(text, "# Requests/sec executed", &value, NULL);
}

static int
read_log(struct collected *collected, struct log *log, size_t cell,
    struct error *err)
{
	struct partial partial = { 0 };
	char *line;

	while ((line = log_next(log)) != NULL) {
		char *text = trim(line);

		if (is_report_start(text)) {
			/* "sysbench 1.0.20" and "Running..." begin one */
			if (partial.is_open && partial.test.size[0] != '\0')
				return log_fail(log, err,
				    "a new report begins before the end of"
				    " the one from line %d: the log is cut",
				    partial.opened_at);
			open_report(&partial, log, cell);
		} else if (!partial.is_open) {
			if (read_row(collected, log, text, cell, err) == -1)
				return -1;
		} else if (strncmp(text, "Threads fairness:", 17) == 0) {
			if (close_report(collected, log, &partial, err) == -1)
				return -1;
		} else if (is_damaged(text)) {
			return log_fail(log, err,
			    "'%.60s' has no number that can be read: is the"
			    " line cut or edited?",
			    text);
		} else {
			read_head(collected->builder->arena, text, &partial);
			read_rates(text, &partial);
			read_latency(text, &partial);
		}
	}
	if (partial.is_open)
		return log_fail(log, err,
		    "the log is cut: the report from line %d has no end",
		    partial.opened_at);
	return 0;
}

static bool
is_repeated(const struct collected *collected)
{
	for (size_t i = 0; i < collected->count; i++)
		for (size_t j = 0; j < i; j++) {
			const struct request_test *a = &collected->tests[i];
			const struct request_test *b = &collected->tests[j];

			if (a->cell == b->cell &&
			    strcmp(a->mode, b->mode) == 0 &&
			    strcmp(a->size, b->size) == 0)
				return true;
		}
	return false;
}

/* 1 for the first size seen, 2 for the next... */
static int
size_number(const struct collected *collected, const char *size)
{
	int number = 0;

	for (size_t i = 0; i < collected->count; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = strcmp(collected->tests[j].size,
				     collected->tests[i].size) != 0;
		number += is_new ? 1 : 0;
		if (strcmp(collected->tests[i].size, size) == 0)
			return number;
	}
	return number;
}

static void
add_test(
    struct collected *collected, const struct request_test *test, bool by_size)
{
	struct builder *builder = collected->builder;
	const char *given = builder->options->workload;
	const char *title = given != NULL           ? given
			    : test->mode[0] != '\0' ? test->mode
						    : "sysbench";
	int block = by_size ? 0 : size_number(collected, test->size);
	struct outcome *outcome;
	size_t workload;

	if (by_size && test->size[0] != '\0')
		title =
		    arena_printf(builder->arena, "%s %s", title, test->size);
	workload = builder_workload(builder, title, "fileio", "request_rate");
	outcome = builder_add_run(builder, test->cell, workload, block,
	    builder_session(builder, NULL));
	builder_add_sample(builder, outcome, "request_rate", "1/s",
	    HIGHER_IS_BETTER, test->rate);
	if (isfinite(test->bandwidth))
		builder_add_sample(builder, outcome, "bandwidth", "MiB/s",
		    HIGHER_IS_BETTER, test->bandwidth);
	for (int i = 0; i < LATENCIES; i++)
		if (isfinite(test->latency[i]))
			builder_add_sample(builder, outcome, latency_names[i],
			    "s", LOWER_IS_BETTER, test->latency[i]);
}

static int
read_sysbench(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;
	struct collected collected = { .builder = &builder };
	bool by_size;

	builder_init(&builder, options, arena, imported);
	for (size_t i = 0; i < options->log_count; i++) {
		size_t before = collected.count;
		size_t cell = builder_cell(&builder,
		    builder_log_key(&builder, &options->logs[i]), NULL, 0);
		struct log log;

		if (log_open(&log, arena, options->logs[i].path, err) == -1 ||
		    read_log(&collected, &log, cell, err) == -1)
			return -1;
		if (collected.count == before)
			return error_set_kind(err, ERROR_USAGE,
			    "%s: nothing to import was found", log.path);
	}
	by_size = is_repeated(&collected);
	if (!by_size && collected.count > 0 &&
	    size_number(&collected, collected.tests[collected.count - 1].size) >
		1)
		builder_warn(&builder,
		    "block sizes serve as blocks: they say how cells compare"
		    " over sizes, not how noisy a run is");
	for (size_t i = 0; i < collected.count; i++)
		add_test(&collected, &collected.tests[i], by_size);
	return builder_finish(&builder, err);
}

extern const struct import_format import_sysbench;

const struct import_format import_sysbench = {
	.name = "sysbench",
	.summary = "fileio reports of sysbench 0.4 and 1.0, block-size tables",
	.options = "",
	.read = read_sysbench,
};
