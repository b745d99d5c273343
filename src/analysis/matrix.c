#include "analysis/matrix.h"

#include <math.h>

/* A = L L', L in the lower half. */
static void
factor(double *a, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		const double *row_j = &a[j * n];
		double d = row_j[j];

		for (size_t m = 0; m < j; m++)
			d -= row_j[m] * row_j[m];
		d = sqrt(d);
		a[j * n + j] = d;
		for (size_t i = j + 1; i < n; i++) {
			double *row_i = &a[i * n];
			double sum = row_i[j];

			for (size_t m = 0; m < j; m++)
				sum -= row_i[m] * row_j[m];
			row_i[j] = sum / d;
		}
	}
}

/*
 * "inverse" gets L^-1 transposed (row j is column j of L^-1), so that the
 * loops run along rows.
 */
static void
invert_lower(const double *l, double *inverse, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		double *column = &inverse[j * n];

		column[j] = 1 / l[j * n + j];
		for (size_t i = j + 1; i < n; i++) {
			double sum = 0;

			for (size_t m = j; m < i; m++)
				sum -= l[i * n + m] * column[m];
			column[i] = sum / l[i * n + i];
		}
	}
}

void
matrix_invert(double *a, size_t size, struct arena *arena)
{
	double *inverse = arena_array(arena, size * size, sizeof(double));

	factor(a, size);
	invert_lower(a, inverse, size);
	for (size_t i = 0; i < size; i++) {
		for (size_t j = i; j < size; j++) {
			const double *u = &inverse[i * size];
			const double *v = &inverse[j * size];
			double sum = 0;

			for (size_t m = j; m < size; m++)
				sum += u[m] * v[m];
			a[i * size + j] = sum;
			a[j * size + i] = sum;
		}
	}
}

double
matrix_quadratic(const double *a, const double *x, size_t size)
{
	double sum = 0;

	for (size_t i = 0; i < size; i++) {
		double row = 0;

		if (x[i] == 0)
			continue;
		for (size_t j = 0; j < size; j++)
			row += a[i * size + j] * x[j];
		sum += x[i] * row;
	}
	return sum;
}
