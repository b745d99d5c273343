#include "analysis/lenth.h"

#include <math.h>

#include "analysis/special.h"
#include "analysis/summary.h"

static const struct {
	double effects, one, all;
} criticals[] = {
	{ 3, 2.29, 5.75 },
	{ 5, 2.34, 5.23 },
	{ 7, 2.30, 4.87 },
	{ 11, 2.21, 4.45 },
	{ 15, 2.16, 4.24 },
	{ 19, 2.12, 4.11 },
	{ 23, 2.09, 4.02 },
	{ 27, 2.08, 3.96 },
	{ 31, 2.06, 3.92 },
	{ 47, 2.03, 3.83 },
	{ 63, 2.02, 3.81 },
};

/* Between two lines of the table in proportion; beyond it, its end. */
void
lenth_critical(size_t count, double *one, double *all)
{
	size_t lines = sizeof(criticals) / sizeof(criticals[0]);
	double m = (double)count;
	size_t i = 1;
	double share;

	while (i < lines - 1 && criticals[i].effects < m)
		i++;
	share = (m - criticals[i - 1].effects) /
		(criticals[i].effects - criticals[i - 1].effects);
	share = fmin(1, fmax(0, share));
	*one = criticals[i - 1].one +
	       share * (criticals[i].one - criticals[i - 1].one);
	*all = criticals[i - 1].all +
	       share * (criticals[i].all - criticals[i - 1].all);
}

static double
pseudo_error(const double *sizes, size_t count, double s0, struct arena *arena)
{
	double *small = arena_array(arena, count, sizeof(*small));
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (sizes[i] < 2.5 * s0)
			small[kept++] = sizes[i];
	}
	return kept == 0 ? 0 : 1.5 * summary_median(small, kept, arena);
}

struct lenth *
lenth_make(
    const double *effects, size_t count, double least, struct arena *arena)
{
	struct lenth *lenth = arena_alloc(arena, sizeof(*lenth));
	double *sizes = arena_array(arena, count, sizeof(*sizes));
	double together = (1 - pow(0.95, 1 / (double)count)) / 2;

	for (size_t i = 0; i < count; i++)
		sizes[i] = fabs(effects[i]);
	lenth->s0 = 1.5 * summary_median(sizes, count, arena);
	lenth->pse = fmax(least, pseudo_error(sizes, count, lenth->s0, arena));
	lenth->df = (double)count / 3;
	lenth->me = special_t_quantile(0.025, lenth->df) * lenth->pse;
	lenth->sme = special_t_quantile(together, lenth->df) * lenth->pse;
	lenth_critical(count, &lenth->critical_one, &lenth->critical_all);
	lenth->margin_one_pct = 100 * expm1(lenth->critical_one * lenth->pse);
	lenth->margin_all_pct = 100 * expm1(lenth->critical_all * lenth->pse);
	return lenth;
}
