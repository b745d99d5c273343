#include "analysis/regress.h"

#include <math.h>
#include <string.h>

#include "analysis/matrix.h"
#include "analysis/special.h"

static double
dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* What of a column has to be left, relative to it, to count as new. */
static const double dependent = 1e-9;

/* Makes q orthogonal to the columns before it; r gets the coefficients. */
static bool
orthogonalise(double *q, double *const *basis, const bool *is_dropped,
    size_t before, double *r, size_t rows)
{
	double norm = sqrt(dot(q, q, rows));
	double left;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t m = 0; m < before; m++) {
			double part;

			if (is_dropped[m])
				continue;
			part = dot(basis[m], q, rows);
			r[m] += part;
			for (size_t i = 0; i < rows; i++)
				q[i] -= part * basis[m][i];
		}
	}
	left = sqrt(dot(q, q, rows));
	if (norm <= 0 || left < dependent * norm)
		return false;
	r[before] = left;
	for (size_t i = 0; i < rows; i++)
		q[i] /= left;
	return true;
}

/* Row j of "inverse" is column j of R^-1, dropped columns left out. */
static void
invert_upper(
    double *const *r, const bool *is_dropped, double *inverse, size_t count)
{
	for (size_t j = 0; j < count; j++) {
		double *column = &inverse[j * count];

		if (is_dropped[j])
			continue;
		column[j] = 1 / r[j][j];
		for (size_t i = j; i-- > 0;) {
			double sum = 0;

			if (is_dropped[i])
				continue;
			for (size_t m = i + 1; m <= j; m++)
				sum += r[m][i] * column[m];
			column[i] = -sum / r[i][i];
		}
	}
}

/* b = R^-1 Q'y and its covariance R^-1 R^-T. */
static void
solve(struct regression *regression, double *const *r, const double *effect,
    struct arena *arena)
{
	size_t count = regression->column_count;
	double *inverse = arena_array(arena, count * count, sizeof(double));

	invert_upper(r, regression->is_dropped, inverse, count);
	for (size_t j = 0; j < count; j++) {
		for (size_t i = 0; i <= j; i++) {
			double part = inverse[j * count + i];

			if (part == 0)
				continue;
			regression->coefficient[i] += part * effect[j];
			for (size_t m = 0; m <= j; m++)
				regression->covariance[i * count + m] +=
				    part * inverse[j * count + m];
		}
	}
	for (size_t j = 0; j < count; j++) {
		if (regression->is_dropped[j])
			regression->coefficient[j] = NAN;
	}
}

/* Below this, squares of residuals are rounding and not noise. */
static const double rounding_s2 = 1e-26;

static struct regression *
new_regression(size_t count, struct arena *arena)
{
	struct regression *regression = arena_alloc(arena, sizeof(*regression));

	regression->column_count = count;
	regression->is_dropped = arena_array(arena, count, sizeof(bool));
	regression->coefficient = arena_array(arena, count, sizeof(double));
	regression->square = arena_array(arena, count, sizeof(double));
	regression->covariance =
	    arena_array(arena, count * count, sizeof(double));
	return regression;
}

struct regression *
regress(double *const *columns, size_t column_count, const double *y,
    size_t rows, struct arena *arena)
{
	struct regression *regression = new_regression(column_count, arena);
	double **basis = arena_array(arena, column_count, sizeof(*basis));
	double **r = arena_array(arena, column_count, sizeof(*r));
	double *effect = arena_array(arena, column_count, sizeof(double));
	double *rest = arena_array(arena, rows, sizeof(double));
	size_t kept = 0;

	memcpy(rest, y, rows * sizeof(double));
	for (size_t j = 0; j < column_count; j++) {
		basis[j] = arena_array(arena, rows, sizeof(double));
		r[j] = arena_array(arena, column_count, sizeof(double));
		memcpy(basis[j], columns[j], rows * sizeof(double));
		if (!orthogonalise(basis[j], basis, regression->is_dropped, j,
			r[j], rows)) {
			regression->is_dropped[j] = true;
			continue;
		}
		kept++;
		effect[j] = dot(basis[j], rest, rows);
		regression->square[j] = effect[j] * effect[j];
		for (size_t i = 0; i < rows; i++)
			rest[i] -= effect[j] * basis[j][i];
	}
	solve(regression, r, effect, arena);
	regression->rss = dot(rest, rest, rows);
	regression->df = (double)rows - (double)kept;
	regression->s2 =
	    regression->df < 0.5 ? NAN : regression->rss / regression->df;
	if (regression->s2 < rounding_s2)
		regression->s2 = 0;
	return regression;
}

/* Two logarithms nearer than this are the same number. */
static const double same_log = 1e-9;

double
regress_p(double estimate, double variance, double df)
{
	if (isnan(estimate) || isnan(variance))
		return NAN;
	if (variance <= 0)
		return fabs(estimate) > same_log ? 0 : 1;
	return special_t_two_sided(estimate / sqrt(variance), df);
}

double
regress_variance(const struct regression *regression, const double *w)
{
	return matrix_quadratic(
	    regression->covariance, w, regression->column_count);
}

double
regress_f(const struct regression *regression, const size_t *columns,
    size_t count, size_t *used, struct arena *arena)
{
	double *v = arena_array(arena, count * count + 1, sizeof(double));
	double *b = arena_array(arena, count + 1, sizeof(double));
	size_t *kept = arena_array(arena, count + 1, sizeof(*kept));
	size_t n = 0;
	double square;

	for (size_t i = 0; i < count; i++) {
		if (!regression->is_dropped[columns[i]])
			kept[n++] = columns[i];
	}
	*used = n;
	if (n == 0)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		b[i] = regression->coefficient[kept[i]];
		for (size_t j = 0; j < n; j++)
			v[i * n + j] =
			    regression->covariance
				[kept[i] * regression->column_count + kept[j]];
	}
	matrix_invert(v, n, arena);
	square = matrix_quadratic(v, b, n) / (double)n;
	if (regression->s2 > 0 || isnan(regression->s2))
		return square / regression->s2;
	return square > same_log * same_log ? INFINITY : 0;
}
