/*
 * Remembers the quantiles of the studentized range: they depend on counts
 * alone, which most changes to a file leave as they are, and take nine tenths
 * of a report.  The linker puts these before the real ones (--wrap), so what
 * is tested is what users get, several times as often.
 */
#ifndef MM_FUZZ_STORE_MEMO_H
#define MM_FUZZ_STORE_MEMO_H

#include <stdint.h>
#include <string.h>

#include "analysis/tukey.h"

double __real_tukey_quantile(
    double p, const size_t *sizes, size_t size_count, double df);
double __wrap_tukey_quantile(
    double p, const size_t *sizes, size_t size_count, double df);
double __real_tukey_range_quantile(double p, size_t cells, double df);
double __wrap_tukey_range_quantile(double p, size_t cells, double df);
double __real_dunnett_quantile(double p, size_t others, double df);
double __wrap_dunnett_quantile(double p, size_t others, double df);

enum { MEMO_SLOTS = 1 << 14, MEMO_SIZES = 12 };

struct memo {
	size_t kind; /* 0: empty */
	double p, df, value;
	size_t count, sizes[MEMO_SIZES];
};

static struct memo memos[MEMO_SLOTS];

/* The slot of the question; it may hold the answer to another one. */
static struct memo *
memo_slot(const struct memo *asked)
{
	const unsigned char *bytes = (const unsigned char *)asked;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < sizeof *asked; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
	return &memos[hash % MEMO_SLOTS];
}

static int
memo_holds(const struct memo *slot, const struct memo *asked)
{
	return slot->kind == asked->kind && slot->count == asked->count &&
	       memcmp(&slot->p, &asked->p, sizeof slot->p) == 0 &&
	       memcmp(&slot->df, &asked->df, sizeof slot->df) == 0 &&
	       memcmp(slot->sizes, asked->sizes, sizeof slot->sizes) == 0;
}

double
__wrap_tukey_quantile(
    double p, const size_t *sizes, size_t size_count, double df)
{
	struct memo asked, *slot;

	if (size_count > MEMO_SIZES)
		return __real_tukey_quantile(p, sizes, size_count, df);
	memset(&asked, 0, sizeof asked);
	asked.kind = 1;
	asked.p = p;
	asked.df = df;
	asked.count = size_count;
	memcpy(asked.sizes, sizes, size_count * sizeof *sizes);
	slot = memo_slot(&asked);
	if (!memo_holds(slot, &asked)) {
		asked.value = __real_tukey_quantile(p, sizes, size_count, df);
		*slot = asked;
	}
	return slot->value;
}

double
__wrap_tukey_range_quantile(double p, size_t cells, double df)
{
	return __wrap_tukey_quantile(p, &cells, 1, df);
}

double
__wrap_dunnett_quantile(double p, size_t others, double df)
{
	struct memo asked, *slot;

	memset(&asked, 0, sizeof asked);
	asked.kind = 2;
	asked.p = p;
	asked.df = df;
	asked.count = others;
	slot = memo_slot(&asked);
	if (!memo_holds(slot, &asked)) {
		asked.value = __real_dunnett_quantile(p, others, df);
		*slot = asked;
	}
	return slot->value;
}

#endif
