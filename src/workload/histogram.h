/*
 * Latencies, kept with a fixed relative error: 64 steps for each doubling, so
 * that a value read back is within 0.8 % of what went in.  Nanoseconds.
 */
#ifndef MM_WORKLOAD_HISTOGRAM_H
#define MM_WORKLOAD_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_STEPS = 64, HISTOGRAM_BINS = 58 * HISTOGRAM_STEPS };

struct histogram {
	int64_t bins[HISTOGRAM_BINS];
	int64_t count;
	int64_t sum_ns;
	int64_t lowest_ns; /* exact; of the count > 0 */
	int64_t highest_ns;
};

void histogram_add(struct histogram *histogram, int64_t ns);
void histogram_merge(struct histogram *to, const struct histogram *from);

/* The middle of a bin, in nanoseconds. */
double histogram_value(size_t bin);

/* The smallest value that "percent" of all do not exceed; 0 when empty. */
double histogram_percentile(const struct histogram *histogram, double percent);

#endif
