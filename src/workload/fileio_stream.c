#include "workload/fileio_stream.h"

enum { WORDS = 31, SEPARATION = 3, DISCARDED = 310 };

/* --- generators ---------------------------------------------------------- */

/* The additive generator: each word is the sum of those 31 and 3 before. */
static uint32_t
seeder_next(struct fileio_seeder *seeder)
{
	int back = (seeder->next + WORDS - SEPARATION) % WORDS;
	uint32_t value = (uint32_t)seeder->words[seeder->next] +
			 (uint32_t)seeder->words[back];

	seeder->words[seeder->next] = (int32_t)value;
	seeder->next = (seeder->next + 1) % WORDS;
	return value >> 1;
}

void
fileio_seed(struct fileio_seeder *seeder, uint32_t seed)
{
	int64_t word = (int32_t)(seed == 0 ? 1 : seed);

	for (int i = 0; i < WORDS; i++) {
		seeder->words[i] = (int32_t)word;
		word = 16807 * word % 2147483647;
		if (word < 0)
			word += 2147483647;
	}
	seeder->next = SEPARATION;
	for (int i = 0; i < DISCARDED; i++)
		(void)seeder_next(seeder);
}

void
fileio_next_rng(struct fileio_seeder *seeder, struct fileio_rng *rng)
{
	for (int i = 0; i < 2; i++) {
		uint64_t high = seeder_next(seeder);

		rng->state[i] = high << 32 | seeder_next(seeder);
	}
}

static uint64_t
rotate_left(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

/* xoroshiro128+ with its first set of constants. */
static uint64_t
rng_draw(struct fileio_rng *rng)
{
	uint64_t first = rng->state[0];
	uint64_t second = rng->state[1];
	uint64_t result = first + second;

	second ^= first;
	rng->state[0] = rotate_left(first, 55) ^ second ^ second << 14;
	rng->state[1] = rotate_left(second, 36);
	return result;
}

static double
rng_fraction(struct fileio_rng *rng)
{
	return (double)(rng_draw(rng) >> 12) * 0x1.0p-52;
}

/* --- requests ------------------------------------------------------------ */

static bool
is_random(enum fileio_mode mode)
{
	return mode == FILEIO_RNDRD || mode == FILEIO_RNDWR ||
	       mode == FILEIO_RNDRW;
}

static enum fileio_kind
choose_kind(const struct fileio_stream *stream)
{
	const struct fileio_settings *settings = stream->settings;

	if (settings->mode == FILEIO_RNDRW)
		return (double)(stream->reads + 1) /
				   (double)(stream->writes + 1) <
			       settings->rw_ratio
			   ? FILEIO_READ
			   : FILEIO_WRITE;
	return settings->mode == FILEIO_SEQRD || settings->mode == FILEIO_RNDRD
		   ? FILEIO_READ
		   : FILEIO_WRITE;
}

static void
place_randomly(const struct fileio_settings *settings, struct fileio_rng *rng,
    struct fileio_event *event)
{
	double total = (double)settings->file_size * (double)settings->files;
	int64_t at = (int64_t)(rng_fraction(rng) * total);

	at -= at % settings->block;
	event->file = at / settings->file_size;
	event->offset = at % settings->file_size;
}

static void
place_in_sequence(struct fileio_stream *stream, struct fileio_event *event)
{
	event->file = stream->file;
	event->offset = stream->offset;
	stream->offset += stream->settings->block;
	if (stream->offset < stream->settings->file_size)
		return;
	stream->offset = 0;
	stream->file = (stream->file + 1) % stream->settings->files;
}

/* A round of fsyncs, one file an event, while the count of requests stands
 * still. */
static bool
is_fsync_due(const struct fileio_stream *stream)
{
	int64_t every = stream->settings->fsync_every;

	return every > 0 && stream->is_dirty && stream->performed % every == 0;
}

static void
next_fsync(struct fileio_stream *stream, struct fileio_event *event)
{
	*event = (struct fileio_event){ .kind = FILEIO_FSYNC,
		.file = stream->next_fsync++ };
	if (stream->next_fsync == stream->settings->files) {
		stream->next_fsync = 0;
		stream->is_dirty = false;
	}
}

static void
next_request(struct fileio_stream *stream, struct fileio_rng *rng,
    struct fileio_event *event)
{
	const struct fileio_settings *settings = stream->settings;

	event->kind = choose_kind(stream);
	if (is_random(settings->mode))
		place_randomly(settings, rng, event);
	else
		place_in_sequence(stream, event);
	event->size = settings->file_size - event->offset < settings->block
			  ? settings->file_size - event->offset
			  : settings->block;
	stream->performed++;
	stream->reads += event->kind == FILEIO_READ;
	stream->writes += event->kind == FILEIO_WRITE;
	stream->is_dirty = stream->is_dirty || event->kind == FILEIO_WRITE;
}

bool
fileio_next(struct fileio_stream *stream, struct fileio_rng *rng,
    struct fileio_event *event)
{
	if (stream->settings->requests > 0 &&
	    stream->events == stream->settings->requests)
		return false;
	stream->events++;
	if (is_fsync_due(stream))
		next_fsync(stream, event);
	else
		next_request(stream, rng, event);
	/* the tool's histogram takes one, too */
	(void)rng_draw(rng);
	return true;
}
