#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/schema.h"

/* Refuses what is there already, of whatever kind. */
static int
refuse_existing(const char *path, struct error *err)
{
	struct stat about;

	if (lstat(path, &about) == 0)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' exists and is never overwritten; name another file",
		    path);
	if (errno != ENOENT)
		return error_errno(err, "'%s'", path);
	return 0;
}

static int
make_file(const char *path, struct error *err)
{
	int fd = open(
	    path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd == -1)
		return error_errno(err, "cannot make '%s'", path);
	close(fd);
	return 0;
}

int
draft_open(struct draft *draft, const char *path, struct error *err)
{
	if (refuse_existing(path, err) == -1)
		return -1;
	*draft = (struct draft){ .arena = arena_new() };
	draft->path = arena_strdup(draft->arena, path);
	draft->passing =
	    arena_printf(draft->arena, "%s.%ld.new", path, (long)getpid());
	if (make_file(draft->passing, err) == -1) {
		arena_free(draft->arena);
		return -1;
	}
	if (db_open(&draft->db, draft->passing, SQLITE_OPEN_READWRITE, err) ==
		0 &&
	    db_begin(&draft->db, true, err) == 0 &&
	    schema_create(&draft->db, err) == 0)
		return 0;
	draft_settle(draft, true, err);
	return -1;
}

/* Gives the file its name, unless another one took it meanwhile. */
static int
take_name(const struct draft *draft, struct error *err)
{
	if (link(draft->passing, draft->path) == 0)
		return 0;
	if (errno == EEXIST)
		return refuse_existing(draft->path, err);
	/* a filesystem without hard links */
	if (refuse_existing(draft->path, err) == -1)
		return -1;
	if (rename(draft->passing, draft->path) == -1)
		return error_errno(err, "cannot make '%s'", draft->path);
	return 0;
}

/* Makes the name as durable as the file. */
static int
sync_folder(const char *path, struct error *err)
{
	char *folder = strdup(path), *slash;
	const char *name = folder;
	int fd, rc = 0;

	if (folder == NULL)
		return error_set(err, "'%s': out of memory", path);
	slash = strrchr(folder, '/');
	if (slash == NULL)
		name = ".";
	else
		slash[slash == folder ? 1 : 0] = '\0';
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1 || (fsync(fd) == -1 && errno != EINVAL))
		rc = error_errno(err, "cannot sync the folder of '%s'", path);
	if (fd != -1)
		close(fd);
	free(folder);
	return rc;
}

int
draft_settle(struct draft *draft, bool failed, struct error *err)
{
	/* db_open may have failed: then there is nothing to take back */
	int rc =
	    draft->db.handle == NULL ? -1 : db_end(&draft->db, failed, err);

	db_close(&draft->db);
	if (rc == 0)
		rc = take_name(draft, err);
	unlink(draft->passing);
	if (rc == 0)
		rc = sync_folder(draft->path, err);
	arena_free(draft->arena);
	*draft = (struct draft){ 0 };
	return rc;
}

int
store_create(struct store **store, const char *path, const struct plan *plan,
    struct error *err)
{
	struct draft draft;
	int rc;

	if (draft_open(&draft, path, err) == -1)
		return -1;
	rc = plan_write(&draft.db, plan, false, err);
	if (draft_settle(&draft, rc == -1, err) == -1)
		return -1;
	return store_open(store, path, STORE_WRITE, err);
}

int
store_open(struct store **store, const char *path, enum store_mode mode,
    struct error *err)
{
	struct store *opened;

	if (file_inspect(path, err) == -1) {
		if (err->kind == ERROR_INTERNAL)
			err->kind = ERROR_USAGE;
		return -1;
	}
	opened = calloc(1, sizeof *opened);
	if (opened == NULL)
		return error_set(err, "'%s': out of memory", path);
	opened->mode = mode;
	/* also to read it must be open for writing where it can be: a run
	 * that was killed in a write has left a journal to be rolled back */
	if (db_open(&opened->db, path, SQLITE_OPEN_READWRITE, err) == -1 ||
	    (mode == STORE_READ &&
		db_exec(&opened->db, "PRAGMA query_only = ON", err) == -1) ||
	    schema_verify(&opened->db, err) == -1) {
		store_close(opened);
		err->kind = ERROR_USAGE;
		return -1;
	}
	*store = opened;
	return 0;
}

void
store_close(struct store *store)
{
	if (store == NULL)
		return;
	db_close(&store->db);
	free(store);
}

const char *
store_path(const struct store *store)
{
	return store->db.path;
}

int
store_may_write(const struct store *store, struct error *err)
{
	if (store->mode == STORE_WRITE)
		return 0;
	return error_set(err, "'%s' was opened for reading", store->db.path);
}

int
store_note(
    struct store *store, const char *name, const char *value, struct error *err)
{
	if (store_may_write(store, err) == -1)
		return -1;
	return note_write(&store->db, name, value, err);
}
