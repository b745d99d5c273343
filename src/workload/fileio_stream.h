/*
 * The stream of requests of sysbench 1.0's fileio: which file, where, and
 * when a round of fsyncs comes in between.
 *
 * For one thread and a seed the offsets are the tool's own.  Threads share a
 * stream (its position and its fsyncs) and have a generator each; the caller
 * holds a lock around fileio_next.
 */
#ifndef MM_WORKLOAD_FILEIO_STREAM_H
#define MM_WORKLOAD_FILEIO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* glibc's random(3), so that a seed means the same on every system. */
struct fileio_seeder {
	int32_t words[31];
	int next;
};

struct fileio_rng {
	uint64_t state[2];
};

void fileio_seed(struct fileio_seeder *seeder, uint32_t seed);

/* The generator of the next thread: four numbers of the seeder. */
void fileio_next_rng(struct fileio_seeder *seeder, struct fileio_rng *rng);

enum fileio_mode {
	FILEIO_SEQRD,
	FILEIO_SEQWR,
	FILEIO_SEQREWR,
	FILEIO_RNDRD,
	FILEIO_RNDWR,
	FILEIO_RNDRW,
};

enum fileio_kind { FILEIO_READ, FILEIO_WRITE, FILEIO_FSYNC, FILEIO_KINDS };

struct fileio_event {
	enum fileio_kind kind;
	int64_t file;
	int64_t offset;
	int64_t size;
};

struct fileio_settings {
	enum fileio_mode mode;
	int64_t block;
	int64_t files;
	int64_t file_size;
	int64_t requests; /* events in all, fsyncs included; 0: no end */
	double rw_ratio;
	int64_t fsync_every; /* writes between rounds of fsync; 0: never */
};

struct fileio_stream {
	const struct fileio_settings *settings;
	int64_t events;
	int64_t performed; /* reads and writes */
	int64_t reads;
	int64_t writes;
	bool is_dirty;
	int64_t next_fsync; /* file of the round under way */
	int64_t file;       /* of the sequential modes */
	int64_t offset;
};

/* The next event; false when all requests are done. */
bool fileio_next(struct fileio_stream *stream, struct fileio_rng *rng,
    struct fileio_event *event);

#endif
