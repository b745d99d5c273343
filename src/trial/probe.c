/*
 * Two probes that trust behaviour over flags, once per cell.
 *
 * Atime: a file and a folder whose access times are older than their
 * modification are read twice, some ticks apart.  Both reads move a strict
 * access time, the first one only a relative one, neither none.  What is in
 * the cache would be read without a program in user space knowing of it.
 *
 * Durability: twenty files are made, written and fsynced; the device says how
 * many flushes that was.  0 on Linux means fsync is not on the medium.  The
 * BSDs' own filesystems never flush, whatever fsync, and their devices do not
 * count it: what power cuts left in tests stands before it there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "fs/build.h"
#include "platform/cache.h"
#include "platform/counters.h"
#include "platform/filesystem.h"
#include "trial/cell_state.h"
#include "trial/child.h"
#include "trial/trial.h"

static const int64_t PROBE_NS = 300 * INT64_C(1000000000);
enum { FAST_TICK_MS = 60, SLOW_TICK_MS = 1050, FILES = 20, BLOCK = 4096 };

/* Which of the answer's values says so. */
enum { NO_ROOM };

/* No room is no fault of the cell's: a workload may fill it. */
static int
fail_at(struct child_answer *answer, const char *what, const char *path)
{
	if (errno == ENOSPC || errno == EDQUOT) {
		answer->values[NO_ROOM] = 1;
		return 0;
	}
	answer->errno_value = errno;
	child_say(answer, "%s '%s'", what, path);
	return 0;
}

static int
write_file(const char *path, bool durable)
{
	static const char block[BLOCK];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int result = 0;

	if (fd == -1)
		return -1;
	if (write(fd, block, sizeof block) != (ssize_t)sizeof block ||
	    (durable && fsync(fd) == -1))
		result = -1;
	if (close(fd) == -1)
		result = -1;
	return result;
}

static int
read_file(const char *path)
{
	char block[BLOCK];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd == -1)
		return -1;
	got = read(fd, block, sizeof block);
	(void)close(fd);
	return got == -1 ? -1 : 0;
}

static int
read_folder(const char *path)
{
	DIR *folder = opendir(path);

	if (folder == NULL)
		return -1;
	while (readdir(folder) != NULL)
		continue;
	return closedir(folder);
}

static int64_t
access_time_ns(const char *path)
{
	struct stat status;

	if (stat(path, &status) == -1)
		return -1;
	return (int64_t)status.st_atim.tv_sec * 1000000000 +
	       status.st_atim.tv_nsec;
}

static int
make_old(const char *path)
{
	struct timespec times[2];

	(void)clock_gettime(CLOCK_REALTIME, &times[0]);
	times[1] = times[0];
	times[0].tv_sec -= 100;
	times[1].tv_sec -= 50;
	return utimensat(AT_FDCWD, path, times, 0);
}

/* How long until the kernel's stamps differ: where it keeps fractions of a
 * second, some ticks; else a second. */
static int64_t
tick_ms(const char *path)
{
	struct stat status;

	if (stat(path, &status) == -1 || status.st_ctim.tv_nsec == 0)
		return SLOW_TICK_MS;
	return FAST_TICK_MS;
}

static const char *
atime_word(const int64_t times[3])
{
	if (times[1] == times[0])
		return times[2] == times[1] ? "none" : "late";
	return times[2] == times[1] ? "relative" : "strict";
}

/* "relative", "none", "strict, none for folders", "none, strict for folders" */
static void
say_atimes(struct child_answer *answer, const char *file, const char *folder)
{
	bool has_none =
	    strcmp(file, "none") == 0 || strcmp(folder, "none") == 0;

	if (has_none && strcmp(file, folder) != 0)
		child_say(answer, "%s, %s for folders", file, folder);
	else
		child_say(answer, "%s", file);
}

