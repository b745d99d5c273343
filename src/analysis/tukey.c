#include "analysis/tukey.h"

#include <math.h>
#include <stdbool.h>

#include "analysis/special.h"

/*
 * The normal grid: from -8.5 to 8.875 in steps of 1/8 (a length that compilers
 * find easy), with room on either side for shifts.  A shift by w is a whole
 * number of steps and a rest of at most half a step, the same for every point;
 * the rest is a Taylor sum with Hermite polynomials (8 terms: 2e-15).
 */
enum { GRID = 140, WIDE = 3 * GRID, TERMS = 8, MAX_SIZES = 64 };

static const double grid_low = -8.5;
static const double grid_step = 0.125;
static const double inv_sqrt_2pi = 0.39894228040143267794;

/* Clusters of one size, so that each size is worked out once. */
struct cluster_kind {
	size_t size;
	double times;
};

struct range_law {
	bool one_sided;
	struct cluster_kind kinds[MAX_SIZES];
	size_t kind_count;
	double pairs;
	double df;
	double density[GRID];       /* phi(z) * step */
	double lower[WIDE];         /* Phi(z), the grid in the middle */
	double taylor[TERMS][WIDE]; /* He_n(z) phi(z) / (n + 1)! */
};

static void
law_init(struct range_law *law, double df)
{
	law->one_sided = false;
	law->kind_count = 0;
	law->pairs = 0;
	law->df = df;
	for (size_t i = 0; i < WIDE; i++) {
		double z = grid_low + grid_step * ((double)i - (double)GRID);
		double phi = inv_sqrt_2pi * exp(-z * z / 2);
		double before = 0;
		double hermite = 1;
		double factorial = 1;

		if (i >= GRID && i - GRID < GRID)
			law->density[i - GRID] = phi * grid_step;
		law->lower[i] = special_normal_lower(z);
		for (int n = 0; n < TERMS; n++) {
			double next = z * hermite - n * before;

			factorial *= n + 1;
			law->taylor[n][i] = hermite * phi / factorial;
			before = hermite;
			hermite = next;
		}
	}
}

/*
 * More than MAX_SIZES different sizes cannot be: they would sum to over 2000
 * cells; sizes beyond are counted with the last, which is wider.
 */
static void
law_add(struct range_law *law, size_t size)
{
	size_t i;

	if (size < 2)
		return;
	law->pairs += (double)size * (double)(size - 1) / 2;
	for (i = 0; i < law->kind_count; i++) {
		if (law->kinds[i].size == size)
			break;
	}
	if (i == MAX_SIZES)
		i = MAX_SIZES - 1;
	if (i == law->kind_count) {
		law->kinds[i].size = size;
		law->kinds[i].times = 0;
		law->kind_count++;
	}
	law->kinds[i].times += 1;
}

/* Phi(z - w) for all z of the grid. */
static void
shifted_lower(const struct range_law *law, double w, double *restrict lower)
{
	double whole = fmin(GRID, fmax(-GRID, round(w / grid_step)));
	double rest = fabs(whole) < (double)GRID ? w - whole * grid_step : 0;
	size_t from = (size_t)((double)GRID - whole);
	double sum[GRID] = { 0 };

	for (int n = TERMS; n-- > 0;) {
		const double *taylor = &law->taylor[n][from];

		for (size_t i = 0; i < GRID; i++)
			sum[i] = sum[i] * rest + taylor[i];
	}
	for (size_t i = 0; i < GRID; i++)
		lower[i] = law->lower[from + i] - rest * sum[i];
}

/* x[i] to a whole power, for all of the grid. */
static void
raise_all(const double *gap, size_t power, double *restrict raised)
{
	double base[GRID];

	for (size_t i = 0; i < GRID; i++) {
		base[i] = gap[i];
		raised[i] = 1;
	}
	for (; power > 0; power >>= 1) {
		if (power & 1) {
			for (size_t i = 0; i < GRID; i++)
				raised[i] *= base[i];
		}
		for (size_t i = 0; i < GRID; i++)
			base[i] *= base[i];
	}
}

/* P(range of m normals < w), or P(m normals < z + w) for one side. */
static double
normal_part(const struct range_law *law, size_t kind, const double *gap)
{
	size_t m = law->kinds[kind].size;
	double raised[GRID];
	double sum = 0;

	raise_all(gap, law->one_sided ? m : m - 1, raised);
	for (size_t i = 0; i < GRID; i++)
		sum += law->density[i] * raised[i];
	return law->one_sided ? sum : (double)m * sum;
}

