#include "workload/blogger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "workload/files.h"

/* Sizes are uniform in smallest .. smallest + span - 1. */
static const struct {
	const char *name;
	const char *suffix;
	uint64_t smallest;
	uint64_t span;
} parts[] = {
	[ARTICLE] = { "article", "xml", 1024, 31744 },
	[PICTURE] = { "picture", "jpg", 8192, 57344 },
	[COMMENT] = { "comment", "xml", 2048, 8192 },
};

enum {
	MOST = 100, /* articles, pictures, comments of a blog */
	WRITE_CHUNK = 8192,
};

/* --- the blogs together -------------------------------------------------- */

/* By the clock of clock_now_ns: setting the time of day must not stretch an
 * interval. */
static void
init_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(condition, &attributes);
	(void)pthread_condattr_destroy(&attributes);
}

void
blogs_init(struct blogs *blogs, int root, const char *data)
{
	*blogs = (struct blogs){ .root = root, .data = data };
	(void)pthread_mutex_init(&blogs->lock, NULL);
	init_condition(&blogs->stopped);
}

void
blogs_stop(struct blogs *blogs)
{
	(void)pthread_mutex_lock(&blogs->lock);
	blogs->stop = true;
	(void)pthread_cond_broadcast(&blogs->stopped);
	(void)pthread_mutex_unlock(&blogs->lock);
}

bool
blogs_wait(struct blogs *blogs, int64_t until_ns)
{
	bool stop;

	(void)pthread_mutex_lock(&blogs->lock);
	while (!blogs->stop && clock_now_ns() < until_ns) {
		struct timespec at = { .tv_sec = until_ns / 1000000000,
			.tv_nsec = until_ns % 1000000000 };

		(void)pthread_cond_timedwait(
		    &blogs->stopped, &blogs->lock, &at);
	}
	stop = blogs->stop;
	(void)pthread_mutex_unlock(&blogs->lock);
	return stop;
}

static bool
is_over(struct blogs *blogs)
{
	bool stop;

	(void)pthread_mutex_lock(&blogs->lock);
	stop = blogs->stop;
	(void)pthread_mutex_unlock(&blogs->lock);
	return stop;
}

