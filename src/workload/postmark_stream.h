/*
 * PostMark 1.53's stream of operations, exactly: which file is created, read,
 * appended to or deleted when, with which sizes, for a seed.
 *
 * The files are behind four functions, so that the stream can be tested
 * without a disk and the same stream be run against one.  PostMark's own
 * generator (MT19937 with its seeding of 1998) is part of it.
 */
#ifndef MM_WORKLOAD_POSTMARK_STREAM_H
#define MM_WORKLOAD_POSTMARK_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POSTMARK_WORDS = 624 };

struct postmark_rng {
	uint32_t words[POSTMARK_WORDS];
	int next;
};

void postmark_seed(struct postmark_rng *rng, uint32_t seed);
uint32_t postmark_random(struct postmark_rng *rng);

struct postmark_settings {
	int64_t number;
	int64_t size_low;
	int64_t size_high;
	int64_t transactions;
	int64_t subdirectories;
	int64_t bias_read;   /* -1: no reads or appends */
	int64_t bias_create; /* -1: no creates or deletes */
	uint32_t seed;
	const int64_t *weights; /* of the locations */
	size_t location_count;  /* 0 is one location */
};

struct postmark_file {
	int64_t number; /* running, from 1: its name */
	int64_t size;   /* 0: the slot is free */
	size_t location;
	int64_t subdirectory; /* -1: directly in the location */
};

/* Each returns 0, or 1 with errno. */
struct postmark_io {
	int (*create)(void *context, const struct postmark_file *file);
	int (*read)(void *context, const struct postmark_file *file);
	int (*append)(
	    void *context, const struct postmark_file *file, int64_t size);
	int (*remove)(void *context, const struct postmark_file *file);
	void *context;
};

struct postmark_counts {
	int64_t created;
	int64_t read;
	int64_t appended;
	int64_t deleted;
	int64_t deleted_alone;
	int64_t transactions; /* done */
	int64_t bytes_read;
	int64_t bytes_written;
	/* as PostMark adds them up and prints them: they drift */
	float bytes_read_f32;
	float bytes_written_f32;
	/* clock_now_ns at the start of: creation, transactions, deletion, and
	 * at the end */
	int64_t times_ns[4];
};

enum postmark_end {
	POSTMARK_DONE,
	POSTMARK_OUT_OF_FILES, /* all deleted: the real one reports nothing */
	POSTMARK_IO_FAILED,    /* errno says how, "failed" which file */
};

struct postmark {
	struct postmark_settings settings;
	struct postmark_io io;
	struct postmark_rng rng;
	struct postmark_counts counts;
	struct postmark_file *slots;
	size_t slot_count;
	size_t cursor;
	size_t *location_draws; /* each location as often as it weighs */
	size_t location_draw_count;
	char *source; /* 2 * size_high bytes of text to write */
	struct postmark_file failed;
	const char *failed_action;
};

/* Seeds, and makes the source text (its draws come first in the stream). */
void postmark_init(struct postmark *postmark,
    const struct postmark_settings *settings, const struct postmark_io *io);

/* Runs creation, transactions and deletion. */
enum postmark_end postmark_run(struct postmark *postmark);

void postmark_reset(struct postmark *postmark);

#endif