/* P(every cluster keeps within w) for a known standard error. */
static double
within(const struct range_law *law, double w)
{
	double gap[GRID];
	double product = 1;

	if (law->one_sided) {
		shifted_lower(law, -w, gap);
	} else {
		shifted_lower(law, w, gap);
		for (size_t i = 0; i < GRID; i++)
			gap[i] = law->lower[GRID + i] - gap[i];
	}
	for (size_t kind = 0; kind < law->kind_count; kind++) {
		double part = fmin(1, normal_part(law, kind, gap));

		product *= pow(part, law->kinds[kind].times);
	}
	return product;
}

/*
 * Averages over the estimated standard error S, u = ln S.  The step of 0.06
 * matters with few df: the inner probability turns within 0.13 of u.
 */
static double
law_lower(const struct range_law *law, double q)
{
	double df = law->df;
	double width = 1 / sqrt(2 * df);
	double step = fmin(width / 2, 0.06);
	double low = -fmax(45 / df, 10 * width);
	size_t steps = (size_t)((8.5 * width - low) / step);
	double front = M_LN2 + df / 2 * log(df / 2) - lgamma(df / 2);
	double sum = 0;

	if (q <= 0)
		return 0;
	for (size_t i = 0; i <= steps; i++) {
		double u = low + (double)i * step;
		double f = exp(front + df * u - df / 2 * exp(2 * u));

		if (f > 1e-18)
			sum += f * within(law, q * exp(u));
	}
	return fmin(1, sum * step);
}

static double
logit(double p)
{
	p = fmin(fmax(p, 1e-300), 1 - 1e-16);
	return log(p) - log1p(-p);
}

/* A bound from above by Bonferroni, a few per cent off: where to begin. */
static double
first_guess(const struct range_law *law, double p)
{
	double tail = law->one_sided ? 1 - p : (1 - p) / 2;

	return M_SQRT2 * special_t_quantile(tail / law->pairs, law->df);
}

/*
 * Bracket, then the Illinois form of regula falsi on ln q against the logit
 * of p, where the curve is nearly straight.
 */
static double
law_quantile(const struct range_law *law, double p)
{
	double target = logit(p);
	double a = log(fmax(1e-3, first_guess(law, p)));
	double fa = logit(law_lower(law, exp(a))) - target;
	double step = fa < 0 ? 0.04 : -0.04;
	double b = a + step;
	double fb = logit(law_lower(law, exp(b))) - target;

	while ((fa < 0) == (fb < 0) && fabs(b) < 30) {
		a = b;
		fa = fb;
		step *= 2;
		b += step;
		fb = logit(law_lower(law, exp(b))) - target;
	}
	for (int i = 0; i < 100 && fabs(b - a) > 1e-12; i++) {
		double c = b - fb * (b - a) / (fb - fa);
		double fc = logit(law_lower(law, exp(c))) - target;

		if ((fc < 0) != (fb < 0)) {
			a = b;
			fa = fb;
		} else {
			fa /= 2;
		}
		b = c;
		fb = fc;
		if (fabs(fc) < 1e-12)
			break;
	}
	return exp(b);
}

double
tukey_lower(double q, const size_t *sizes, size_t size_count, double df)
{
	struct range_law law;

	law_init(&law, df);
	for (size_t i = 0; i < size_count; i++)
		law_add(&law, sizes[i]);
	return law.kind_count == 0 ? 1 : law_lower(&law, q);
}

double
tukey_quantile(double p, const size_t *sizes, size_t size_count, double df)
{
	struct range_law law;

	law_init(&law, df);
	for (size_t i = 0; i < size_count; i++)
		law_add(&law, sizes[i]);
	return law.kind_count == 0 ? 0 : law_quantile(&law, p);
}

double
tukey_range_quantile(double p, size_t cells, double df)
{
	return tukey_quantile(p, &cells, 1, df);
}

double
dunnett_quantile(double p, size_t others, double df)
{
	struct range_law law;

	law_init(&law, df);
	law.one_sided = true;
	law.kinds[0].size = others;
	law.pairs = (double)others;
	law.kinds[0].times = 1;
	law.kind_count = 1;
	return law_quantile(&law, p) / M_SQRT2;
}
