/*
 * Reports of PostMark 1.5x, verbose and terse; several in a log are several
 * runs.
 *
 * Its clock counts whole seconds and its rates are integers (verbose), so the
 * seconds are what ranks.  Everything else follows from the counts and the
 * seconds, and is recomputed: a report whose figures do not agree was edited.
 */
#include <math.h>
#include <string.h>

#include "import/builder.h"

/* The lines of a verbose report, in order. */
enum line {
	TOTAL,
	TRANSACTIONS,
	CREATED,
	CREATED_ALONE,
	CREATED_MIXED,
	READ,
	APPENDED,
	DELETED,
	DELETED_ALONE,
	DELETED_MIXED,
	BYTES_READ,
	BYTES_WRITTEN,
	LINES,
};

static const char *const names[LINES] = {
	[TOTAL] = "seconds total",
	[TRANSACTIONS] = "seconds of transactions",
	[CREATED] = "created",
	[CREATED_ALONE] = "creation alone",
	[CREATED_MIXED] = "created, mixed with transactions",
	[READ] = "read",
	[APPENDED] = "appended",
	[DELETED] = "deleted",
	[DELETED_ALONE] = "deletion alone",
	[DELETED_MIXED] = "deleted, mixed with transactions",
	[BYTES_READ] = "bytes read",
	[BYTES_WRITTEN] = "bytes written",
};

struct report {
	double count[LINES];
	double rate[LINES];
	int line[LINES];
	double megabytes[2], megabyte_rate[2];
};

static const char *const patterns[BYTES_READ] = {
	[TOTAL] = " # seconds total$",
	[TRANSACTIONS] = " # seconds of transactions (# per second)$",
	[CREATED] = " # created (# per second)$",
	[CREATED_ALONE] = " Creation alone: # files (# per second)$",
	[CREATED_MIXED] = " Mixed with transactions: # files (# per second)$",
	[READ] = " # read (# per second)$",
	[APPENDED] = " # appended (# per second)$",
	[DELETED] = " # deleted (# per second)$",
	[DELETED_ALONE] = " Deletion alone: # files (# per second)$",
	[DELETED_MIXED] = " Mixed with transactions: # files (# per second)$",
};

/* Reads one line of the verbose report; false when it is another one. */
static bool
read_plain(enum line line, const char *text, struct report *report)
{
	double numbers[2] = { 0, 0 };

	if (!scan_text(text, patterns[line], numbers, NULL))
		return false;
	report->count[line] = numbers[0];
	report->rate[line] = numbers[1];
	return true;
}

/* "698.56 kilobytes read (698.56 kilobytes per second)" */
static bool
read_bytes(bool is_read, const char *text, struct report *report)
{
	struct scanned_word words[3];
	double numbers[2];

	if (!scan_text(text, " # @ @ (# @ per second)$", numbers, words) ||
	    strcmp(words[1].text, is_read ? "read" : "written") != 0)
		return false;
	for (size_t i = 0; i < 2; i++)
		if (strcmp(words[2 * i].text, "kilobytes") == 0)
			numbers[i] /= 1024;
		else if (strcmp(words[2 * i].text, "megabytes") != 0)
			return false;
	report->megabytes[!is_read] = numbers[0];
	report->megabyte_rate[!is_read] = numbers[1];
	return true;
}

/* Integer division, as PostMark does it. */
static bool
is_rate_of(double rate, double count, double seconds)
{
	return seconds > 0 && rate == floor(count / seconds);
}

static int
check(struct log *log, const struct report *report, struct error *err)
{
	static const enum line whole[] = { CREATED, DELETED };
	static const enum line mixed[] = { CREATED_MIXED, READ, APPENDED,
		DELETED_MIXED };
	int end = log->line;

	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
		enum line line = whole[i];

		log->line = report->line[line];
		if (report->count[line] !=
		    report->count[line + 1] + report->count[line + 2])
			return log_fail(log, err,
			    "%.0f %s are not the %.0f and %.0f below: the log"
			    " was edited",
			    report->count[line], names[line],
			    report->count[line + 1], report->count[line + 2]);
		if (!is_rate_of(report->rate[line], report->count[line],
			report->count[TOTAL]))
			return log_fail(log, err,
			    "%.0f per second does not follow from %.0f %s in"
			    " %.0f s: the log was edited",
			    report->rate[line], report->count[line],
			    names[line], report->count[TOTAL]);
	}
	for (size_t i = 0; i < sizeof mixed / sizeof mixed[0]; i++) {
		enum line line = mixed[i];

		log->line = report->line[line];
		if (!is_rate_of(report->rate[line], report->count[line],
			report->count[TRANSACTIONS]))
			return log_fail(log, err,
			    "%.0f per second does not follow from %.0f %s in"
			    " %.0f s: the log was edited",
			    report->rate[line], report->count[line],
			    names[line], report->count[TRANSACTIONS]);
	}
	log->line = end;
	return 0;
}

