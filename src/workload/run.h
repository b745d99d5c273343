/*
 * A running workload's way to say what it measured.
 *
 * Only workload/ includes this.  Nothing leaves the child before the workload
 * has ended, so that reporting is in no measured time.
 */
#ifndef MM_WORKLOAD_RUN_H
#define MM_WORKLOAD_RUN_H

#include "base/buffer.h"
#include "workload/workload.h"

struct workload_run {
	const struct workload_job *job;
	const struct workload_keys *keys; /* of the job */
	const char *directory;            /* of the job */
	const char *tree_directory;       /* of the job, or "directory" */
	struct buffer out;
};

/* Rows that most key tables have. */
#define KEY_PASSES                                                             \
	{                                                                      \
		"passes", KEY_INTEGER, "1", 1, 1000, NULL, 1,                  \
		    "times it is done in one trial; the median counts"         \
	}
#define KEY_ONE_PASS                                                           \
	{                                                                      \
		"passes", KEY_INTEGER, "1", 1, 1, NULL, 1,                     \
		    "always 1: a second pass would meet another filesystem"    \
	}
#define KEY_THREADS                                                            \
	{                                                                      \
		"threads", KEY_INTEGER, "1", 1, 1024, NULL, 1,                 \
		    "how many work at once"                                    \
	}
#define KEY_ONE_THREAD                                                         \
	{                                                                      \
		"threads", KEY_INTEGER, "1", 1, 1, NULL, 1,                    \
		    "always 1 for this workload"                               \
	}
#define KEY_BY_COUNT                                                           \
	{                                                                      \
		"seconds", KEY_DURATION, "0", 0, 0, NULL, 1,                   \
		    "always 0: this workload ends by count, not by time"       \
	}

/* All three, for what can be done once to a filesystem and by one thread. */
#define KEYS_ONCE KEY_ONE_PASS, KEY_ONE_THREAD, KEY_BY_COUNT

/* One value; pass 0 is the one that stands for the trial. */
void run_sample(struct workload_run *run, const struct metric *metric, int pass,
    double value);

/* A metric that the workload's table does not have, such as one of a sweep. */
void run_named_sample(struct workload_run *run, const char *name,
    const char *unit, enum better better, double value);

/* All passes of a metric, numbered from "first", and their median as pass 0.
 * Sorts a copy, not the values. */
void run_passes(struct workload_run *run, const struct metric *metric,
    int first, const double *values, size_t count);

/* A remark for the report. */
void run_note(struct workload_run *run, const char *format, ...)
    MM_PRINTF(2, 3);

/* A table of numbers: a series in time ("interval_s" > 0), or a histogram or
 * the like (0).  "columns" has blanks between. */
void run_curve(struct workload_run *run, const char *name, double interval_s,
    const char *columns);
void run_curve_row(
    struct workload_run *run, const double *values, size_t count);

/* The subject failed.  Both return 1, for "return run_fail(...)"; the second
 * adds strerror(errno), and a full filesystem gets its own verdict. */
int run_fail(struct workload_run *run, enum verdict verdict, const char *format,
    ...) MM_PRINTF(3, 4);
int run_fail_errno(struct workload_run *run, const char *format, ...)
    MM_PRINTF(2, 3);

/* Tells the parent why this process is about to give up. */
void run_complain(const char *text);

/* Seconds between two clock_now_ns. */
double run_seconds(int64_t from_ns, int64_t to_ns);

/* The middle value, or the mean of the middle two. */
double run_median(const double *values, size_t count);

#endif
