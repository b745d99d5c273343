/* The little linear algebra that the fits need, on square arrays by rows. */
#ifndef MM_ANALYSIS_MATRIX_H
#define MM_ANALYSIS_MATRIX_H

#include <stddef.h>

#include "base/arena.h"

/* Replaces a symmetric positive definite matrix by its inverse (Cholesky). */
void matrix_invert(double *a, size_t size, struct arena *arena);

/* x' A x */
double matrix_quadratic(const double *a, const double *x, size_t size);

#endif
