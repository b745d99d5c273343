/* The stream of fileio is sysbench's, and no latency is lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "workload/fileio_stream.h"
#include "workload/histogram.h"

static struct fileio_rng
seeded(uint32_t seed)
{
	struct fileio_seeder seeder;
	struct fileio_rng rng;

	fileio_seed(&seeder, seed);
	fileio_next_rng(&seeder, &rng);
	return rng;
}

static void
test_offsets_of_a_seed(void **state)
{
	static const struct fileio_settings settings = { .mode = FILEIO_RNDRD,
		.block = 16384,
		.files = 4,
		.file_size = 16 << 20 };
	static const struct {
		int64_t file;
		int64_t offset;
	} expected[] = { { 2, 2654208 }, { 1, 10584064 }, { 0, 6832128 },
		{ 3, 245760 } };
	struct fileio_stream stream = { .settings = &settings };
	struct fileio_rng rng = seeded(7);
	struct fileio_event event;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_true(fileio_next(&stream, &rng, &event));
		assert_int_equal(event.kind, FILEIO_READ);
		assert_int_equal(event.file, expected[i].file);
		assert_int_equal(event.offset, expected[i].offset);
		assert_int_equal(event.size, 16384);
	}
}

/* Counts of a whole run, and what must hold of each event. */
static void
count_events(const struct fileio_settings *settings, int64_t counts[])
{
	struct fileio_stream stream = { .settings = settings };
	struct fileio_rng rng = seeded(42);
	struct fileio_event event;

	for (int i = 0; i < FILEIO_KINDS; i++)
		counts[i] = 0;
	while (fileio_next(&stream, &rng, &event)) {
		counts[event.kind]++;
		assert_in_range(event.file, 0, settings->files - 1);
		assert_in_range(event.offset, 0, settings->file_size - 1);
		assert_true(event.offset + event.size <= settings->file_size);
		assert_true(event.kind == FILEIO_FSYNC || event.size > 0);
	}
}

static const struct {
	struct fileio_settings settings;
	int64_t counts[FILEIO_KINDS];
} runs[] = {
	{ { FILEIO_RNDWR, 16384, 128, 16 << 20, 20000, 1.5, 100 },
	    { 0, 8800, 11200 } },
	{ { FILEIO_RNDRD, 16384, 128, 16 << 20, 20000, 1.5, 100 },
	    { 20000, 0, 0 } },
	{ { FILEIO_RNDRW, 16384, 128, 16 << 20, 10000, 1.5, 0 },
	    { 6000, 4000, 0 } },
	{ { FILEIO_SEQWR, 16384, 128, 16 << 20, 5000, 1.5, 0 },
	    { 0, 5000, 0 } },
	{ { FILEIO_RNDWR, 3000, 3, 10000, 5000, 1.5, 1 }, { 0, 1250, 3750 } },
};

static void
test_events_of_a_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		int64_t counts[FILEIO_KINDS];

		count_events(&runs[i].settings, counts);
		for (int k = 0; k < FILEIO_KINDS; k++)
			assert_int_equal(counts[k], runs[i].counts[k]);
	}
}

/* Every byte once, file after file, then from the start again. */
static void
test_sequence(void **state)
{
	static const struct fileio_settings settings = { .mode = FILEIO_SEQRD,
		.block = 4096,
		.files = 3,
		.file_size = 10000,
		.requests = 18 };
	struct fileio_stream stream = { .settings = &settings };
	struct fileio_rng rng = seeded(1);
	struct fileio_event event;

	(void)state;
	for (int i = 0; fileio_next(&stream, &rng, &event); i++) {
		assert_int_equal(event.file, i / 3 % 3);
		assert_int_equal(event.offset, i % 3 * 4096);
		assert_int_equal(event.size, i % 3 == 2 ? 1808 : 4096);
	}
}

static void
test_histogram_keeps_one_percent(void **state)
{
	struct histogram *histogram = calloc(1, sizeof *histogram);
	struct histogram *other = calloc(1, sizeof *other);

	(void)state;
	assert_non_null(histogram);
	assert_non_null(other);
	assert_true(histogram_percentile(histogram, 95) == 0);
	/* each of these alone comes back within 0.8 % */
	for (int64_t ns = 1; ns < (int64_t)1 << 52; ns = ns * 9 / 8 + 1) {
		*other = (struct histogram){ 0 };
		histogram_add(other, ns);
		assert_true(fabs(histogram_percentile(other, 50) / (double)ns -
				 1) < 0.008);
		assert_int_equal(other->lowest_ns, ns);
		assert_int_equal(other->highest_ns, ns);
	}
	*other = (struct histogram){ 0 };
	for (int64_t i = 1; i <= 10000; i++)
		histogram_add(i % 2 == 0 ? histogram : other, i * 1000);
	histogram_merge(histogram, other);
	assert_int_equal(histogram->count, 10000);
	assert_int_equal(histogram->lowest_ns, 1000);
	assert_int_equal(histogram->highest_ns, 10000000);
	assert_int_equal(histogram->sum_ns, (int64_t)10000 * 10001 / 2 * 1000);
	assert_true(
	    fabs(histogram_percentile(histogram, 95) / 9500000 - 1) < 0.008);
	assert_true(
	    fabs(histogram_percentile(histogram, 50) / 5000000 - 1) < 0.008);
	free(histogram);
	free(other);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offsets_of_a_seed),
		cmocka_unit_test(test_events_of_a_run),
		cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_histogram_keeps_one_percent),
	};

	return cmocka_run_group_tests_name("fileio", tests, NULL, NULL);
}
