#include "analysis/special.h"

#include <float.h>
#include <math.h>

enum { FRACTION_STEPS = 20000, BISECTIONS = 200 };

static const double tiny = 1e-300;

static double
away_from_zero(double x)
{
	return fabs(x) < tiny ? tiny : x;
}

/* The continued fraction of I_x(a, b), good for x < (a + 1) / (a + b + 2). */
static double
beta_fraction(double a, double b, double x)
{
	double c = 1;
	double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
	double h = d;

	for (int m = 1; m <= FRACTION_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));
		double change;

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		h *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		change = d * c;
		h *= change;
		if (fabs(change - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

/* I_x(a, b) with y = 1 - x given too, since it may be tiny. */
static double
beta_xy(double a, double b, double x, double y)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = exp(
	    lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
	if (x > (a + 1) / (a + b + 2))
		return 1 - front * beta_fraction(b, a, y) / b;
	return front * beta_fraction(a, b, x) / a;
}

double
special_beta(double a, double b, double x)
{
	return beta_xy(a, b, x, 1 - x);
}

double
special_normal_lower(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

double
special_normal_upper(double z)
{
	return 0.5 * erfc(z * M_SQRT1_2);
}

/*
 * The x > 0 at which a falling tail comes down to "upper".  The tail takes x
 * and two parameters.
 */
static double
falling_to(
    double (*tail)(double, double, double), double upper, double a, double b)
{
	double low = 0;
	double high = 1;

	while (tail(high, a, b) > upper && high < 1e300) {
		low = high;
		high *= 2;
	}
	for (int i = 0; i < BISECTIONS && high - low > high * DBL_EPSILON;
	     i++) {
		double middle = low + (high - low) / 2;

		if (tail(middle, a, b) > upper)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

static double
normal_tail(double x, double a, double b)
{
	(void)a;
	(void)b;
	return special_normal_upper(x);
}

double
special_normal_quantile(double p)
{
	if (p == 0.5)
		return 0;
	if (p < 0.5)
		return -falling_to(normal_tail, p, 0, 0);
	return falling_to(normal_tail, 1 - p, 0, 0);
}

double
special_t_upper(double t, double df)
{
	double square = t * t;
	double tail =
	    beta_xy(df / 2, 0.5, df / (df + square), square / (df + square)) /
	    2;

	return t < 0 ? 1 - tail : tail;
}

double
special_t_two_sided(double t, double df)
{
	return fmin(1, 2 * special_t_upper(fabs(t), df));
}

static double
t_tail(double x, double df, double unused)
{
	(void)unused;
	return special_t_upper(x, df);
}

double
special_t_quantile(double upper, double df)
{
	if (upper == 0.5)
		return 0;
	if (upper > 0.5)
		return -falling_to(t_tail, 1 - upper, df, 0);
	return falling_to(t_tail, upper, df, 0);
}

double
special_f_upper(double f, double df1, double df2)
{
	double whole = df2 + df1 * f;

	if (f <= 0)
		return 1;
	return beta_xy(df2 / 2, df1 / 2, df2 / whole, df1 * f / whole);
}

double
special_f_quantile(double upper, double df1, double df2)
{
	return falling_to(special_f_upper, upper, df1, df2);
}

/* P(a, x) by its series: for x < a + 1. */
static double
gamma_series(double a, double x)
{
	double term = 1 / a;
	double sum = term;

	for (int n = 1; n <= FRACTION_STEPS; n++) {
		term *= x / (a + n);
		sum += term;
		if (term < sum * DBL_EPSILON)
			break;
	}
	return sum;
}

/* Q(a, x) by its continued fraction: for x >= a + 1. */
static double
gamma_fraction(double a, double x)
{
	double b = x + 1 - a;
	double c = 1 / tiny;
	double d = 1 / b;
	double h = d;

	for (int i = 1; i <= FRACTION_STEPS; i++) {
		double an = -i * (i - a);
		double change;

		b += 2;
		d = 1 / away_from_zero(an * d + b);
		c = away_from_zero(b + an / c);
		change = d * c;
		h *= change;
		if (fabs(change - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

double
special_chi2_upper(double x, double df)
{
	double a = df / 2;
	double half = x / 2;
	double front;

	if (half <= 0)
		return 1;
	front = exp(-half + a * log(half) - lgamma(a));
	if (half < a + 1)
		return 1 - front * gamma_series(a, half);
	return front * gamma_fraction(a, half);
}

double
special_coin_below(size_t k, size_t n)
{
	double term = pow(0.5, (double)n);
	double sum = 0;

	for (size_t i = 0; i < k && i <= n; i++) {
		sum += term;
		term *= (double)(n - i) / (double)(i + 1);
	}
	return sum;
}
