/*
 * A power cut at any write of a results file: what was finished is there, and
 * the night can go on.
 *
 * SQLite writes through a recorder, which knows every write, truncation, sync
 * and removal in order.  For each of them the files are made again as a disk
 * may have them whose power went just then: with all that was issued (as after
 * SIGKILL), with only what was synced, or with some sectors of the rest.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/rng.h"
#include "store/store.h"

enum { SECTOR = 512, TRIALS = 4, MOST_EVENTS = 8192, FILE_MOST = 1 << 20 };

static char folder[64];
static struct arena *arena;
static struct error err;
static struct rng rng;

/* --- the recorder -------------------------------------------------------- */

enum which { DATABASE, JOURNAL, FILES };
enum what { WRITE, TRUNCATE, SYNC, REMOVE };

struct event {
	enum what what;
	enum which file;
	int64_t at; /* or the new size, or whether the folder is synced */
	size_t size;
	unsigned char *bytes;
	size_t finished; /* trials whose end was durable before */
};

static struct event events[MOST_EVENTS];
static size_t event_count;
static size_t finished;
static bool is_recording;

static sqlite3_vfs recorder;
static sqlite3_vfs *disk;

struct recorded_file {
	sqlite3_file base;
	enum which which;
	sqlite3_file *real;
};

static struct recorded_file *
recorded(sqlite3_file *file)
{
	return (struct recorded_file *)file;
}

static void
record(enum what what, enum which which, int64_t at, const void *bytes,
    size_t size)
{
	struct event *event = &events[event_count];

	if (!is_recording)
		return;
	assert_true(event_count < MOST_EVENTS);
	*event = (struct event){ .what = what,
		.file = which,
		.at = at,
		.size = size,
		.bytes = arena_alloc(arena, size + 1),
		.finished = finished };
	if (size > 0)
		memcpy(event->bytes, bytes, size);
	event_count++;
}

static int
file_close(sqlite3_file *file)
{
	sqlite3_file *real = recorded(file)->real;
	int status = real->pMethods->xClose(real);

	sqlite3_free(real);
	return status;
}

static int
file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 at)
{
	sqlite3_file *real = recorded(file)->real;

	return real->pMethods->xRead(real, bytes, size, at);
}

static int
file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
	sqlite3_file *real = recorded(file)->real;

	record(WRITE, recorded(file)->which, at, bytes, (size_t)size);
	return real->pMethods->xWrite(real, bytes, size, at);
}

static int
file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	sqlite3_file *real = recorded(file)->real;

	record(TRUNCATE, recorded(file)->which, size, NULL, 0);
	return real->pMethods->xTruncate(real, size);
}

static int
file_sync(sqlite3_file *file, int flags)
{
	sqlite3_file *real = recorded(file)->real;

	record(SYNC, recorded(file)->which, 0, NULL, 0);
	return real->pMethods->xSync(real, flags);
}

static int
file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	sqlite3_file *real = recorded(file)->real;

	return real->pMethods->xFileSize(real, size);
}

static int
file_lock(sqlite3_file *file, int level)
{
	sqlite3_file *real = recorded(file)->real;

	return real->pMethods->xLock(real, level);
}

static int
file_unlock(sqlite3_file *file, int level)
{
	sqlite3_file *real = recorded(file)->real;

	return real->pMethods->xUnlock(real, level);
}

static int
file_is_reserved(sqlite3_file *file, int *result)
{
	sqlite3_file *real = recorded(file)->real;

	return real->pMethods->xCheckReservedLock(real, result);
}

static int
file_control(sqlite3_file *file, int op, void *argument)
{
	sqlite3_file *real = recorded(file)->real;

	return real->pMethods->xFileControl(real, op, argument);
}

/* The least that a disk promises. */
static int
file_sector_size(sqlite3_file *file)
{
	(void)file;
	return SECTOR;
}

static int
file_promises(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_unlock,
	.xCheckReservedLock = file_is_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector_size,
	.xDeviceCharacteristics = file_promises,
};

static enum which
which_is(const char *name)
{
	return name != NULL && strstr(name, "-journal") != NULL ? JOURNAL
								: DATABASE;
}

