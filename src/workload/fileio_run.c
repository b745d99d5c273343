#include "workload/fileio_run.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "workload/files.h"

struct shared {
	const struct fileio_files *files;
	struct fileio_stream stream;
	pthread_mutex_t lock;
	int64_t end_ns; /* 0: by requests */
	size_t block;
	bool stop;
};

struct worker {
	struct shared *shared;
	struct fileio_rng rng;
	struct histogram latencies[FILEIO_KINDS];
	int64_t bytes[FILEIO_KINDS];
	char *data;
	int errno_value;
	struct fileio_event failed;
};

static bool
next_event(struct worker *worker, struct fileio_event *event)
{
	struct shared *shared = worker->shared;
	bool more;

	if (shared->end_ns > 0 && clock_now_ns() >= shared->end_ns)
		return false;
	(void)pthread_mutex_lock(&shared->lock);
	more =
	    !shared->stop && fileio_next(&shared->stream, &worker->rng, event);
	(void)pthread_mutex_unlock(&shared->lock);
	return more;
}

static void *
work(void *context)
{
	struct worker *worker = context;
	struct shared *shared = worker->shared;
	struct fileio_event event;

	while (next_event(worker, &event)) {
		int64_t start_ns;
		int code;

		if (event.kind == FILEIO_WRITE && shared->files->verify)
			fileio_files_stamp(&event, worker->data);
		start_ns = clock_now_ns();
		code = fileio_files_do(shared->files, &event, worker->data);
		histogram_add(
		    &worker->latencies[event.kind], clock_now_ns() - start_ns);
		worker->bytes[event.kind] += event.size;
		if (code == 0)
			continue;
		worker->errno_value = errno;
		worker->failed = event;
		(void)pthread_mutex_lock(&shared->lock);
		shared->stop = true;
		(void)pthread_mutex_unlock(&shared->lock);
	}
	return NULL;
}

/* "cannot write 16384 bytes at 4096 of test_file.7: ..." */
static int
report_failure(struct workload_run *run, const struct worker *worker)
{
	static const char *const actions[] = { "read", "write", "fsync" };
	const struct fileio_event *event = &worker->failed;

	if (worker->errno_value == EILSEQ)
		return run_fail(run, VERDICT_CORRUPT,
		    "test_file.%lld has wrong data within %lld bytes at %lld",
		    (long long)event->file, (long long)event->size,
		    (long long)event->offset);
	errno = worker->errno_value;
	return run_fail_errno(run,
	    "cannot %s %lld bytes at %lld of test_file.%lld",
	    actions[event->kind], (long long)event->size,
	    (long long)event->offset, (long long)event->file);
}

static void
start_workers(struct worker *workers, int count, struct shared *shared,
    const struct workload_run *run)
{
	struct fileio_seeder seeder;

	fileio_seed(&seeder, (uint32_t)keys_integer(run->keys, "seed"));
	for (int i = 0; i < count; i++) {
		workers[i].shared = shared;
		fileio_next_rng(&seeder, &workers[i].rng);
		workers[i].data = files_data(shared->block, (uint64_t)i + 1,
		    shared->files->compressible);
	}
}

/* Runs all threads to their end; this one is the first. */
static void
run_workers(struct worker *workers, int count)
{
	pthread_t *threads = calloc((size_t)count, sizeof *threads);
	int started = 1;

	if (threads == NULL)
		abort();
	while (started < count) {
		int code = pthread_create(
		    &threads[started], NULL, work, &workers[started]);

		if (code != 0) {
			workers[started].errno_value = code;
			break;
		}
		started++;
	}
	(void)work(&workers[0]);
	for (int i = 1; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
}

static int
end_workers(struct workload_run *run, struct worker *workers, int count,
    struct fileio_figures *figures)
{
	int code = 0;

	for (int i = 0; i < count; i++) {
		for (int k = 0; k < FILEIO_KINDS; k++) {
			histogram_merge(
			    &figures->latencies[k], &workers[i].latencies[k]);
			figures->bytes[k] += workers[i].bytes[k];
		}
		if (code == 0 && workers[i].errno_value != 0)
			code = report_failure(run, &workers[i]);
		free(workers[i].data);
	}
	return code;
}

static int
sync_all(struct workload_run *run, const struct fileio_files *files)
{
	for (int64_t i = 0; i < files->count; i++)
		if (fileio_files_sync(files, i) != 0)
			return run_fail_errno(
			    run, "cannot fsync test_file.%lld", (long long)i);
	return 0;
}

int
fileio_run_block(struct workload_run *run, struct fileio_files *files,
    const struct fileio_settings *settings, struct fileio_figures *figures)
{
	int count = (int)keys_integer(run->keys, "threads");
	int64_t seconds_ns = keys_integer(run->keys, "seconds");
	bool writes =
	    settings->mode != FILEIO_SEQRD && settings->mode != FILEIO_RNDRD;
	struct worker *workers = calloc((size_t)count, sizeof *workers);
	struct shared shared = { .files = files,
		.stream = { .settings = settings },
		.block = (size_t)settings->block };
	int64_t start_ns;
	int code;

	if (workers == NULL || count < 1) /* the key's least is 1 */
		abort();
	if (fileio_files_open(files, settings->mode == FILEIO_SEQWR) != 0) {
		code = run_fail_errno(run, "cannot open the files");
		fileio_files_close(files);
		free(workers);
		return code;
	}
	(void)pthread_mutex_init(&shared.lock, NULL);
	start_workers(workers, count, &shared, run);
	start_ns = clock_now_ns();
	shared.end_ns = seconds_ns > 0 ? start_ns + seconds_ns : 0;
	run_workers(workers, count);
	code = 0;
	if (!shared.stop && writes && keys_boolean(run->keys, "fsync_end"))
		code = sync_all(run, files);
	figures->seconds = run_seconds(start_ns, clock_now_ns());
	if (end_workers(run, workers, count, figures) == 1)
		code = 1;
	(void)pthread_mutex_destroy(&shared.lock);
	fileio_files_close(files);
	free(workers);
	return code;
}
