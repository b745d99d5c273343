#include "workload/postmark_stream.h"

#include <stdlib.h>

#include "base/clock.h"

enum { SHIFT_WORDS = 397 };

/* The top halves of two steps of a linear generator make a word. */
void
postmark_seed(struct postmark_rng *rng, uint32_t seed)
{
	for (int i = 0; i < POSTMARK_WORDS; i++) {
		uint32_t high = seed & 0xffff0000u;

		seed = 69069u * seed + 1;
		rng->words[i] = high | seed >> 16;
		seed = 69069u * seed + 1;
	}
	rng->next = POSTMARK_WORDS;
}

/* MT19937 (Matsumoto and Nishimura). */
static void
refill(struct postmark_rng *rng)
{
	uint32_t *w = rng->words;

	for (int i = 0; i < POSTMARK_WORDS; i++) {
		uint32_t y = (w[i] & 0x80000000u) |
			     (w[(i + 1) % POSTMARK_WORDS] & 0x7fffffffu);

		w[i] = w[(i + SHIFT_WORDS) % POSTMARK_WORDS] ^ y >> 1 ^
		       ((y & 1) != 0 ? 0x9908b0dfu : 0);
	}
	rng->next = 0;
}

uint32_t
postmark_random(struct postmark_rng *rng)
{
	uint32_t y;

	if (rng->next == POSTMARK_WORDS)
		refill(rng);
	y = rng->words[rng->next++];
	y ^= y >> 11;
	y ^= y << 7 & 0x9d2c5680u;
	y ^= y << 15 & 0xefc60000u;
	return y ^ y >> 18;
}

/* Nothing is drawn where there is nothing to choose. */
static int64_t
draw(struct postmark *postmark, int64_t limit)
{
	return limit > 0 ? postmark_random(&postmark->rng) % limit : 0;
}

/* --- set-up -------------------------------------------------------------- */

static void *
allocate(size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size);

	if (memory == NULL)
		abort();
	return memory;
}

static void
weigh_locations(struct postmark *postmark)
{
	const struct postmark_settings *settings = &postmark->settings;
	size_t total = 0;

	for (size_t i = 0; i < settings->location_count; i++)
		total += (size_t)settings->weights[i];
	postmark->location_draws =
	    allocate(total, sizeof *postmark->location_draws);
	for (size_t i = 0; i < settings->location_count; i++)
		for (int64_t w = 0; w < settings->weights[i]; w++)
			postmark
			    ->location_draws[postmark->location_draw_count++] =
			    i;
}

void
postmark_init(struct postmark *postmark,
    const struct postmark_settings *settings, const struct postmark_io *io)
{
	size_t size = (size_t)settings->size_high * 2;

	*postmark = (struct postmark){ .settings = *settings, .io = *io };
	postmark_seed(&postmark->rng, settings->seed);
	postmark->source = allocate(size, 1);
	for (size_t i = 0; i < size; i++)
		postmark->source[i] = (char)(32 + draw(postmark, 95));
	postmark->slot_count = (size_t)settings->number * 2;
	postmark->slots =
	    allocate(postmark->slot_count, sizeof *postmark->slots);
	weigh_locations(postmark);
}

void
postmark_reset(struct postmark *postmark)
{
	free(postmark->source);
	free(postmark->slots);
	free(postmark->location_draws);
	*postmark = (struct postmark){ 0 };
}

/* --- the four operations; 0, or 1 when the file function failed ----------- */

static int
failed(struct postmark *postmark, const struct postmark_file *file,
    const char *action)
{
	postmark->failed = *file;
	postmark->failed_action = action;
	return 1;
}

/* The slot at the cursor if it is free, else the first free one; the cursor
 * goes behind it. */
static struct postmark_file *
find_free(struct postmark *postmark)
{
	size_t i = postmark->cursor;

	if (i >= postmark->slot_count || postmark->slots[i].size != 0)
		for (i = 0; i < postmark->slot_count; i++)
			if (postmark->slots[i].size == 0)
				break;
	if (i >= postmark->slot_count)
		return NULL;
	postmark->cursor = i + 1;
	return &postmark->slots[i];
}