static int
atime_child(void *context, struct child_answer *answer, struct error *err)
{
	const char *work = context;
	char folder[1100], file[1200];
	int64_t of_file[3], of_folder[3];

	(void)snprintf(folder, sizeof folder, "%s/atime", work);
	(void)snprintf(file, sizeof file, "%s/file", folder);
	if (mkdir(folder, 0755) == -1 || write_file(file, false) == -1 ||
	    make_old(file) == -1 || make_old(folder) == -1)
		return fail_at(answer, "prepare", file);
	for (int i = 0; i < 3; i++) {
		/* not every system can, and not every one needs it */
		(void)platform_cache_drop_file(file, err);
		if (i > 0) {
			/* a relative one looks at the change time too */
			clock_sleep_ms(tick_ms(file));
			if (read_file(file) == -1 || read_folder(folder) == -1)
				return fail_at(answer, "read", file);
		}
		of_file[i] = access_time_ns(file);
		of_folder[i] = access_time_ns(folder);
	}
	say_atimes(answer, atime_word(of_file), atime_word(of_folder));
	return 0;
}

/* --- durability ---------------------------------------------------------- */

struct durability_job {
	const char *work;
	const char *mountpoint;
	const char *counted;
};

static int
durability_child(void *context, struct child_answer *answer, struct error *err)
{
	const struct durability_job *job = context;
	struct device_counters before, after, spent;
	char file[1200];

	if (platform_sync(job->mountpoint, err) == -1)
		return fail_at(answer, "sync", job->mountpoint);
	if (platform_counters(job->counted, &before, err) != 0) {
		child_say(answer, "not known: no device counters");
		return 0;
	}
	for (int i = 0; i < FILES; i++) {
		(void)snprintf(
		    file, sizeof file, "%s/durable-%d", job->work, i);
		if (write_file(file, true) == -1)
			return fail_at(answer, "write and fsync", file);
	}
	if (platform_counters(job->counted, &after, err) != 0)
		return fail_at(answer, "count", job->counted);
	spent = counters_difference(&after, &before);
	if (spent.has_flushes)
		child_say(answer, "%.1f flushes, %.1f writes per fsync",
		    (double)spent.flushes / (double)FILES,
		    (double)spent.writes / (double)FILES);
	else
		child_say(answer, "%.1f writes per fsync, flushes not counted",
		    (double)spent.writes / (double)FILES);
	return 0;
}

/* One probe; "*words" stays NULL where there was no room for it. */
static int
ask(struct trial *trial, const struct child_call *call, const char *what,
    const char **words, struct error *err)
{
	struct child_answer answer;
	int result = child_run(trial, RUNG_PROBE, call, what, &answer, err);

	if (result != RUNG_DONE)
		return result;
	if (answer.values[NO_ROOM] != 0)
		trial_remark(trial, "not probed: no room left");
	else
		*words = arena_strdup(trial->arena, answer.text);
	return RUNG_DONE;
}

int
probe_cell(struct trial *trial, struct error *err)
{
	struct durability_job job = {
		.work = trial->work,
		.mountpoint = trial->mountpoint,
		.counted = trial->device,
	};
	char *work = arena_strdup(trial->arena, trial->work);
	struct child_call atime = { atime_child, work, PROBE_NS };
	struct child_call durability = { durability_child, &job, PROBE_NS };
	struct cell found = *trial->cell;
	int result;

	const char *kept;

	result = ask(trial, &atime, "probe: read a file and a folder twice",
	    &found.atime_probe, err);
	if (result == RUNG_DONE && trial->device[0] != '\0')
		result =
		    ask(trial, &durability, "probe: write and fsync 20 files",
			&found.durability_probe, err);
	if (result != RUNG_DONE)
		return result;
	cell_bind_rows(trial->state, &found);
	kept = fs_durability(&found, trial->state->night->plan->system,
	    trial->state->night->plan->system_version, trial->arena);
	if (kept != NULL && found.durability_probe != NULL)
		found.durability_probe = arena_printf(trial->arena,
		    "kept %s files at a power cut, %s", kept,
		    found.durability_probe);
	trial->state->probed[trial->cell->index] = found.atime_probe != NULL;
	return cell_found(trial->state, trial->cell, &found, err);
}
