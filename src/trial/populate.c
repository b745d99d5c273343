/* Rungs populate and settle, and the comparing of the tree afterwards. */
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "platform/counters.h"
#include "platform/filesystem.h"
#include "trial/child.h"
#include "trial/trial.h"

static const int64_t POPULATE_NS = INT64_C(4) * 3600 * 1000000000;
static const int64_t FOLDER_NS = 600 * INT64_C(1000000000);
static const int64_t SYNC_NS = 1800 * INT64_C(1000000000);
static const int64_t SETTLE_NS = 60 * INT64_C(1000000000);
enum { QUIET_MS = 100, QUIET_ROUNDS = 3 };

enum { ENTRIES, BYTES };

struct tree_job {
	const struct tree *tree;
	const char *folder;
	struct populate_options options;
	struct verify_options verify;
};

static int
populate_child(void *context, struct child_answer *answer, struct error *err)
{
	const struct tree_job *job = context;
	struct arena *arena = arena_new();
	struct populate_result result = { 0 };

	if (tree_populate(job->tree, job->folder, &job->options, arena, &result,
		err) == -1) {
		arena_free(arena);
		return -1;
	}
	answer->errno_value = result.errno_value;
	answer->values[ENTRIES] = result.entries;
	answer->values[BYTES] = result.bytes;
	if (result.errno_value != 0)
		child_say(answer, "%s '%s' after %" PRId64 " entries",
		    result.action, result.path, result.entries);
	arena_free(arena);
	return 0;
}

/* Is a tree written here before the workload, by us? */
static bool
is_wanted(const struct trial *trial)
{
	return trial->tree != NULL && trial->spec != NULL &&
	       trial->target->target->kind != TARGET_MOUNTPOINT &&
	       (trial->workload->tree == TREE_OPTIONAL ||
		   trial->workload->tree == TREE_POPULATED);
}

/* Entries and bytes, against what the archive holds. */
static int
compare_counts(struct trial *trial, const struct child_answer *answer)
{
	const struct tree_summary *summary = tree_summary(trial->tree);
	int64_t copies =
	    trial->tree_spec->copies > 0 ? trial->tree_spec->copies : 1;

	if (answer->values[ENTRIES] >= copies * summary->entries &&
	    answer->values[BYTES] == copies * summary->bytes)
		return RUNG_DONE;
	return trial_fail(trial, VERDICT_CORRUPT, RUNG_POPULATE,
	    arena_printf(trial->arena,
		"wrote %" PRId64 " entries and %" PRId64 " bytes, not %" PRId64
		" and %" PRId64,
		answer->values[ENTRIES], answer->values[BYTES],
		copies * summary->entries, copies * summary->bytes));
}

/* --- the folders --------------------------------------------------------- */

/* Made in a child like all that touches the filesystem under test: on one
 * that hangs even a mkdir may never come back. */
struct folder_job {
	const char *mountpoint;
	const char *work;
	const char *tree; /* NULL: none */
	const char *user; /* who the workload runs as; NULL: we */
	bool is_ours;     /* the mount point is: its mode may be changed */
};

static int
fail_folder(struct child_answer *answer, const char *what, const char *path)
{
	answer->errno_value = errno;
	child_say(answer, "%s '%s'", what, path);
	return 0;
}

static int
folder_child(void *context, struct child_answer *answer, struct error *err)
{
	const struct folder_job *job = context;
	const struct passwd *user =
	    job->user != NULL ? getpwnam(job->user) : NULL;

	(void)err;
	if (mkdir(job->work, 0755) == -1 && errno != EEXIST)
		return fail_folder(answer, "cannot make the folder", job->work);
	if (job->tree != NULL && mkdir(job->tree, 0755) == -1 &&
	    errno != EEXIST)
		return fail_folder(answer, "cannot make the folder", job->tree);
	if (user == NULL || geteuid() != 0)
		return 0;
	if ((job->is_ours && chmod(job->mountpoint, 0755) == -1) ||
	    chown(job->work, user->pw_uid, user->pw_gid) == -1)
		return fail_folder(
		    answer, "cannot give to the user", job->work);
	return 0;
}

/* A command that runs as another user must get to its folder, through ours,
 * and can write there. */
static int
make_folders(struct trial *trial, struct error *err)
{
	struct folder_job job = {
		.mountpoint = trial->mountpoint,
		.work = trial->work,
		.tree = trial->tree_folder,
		.is_ours = trial->mountpoint == trial->state->mountpoint,
	};
	struct child_call call = { folder_child, &job, FOLDER_NS };
	struct child_answer answer;

	if (strcmp(trial->spec->type, "command") == 0)
		job.user = keys_text(trial->keys, "user");
	if (job.user != NULL && geteuid() == 0 &&
	    chmod(trial->state->folder, 0711) == -1)
		return error_errno(err, "cannot let user '%s' into '%s'",
		    job.user, trial->state->folder);
	return child_run(trial, RUNG_POPULATE, &call,
	    arena_printf(trial->arena, "mkdir %s%s%s", job.work,
		job.tree != NULL ? " " : "", job.tree != NULL ? job.tree : ""),
	    &answer, err);
}

