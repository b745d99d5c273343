/*
 * Blogbench's threads: one blogger, and what it does to the blogs.
 *
 * A blog is a folder of articles, pictures and comments.  Names, sizes and
 * choices are those of the tool; each blogger draws from a generator of its
 * own.  Nothing here measures time but to wait.
 */
#ifndef MM_WORKLOAD_BLOGGER_H
#define MM_WORKLOAD_BLOGGER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

enum blog_part { ARTICLE, PICTURE, COMMENT, PARTS };

enum { BLOGGER_READ_CHUNK = 65536, BLOG_LARGEST = 65536 };

/* What the tool counts; one set for each thread, summed at each tick. */
struct blog_counts {
	_Atomic int64_t blogs_written;
	_Atomic int64_t blogs_read;
	_Atomic int64_t written[PARTS];
	_Atomic int64_t read[PARTS];
};

struct blogs {
	int root;
	const char *data; /* BLOG_LARGEST bytes to write */
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	int64_t newest; /* id of the newest blog; 0: none yet */
	bool stop;
	int errno_value; /* what the filesystem could not do */
};

struct blogger {
	struct blogs *blogs;
	/* false: wait a second, as after any failure */
	bool (*operate)(struct blogger *blogger);
	struct rng rng;
	struct blog_counts counts;
	char block[BLOGGER_READ_CHUNK];
};

/* "root" is the open folder; locks and a clock of the blogs' own. */
void blogs_init(struct blogs *blogs, int root, const char *data);

/* Ends every wait; a later call of blogs_wait returns true. */
void blogs_stop(struct blogs *blogs);

/* Waits until then (clock_now_ns) or the end; true at the end. */
bool blogs_wait(struct blogs *blogs, int64_t until_ns);

/* One operation on a blog; false when there was none to choose, or what it
 * wants is not there yet, or the filesystem failed, which ends them all with
 * blogs->errno_value set. */
bool blogger_write(struct blogger *blogger);
bool blogger_rewrite(struct blogger *blogger);
bool blogger_comment(struct blogger *blogger);
bool blogger_read(struct blogger *blogger);

/* For pthread_create: operates until blogs_stop, with a rest of a second
 * after each failure.  The context is a struct blogger. */
void *blogger_work(void *context);

#endif
