#include "analysis/holm.h"

#include <math.h>
#include <stdlib.h>

struct ranked_p {
	double p;
	size_t at;
};

static int
compare_p(const void *a, const void *b)
{
	const struct ranked_p *x = a;
	const struct ranked_p *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

void
holm_mark(const double *p, bool *is_significant, size_t count, double alpha,
    struct arena *arena)
{
	struct ranked_p *order = arena_array(arena, count + 1, sizeof(*order));
	size_t tested = 0;

	for (size_t i = 0; i < count; i++) {
		is_significant[i] = false;
		if (isnan(p[i]))
			continue;
		order[tested].p = p[i];
		order[tested++].at = i;
	}
	qsort(order, tested, sizeof(*order), compare_p);
	for (size_t i = 0; i < tested; i++) {
		if (order[i].p > alpha / (double)(tested - i))
			break;
		is_significant[order[i].at] = true;
	}
}