static struct postmark_file *
find_used(struct postmark *postmark)
{
	struct postmark_file *file;

	do
		file =
		    &postmark
			 ->slots[draw(postmark, (int64_t)postmark->slot_count)];
	while (file->size == 0);
	return file;
}

static int
create(struct postmark *postmark)
{
	const struct postmark_settings *settings = &postmark->settings;
	struct postmark_counts *counts = &postmark->counts;
	struct postmark_file *file = find_free(postmark);

	if (file == NULL)
		return 0;
	file->location = settings->location_count > 1
			     ? postmark->location_draws[draw(postmark,
				   (int64_t)postmark->location_draw_count)]
			     : 0;
	file->subdirectory = settings->subdirectories > 1
				 ? draw(postmark, settings->subdirectories)
				 : -1;
	file->number = ++counts->created;
	file->size = settings->size_low +
		     draw(postmark, settings->size_high - settings->size_low);
	if (postmark->io.create(postmark->io.context, file) == 1)
		return failed(postmark, file, "create");
	counts->bytes_written += file->size;
	counts->bytes_written_f32 += (float)file->size;
	return 0;
}

static int
read_file(struct postmark *postmark)
{
	struct postmark_file *file = find_used(postmark);

	if (postmark->io.read(postmark->io.context, file) == 1)
		return failed(postmark, file, "read");
	postmark->counts.read++;
	postmark->counts.bytes_read += file->size;
	postmark->counts.bytes_read_f32 += (float)file->size;
	return 0;
}

static int
append(struct postmark *postmark)
{
	struct postmark_file *file = find_used(postmark);
	int64_t room = postmark->settings.size_high - file->size;
	int64_t size;

	if (room <= 0)
		return 0;
	size = draw(postmark, room) + 1;
	if (postmark->io.append(postmark->io.context, file, size) == 1)
		return failed(postmark, file, "append to");
	file->size += size;
	postmark->counts.appended++;
	postmark->counts.bytes_written += size;
	postmark->counts.bytes_written_f32 += (float)size;
	return 0;
}

static int delete (struct postmark *postmark, struct postmark_file *file)
{
	if (postmark->io.remove(postmark->io.context, file) == 1)
		return failed(postmark, file, "delete");
	file->size = 0;
	postmark->counts.deleted++;
	return 0;
}

/* --- the three phases ---------------------------------------------------- */

static int
transact(struct postmark *postmark)
{
	const struct postmark_settings *settings = &postmark->settings;
	int code = 0;

	if (settings->bias_read != -1)
		code = draw(postmark, 10) < settings->bias_read
			   ? read_file(postmark)
			   : append(postmark);
	if (code == 0 && settings->bias_create != -1)
		code = draw(postmark, 10) < settings->bias_create
			   ? create(postmark)
			   : delete (postmark, find_used(postmark));
	return code;
}

static enum postmark_end
run_transactions(struct postmark *postmark)
{
	struct postmark_counts *counts = &postmark->counts;

	while (counts->transactions < postmark->settings.transactions) {
		if (counts->created == counts->deleted)
			return POSTMARK_OUT_OF_FILES;
		if (transact(postmark) == 1)
			return POSTMARK_IO_FAILED;
		counts->transactions++;
	}
	return POSTMARK_DONE;
}

enum postmark_end
postmark_run(struct postmark *postmark)
{
	struct postmark_counts *counts = &postmark->counts;
	enum postmark_end end;

	counts->times_ns[0] = clock_now_ns();
	for (int64_t i = 0; i < postmark->settings.number; i++)
		if (create(postmark) == 1)
			return POSTMARK_IO_FAILED;
	counts->times_ns[1] = clock_now_ns();
	end = run_transactions(postmark);
	if (end != POSTMARK_DONE)
		return end;
	counts->times_ns[2] = clock_now_ns();
	counts->deleted_alone = -counts->deleted;
	for (size_t i = 0; i < postmark->slot_count; i++)
		if (postmark->slots[i].size != 0 &&
		    delete (postmark, &postmark->slots[i]) == 1)
			return POSTMARK_IO_FAILED;
	counts->deleted_alone += counts->deleted;
	counts->times_ns[3] = clock_now_ns();
	return POSTMARK_DONE;
}