static void
add_report(struct builder *builder, size_t cell, const struct report *report)
{
	const char *title = builder->options->workload;
	size_t workload = builder_workload(
	    builder, title == NULL ? "postmark" : title, "postmark", "elapsed");
	struct outcome *outcome = builder_add_run(
	    builder, cell, workload, 0, builder_session(builder, NULL));
	const struct {
		const char *name, *unit;
		enum better better;
		double value;
	} samples[] = {
		{ "elapsed", "s", LOWER_IS_BETTER, report->count[TOTAL] },
		{ "transactions_elapsed", "s", LOWER_IS_BETTER,
		    report->count[TRANSACTIONS] },
		{ "transactions_rate", "1/s", HIGHER_IS_BETTER,
		    report->rate[TRANSACTIONS] },
		{ "create_rate", "1/s", HIGHER_IS_BETTER,
		    report->rate[CREATED_MIXED] },
		{ "read_rate", "1/s", HIGHER_IS_BETTER, report->rate[READ] },
		{ "append_rate", "1/s", HIGHER_IS_BETTER,
		    report->rate[APPENDED] },
		{ "delete_rate", "1/s", HIGHER_IS_BETTER,
		    report->rate[DELETED_MIXED] },
		{ "read_bandwidth", "MiB/s", HIGHER_IS_BETTER,
		    report->megabyte_rate[0] },
		{ "write_bandwidth", "MiB/s", HIGHER_IS_BETTER,
		    report->megabyte_rate[1] },
	};

	builder_set(builder, workload, "clock_step", "1");
	for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
		builder_add_sample(builder, outcome, samples[i].name,
		    samples[i].unit, samples[i].better, samples[i].value);
}

/*
 * Thirteen numbers on a line: E X T/X created/E N/C mixed/X read/X append/X
 * deleted/E d/D mixed/X bytes-read/E bytes-written/E.
 */
static bool
read_terse(const char *text, struct report *report)
{
	double v[13];

	if (!scan_text(text, " # # # # # # # # # # # # # $", v, NULL) ||
	    v[0] < 1 || v[1] < 1 || v[0] != floor(v[0]) || v[1] != floor(v[1]))
		return false;
	*report = (struct report){ 0 };
	report->count[TOTAL] = v[0];
	report->count[TRANSACTIONS] = v[1];
	report->rate[TRANSACTIONS] = v[2];
	report->rate[CREATED_MIXED] = v[5];
	report->rate[READ] = v[6];
	report->rate[APPENDED] = v[7];
	report->rate[DELETED_MIXED] = v[10];
	report->megabyte_rate[0] = v[11] / 1048576;
	report->megabyte_rate[1] = v[12] / 1048576;
	return true;
}

/* The report's next line, blank ones and the headings passed over. */
static char *
next_line(struct log *log)
{
	char *text;

	while ((text = log_next(log)) != NULL) {
		const char *bare = text + strspn(text, " \t");

		if (*bare != '\0' && strcmp(bare, "Time:") != 0 &&
		    strcmp(bare, "Files:") != 0 && strcmp(bare, "Data:") != 0)
			return text;
	}
	return NULL;
}

static int
read_verbose(struct log *log, struct report *report, struct error *err)
{
	*report = (struct report){ 0 };
	for (int line = TOTAL; line < LINES; line++) {
		const char *text = next_line(log);
		bool is_there;

		if (text == NULL)
			return log_fail(log, err,
			    "the log is cut: '%s' is missing", names[line]);
		report->line[line] = log->line;
		is_there = line >= BYTES_READ
			       ? read_bytes(line == BYTES_READ, text, report)
			       : read_plain((enum line)line, text, report);
		if (!is_there)
			return log_fail(log, err,
			    "'%s' should be here, not '%.60s'", names[line],
			    text);
	}
	return check(log, report, err);
}

static int
read_log(
    struct builder *builder, struct log *log, size_t cell, struct error *err)
{
	struct report report;
	char *text;

	while ((text = log_next(log)) != NULL) {
		if (strcmp(text + strspn(text, " \t"), "Time:") == 0) {
			if (read_verbose(log, &report, err) == -1)
				return -1;
			add_report(builder, cell, &report);
		} else if (read_terse(text, &report)) {
			add_report(builder, cell, &report);
		}
	}
	return 0;
}

static int
read_postmark(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;

	builder_init(&builder, options, arena, imported);
	return builder_each_log(&builder, read_log, err);
}

extern const struct import_format import_postmark;

const struct import_format import_postmark = {
	.name = "postmark",
	.summary = "reports of PostMark 1.5x, verbose and terse",
	.options = "",
	.read = read_postmark,
};
