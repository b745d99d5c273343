#include "workload/histogram.h"

enum { STEP_BITS = 6 };

/* Values below 64 have a bin each; above, the bin is the position of the
 * highest bit and the 6 bits below it. */
static size_t
bin_of(uint64_t ns)
{
	int shift = 0;

	if (ns < HISTOGRAM_STEPS)
		return (size_t)ns;
	while (ns >> shift >= 2 * (uint64_t)HISTOGRAM_STEPS)
		shift++;
	return (size_t)shift * (size_t)HISTOGRAM_STEPS + (size_t)(ns >> shift);
}

double
histogram_value(size_t bin)
{
	size_t shift;

	if (bin < 2 * (size_t)HISTOGRAM_STEPS)
		return (double)bin;
	shift = (bin >> STEP_BITS) - 1;
	return ((double)(bin - shift * HISTOGRAM_STEPS) + 0.5) *
	       (double)((uint64_t)1 << shift);
}

void
histogram_add(struct histogram *histogram, int64_t ns)
{
	if (ns < 0)
		ns = 0;
	if (histogram->count == 0 || ns < histogram->lowest_ns)
		histogram->lowest_ns = ns;
	if (ns > histogram->highest_ns)
		histogram->highest_ns = ns;
	histogram->bins[bin_of((uint64_t)ns)]++;
	histogram->count++;
	histogram->sum_ns += ns;
}

void
histogram_merge(struct histogram *to, const struct histogram *from)
{
	if (from->count == 0)
		return;
	if (to->count == 0 || from->lowest_ns < to->lowest_ns)
		to->lowest_ns = from->lowest_ns;
	if (from->highest_ns > to->highest_ns)
		to->highest_ns = from->highest_ns;
	to->count += from->count;
	to->sum_ns += from->sum_ns;
	for (size_t i = 0; i < HISTOGRAM_BINS; i++)
		to->bins[i] += from->bins[i];
}

double
histogram_percentile(const struct histogram *histogram, double percent)
{
	double wanted = (double)histogram->count * percent / 100;
	int64_t rank = (int64_t)(wanted + 0.5);
	int64_t seen = 0;

	for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
		seen += histogram->bins[i];
		if (seen > 0 && seen >= rank)
			return histogram_value(i);
	}
	return 0;
}
