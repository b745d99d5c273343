/* PostMark's stream is 1.53's: its generator, its counts, its bytes, and the
 * figures of a study of 2004. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/postmark_stream.h"

/* Files that are only counted; their sizes must never pass the limit. */
struct imagined {
	int64_t files;
	int64_t first_sizes[5];
	char first_places[64];
};

static int
imagine_create(void *context, const struct postmark_file *file)
{
	struct imagined *imagined = context;
	size_t used = strlen(imagined->first_places);

	if (imagined->files < 5) {
		imagined->first_sizes[imagined->files] = file->size;
		(void)snprintf(imagined->first_places + used,
		    sizeof imagined->first_places - used, "%c/s%d ",
		    (char)('A' + file->location), (int)file->subdirectory);
	}
	imagined->files++;
	return 0;
}

static int
imagine_read(void *context, const struct postmark_file *file)
{
	(void)context;
	assert_true(file->size > 0);
	return 0;
}

static int
imagine_append(void *context, const struct postmark_file *file, int64_t size)
{
	(void)context;
	assert_true(file->size > 0 && size > 0);
	return 0;
}

static int
imagine_remove(void *context, const struct postmark_file *file)
{
	return imagine_read(context, file);
}

static enum postmark_end
imagine(const struct postmark_settings *settings, struct imagined *imagined,
    struct postmark_counts *counts)
{
	struct postmark_io io = { imagine_create, imagine_read, imagine_append,
		imagine_remove, imagined };
	struct postmark postmark;
	enum postmark_end end;

	*imagined = (struct imagined){ 0 };
	postmark_init(&postmark, settings, &io);
	end = postmark_run(&postmark);
	*counts = postmark.counts;
	postmark_reset(&postmark);
	return end;
}

static void
test_generator(void **state)
{
	static const struct {
		uint32_t seed;
		uint32_t values[4];
	} cases[] = {
		{ 42, { 4179544424u, 615236124u, 4165290828u, 3119652344u } },
		{ 7, { 22671274u, 109824311u, 1824471040u, 3737574225u } },
	};
	struct postmark_rng rng;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		postmark_seed(&rng, cases[i].seed);
		for (int j = 0; j < 4; j++)
			assert_int_equal(
			    postmark_random(&rng), cases[i].values[j]);
	}
}

static void
test_source_text(void **state)
{
	static const struct postmark_settings settings = {
		.number = 1, .size_low = 500, .size_high = 10000, .seed = 42
	};
	static const struct postmark_io none = { 0 };
	struct postmark postmark;

	(void)state;
	postmark_init(&postmark, &settings, &none);
	assert_memory_equal(
	    postmark.source, "LeZebJ6S5~qPv$C$py}hmKd H58nM4~.", 32);
	postmark_reset(&postmark);
}

static const int64_t two_and_one[] = { 2, 1 };

