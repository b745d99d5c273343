/*
 * Distributions: normal, t, F, chi-square, beta, binomial.
 *
 * Tails are worked out as tails (never as 1 - p), so a p of 1e-30 is right to
 * ten digits.  Quantiles bracket and bisect: slow, and safe for any positive
 * df, fractional ones too.  Formulas: Abramowitz and Stegun 26.5 and 6.5, the
 * continued fractions evaluated with Lentz's method.
 */
#ifndef MM_ANALYSIS_SPECIAL_H
#define MM_ANALYSIS_SPECIAL_H

#include <stddef.h>

/* Regularised incomplete beta I_x(a, b); a, b > 0, x in [0, 1]. */
double special_beta(double a, double b, double x);

/* P(Z < z), P(Z > z), and the z with P(Z < z) = p. */
double special_normal_lower(double z);
double special_normal_upper(double z);
double special_normal_quantile(double p);

/* P(T > t), and the t with P(T > t) = upper. */
double special_t_upper(double t, double df);
double special_t_quantile(double upper, double df);

/* P(|T| > |t|). */
double special_t_two_sided(double t, double df);

/* P(F > f), and the f with P(F > f) = upper. */
double special_f_upper(double f, double df1, double df2);
double special_f_quantile(double upper, double df1, double df2);

/* P(X > x) of chi-square. */
double special_chi2_upper(double x, double df);

/* P(Bin(n, 1/2) < k). */
double special_coin_below(size_t k, size_t n);

#endif