static void
count(_Atomic int64_t *counter)
{
	(void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* --- files --------------------------------------------------------------- */

static void
file_name(char name[64], int64_t blog, enum blog_part part, int number)
{
	(void)snprintf(name, 64, "blog-%lld/%s-%d.%s", (long long)blog,
	    parts[part].name, number, parts[part].suffix);
}

/* A full or broken filesystem ends the run; what is not there (yet) does
 * not. */
static bool
trouble(struct blogger *blogger)
{
	struct blogs *blogs = blogger->blogs;

	if (errno == ENOENT || errno == EEXIST || errno == EINTR)
		return false;
	(void)pthread_mutex_lock(&blogs->lock);
	if (blogs->errno_value == 0)
		blogs->errno_value = errno;
	(void)pthread_mutex_unlock(&blogs->lock);
	blogs_stop(blogs);
	return false;
}

static bool
fill_file(struct blogger *blogger, const char *name, uint64_t size)
{
	int fd = openat(blogger->blogs->root, name,
	    O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	const char *at = blogger->blogs->data;
	bool ok = fd != -1;

	while (ok && size > 0) {
		size_t part = size < WRITE_CHUNK ? (size_t)size : WRITE_CHUNK;

		ok = io_write(fd, at, part) == 0;
		at += part;
		size -= part;
	}
	if (!ok)
		(void)trouble(blogger);
	if (fd != -1)
		(void)close(fd);
	return ok;
}

static bool
write_file(
    struct blogger *blogger, int64_t blog, enum blog_part part, int number)
{
	uint64_t size =
	    parts[part].smallest + rng_below(&blogger->rng, parts[part].span);
	int root = blogger->blogs->root;
	char name[64];
	char temporary[72];

	file_name(name, blog, part, number);
	(void)snprintf(temporary, sizeof temporary, "%s.tmp", name);
	if (!fill_file(blogger, temporary, size))
		return false;
	if (renameat(root, temporary, root, name) == -1)
		return trouble(blogger);
	count(&blogger->counts.written[part]);
	return true;
}

static bool
read_file(
    struct blogger *blogger, int64_t blog, enum blog_part part, int number)
{
	char name[64];
	int fd;
	ssize_t got;

	file_name(name, blog, part, number);
	fd = openat(blogger->blogs->root, name, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return trouble(blogger);
	while ((got = read(fd, blogger->block, BLOGGER_READ_CHUNK)) > 0)
		continue;
	if (got == -1)
		(void)trouble(blogger);
	(void)close(fd);
	if (got == 0)
		count(&blogger->counts.read[part]);
	return got == 0;
}

/* Some of a part, from the last down to the first. */
static bool
write_some(struct blogger *blogger, int64_t blog, enum blog_part part)
{
	int number = 1 + (int)rng_below(&blogger->rng, MOST);

	for (; number > 0; number--)
		if (!write_file(blogger, blog, part, number))
			return false;
	return true;
}

/* --- what each does ------------------------------------------------------ */

/* Never the newest one; 0 while there are none to choose from. */
static int64_t
random_blog(struct blogger *blogger)
{
	int64_t newest;

	(void)pthread_mutex_lock(&blogger->blogs->lock);
	newest = blogger->blogs->newest;
	(void)pthread_mutex_unlock(&blogger->blogs->lock);
	return newest <= 0
		   ? 0
		   : (int64_t)rng_below(&blogger->rng, (uint64_t)newest);
}

bool
blogger_write(struct blogger *blogger)
{
	char name[32];
	int64_t blog;

	(void)pthread_mutex_lock(&blogger->blogs->lock);
	blog = ++blogger->blogs->newest;
	(void)pthread_mutex_unlock(&blogger->blogs->lock);
	(void)snprintf(name, sizeof name, "blog-%lld", (long long)blog);
	if (mkdirat(blogger->blogs->root, name, 0700) == -1 && errno != EEXIST)
		return trouble(blogger);
	if (!write_some(blogger, blog, ARTICLE) ||
	    !write_some(blogger, blog, PICTURE))
		return false;
	count(&blogger->counts.blogs_written);
	return true;
}

bool
blogger_rewrite(struct blogger *blogger)
{
	int64_t blog = random_blog(blogger);

	if (blog == 0)
		return false;
	if (rng_below(&blogger->rng, 2) == 0 &&
	    !write_file(blogger, blog, PICTURE,
		1 + (int)rng_below(&blogger->rng, MOST)))
		return false;
	return write_file(
	    blogger, blog, ARTICLE, 1 + (int)rng_below(&blogger->rng, MOST));
}

bool
blogger_comment(struct blogger *blogger)
{
	return write_some(blogger, random_blog(blogger), COMMENT);
}

/* A blog that is being written has no first article yet: reading it costs
 * almost nothing and counts as one. */
bool
blogger_read(struct blogger *blogger)
{
	int64_t blog = random_blog(blogger);

	if (blog == 0)
		return false;
	if (rng_below(&blogger->rng, 2) == 0)
		for (int i = 1; read_file(blogger, blog, COMMENT, i); i++)
			continue;
	for (int i = 1;; i++) {
		(void)read_file(blogger, blog, PICTURE, i);
		if (!read_file(blogger, blog, ARTICLE, i))
			break;
	}
	count(&blogger->counts.blogs_read);
	return true;
}

void *
blogger_work(void *context)
{
	struct blogger *blogger = context;

	while (!is_over(blogger->blogs))
		if (!blogger->operate(blogger))
			(void)blogs_wait(
			    blogger->blogs, clock_now_ns() + 1000000000);
	return NULL;
}
