#include "analysis/curve.h"

#include <math.h>
#include <string.h>

#include "analysis/summary.h"

/* Median of |difference of two N(0, 1)|. */
static const double step_median = 0.9538725524;
static const double poisson_floor = 0.5;
static const double penalty_factor = 4;
static const double merge_share = 0.05;
static const double stall_share = 0.01;

enum { MIN_PHASE = 3 };

static double *
even_out(const double *counts, size_t length, struct arena *arena)
{
	double *z = arena_array(arena, length + 1, sizeof(*z));

	for (size_t i = 0; i < length; i++)
		z[i] = sqrt(counts[i] + 0.375);
	return z;
}

double
curve_sigma(const double *counts, size_t length, struct arena *arena)
{
	const double *z = even_out(counts, length, arena);
	double *steps = arena_array(arena, length + 1, sizeof(*steps));

	if (length < 2)
		return poisson_floor;
	for (size_t i = 1; i < length; i++)
		steps[i - 1] = fabs(z[i] - z[i - 1]);
	return fmax(summary_median(steps, length - 1, arena) / step_median,
	    poisson_floor);
}

static double
median_of_three(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* One interval that stands out alone is a spike, not a phase. */
static double *
smooth(const double *z, size_t length, struct arena *arena)
{
	double *smoothed = arena_array(arena, length + 1, sizeof(*smoothed));

	memcpy(smoothed, z, length * sizeof(*z));
	for (size_t i = 1; i + 1 < length; i++)
		smoothed[i] = median_of_three(z[i - 1], z[i], z[i + 1]);
	return smoothed;
}

/* Residual squares of every stretch from prefix sums about the mean. */
struct prefix {
	double *sum;
	double *square;
};

static struct prefix
prefix_make(const double *z, size_t length, struct arena *arena)
{
	struct prefix prefix;
	double mean = summary_mean(z, length);

	prefix.sum = arena_array(arena, length + 1, sizeof(double));
	prefix.square = arena_array(arena, length + 1, sizeof(double));
	for (size_t i = 0; i < length; i++) {
		double d = z[i] - mean;

		prefix.sum[i + 1] = prefix.sum[i] + d;
		prefix.square[i + 1] = prefix.square[i] + d * d;
	}
	return prefix;
}

/* Of the stretch from..to-1. */
static double
prefix_rss(const struct prefix *prefix, size_t from, size_t to)
{
	double sum = prefix->sum[to] - prefix->sum[from];

	return prefix->square[to] - prefix->square[from] -
	       sum * sum / (double)(to - from);
}

/* Optimal partitioning: the start of the last phase of each prefix. */
static size_t *
partition(const double *z, size_t length, double penalty, struct arena *arena)
{
	struct prefix prefix = prefix_make(z, length, arena);
	double *cost = arena_array(arena, length + 1, sizeof(*cost));
	size_t *last = arena_array(arena, length + 1, sizeof(*last));

	cost[0] = -penalty;
	for (size_t j = 1; j <= length; j++) {
		cost[j] = INFINITY;
		for (size_t i = 0; i + MIN_PHASE <= j; i++) {
			double c =
			    cost[i] + prefix_rss(&prefix, i, j) + penalty;

			if (c < cost[j]) {
				cost[j] = c;
				last[j] = i;
			}
		}
	}
	return last;
}

/* Drops starts between phases with nearly the same median. */
static size_t
merge_phases(const double *counts, size_t length, size_t *starts, size_t count,
    struct arena *arena)
{
	double *median = arena_array(arena, count + 1, sizeof(*median));
	double largest = 0;
	size_t kept = 1;

	for (size_t p = 0; p < count; p++) {
		size_t end = p + 1 < count ? starts[p + 1] - 1 : length;

		median[p] = summary_median(
		    &counts[starts[p] - 1], end - (starts[p] - 1), arena);
		largest = fmax(largest, median[p]);
	}
	for (size_t p = 1; p < count; p++) {
		size_t begin = starts[kept - 1] - 1;
		double before = summary_median(
		    &counts[begin], starts[p] - 1 - begin, arena);

		if (fabs(median[p] - before) >= merge_share * largest)
			starts[kept++] = starts[p];
	}
	return kept;
}

/*
 * Longer series are cut into so many stretches first, since the work grows
 * with the square of the length.
 */
enum { MAX_STRETCHES = 8192 };

static double *
add_up(const double *counts, size_t length, size_t width, size_t *stretches,
    struct arena *arena)
{
	double *sums = arena_array(arena, length / width + 1, sizeof(*sums));

	*stretches = length / width;
	for (size_t i = 0; i < *stretches * width; i++)
		sums[i / width] += counts[i];
	return sums;
}

/* Starts of the phases of an evened and smoothed series. */
static size_t
find_phases(
    const double *counts, size_t length, size_t *starts, struct arena *arena)
{
	double sigma = curve_sigma(counts, length, arena);
	double penalty = penalty_factor * sigma * sigma * log((double)length);
	const double *z =
	    smooth(even_out(counts, length, arena), length, arena);
	const size_t *last = partition(z, length, penalty, arena);
	size_t phases = 0;
	size_t at;

	for (size_t j = length; j > 0; j = last[j])
		phases++;
	at = phases;
	for (size_t j = length; j > 0; j = last[j])
		starts[--at] = last[j] + 1;
	return phases;
}

size_t *
curve_phases(const double *counts, size_t length, bool merge, size_t *count,
    struct arena *arena)
{
	size_t *starts = arena_array(arena, length + 1, sizeof(*starts));
	size_t width = length / MAX_STRETCHES + 1;
	size_t stretches = length;
	const double *sums = counts;

	starts[0] = 1;
	*count = length == 0 ? 0 : 1;
	if (length < (size_t)2 * MIN_PHASE)
		return starts;
	if (width > 1)
		sums = add_up(counts, length, width, &stretches, arena);
	*count = find_phases(sums, stretches, starts, arena);
	for (size_t p = 1; p < *count; p++)
		starts[p] = (starts[p] - 1) * width + 1;
	if (merge)
		*count = merge_phases(counts, length, starts, *count, arena);
	return starts;
}

struct curve_stalls
curve_stalls(const double *counts, size_t length)
{
	struct curve_stalls stalls = { 0, 0, 0 };
	double most = 0;
	size_t stretch = 0;

	for (size_t i = 0; i < length; i++)
		most = fmax(most, counts[i]);
	for (size_t i = 0; i < length; i++) {
		if (counts[i] > 0 && counts[i] >= stall_share * most) {
			stretch = 0;
			continue;
		}
		stretch++;
		stalls.count++;
		if (stretch > stalls.longest)
			stalls.longest = stretch;
		if (stalls.first == 0)
			stalls.first = i + 1;
	}
	return stalls;
}

/* The first interval that reached the size, and how far back from it the
 * size lies, as a share of the step; false when none did. */
static bool
find_size(
    const double *sizes, size_t length, double size, size_t *at, double *back)
{
	for (size_t i = 0; i < length; i++) {
		if (sizes[i] < size)
			continue;
		*at = i;
		*back =
		    i == 0 ? 0 : (sizes[i] - size) / (sizes[i] - sizes[i - 1]);
		return true;
	}
	return false;
}

double
curve_at_size(
    const double *sizes, const double *values, size_t length, double size)
{
	size_t at;
	double back;

	if (!find_size(sizes, length, size, &at, &back))
		return NAN;
	if (back <= 0)
		return values[at];
	return values[at] - back * (values[at] - values[at - 1]);
}

double
curve_time_to_size(
    const double *sizes, size_t length, double interval_s, double size)
{
	size_t at;
	double back;

	if (!find_size(sizes, length, size, &at, &back))
		return NAN;
	return ((double)(at + 1) - back) * interval_s;
}

const struct series_column *
curve_column(const struct series_curve *curve, enum curve_role role)
{
	for (size_t i = 0; i < curve->column_count; i++) {
		if (curve->columns[i].role == role)
			return &curve->columns[i];
	}
	return NULL;
}
