#include "analysis/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/special.h"

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *
sorted_copy(const double *values, size_t count, struct arena *arena)
{
	double *copy = arena_array(arena, count, sizeof(*copy));

	memcpy(copy, values, count * sizeof(*copy));
	qsort(copy, count, sizeof(*copy), compare_doubles);
	return copy;
}

double
summary_mean(const double *values, size_t count)
{
	double sum = 0;
	double rest = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	sum /= (double)count;
	for (size_t i = 0; i < count; i++)
		rest += values[i] - sum;
	return sum + rest / (double)count;
}

double
summary_minimum(const double *values, size_t count)
{
	double least = values[0];

	for (size_t i = 1; i < count; i++)
		least = fmin(least, values[i]);
	return least;
}

double
summary_maximum(const double *values, size_t count)
{
	double most = values[0];

	for (size_t i = 1; i < count; i++)
		most = fmax(most, values[i]);
	return most;
}

double
summary_median(const double *values, size_t count, struct arena *arena)
{
	const double *sorted = sorted_copy(values, count, arena);

	if (count % 2 == 1)
		return sorted[count / 2];
	return (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* Sum of squares about the mean. */
static double
squares(const double *values, size_t count)
{
	double mean = summary_mean(values, count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

double
summary_deviation(const double *values, size_t count)
{
	if (count < 2)
		return NAN;
	return sqrt(squares(values, count) / (double)(count - 1));
}

double *
summary_logs(const double *values, size_t count, struct arena *arena)
{
	double *logs = arena_array(arena, count, sizeof(*logs));

	for (size_t i = 0; i < count; i++)
		logs[i] = log(values[i]);
	return logs;
}

struct interval
summary_mean_interval(const double *values, size_t count, double level)
{
	double mean = summary_mean(values, count);
	double half = special_t_quantile((1 - level) / 2, (double)(count - 1)) *
		      summary_deviation(values, count) / sqrt((double)count);
	struct interval interval = { mean - half, mean + half };

	return interval;
}

size_t
summary_median_order(size_t count, double level)
{
	size_t order = 0;

	while (order < count / 2 &&
	       2 * special_coin_below(order + 1, count) <= 1 - level)
		order++;
	return order;
}

struct interval
summary_median_interval(const double *values, size_t count, double level,
    double *coverage, struct arena *arena)
{
	size_t order = summary_median_order(count, level);
	struct interval interval = { NAN, NAN };
	const double *sorted;

	*coverage = NAN;
	if (order == 0)
		return interval;
	sorted = sorted_copy(values, count, arena);
	*coverage = 1 - 2 * special_coin_below(order, count);
	interval.lo = sorted[order - 1];
	interval.hi = sorted[count - order];
	return interval;
}

/* Fills t, p and the half width from difference, error and df. */
static void
finish(struct two_samples *samples)
{
	samples->half_width =
	    special_t_quantile(0.025, samples->df) * samples->error;
	samples->t = samples->difference / samples->error;
	samples->p = special_t_two_sided(samples->t, samples->df);
}

struct two_samples
summary_compare(
    const double *a, size_t a_count, const double *b, size_t b_count)
{
	struct two_samples samples = { .difference = NAN,
		.s = NAN,
		.error = NAN,
		.half_width = NAN,
		.t = NAN,
		.p = NAN };

	if (a_count == 0 || b_count == 0)
		return samples;
	samples.difference =
	    summary_mean(b, b_count) - summary_mean(a, a_count);
	samples.df = (double)(a_count + b_count) - 2;
	if (samples.df < 1)
		return samples;
	samples.s =
	    sqrt((squares(a, a_count) + squares(b, b_count)) / samples.df);
	samples.error =
	    samples.s * sqrt(1 / (double)a_count + 1 / (double)b_count);
	finish(&samples);
	return samples;
}

struct two_samples
summary_against_zero(const double *values, size_t count)
{
	struct two_samples samples = { .difference = NAN,
		.s = NAN,
		.error = NAN,
		.half_width = NAN,
		.t = NAN,
		.p = NAN };

	if (count == 0)
		return samples;
	samples.difference = summary_mean(values, count);
	samples.df = (double)count - 1;
	if (count < 2)
		return samples;
	samples.s = summary_deviation(values, count);
	samples.error = samples.s / sqrt((double)count);
	finish(&samples);
	return samples;
}

void
summary_raise_error(struct two_samples *samples, double least)
{
	if (!(samples->error < least))
		return;
	samples->error = least;
	finish(samples);
}

double
summary_sign_p(size_t wins, size_t losses)
{
	size_t fewer = wins < losses ? wins : losses;

	return fmin(1, 2 * special_coin_below(fewer + 1, wins + losses));
}

double *
summary_mean_ranks(const double *values, size_t block_count, size_t item_count,
    struct arena *arena)
{
	double *ranks = arena_array(arena, item_count, sizeof(*ranks));

	for (size_t b = 0; b < block_count; b++) {
		const double *row = &values[b * item_count];

		for (size_t i = 0; i < item_count; i++) {
			double rank = 0.5;

			for (size_t j = 0; j < item_count; j++)
				rank += (row[j] < row[i]) +
					0.5 * (row[j] == row[i]);
			ranks[i] += rank / (double)block_count;
		}
	}
	return ranks;
}
