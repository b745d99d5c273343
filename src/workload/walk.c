#include "workload/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "platform/folder.h"

/* 32 KiB is as fast on Linux; larger ones save calls in huge folders. */
enum { BUFFER_SIZE = 256 * 1024 };

/* A folder still to be read, by its path from the root. */
struct pending {
	struct pending *next;
	char path[];
};

/* What the threads share. */
struct walk {
	const struct walk_options *options;
	int root;
	bool by_queue; /* threads or breadth; else recursion */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct pending *first;
	struct pending *last;
	int busy; /* threads that may still add folders */
	bool stop;
};

/* Room for the records of a folder; one for each depth of recursion. */
struct frame {
	struct frame *below; /* NULL: none made yet */
	_Alignas(16) char records[BUFFER_SIZE];
};

struct worker {
	struct walk *walk;
	struct walk_result result;
	struct buffer path;  /* of the folder being read, "" for the root */
	char *data;          /* contents of files go here */
	struct arena *arena; /* of the frames */
	struct frame *top;
};

/* --- trouble ------------------------------------------------------------- */

static void
put_path(char *to, size_t size, const char *folder, const char *name)
{
	(void)snprintf(to, size, "%s%s%s", folder,
	    folder[0] != '\0' && name[0] != '\0' ? "/" : "", name);
}

/* Notes it; true when the walk may go on all the same. */
static bool
trouble(struct worker *worker, const char *name)
{
	struct walk_result *result = &worker->result;
	const char *folder = buffer_text(&worker->path);

	if (errno == EACCES || errno == EPERM || errno == ENOENT) {
		if (result->unreadable++ == 0)
			put_path(result->unreadable_path,
			    sizeof result->unreadable_path, folder, name);
		return true;
	}
	result->errno_value = errno;
	put_path(result->path, sizeof result->path, folder, name);
	return false;
}

/* --- one entry ----------------------------------------------------------- */