static const struct {
	const char *name;
	struct postmark_settings settings;
	int64_t created, read, appended, deleted_alone;
	float read_f32, written_f32;
	int64_t bytes_read, bytes_written; /* 0: as the float */
} vectors[] = {
#define BIAS 5, 5
	{ "default", { 500, 500, 10000, 500, 0, BIAS, 42, NULL, 0 }, 764, 243,
	    257, 528, 1430770, 4662068, 0, 0 },
	{ "seed 7", { 500, 500, 10000, 500, 0, BIAS, 7, NULL, 0 }, 753, 254,
	    246, 506, 1400794, 4490891, 0, 0 },
	{ "2004", { 500, 300, 100000, 10000, 0, BIAS, 42, NULL, 0 }, 5535, 4955,
	    5040, 570, 327559040, 363585632, 327559177, 363586016 },
	{ "2004, seed 7", { 500, 300, 100000, 10000, 0, BIAS, 7, NULL, 0 },
	    5408, 5003, 4987, 316, 326726016, 355501280, 326725431, 355500461 },
	{ "big", { 5000, 500, 10000, 20000, 10, BIAS, 42, NULL, 0 }, 14976,
	    9984, 9989, 4952, 62875748, 97023888, 62875469, 97024036 },
	{ "big, seed 7", { 5000, 500, 10000, 20000, 10, BIAS, 7, NULL, 0 },
	    15009, 10070, 9904, 5018, 63686060, 97053240, 63686022, 97053109 },
	{ "20000 files", { 20000, 500, 10000, 50000, 0, BIAS, 42, NULL, 0 },
	    45093, 24789, 25184, 20186, 151053536, 285078240, 151053776,
	    285079691 },
	{ "biased", { 500, 500, 10000, 2000, 0, 8, 6, 42, NULL, 0 }, 1680, 1592,
	    408, 860, 8655194, 9491829, 0, 0 },
	{ "no reads", { 300, 500, 10000, 400, 0, -1, 5, 42, NULL, 0 }, 499, 0,
	    0, 298, 0, 2609746, 0, 0 },
	{ "one size", { 500, 4096, 4096, 1000, 0, BIAS, 42, NULL, 0 }, 994, 518,
	    0, 488, 2121728, 4071424, 0, 0 },
	{ "2000 of 2004", { 500, 300, 100000, 2000, 0, BIAS, 42, NULL, 0 },
	    1523, 993, 1007, 546, 61372364, 94192360, 61372379, 94192440 },
	{ "table fills", { 100, 500, 10000, 500, 0, 5, 10, 42, NULL, 0 }, 200,
	    243, 257, 200, 1686042, 1551205, 0, 0 },
	{ "table fills late", { 100, 500, 10000, 2000, 0, 5, 9, 42, NULL, 0 },
	    406, 992, 977, 198, 7766281, 3297670, 0, 0 },
	{ "15 transactions", { 500, 500, 10000, 15, 0, BIAS, 42, NULL, 0 }, 507,
	    6, 9, 499, 22736, 2737839, 0, 0 },
	{ "two locations",
	    { 1000, 500, 10000, 3000, 4, BIAS, 99, two_and_one, 2 }, 2488, 1506,
	    1493, 976, 9668825, 16101503, 0, 0 },
};

static void
test_vectors(void **state)
{
	size_t count = sizeof vectors / sizeof *vectors;

	(void)state;
	for (size_t i = 0; i < count; i++) {
		struct imagined imagined;
		struct postmark_counts counts;

		assert_int_equal(
		    imagine(&vectors[i].settings, &imagined, &counts),
		    POSTMARK_DONE);
		assert_int_equal(counts.created, vectors[i].created);
		assert_int_equal(imagined.files, vectors[i].created);
		assert_int_equal(counts.read, vectors[i].read);
		assert_int_equal(counts.appended, vectors[i].appended);
		assert_int_equal(counts.deleted, vectors[i].created);
		assert_int_equal(
		    counts.deleted_alone, vectors[i].deleted_alone);
		assert_true(counts.bytes_read_f32 == vectors[i].read_f32);
		assert_true(counts.bytes_written_f32 == vectors[i].written_f32);
		assert_int_equal(counts.bytes_read,
		    vectors[i].bytes_read != 0 ? vectors[i].bytes_read
					       : (int64_t)vectors[i].read_f32);
		assert_int_equal(counts.bytes_written,
		    vectors[i].bytes_written != 0
			? vectors[i].bytes_written
			: (int64_t)vectors[i].written_f32);
	}
	print_message(
	    "# counts: postmark: %zu configurations simulated\n", count);
}

static void
test_first_files(void **state)
{
	struct imagined imagined;
	struct postmark_counts counts;

	(void)state;
	(void)imagine(&vectors[0].settings, &imagined, &counts);
	assert_int_equal(imagined.first_sizes[0], 1390);
	(void)imagine(&vectors[14].settings, &imagined, &counts);
	assert_string_equal(imagined.first_places, "B/s0 A/s1 B/s2 B/s1 A/s2 ");
}

