#include "cli/session.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "cli/disks.h"
#include "cli/facts.h"
#include "cli/progress.h"
#include "cli/reporting.h"
#include "cli/stop.h"
#include "model/results.h"
#include "platform/host.h"
#include "platform/isolate.h"
#include "platform/lock.h"
#include "store/store.h"
#include "trial/night.h"
#include "trial/undo.h"

/* Exit statuses of the inner process. */
enum inner_end {
	INNER_COMPLETE,
	INNER_STOPPED,   /* by the budget or block_done */
	INNER_CANCELLED, /* by a signal */
	INNER_STUCK,
	INNER_KEPT,
	INNER_ERROR,
};

/* What both processes share. */
struct sitting {
	const struct session_job *job;
	struct arena *arena;
	const char *state_directory;
	const char *keep_file; /* where kept mounts are pinned */
	const char *owner;     /* for other runs that want the same */
	int progress_fd;       /* the inner side's end */
	struct store *store;
	int64_t session_started_ns;
	bool is_unfinished; /* "resume" would go on */
};

/* --- the inner process --------------------------------------------------- */

static int
begin_trial(void *context, const struct planned_trial *trial, struct error *err)
{
	struct sitting *sitting = context;

	return store_begin_trial(
	    sitting->store, trial->index, clock_wall_ns(), err);
}

static int
finish_trial(void *context, const struct planned_trial *trial,
    const struct outcome *outcome, struct error *err)
{
	struct sitting *sitting = context;
	const struct cell *cell = &sitting->job->plan->cells[trial->cell];

	return store_finish_trial(sitting->store, outcome, cell, err);
}

static int
cell_changed(void *context, const struct cell *cell, struct error *err)
{
	struct sitting *sitting = context;

	return store_update_cell(sitting->store, cell, err);
}

static int
add_trial(void *context, const struct planned_trial *trial, struct error *err)
{
	struct sitting *sitting = context;
	struct planned_trial copy = *trial;

	if (store_add_trial(sitting->store, &copy, err) == -1)
		return -1;
	if (copy.index != trial->index)
		return error_set(err,
		    "the retry of trial %zu got index %zu in the store",
		    trial->index, copy.index);
	return 0;
}

static int
progress(void *context, const struct night_event *event, struct error *err)
{
	struct sitting *sitting = context;

	if (progress_send(sitting->progress_fd, event) == -1)
		return error_errno(err, "the outer process is gone");
	return 0;
}

static int
begin_session(struct sitting *sitting, struct error *err)
{
	struct session session = { 0 };

	session_describe(&session, sitting->job->plan, sitting->job->results,
	    sitting->job->label, sitting->arena);
	sitting->session_started_ns = session.started_wall_ns;
	return store_begin_session(sitting->store, &session, err);
}

static const char *
folder_of(struct arena *arena, const char *path)
{
	return dirname(arena_strdup(arena, path));
}

static int
run_night(struct sitting *sitting, struct night *night, struct error *err)
{
	const struct session_job *job = sitting->job;
	struct night_options options = {
		.state_directory = sitting->state_directory,
		.image_directory = folder_of(sitting->arena, job->results),
		.results_path = job->results,
		.owner = sitting->owner,
		.program_path = platform_program_path(sitting->arena),
		.destroy = job->destroy,
		.destroy_count = job->destroy_count,
		.keep = job->keep,
		.keep_file = sitting->keep_file,
		.spent_ns = job->spent_ns,
	};
	struct night_hooks hooks = {
		.begin_trial = begin_trial,
		.finish_trial = finish_trial,
		.cell_changed = cell_changed,
		.add_trial = add_trial,
		.progress = progress,
		.context = sitting,
	};

	*night = (struct night){
		.plan = job->plan,
		.options = &options,
		.hooks = &hooks,
		.trees = (const struct tree *const *)job->trees,
		.done = job->done,
		.panicked = job->panicked,
	};
	return night_run(night, sitting->arena, err);
}

static enum inner_end
tell_end(const struct sitting *sitting, const struct night *night)
{
	int fd = sitting->progress_fd;

	if (night->end != NIGHT_COMPLETE)
		(void)progress_send_text(fd, 'D', night->end_reason);
	if (night->kept != NULL)
		(void)progress_send_text(fd, 'K', night->kept);
	switch (night->end) {
	case NIGHT_COMPLETE:
		return INNER_COMPLETE;
	case NIGHT_STUCK:
		return INNER_STUCK;
	case NIGHT_KEPT:
		return INNER_KEPT;
	case NIGHT_CANCELLED:
		return INNER_CANCELLED;
	case NIGHT_BUDGET:
	case NIGHT_ENOUGH:
		break;
	}
	return INNER_STOPPED;
}

