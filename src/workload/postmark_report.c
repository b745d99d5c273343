#include "workload/postmark_report.h"

#include <math.h>

#include "base/buffer.h"

static void
put_bytes(struct buffer *text, float bytes)
{
	float kilobytes = bytes / 1024;

	if (bytes > 1048576)
		buffer_printf(
		    text, "%.2f megabytes", (double)(kilobytes / 1024));
	else if (bytes > 1024)
		buffer_printf(text, "%.2f kilobytes", (double)kilobytes);
	else
		buffer_printf(text, "%f bytes", (double)bytes);
}

static void
put_data(struct buffer *text, double bytes, const char *done, double seconds)
{
	buffer_puts(text, "\t");
	put_bytes(text, (float)bytes);
	buffer_printf(text, " %s (", done);
	put_bytes(text, (float)bytes / (float)seconds);
	buffer_puts(text, " per second)\n");
}

/* One line: a count and its rate, by whole-number division as the tool has
 * it. */
static void
put_files(struct buffer *text, const char *label, double count,
    const char *unit, double seconds)
{
	buffer_printf(text, "%s%ld %s (%ld per second)\n", label, (long)count,
	    unit, (long)count / (long)seconds);
}

/* Whole seconds, at least one, as differences of time(3) come out. */
static double
whole_seconds(double seconds)
{
	return seconds < 1 ? 1 : floor(seconds);
}

static void
put_report(struct buffer *text, const double *row)
{
	double total = whole_seconds(row[TOTAL_S]);
	double mixed = whole_seconds(row[TRANSACTION_S]);

	buffer_printf(text,
	    "Time:\n\t%ld seconds total\n"
	    "\t%ld seconds of transactions (%ld per second)\n\nFiles:\n",
	    (long)total, (long)mixed, (long)row[N_TRANSACTIONS] / (long)mixed);
	put_files(text, "\t", row[N_CREATED], "created", total);
	put_files(text, "\t\tCreation alone: ", row[N_INITIAL], "files",
	    whole_seconds(row[CREATION_S]));
	put_files(text,
	    "\t\tMixed with transactions: ", row[N_CREATED] - row[N_INITIAL],
	    "files", mixed);
	put_files(text, "\t", row[N_READ], "read", mixed);
	put_files(text, "\t", row[N_APPENDED], "appended", mixed);
	put_files(text, "\t", row[N_DELETED], "deleted", total);
	put_files(text, "\t\tDeletion alone: ", row[N_DELETED_ALONE], "files",
	    whole_seconds(row[DELETION_S]));
	put_files(text, "\t\tMixed with transactions: ",
	    row[N_DELETED] - row[N_DELETED_ALONE], "files", mixed);
	buffer_puts(text, "\nData:\n");
	put_data(text, row[BYTES_READ_F32], "read", total);
	put_data(text, row[BYTES_WRITTEN_F32], "written", total);
}

char *
postmark_report(const double row[POSTMARK_COLUMNS], struct arena *arena)
{
	struct buffer text;
	char *copy;

	buffer_init(&text);
	put_report(&text, row);
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}