static int
open_recorded(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
    int *out_flags)
{
	struct recorded_file *opened = recorded(file);
	int status;

	(void)vfs;
	opened->which = which_is(name);
	opened->real = sqlite3_malloc(disk->szOsFile);
	memset(opened->real, 0, (size_t)disk->szOsFile);
	status = disk->xOpen(disk, name, opened->real, flags, out_flags);
	opened->base.pMethods = status == SQLITE_OK ? &methods : NULL;
	if (status != SQLITE_OK)
		sqlite3_free(opened->real);
	return status;
}

static int
remove_recorded(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	(void)vfs;
	record(REMOVE, which_is(name), sync_folder, NULL, 0);
	return disk->xDelete(disk, name, sync_folder);
}

static void
install_recorder(void)
{
	disk = sqlite3_vfs_find(NULL);
	recorder = *disk;
	recorder.pNext = NULL;
	recorder.zName = "recorder";
	recorder.szOsFile = (int)sizeof(struct recorded_file);
	recorder.xOpen = open_recorded;
	recorder.xDelete = remove_recorded;
	assert_int_equal(sqlite3_vfs_register(&recorder, 1), SQLITE_OK);
}

/* --- a night, recorded --------------------------------------------------- */

static void
ok(int rc)
{
	if (rc == -1)
		fail_msg("%s", err.text);
}

static struct plan *
small_plan(void)
{
	struct plan *plan = arena_alloc(arena, sizeof *plan);

	*plan = (struct plan){ .title = "power cut",
		.matrix_path = "x.conf",
		.matrix_text = "",
		.system = "linux",
		.system_version = "",
		.rounds = TRIALS,
		.baseline = "default",
		.target_count = 1,
		.targets = arena_array(arena, 1, sizeof *plan->targets),
		.workload_count = 1,
		.workloads = arena_array(arena, 1, sizeof *plan->workloads),
		.cell_count = 1,
		.cells = arena_array(arena, 1, sizeof *plan->cells),
		.trial_count = TRIALS,
		.trials = arena_array(arena, TRIALS, sizeof *plan->trials) };
	plan->targets[0] = (struct target){ .title = "scratch",
		.kind = TARGET_IMAGE,
		.image_is_auto = true,
		.size_bytes = 1 << 30 };
	plan->workloads[0] = (struct workload_spec){
		.title = "nothing", .type = "null", .metric = "elapsed"
	};
	plan->cells[0] = (struct cell){ .key = "ext4:default",
		.filesystem = "ext4",
		.driver = "ext4",
		.target = "scratch",
		.asked = "",
		.expected = "",
		.duplicate_of = NO_CELL,
		.is_baseline = true };
	for (size_t i = 0; i < TRIALS; i++)
		plan->trials[i] = (struct planned_trial){
			.index = i, .block = (int)i + 1, .position = 1
		};
	return plan;
}

static struct session
a_session(void)
{
	return (struct session){ .label = "",
		.boot_id = "boot",
		.program = "test",
		.started_wall_ns = 1000 };
}

static struct outcome *
an_outcome(size_t trial)
{
	static const struct metric elapsed = { "elapsed", "s", LOWER_IS_BETTER,
		NULL };
	struct outcome *outcome = outcome_new(arena, trial);

	/* several pages */
	for (int i = 0; i < 6; i++) {
		struct step *step =
		    outcome_add_step(outcome, arena, RUNG_MEASURE);
		char *output = arena_alloc(arena, 1500);

		memset(output, 'a' + i, 1499);
		step->command = "work";
		step->output = output;
	}
	outcome->verdict = VERDICT_OK;
	outcome->started_wall_ns = 2000;
	outcome->ended_wall_ns = 3000;
	outcome_add_sample(
	    outcome, arena, &elapsed, 0, 1.5 + (double)trial / 10);
	return outcome;
}

struct image {
	unsigned char *bytes;
	int64_t size;
	bool exists;
};

static struct image before; /* the database when the recording began */