static void
test_running_out_of_files(void **state)
{
	static const struct postmark_settings settings = { 20, 500, 10000, 500,
		0, 5, 0, 42, NULL, 0 };
	static const struct postmark_settings few = { 500, 500, 10000, 9, 0, 5,
		5, 42, NULL, 0 };
	struct imagined imagined;
	struct postmark_counts counts;

	(void)state;
	assert_int_equal(
	    imagine(&settings, &imagined, &counts), POSTMARK_OUT_OF_FILES);
	assert_int_equal(counts.transactions, 20);
	/* the real one divides by zero here */
	assert_int_equal(imagine(&few, &imagined, &counts), POSTMARK_DONE);
	assert_int_equal(counts.transactions, 9);
}

/* Twelve runs under FreeBSD in 2004: seconds, five whole rates over them, and
 * megabytes a second over the total time, which was not published. */
static const struct study_row {
	int seconds;
	int rates[5]; /* transactions, created, read, appended, deleted */
	double read_mb, written_mb;
} study[] = {
	{ 76, { 131, 66, 65, 66, 65 }, 4.00, 4.45 },
	{ 75, { 133, 67, 66, 67, 66 }, 4.00, 4.45 },
	{ 74, { 135, 68, 66, 68, 67 }, 4.11, 4.56 },
	{ 76, { 131, 66, 65, 66, 65 }, 3.95, 4.39 },
	{ 73, { 136, 68, 67, 69, 68 }, 4.17, 4.62 },
	{ 71, { 140, 70, 69, 70, 69 }, 4.22, 4.69 },
	{ 71, { 140, 70, 69, 70, 69 }, 4.22, 4.69 },
	{ 71, { 140, 70, 69, 70, 69 }, 4.22, 4.69 },
	{ 72, { 138, 69, 68, 70, 68 }, 4.17, 4.62 },
	{ 72, { 138, 69, 68, 70, 68 }, 4.22, 4.69 },
	{ 72, { 138, 69, 68, 70, 68 }, 4.17, 4.62 },
	{ 74, { 135, 68, 66, 68, 67 }, 4.11, 4.56 },
};

static int
agrees(double bytes, int seconds, double published)
{
	return fabs(bytes / 1048576 / seconds - published) < 0.00501;
}

/* The figures of a row that our counts give for the best total time. */
static int
figures_met(const struct postmark_counts *counts, const struct study_row *row)
{
	const int64_t totals[5] = { counts->transactions, counts->created - 500,
		counts->read, counts->appended,
		counts->deleted - counts->deleted_alone };
	int met = 0;
	int best = 0;

	for (int i = 0; i < 5; i++)
		met += totals[i] / row->seconds == row->rates[i];
	for (int total = row->seconds; total < row->seconds + 10; total++) {
		int both = agrees((double)counts->bytes_read_f32, total,
			       row->read_mb) +
			   agrees((double)counts->bytes_written_f32, total,
			       row->written_mb);

		best = both > best ? both : best;
	}
	return met + best;
}

static void
test_study_of_2004(void **state)
{
	struct imagined imagined;
	struct postmark_counts counts;
	int met = 0;

	(void)state;
	(void)imagine(&vectors[2].settings, &imagined, &counts);
	for (size_t i = 0; i < sizeof study / sizeof *study; i++)
		met += figures_met(&counts, &study[i]);
	print_message(
	    "# counts: postmark: %d of 84 figures of the study of 2004\n", met);
	assert_int_equal(met, 84);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generator),
		cmocka_unit_test(test_source_text),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_first_files),
		cmocka_unit_test(test_running_out_of_files),
		cmocka_unit_test(test_study_of_2004),
	};

	return cmocka_run_group_tests_name("postmark", tests, NULL, NULL);
}
