/*
 * One block size of a fileio run: threads that share a stream of requests,
 * and what they came to.
 */
#ifndef MM_WORKLOAD_FILEIO_RUN_H
#define MM_WORKLOAD_FILEIO_RUN_H

#include "workload/fileio_files.h"
#include "workload/histogram.h"
#include "workload/run.h"

struct fileio_figures {
	struct histogram latencies[FILEIO_KINDS];
	int64_t bytes[FILEIO_KINDS];
	double seconds; /* with the last fsyncs */
};

/*
 * Opens the files, which are there, runs as many threads as the keys say to
 * the end of the requests or the time, and closes.  The figures must be
 * zeroed.  0, or 1 with the run's failure set.
 */
int fileio_run_block(struct workload_run *run, struct fileio_files *files,
    const struct fileio_settings *settings, struct fileio_figures *figures);

#endif