static int
write_tree(struct trial *trial, struct error *err)
{
	struct tree_job job = {
		.tree = trial->tree,
		.folder = trial->tree_folder,
		.options.copies = trial->tree_spec->copies,
		.options.age_ns = trial->tree_spec->age_ns,
	};
	struct child_call call = { populate_child, &job, POPULATE_NS };
	struct child_answer answer;
	int result = child_run(trial, RUNG_POPULATE, &call,
	    arena_printf(trial->arena, "write %" PRId64 " x tree '%s'",
		trial->tree_spec->copies, trial->tree_spec->title),
	    &answer, err);

	if (result != RUNG_DONE)
		return result;
	trial->is_populated_by_us = true;
	return compare_counts(trial, &answer);
}

int
rung_populate(struct trial *trial, struct error *err)
{
	int result;

	if (trial->target->target->kind == TARGET_MOUNTPOINT) {
		trial->work = trial->tree_folder = trial->mountpoint;
		return RUNG_DONE;
	}
	trial->work = arena_printf(trial->arena, "%s/work", trial->mountpoint);
	trial->tree_folder =
	    is_wanted(trial)
		? arena_printf(trial->arena, "%s/tree", trial->mountpoint)
		: NULL;
	result = make_folders(trial, err);
	if (result != RUNG_DONE || trial->tree_folder == NULL)
		return result;
	return write_tree(trial, err);
}

/* --- settle -------------------------------------------------------------- */

static int
sync_child(void *context, struct child_answer *answer, struct error *err)
{
	int64_t began = clock_now_ns();

	if (platform_sync(context, err) == -1) {
		answer->errno_value = errno != 0 ? errno : EIO;
		child_say(answer, "%s", err->text);
		return 0;
	}
	answer->values[0] = clock_now_ns() - began;
	return 0;
}

int
sync_cell(struct trial *trial, enum rung rung, int64_t *ns, struct error *err)
{
	char *path = arena_strdup(trial->arena, trial->mountpoint);
	struct child_call call = { sync_child, path, SYNC_NS };
	struct child_answer answer;
	int result = child_run(trial, rung, &call,
	    arena_printf(trial->arena, "sync %s", path), &answer, err);

	if (ns != NULL)
		*ns = answer.values[0];
	return result;
}

/* Waits until the device has had no writes for a few looks: lazy
 * initialisation and delayed work must not run into the measurement. */
static void
wait_for_silence(struct trial *trial)
{
	const char *path = trial_counted_path(trial);
	int64_t until = clock_now_ns() + SETTLE_NS;
	struct device_counters before, after;
	struct error ignored = { 0 };
	int quiet = 0;

	if (path == NULL || platform_counters(path, &before, &ignored) != 0)
		return;
	while (quiet < QUIET_ROUNDS && !proc_is_cancelled()) {
		clock_sleep_ms(QUIET_MS);
		if (platform_counters(path, &after, &ignored) != 0)
			return;
		quiet = after.writes == before.writes ? quiet + 1 : 0;
		before = after;
		if (clock_now_ns() > until) {
			trial_remark(trial,
			    "the device was still being written to a minute after the tree was");
			return;
		}
	}
}

int
rung_settle(struct trial *trial, struct error *err)
{
	int64_t began;
	int result;

	if (trial->target->target->kind == TARGET_MOUNTPOINT)
		return RUNG_DONE;
	result = sync_cell(trial, RUNG_SETTLE, NULL, err);
	if (result != RUNG_DONE)
		return result;
	/* a folder's device belongs to everybody: it may never be silent */
	if (trial->device[0] == '\0')
		return RUNG_DONE;
	began = clock_now_ns();
	wait_for_silence(trial);
	(void)trial_note_step(trial, RUNG_SETTLE,
	    "wait until the device is silent", clock_now_ns() - began);
	return RUNG_DONE;
}

/* --- comparing afterwards ------------------------------------------------ */

static int
verify_child(void *context, struct child_answer *answer, struct error *err)
{
	const struct tree_job *job = context;
	struct arena *arena = arena_new();
	struct verify_result result = { 0 };

	if (tree_verify(job->tree, job->folder, &job->verify, arena, &result,
		err) == -1) {
		arena_free(arena);
		return -1;
	}
	answer->values[0] = result.ok;
	if (!result.ok)
		child_say(answer, "'%s' %s",
		    result.path != NULL ? result.path : "", result.reason);
	arena_free(arena);
	return 0;
}

/* Contents are compared once in each cell, names and sizes always: reading
 * it all after every trial would double the night. */
int
verify_tree(struct trial *trial, struct error *err)
{
	bool *verified = &trial->state->verified[trial->cell->index];
	struct tree_job job = {
		.tree = trial->tree,
		.folder = trial->tree_folder,
		.verify.copies = trial->tree_spec->copies,
		.verify.contents = !*verified,
	};
	struct child_call call = { verify_child, &job, POPULATE_NS };
	struct child_answer answer;
	int result;

	result = child_run(trial, RUNG_CHECK, &call,
	    job.verify.contents ? "compare the tree with its archive"
				: "compare the tree's names and sizes",
	    &answer, err);
	if (result != RUNG_DONE)
		return result;
	if (answer.values[0] == 0)
		return trial_fail(trial, VERDICT_CORRUPT, RUNG_CHECK,
		    arena_printf(trial->arena, "tree: %s", answer.text));
	*verified = true;
	return RUNG_DONE;
}