static void
keep_database(const char *path)
{
	int fd = open(path, O_RDONLY);

	before.bytes = arena_alloc(arena, FILE_MOST);
	before.size = read(fd, before.bytes, FILE_MOST);
	assert_true(before.size > 0 && before.size < FILE_MOST);
	(void)close(fd);
}

static void
record_night(const char *path)
{
	struct session session = a_session();
	struct store *store;

	ok(store_create(&store, path, small_plan(), &err));
	store_close(store);
	keep_database(path);
	is_recording = true;
	ok(store_open(&store, path, STORE_WRITE, &err));
	ok(store_begin_session(store, &session, &err));
	for (size_t i = 0; i < TRIALS; i++) {
		ok(store_begin_trial(store, i, 2000, &err));
		ok(store_finish_trial(store, an_outcome(i), NULL, &err));
		finished = i + 1;
	}
	ok(store_end_session(store, 5000, "0.10 0.20 0.30", &err));
	store_close(store);
	is_recording = false;
}

/* --- the disk after a cut ------------------------------------------------ */

enum disk_kind { ALL_ISSUED, SYNCED_ONLY, SOME_SECTORS, DISK_KINDS };
static const char *const kind_names[] = { "all that was issued",
	"only what was synced", "some sectors of the rest" };

static void
image_put(
    struct image *image, int64_t at, const unsigned char *bytes, size_t size)
{
	int64_t end = at + (int64_t)size;

	assert_true(end <= FILE_MOST);
	if (end > image->size) {
		memset(
		    image->bytes + image->size, 0, (size_t)(end - image->size));
		image->size = end;
	}
	memcpy(image->bytes + at, bytes, size);
}

/* Some of the sectors that a write touches, or none. */
static void
image_put_some(struct image *image, const struct event *event)
{
	for (size_t done = 0; done < event->size;) {
		int64_t at = event->at + (int64_t)done;
		size_t size = (size_t)(SECTOR - at % SECTOR);

		if (size > event->size - done)
			size = event->size - done;
		if (rng_below(&rng, 2) == 0)
			image_put(image, at, event->bytes + done, size);
		done += size;
	}
}

static void
apply(struct image *image, const struct event *event, bool is_whole)
{
	switch (event->what) {
	case WRITE:
		image->exists = true;
		if (is_whole)
			image_put(image, event->at, event->bytes, event->size);
		else
			image_put_some(image, event);
		break;
	case TRUNCATE:
		if (is_whole || rng_below(&rng, 2) == 0)
			image->size = event->at;
		break;
	case REMOVE:
		image->exists = is_whole ? false : image->exists;
		image->size = is_whole ? 0 : image->size;
		break;
	case SYNC:
		break;
	}
}

/* Until when a file's events are durable at the cut: its last sync, or a
 * removal that was followed by a sync of the folder ("at"). */
static size_t
durable_until(enum which file, size_t cut)
{
	size_t until = 0;

	for (size_t i = 0; i < cut; i++)
		if (events[i].file == file &&
		    (events[i].what == SYNC ||
			(events[i].what == REMOVE && events[i].at != 0)))
			until = i + 1;
	return until;
}

static void
make_file(const char *path, struct image *image)
{
	int fd;

	(void)unlink(path);
	if (!image->exists)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd != -1);
	assert_true(write(fd, image->bytes, (size_t)image->size) ==
		    (ssize_t)image->size);
	(void)close(fd);
}

static void
make_disk(const char *path, size_t cut, enum disk_kind kind)
{
	static unsigned char room[FILES][FILE_MOST];
	char journal[128];
	struct image images[FILES] = { { room[DATABASE], 0, true },
		{ room[JOURNAL], 0, false } };

	memcpy(room[DATABASE], before.bytes, (size_t)before.size);
	images[DATABASE].size = before.size;
	for (int file = 0; file < FILES; file++) {
		size_t durable = durable_until((enum which)file, cut);

		for (size_t i = 0; i < cut; i++) {
			bool is_whole = kind == ALL_ISSUED || i < durable;

			if (events[i].file == (enum which)file &&
			    (is_whole || kind == SOME_SECTORS))
				apply(&images[file], &events[i], is_whole);
		}
	}
	(void)snprintf(journal, sizeof journal, "%s-journal", path);
	make_file(path, &images[DATABASE]);
	make_file(journal, &images[JOURNAL]);
}

