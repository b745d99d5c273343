#include "workload/run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The protocol, one item a line, tabs between fields:
 *
 *     sample NAME UNIT BETTER PASS VALUE
 *     note TEXT
 *     curve NAME INTERVAL COLUMNS
 *     row VALUE...
 *     fail VERDICT REASON
 */

void
run_sample(struct workload_run *run, const struct metric *metric, int pass,
    double value)
{
	buffer_printf(&run->out, "sample\t%s\t%s\t%s\t%d\t%.17g\n",
	    metric->name, metric->unit, better_name(metric->better), pass,
	    value);
}

void
run_named_sample(struct workload_run *run, const char *name, const char *unit,
    enum better better, double value)
{
	struct metric metric = { .name = name, .unit = unit, .better = better };

	run_sample(run, &metric, 0, value);
}

static int
by_value(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return left < right ? -1 : left > right;
}

double
run_median(const double *values, size_t count)
{
	double *sorted = calloc(count + 1, sizeof *sorted);
	double median;

	if (sorted == NULL || count == 0)
		abort();
	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_value);
	median = count % 2 == 1
		     ? sorted[count / 2]
		     : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
	free(sorted);
	return median;
}

void
run_passes(struct workload_run *run, const struct metric *metric, int first,
    const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		run_sample(run, metric, first + (int)i, values[i]);
	run_sample(run, metric, 0, run_median(values, count));
}

/* Appends text that can break neither the lines nor a terminal: names on disk
 * may hold anything. */
static void
put_text(struct buffer *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '\n' || byte == '\t')
			buffer_putc(out, ' ');
		else
			buffer_putc(
			    out, byte < ' ' || byte == 0x7f ? '?' : *text);
	}
}

static void
put_line(struct workload_run *run, const char *head, const char *text)
{
	buffer_puts(&run->out, head);
	put_text(&run->out, text);
	buffer_putc(&run->out, '\n');
}

void
run_note(struct workload_run *run, const char *format, ...)
{
	char text[ERROR_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	put_line(run, "note\t", text);
}

void
run_curve(struct workload_run *run, const char *name, double interval_s,
    const char *columns)
{
	buffer_printf(
	    &run->out, "curve\t%s\t%.17g\t%s\n", name, interval_s, columns);
}

void
run_curve_row(struct workload_run *run, const double *values, size_t count)
{
	buffer_puts(&run->out, "row");
	for (size_t i = 0; i < count; i++)
		buffer_printf(&run->out, "\t%.17g", values[i]);
	buffer_putc(&run->out, '\n');
}

static int
fail(struct workload_run *run, enum verdict verdict, const char *text)
{
	buffer_printf(&run->out, "fail\t%s\t", verdict_name(verdict));
	put_line(run, "", text);
	return 1;
}

int
run_fail(
    struct workload_run *run, enum verdict verdict, const char *format, ...)
{
	char text[ERROR_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return fail(run, verdict, text);
}

int
run_fail_errno(struct workload_run *run, const char *format, ...)
{
	int code = errno;
	char what[ERROR_TEXT_SIZE - 128];
	char text[ERROR_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(what, sizeof what, format, args);
	va_end(args);
	(void)snprintf(text, sizeof text, "%s: %s", what, strerror(code));
	return fail(run,
	    code == ENOSPC || code == EDQUOT ? VERDICT_NO_SPACE
					     : VERDICT_FAILED,
	    text);
}

void
run_complain(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

double
run_seconds(int64_t from_ns, int64_t to_ns)
{
	return (double)(to_ns - from_ns) / 1e9;
}