static bool
read_file(struct worker *worker, int folder, const char *name)
{
	int fd = openat(
	    folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t got;
	bool ok = true;

	if (fd == -1)
		return trouble(worker, name);
	while ((got = read(fd, worker->data, BUFFER_SIZE)) > 0)
		worker->result.bytes_read += got;
	if (got == -1)
		ok = trouble(worker, name);
	(void)close(fd);
	worker->result.files_read++;
	return ok;
}

static enum folder_type
type_of(const struct stat *status)
{
	if (S_ISDIR(status->st_mode))
		return FOLDER_DIRECTORY;
	if (S_ISREG(status->st_mode))
		return FOLDER_FILE;
	return FOLDER_SPECIAL;
}

static void
push(struct walk *walk, const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	struct pending *item = malloc(sizeof *item + size);

	if (item == NULL)
		abort();
	put_path(item->path, size, folder, name);
	item->next = NULL;
	(void)pthread_mutex_lock(&walk->lock);
	if (walk->first == NULL) {
		walk->first = walk->last = item;
	} else if (walk->options->breadth) {
		walk->last->next = item;
		walk->last = item;
	} else {
		item->next = walk->first;
		walk->first = item;
	}
	(void)pthread_cond_signal(&walk->changed);
	(void)pthread_mutex_unlock(&walk->lock);
}

static bool read_folder(struct worker *worker, int fd, struct frame *frame);

static bool
descend(
    struct worker *worker, int parent, const char *name, struct frame *frame)
{
	size_t length = worker->path.length;
	int fd = openat(
	    parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool ok;

	if (fd == -1)
		return trouble(worker, name);
	if (frame->below == NULL)
		frame->below = arena_alloc(worker->arena, sizeof *frame->below);
	if (length > 0)
		buffer_putc(&worker->path, '/');
	buffer_puts(&worker->path, name);
	ok = read_folder(worker, fd, frame->below);
	worker->path.length = length;
	worker->path.data[length] = '\0';
	(void)close(fd);
	return ok;
}

static bool
meet(struct worker *worker, int fd, struct folder_entry *entry,
    struct frame *frame)
{
	const struct walk_options *options = worker->walk->options;
	enum folder_type type = entry->type;
	struct stat status;

	worker->result.entries++;
	if (options->visit != NULL)
		options->visit(
		    options->context, buffer_text(&worker->path), entry->name);
	if (options->stat || type == FOLDER_UNKNOWN) {
		if (fstatat(fd, entry->name, &status, AT_SYMLINK_NOFOLLOW) ==
		    -1)
			return trouble(worker, entry->name);
		type = type_of(&status);
	}
	if (type == FOLDER_FILE)
		return !options->content || read_file(worker, fd, entry->name);
	if (type != FOLDER_DIRECTORY)
		return true;
	if (!worker->walk->by_queue)
		return descend(worker, fd, entry->name, frame);
	push(worker->walk, buffer_text(&worker->path), entry->name);
	return true;
}

/* --- one folder ---------------------------------------------------------- */

static bool
is_itself(const char *name)
{
	if (name[0] != '.')
		return name[0] == '\0';
	return name[1] == '\0' || (name[1] == '.' && name[2] == '\0');
}

static bool
read_folder(struct worker *worker, int fd, struct frame *frame)
{
	const void *buffer = frame->records;
	long got;

	worker->result.folders++;
	while (
	    (got = platform_folder_read(fd, frame->records, BUFFER_SIZE)) > 0) {
		size_t at = 0;

		while (at < (size_t)got) {
			struct folder_entry entry;

			at = platform_folder_next(buffer, at, &entry);
			if (is_itself(entry.name))
				continue;
			if (!meet(worker, fd, &entry, frame))
				return false;
		}
	}
	return got == 0 || trouble(worker, "");
}

/* --- by queue ------------------------------------------------------------ */

/* The next folder, waiting while others may still find some; NULL when all
 * is done. */
static struct pending *
take(struct walk *walk)
{
	struct pending *item;

	(void)pthread_mutex_lock(&walk->lock);
	walk->busy--;
	while (walk->first == NULL && walk->busy > 0 && !walk->stop)
		(void)pthread_cond_wait(&walk->changed, &walk->lock);
	item = walk->stop ? NULL : walk->first;
	if (item != NULL) {
		walk->first = item->next;
		walk->busy++;
	} else {
		(void)pthread_cond_broadcast(&walk->changed);
	}
	(void)pthread_mutex_unlock(&walk->lock);
	return item;
}

static void
stop_all(struct walk *walk)
{
	(void)pthread_mutex_lock(&walk->lock);
	walk->stop = true;
	(void)pthread_cond_broadcast(&walk->changed);
	(void)pthread_mutex_unlock(&walk->lock);
}

static void *
work(void *context)
{
	struct worker *worker = context;
	struct walk *walk = worker->walk;
	struct pending *item;

	while ((item = take(walk)) != NULL) {
		const char *path = item->path[0] == '\0' ? "." : item->path;
		int fd = openat(walk->root, path,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		bool ok;

		buffer_clear(&worker->path);
		buffer_puts(&worker->path, item->path);
		free(item);
		ok = fd == -1 ? trouble(worker, "")
			      : read_folder(worker, fd, worker->top);
		if (fd != -1)
			(void)close(fd);
		if (!ok)
			stop_all(walk);
	}
	return NULL;
}

static void
add_result(struct walk_result *sum, const struct walk_result *part)
{
	if (sum->unreadable == 0)
		memcpy(sum->unreadable_path, part->unreadable_path,
		    sizeof sum->unreadable_path);
	if (sum->errno_value == 0) {
		sum->errno_value = part->errno_value;
		memcpy(sum->path, part->path, sizeof sum->path);
	}
	sum->entries += part->entries;
	sum->folders += part->folders;
	sum->files_read += part->files_read;
	sum->bytes_read += part->bytes_read;
	sum->unreadable += part->unreadable;
}

static void
start_worker(struct worker *worker, struct walk *walk)
{
	worker->walk = walk;
	worker->arena = arena_new();
	worker->top = arena_alloc(worker->arena, sizeof *worker->top);
	buffer_init(&worker->path);
	worker->data = arena_alloc(
	    worker->arena, walk->options->content ? BUFFER_SIZE : 1);
}

static void
end_worker(struct worker *worker, struct walk_result *sum)
{
	add_result(sum, &worker->result);
	buffer_reset(&worker->path);
	arena_free(worker->arena);
}

/* The calling thread is one of them; fewer are made when no more can be. */
static void
walk_by_queue(struct walk *walk, struct walk_result *result)
{
	int count = walk->options->threads > 1 ? walk->options->threads : 1;
	struct worker *workers = calloc((size_t)count, sizeof *workers);
	pthread_t *threads = calloc((size_t)count, sizeof *threads);
	int started = 1;

	if (workers == NULL || threads == NULL)
		abort();
	walk->busy = count;
	push(walk, "", "");
	start_worker(&workers[0], walk);
	for (int i = 1; i < count; i++)
		start_worker(&workers[i], walk);
	while (started < count && pthread_create(&threads[started], NULL, work,
				      &workers[started]) == 0)
		started++;
	(void)pthread_mutex_lock(&walk->lock);
	walk->busy -= count - started;
	(void)pthread_mutex_unlock(&walk->lock);
	(void)work(&workers[0]);
	for (int i = 1; i < started; i++)
		(void)pthread_join(threads[i], NULL);
	for (int i = 0; i < count; i++)
		end_worker(&workers[i], result);
	while (walk->first != NULL) {
		struct pending *item = walk->first;

		walk->first = item->next;
		free(item);
	}
	free(workers);
	free(threads);
}

static void
walk_by_recursion(struct walk *walk, struct walk_result *result)
{
	struct worker worker = { 0 };

	start_worker(&worker, walk);
	(void)read_folder(&worker, walk->root, worker.top);
	end_worker(&worker, result);
}

bool
walk_tree(const char *root, const struct walk_options *options,
    struct walk_result *result)
{
	struct walk walk = { .options = options };

	*result = (struct walk_result){ 0 };
	walk.root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (walk.root == -1) {
		result->errno_value = errno;
		put_path(result->path, sizeof result->path, root, "");
		return false;
	}
	walk.by_queue = options->breadth || options->threads > 1;
	(void)pthread_mutex_init(&walk.lock, NULL);
	(void)pthread_cond_init(&walk.changed, NULL);
	if (walk.by_queue)
		walk_by_queue(&walk, result);
	else
		walk_by_recursion(&walk, result);
	(void)pthread_cond_destroy(&walk.changed);
	(void)pthread_mutex_destroy(&walk.lock);
	(void)close(walk.root);
	return result->errno_value == 0;
}