/* --- what must hold ------------------------------------------------------ */

static size_t
count_done(const struct store_progress *progress)
{
	size_t count = 0;

	while (count < progress->trial_count && progress->done[count])
		count++;
	for (size_t i = count; i < progress->trial_count; i++)
		assert_false(progress->done[i]);
	return count;
}

/* As "resume" does: a session, and the trial that was cut off once more. */
static void
go_on(struct store *store, size_t next)
{
	struct session session = a_session();

	ok(store_begin_session(store, &session, &err));
	if (next < TRIALS) {
		ok(store_begin_trial(store, next, 2000, &err));
		ok(store_finish_trial(store, an_outcome(next), NULL, &err));
	}
}

/* As "report" does, perhaps as the first after the cut. */
static void
read_only(const char *path)
{
	struct results_tables tables;
	struct store *store;

	ok(store_open(&store, path, STORE_READ, &err));
	ok(store_tables(
	    store, &(struct store_filter){ 0 }, arena, &tables, &err));
	store_close(store);
}

static void
check_disk(const char *path, size_t cut, enum disk_kind kind)
{
	size_t before_cut =
	    cut < event_count ? events[cut].finished : (size_t)TRIALS;
	struct arena *scratch = arena_new();
	struct store_progress progress;
	struct store *store;
	struct plan *plan;
	size_t done;

	if (cut % 2 == 0)
		read_only(path);
	if (store_open(&store, path, STORE_WRITE, &err) == -1 ||
	    store_check_integrity(store, &err) == -1)
		fail_msg("cut at event %zu, %s: %s", cut, kind_names[kind],
		    err.text);
	ok(store_load_plan(store, scratch, &plan, &err));
	ok(store_progress(store, scratch, &progress, &err));
	done = count_done(&progress);
	/* the one whose end was being written may be there or not */
	if (done < before_cut || done > before_cut + 1)
		fail_msg("cut at event %zu, %s: %zu trials finished, not %zu",
		    cut, kind_names[kind], done, before_cut);
	go_on(store, done);
	ok(store_check_integrity(store, &err));
	store_close(store);
	read_only(path);
	arena_free(scratch);
}

static void
no_power_cut_loses_a_finished_trial(void **state)
{
	const char *path = arena_printf(arena, "%s/night.db", folder);
	const char *copy = arena_printf(arena, "%s/after.db", folder);
	size_t writes = 0, cuts = 0;

	(void)state;
	record_night(path);
	for (size_t i = 0; i < event_count; i++)
		writes += events[i].what == WRITE;
	for (size_t cut = 0; cut <= event_count; cut++)
		for (int kind = 0; kind < DISK_KINDS; kind++) {
			make_disk(copy, cut, (enum disk_kind)kind);
			check_disk(copy, cut, (enum disk_kind)kind);
			cuts++;
		}
	(void)printf("# counts: %zu power cuts at %zu writes, syncs and "
		     "removals (%zu writes) of a results file, each with "
		     "three states of the disk\n",
	    cuts, event_count, writes);
}

/* --- the folder ---------------------------------------------------------- */

static int
set_up(void **state)
{
	/* in memory where that is possible: thousands of syncs */
	const char *below = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	(void)state;
	(void)snprintf(folder, sizeof folder, "%s/powercut-XXXXXX", below);
	if (mkdtemp(folder) == NULL)
		return -1;
	arena = arena_new();
	rng_seed(&rng, 4711);
	install_recorder();
	return 0;
}

static int
tear_down(void **state)
{
	static const char *const names[] = { "night.db", "night.db-journal",
		"after.db", "after.db-journal" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		(void)unlink(arena_printf(arena, "%s/%s", folder, names[i]));
	(void)rmdir(folder);
	arena_free(arena);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_power_cut_loses_a_finished_trial),
	};

	return cmocka_run_group_tests_name(
	    "powercut", tests, set_up, tear_down);
}