/* The whole life of the inner process; its exit status. */
static int
inner(void *context)
{
	struct sitting *sitting = context;
	struct night night = { 0 };
	struct error err = { 0 };
	int rc;

	rc = store_open(
	    &sitting->store, sitting->job->results, STORE_WRITE, &err);
	if (rc == 0)
		rc = begin_session(sitting, &err);
	if (rc == 0)
		rc = run_night(sitting, &night, &err);
	if (rc == 0)
		rc = store_end_session(sitting->store, clock_wall_ns(),
		    platform_load(sitting->arena), &err);
	store_close(sitting->store);
	if (rc == 0)
		return (int)tell_end(sitting, &night);
	(void)progress_send_text(sitting->progress_fd, 'E', err.text);
	return INNER_ERROR;
}

/* --- the outer process --------------------------------------------------- */

/* Passes progress on until the inner process has ended. */
static void
watch(struct isolate *isolate, struct progress *progress, int progress_fd)
{
	struct pollfd polls[] = {
		{ .fd = progress_fd, .events = POLLIN },
		{ .fd = isolate->status_fd, .events = POLLIN },
	};
	bool ended = false;

	while (!ended) {
		(void)poll(polls, 2, 1000);
		stop_forward(isolate);
		if (polls[0].revents != 0 &&
		    progress_read(progress, progress_fd) == 0)
			polls[0].fd = -1;
		ended = (polls[1].revents & (POLLIN | POLLHUP)) != 0;
		progress_tick(progress);
	}
	/* its end may never come: a child that nothing ends has it open */
	while (polls[0].fd != -1 && poll(polls, 1, 0) == 1 &&
	       progress_read(progress, progress_fd) == 1)
		continue;
	progress_end(progress);
}

static void
keep_mounts(const struct sitting *sitting, const struct isolate *isolate,
    const char *mountpoint)
{
	struct error err = { 0 };
	const char *file = sitting->keep_file;
	char *enter;

	if (platform_isolate_pin(isolate, file, &err) == -1) {
		(void)cli_fail(&err);
		return;
	}
	(void)fprintf(stderr, "kept for inspection: %s\n", mountpoint);
	enter = platform_pin_enter(file, sitting->arena);
	if (enter != NULL)
		(void)fprintf(stderr, "enter it with:   %s\n", enter);
	(void)fprintf(stderr, "let it go with:  mountmatrix clean %s\n",
	    sitting->job->results);
}

/* The exit status for how the inner process ended; prints why. */
static int
conclude(struct sitting *sitting, const struct progress *progress,
    int inner_code, int inner_signal)
{
	if (inner_signal != 0 && stop_signal() == 0) {
		(void)fprintf(stderr,
		    "mountmatrix: the run was ended by signal %d (%s)\n",
		    inner_signal, strsignal(inner_signal));
		sitting->is_unfinished = true;
		return EXIT_HOST;
	}
	if (inner_code == INNER_ERROR) {
		(void)fprintf(stderr, "mountmatrix: %s\n", progress->error);
		return EXIT_HOST;
	}
	if (stop_signal() != 0)
		(void)fprintf(stderr, "mountmatrix: stopped by a signal (%s)\n",
		    strsignal(stop_signal()));
	else if (progress->ended[0] != '\0')
		(void)fprintf(stderr, "mountmatrix: %s\n", progress->ended);
	sitting->is_unfinished =
	    stop_signal() != 0 || inner_code == INNER_STOPPED ||
	    inner_code == INNER_KEPT || inner_code == INNER_STUCK ||
	    inner_code == INNER_CANCELLED;
	/* a signal to the inner process alone is not raised again */
	return inner_code == INNER_STUCK || inner_code == INNER_CANCELLED
		   ? EXIT_HOST
		   : EXIT_ALL_OK;
}

static int
print_report(const struct sitting *sitting)
{
	struct reporting_options options = { .is_own = true };
	struct error err = { 0 };
	bool cells_ok;

	if (reporting_print(sitting->job->results, &options, sitting->arena,
		&cells_ok, &err) == -1)
		return cli_fail(&err);
	return cells_ok ? EXIT_ALL_OK : EXIT_CELLS;
}

/* An existing filesystem is unmounted and mounted anew for everybody. */
static bool
has_mountpoint(const struct plan *plan)
{
	for (size_t i = 0; i < plan->target_count; i++)
		if (plan->targets[i].kind == TARGET_MOUNTPOINT)
			return true;
	return false;
}

