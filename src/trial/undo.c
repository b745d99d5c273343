#include "trial/undo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "trial/undo_action.h"
#include "trial/undo_journal.h"

static const char SUFFIX[] = ".undo";
/* of a night of some hundred thousand trials */
enum { JOURNAL_LIMIT = 256 * 1024 * 1024 };

struct undo {
	struct arena *arena;
	int fd;
	char *path;
	struct undo_entry *entries; /* live ones, oldest first */
	size_t count;
	size_t capacity;
	uint64_t next;
};

/* --- records ------------------------------------------------------------- */

/* Appends one line and waits until it is on the medium. */
static int
write_record(
    struct undo *undo, const struct undo_record *record, struct error *err)
{
	struct buffer line;
	bool is_written;

	buffer_init(&line);
	undo_record_format(record, &line);
	is_written = write(undo->fd, buffer_text(&line), line.length) ==
			 (ssize_t)line.length &&
		     fsync(undo->fd) == 0;
	buffer_reset(&line);
	if (!is_written)
		return error_errno(
		    err, "cannot write the undo journal '%s'", undo->path);
	return 0;
}

static void
keep_entry(struct undo *undo, const struct undo_record *record)
{
	if (undo->count == undo->capacity)
		undo->entries = arena_grow(undo->arena, undo->entries,
		    undo->count, &undo->capacity, sizeof *undo->entries);
	undo->entries[undo->count++] = (struct undo_entry){
		.number = record->number,
		.kind = record->kind,
		.subject = arena_strdup(undo->arena, record->subject),
		.detail = arena_strdup(undo->arena, record->detail),
		.identity = "",
		.wall_ns = record->wall_ns,
	};
}

static struct undo_entry *
find_number(struct undo *undo, uint64_t number)
{
	for (size_t i = undo->count; i-- > 0;)
		if (undo->entries[i].number == number)
			return &undo->entries[i];
	return NULL;
}

static struct undo_entry *
find_newest(struct undo *undo, enum undo_kind kind, const char *subject)
{
	for (size_t i = undo->count; i-- > 0;)
		if (undo->entries[i].kind == kind &&
		    strcmp(undo->entries[i].subject, subject) == 0)
			return &undo->entries[i];
	return NULL;
}

static void
drop_entry(struct undo *undo, struct undo_entry *entry)
{
	size_t index = (size_t)(entry - undo->entries);

	memmove(entry, entry + 1,
	    (undo->count - index - 1) * sizeof *undo->entries);
	undo->count--;
}

/* Plays one record of a file that is read back. */
static void
replay(struct undo *undo, const struct undo_record *record)
{
	struct undo_entry *entry = find_number(undo, record->number);

	switch (record->verb) {
	case UNDO_VERB_DO:
		keep_entry(undo, record);
		break;
	case UNDO_VERB_IS:
		if (entry != NULL)
			entry->identity =
			    arena_strdup(undo->arena, record->detail);
		break;
	case UNDO_VERB_UN:
		if (entry != NULL)
			drop_entry(undo, entry);
		break;
	}
	if (record->number >= undo->next)
		undo->next = record->number + 1;
}

/* --- opening and closing ------------------------------------------------- */

static struct undo *
undo_new(void)
{
	struct arena *arena = arena_new();
	struct undo *undo = arena_alloc(arena, sizeof *undo);

	undo->arena = arena;
	undo->fd = -1;
	undo->next = 1;
	return undo;
}

static void
undo_free(struct undo *undo)
{
	if (undo->fd != -1)
		(void)close(undo->fd);
	arena_free(undo->arena);
}

/* The folder's entry is as durable as the file. */
static int
sync_folder(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = fd == -1 ? -1 : fsync(fd);

	if (fd != -1)
		(void)close(fd);
	return result;
}