static int
run_inner(struct sitting *sitting, struct error *err)
{
	struct isolate_job isolate_job = {
		.function = inner,
		.context = sitting,
		.keep = sitting->job->keep,
		.allow_less = true,
		.share_mounts = has_mountpoint(sitting->job->plan),
	};
	struct isolate isolate;
	struct progress progress;
	int fds[2];
	int code;
	int number;
	int rc;

	if (pipe(fds) == -1)
		return error_errno(err, "cannot make a pipe");
	(void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	sitting->progress_fd = fds[1];
	(void)fflush(stdout);
	(void)fflush(stderr);
	rc =
	    platform_isolate_start(&isolate_job, sitting->arena, &isolate, err);
	(void)close(fds[1]);
	if (rc == -1) {
		(void)close(fds[0]);
		return -1;
	}
	progress_init(&progress, stderr, sitting->job->quiet);
	watch(&isolate, &progress, fds[0]);
	(void)close(fds[0]);
	rc = platform_isolate_wait(&isolate, &code, &number, err);
	if (rc == 0 && code == INNER_KEPT)
		keep_mounts(sitting, &isolate, progress.kept);
	if (isolate.is_held_up)
		(void)fprintf(stderr,
		    "mountmatrix: a process that nothing ends is left; what it "
		    "has mounted stays until it ends, at the latest until the "
		    "next boot\n");
	platform_isolate_close(&isolate);
	/* killed by itself it has unwound nothing */
	if (rc == 0 && number != 0 && session_clean(sitting->arena, err) == -1)
		return -1;
	return rc == -1 ? -1 : conclude(sitting, &progress, code, number);
}

/* Said by the outer process, which ps shows under this number, and which
 * takes the signals. */
static const char *
owner_line(struct arena *arena, const char *results)
{
	char *path = realpath(results, NULL);
	const char *line =
	    arena_printf(arena, "process %ld since %s, results in %s",
		(long)getpid(), clock_iso8601(arena, clock_wall_ns()),
		path != NULL ? path : results);

	free(path);
	return line;
}

/* The command that goes on: what was named twice is named again. */
static const char *
go_on_line(const struct session_job *job, struct arena *arena)
{
	struct argv argv;

	argv_init(&argv, arena);
	argv_push(&argv, "mountmatrix");
	argv_push(&argv, "resume");
	argv_push(&argv, job->results);
	for (size_t i = 0; i < job->destroy_count; i++) {
		argv_push(&argv, "--destroy");
		argv_push(&argv, job->destroy[i]);
	}
	return argv_quote(&argv);
}

int
session_run(const struct session_job *job, struct arena *arena)
{
	struct sitting sitting = { .job = job, .arena = arena };
	struct error err = { 0 };
	const char *go_on = go_on_line(job, arena);
	int status;
	int report_status;

	if (platform_state_directory(arena, &sitting.state_directory, &err) ==
		-1 ||
	    stop_catch(&err) == -1)
		return cli_fail(&err);
	sitting.owner = owner_line(arena, job->results);
	sitting.keep_file = arena_printf(
	    arena, "%s/kept-%ld", sitting.state_directory, (long)getpid());
	status = run_inner(&sitting, &err);
	if (status == -1)
		return cli_fail(&err);
	report_status = print_report(&sitting);
	(void)fflush(stdout);
	/* last, where it is seen */
	if (sitting.is_unfinished)
		(void)fprintf(stderr, "go on with: %s\n", go_on);
	stop_raise();
	return status != EXIT_ALL_OK ? status : report_status;
}

int
session_lock(struct arena *arena, const char *results, struct error *err)
{
	static const int64_t PATIENCE_NS = 10000000000;
	int64_t until = clock_now_ns() + PATIENCE_NS;
	struct lock_request request = { 0 };
	char path[PATH_MAX];
	int fd;

	if (realpath(results, path) == NULL)
		return error_errno(err, "cannot find '%s'", results);
	request.key = path;
	request.owner = owner_line(arena, results);
	do {
		fd = platform_lock(arena, &request, err);
		if (fd != -1 || err->kind != ERROR_HOST)
			return fd;
		clock_sleep_ms(50);
	} while (clock_now_ns() < until);
	return -1;
}

static void
tell_undone(void *context, const char *text)
{
	(void)context;
	(void)fprintf(stderr, "cleaning up: %s\n", text);
}

static void
tell_kept(void *context, const struct undo_kept *kept)
{
	(void)context;
	(void)fprintf(stderr,
	    "a trial is still kept (%s); let it go with: mountmatrix clean %s\n",
	    kept->mountpoint,
	    kept->results[0] != '\0' ? kept->results : kept->file);
}

int
session_clean(struct arena *arena, struct error *err)
{
	struct undo_report report = { tell_undone, tell_kept, NULL };
	struct undo_clean_counts counts = { 0 };
	const char *state;

	if (platform_state_directory(arena, &state, err) == -1)
		return -1;
	return undo_clean_all(state, NULL, &report, &counts, err);
}

void
session_describe(struct session *session, const struct plan *plan,
    const char *results, const char *label, struct arena *arena)
{
	*session = (struct session){
		.label = label != NULL ? label : "",
		.boot_id = platform_boot_id(arena),
		.program = "mountmatrix " MM_VERSION,
		.started_wall_ns = clock_wall_ns(),
	};
	platform_host_facts(arena, &session->host);
	disks_facts(&session->host, plan, results, arena);
	facts_tools(&session->tools, plan, arena);
}