static int
create_journal(struct undo *undo, const char *directory, struct error *err)
{
	char *fresh;

	undo->path = arena_printf(undo->arena, "%s/%ld-%lld%s", directory,
	    (long)getpid(), (long long)clock_wall_ns(), SUFFIX);
	fresh = arena_printf(undo->arena, "%s.new", undo->path);
	undo->fd = open(
	    fresh, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	/* locked before it has its name: nobody finds it without an owner */
	if (undo->fd == -1 || flock(undo->fd, LOCK_EX | LOCK_NB) == -1 ||
	    rename(fresh, undo->path) == -1 || sync_folder(directory) == -1)
		return error_errno(
		    err, "cannot make the undo journal '%s'", undo->path);
	return 0;
}

int
undo_open(const char *state_directory, struct undo **undo, struct error *err)
{
	struct undo *fresh = undo_new();

	if (create_journal(fresh, state_directory, err) == -1) {
		undo_free(fresh);
		return -1;
	}
	*undo = fresh;
	return 0;
}

void
undo_close(struct undo *undo)
{
	if (undo == NULL)
		return;
	if (undo->count == 0)
		(void)unlink(undo->path);
	undo_free(undo);
}

/* --- while the run lives ------------------------------------------------- */

size_t
undo_mark(const struct undo *undo)
{
	return undo->count;
}

int
undo_push(struct undo *undo, enum undo_kind kind, const char *subject,
    const char *detail, struct error *err)
{
	struct undo_record record = {
		.verb = UNDO_VERB_DO,
		.number = undo->next,
		.kind = kind,
		.wall_ns = clock_wall_ns(),
		.subject = subject,
		.detail = detail,
	};

	if (write_record(undo, &record, err) == -1)
		return -1;
	undo->next++;
	keep_entry(undo, &record);
	return 0;
}

int
undo_identify(struct undo *undo, enum undo_kind kind, const char *subject,
    struct error *err)
{
	struct undo_entry *entry = find_newest(undo, kind, subject);
	struct undo_record record = { .verb = UNDO_VERB_IS, .subject = "" };

	if (entry == NULL)
		return 0;
	entry->identity = undo_identity_of(undo->arena, subject);
	record.number = entry->number;
	record.kind = kind;
	record.detail = entry->identity;
	return write_record(undo, &record, err);
}

static int
forget(struct undo *undo, struct undo_entry *entry, struct error *err)
{
	struct undo_record record = {
		.verb = UNDO_VERB_UN,
		.number = entry->number,
		.kind = entry->kind,
		.subject = "",
		.detail = "",
	};

	drop_entry(undo, entry);
	return write_record(undo, &record, err);
}

int
undo_forget(struct undo *undo, enum undo_kind kind, const char *subject,
    struct error *err)
{
	struct undo_entry *entry = find_newest(undo, kind, subject);

	return entry == NULL ? 0 : forget(undo, entry, err);
}

/* --- undoing ------------------------------------------------------------- */

/* In the ordinary course only what touches the user's own things, or fails,
 * is worth a word. */
static bool
is_worth_telling(const struct undo_entry *entry, enum undo_result result)
{
	return result == UNDO_LEFT || entry->kind == UNDO_REMOUNT ||
	       entry->kind == UNDO_COMMAND;
}

struct rollback {
	size_t mark;
	bool tells_all;
	const struct undo_report *report;
	struct arena *arena;
};

/* Undoes the entries from the mark up, last first, and counts. */
static void
roll_back(struct undo *undo, const struct rollback *rollback,
    struct undo_clean_counts *counts)
{
	const struct undo_report *report = rollback->report;

	for (size_t i = undo->count; i-- > rollback->mark;) {
		struct error ignored = { 0 };
		struct undo_entry entry = undo->entries[i];
		const char *text = "";
		enum undo_result result =
		    undo_act(&entry, rollback->arena, &text);

		counts->undone += result == UNDO_DONE;
		counts->gone += result == UNDO_GONE;
		counts->left += result == UNDO_LEFT;
		if (report != NULL && text[0] != '\0' &&
		    (rollback->tells_all || is_worth_telling(&entry, result)))
			report->tell(report->context, text);
		if (result != UNDO_LEFT)
			(void)forget(undo, &undo->entries[i], &ignored);
	}
}

size_t
undo_rollback(struct undo *undo, size_t mark, const struct undo_report *report,
    struct arena *arena)
{
	const struct rollback rollback = {
		.mark = mark, .report = report, .arena = arena
	};
	struct undo_clean_counts counts = { 0 };

	roll_back(undo, &rollback, &counts);
	return counts.left;
}

/* --- after a crash ------------------------------------------------------- */

/* 1: the run of this journal lives; 0: it is ours now; -1: gone. */
static int
adopt(struct undo *undo, const char *path)
{
	struct stat by_path, by_fd;

	undo->path = arena_strdup(undo->arena, path);
	undo->fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	if (undo->fd == -1)
		return -1;
	if (flock(undo->fd, LOCK_EX | LOCK_NB) == -1)
		return 1;
	/* its owner may have removed it between the two calls */
	if (fstat(undo->fd, &by_fd) == -1 || stat(path, &by_path) == -1 ||
	    by_fd.st_ino != by_path.st_ino)
		return -1;
	return 0;
}

static int
load(struct undo *undo, struct error *err)
{
	struct buffer text;
	const char *line;

	buffer_init(&text);
	if (buffer_read_file(&text, undo->path, JOURNAL_LIMIT, err) == -1) {
		buffer_reset(&text);
		return -1;
	}
	line = buffer_text(&text);
	while (*line != '\0') {
		size_t length = strcspn(line, "\n");
		struct undo_record record;

		/* a torn last line was never acted on: written before done */
		if (line[length] == '\n' &&
		    undo_record_parse(line, length, undo->arena, &record) == 0)
			replay(undo, &record);
		line += length + (line[length] == '\n');
	}
	buffer_reset(&text);
	return 0;
}

/* What was kept on purpose says so by a file of its own, also when its mounts
 * went with a reboot: its image may still be looked at. */
static bool
find_kept(const struct undo *undo, struct arena *arena, struct undo_kept *kept)
{
	for (size_t i = undo->count; i-- > 0;) {
		const struct undo_entry *entry = &undo->entries[i];
		size_t length = strcspn(entry->detail, "\n");

		if (entry->kind != UNDO_PIN ||
		    access(entry->subject, F_OK) == -1)
			continue;
		*kept = (struct undo_kept){
			.file = entry->subject,
			.results = arena_strndup(arena, entry->detail, length),
			.mountpoint = entry->detail + length +
				      (entry->detail[length] == '\n'),
		};
		return true;
	}
	return false;
}

static bool
is_released(const struct undo_release *release, const struct undo_kept *kept)
{
	bool is_named = false;

	for (size_t i = 0; release != NULL && i < release->count; i++) {
		if (strcmp(release->names[i], kept->results) != 0 &&
		    strcmp(release->names[i], kept->file) != 0)
			continue;
		is_named = true;
		if (release->found != NULL)
			release->found[i] = true;
	}
	return is_named || (release != NULL && release->all);
}

/* True when the journal is of a trial that is to stay. */
static bool
is_left_kept(const struct undo *undo, const struct undo_release *release,
    const struct undo_report *report, struct arena *arena)
{
	struct undo_kept kept;

	if (!find_kept(undo, arena, &kept) || is_released(release, &kept))
		return false;
	if (report != NULL && report->kept != NULL)
		report->kept(report->context, &kept);
	return true;
}

/* What cannot be undone here may have been by hand. */
static void
tell_where(const struct undo *undo, const struct rollback *rollback)
{
	if (undo->count == 0 || rollback->report == NULL)
		return;
	rollback->report->tell(rollback->report->context,
	    arena_printf(rollback->arena,
		"what is left stays recorded in '%s'; remove that file when it is settled by hand",
		undo->path));
}

static void
clean_one(const char *path, const struct undo_release *release,
    const struct undo_report *report, struct undo_clean_counts *counts)
{
	struct error why = { 0 };
	struct arena *arena = arena_new();
	const struct rollback rollback = {
		.tells_all = true, .report = report, .arena = arena
	};
	struct undo *undo = undo_new();
	int state = adopt(undo, path);

	counts->running += state == 1;
	if (state == 0 && load(undo, &why) == -1) {
		counts->left++;
		if (report != NULL)
			report->tell(report->context, why.text);
		undo_free(undo);
	} else if (state == 0 && is_left_kept(undo, release, report, arena)) {
		counts->kept++;
		undo_free(undo);
	} else if (state == 0) {
		roll_back(undo, &rollback, counts);
		tell_where(undo, &rollback);
		undo_close(undo);
	} else
		undo_free(undo);
	arena_free(arena);
}

static bool
is_journal(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(SUFFIX) &&
	       strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;
}

int
undo_clean_all(const char *state_directory, const struct undo_release *release,
    const struct undo_report *report, struct undo_clean_counts *counts,
    struct error *err)
{
	DIR *folder = opendir(state_directory);
	struct dirent *item;
	char path[4096];

	*counts = (struct undo_clean_counts){ 0 };
	if (folder == NULL && errno == ENOENT)
		return 0;
	if (folder == NULL)
		return error_errno(
		    err, "cannot read the state folder '%s'", state_directory);
	while ((item = readdir(folder)) != NULL) {
		if (!is_journal(item->d_name))
			continue;
		(void)snprintf(
		    path, sizeof path, "%s/%s", state_directory, item->d_name);
		clean_one(path, release, report, counts);
	}
	(void)closedir(folder);
	return 0;
}
