/*
 * Least squares of cell + block: y = mu + tau_cell + beta_block + e.
 *
 * Any cells may be missing from any blocks, and a cell may come twice in a
 * block.  Cells that are not connected through blocks form components, which
 * cannot be compared; tau sums to 0 in each.  Normal equations in the cells
 * only, by Cholesky: with N the counts of cell in block, n and r its margins,
 *   C = diag(n) - N diag(1/r) N',  G = (C + 11'/k)^-1,  tau = G Q.
 * Works on y as it comes; logarithms are the caller's affair.
 */
#ifndef MM_ANALYSIS_FIT_H
#define MM_ANALYSIS_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct fit_run {
	size_t cell;
	size_t block;
	double y;
};

struct fit {
	size_t cell_count, block_count, run_count, component_count;
	double *tau;       /* cells */
	double *beta;      /* blocks, the mean included */
	double *residual;  /* runs */
	double *leverage;  /* runs */
	double *gn;        /* G N: cells x blocks */
	double *ngn;       /* N' G N: blocks x blocks */
	double *block_n;   /* runs of each block */
	double *g;         /* cells x cells */
	double *n;         /* runs of each cell */
	size_t *component; /* of each cell */
	size_t *block_component;
	double df, s2;   /* s2 is NAN when df is 0 */
	bool is_clock;   /* s2 was raised to the step of a clock */
	double *own_s2;  /* cells: its own residuals only, else NAN */
	double *used_s2; /* cells: the larger of s2 and own_s2 */
};

/* Every cell and every block must have a run. */
struct fit *fit_cells_blocks(const struct fit_run *runs, size_t run_count,
    size_t cell_count, size_t block_count, struct arena *arena);

/* How much of run j's fitted value comes from run i (the hat matrix). */
double fit_hat(
    const struct fit *fit, const struct fit_run *i, const struct fit_run *j);

/* Variance of tau_i - tau_j in units of s2. */
double fit_pair_variance(const struct fit *fit, size_t i, size_t j);

/* Standard error of tau_i - tau_j, with what each cell's spread is. */
double fit_pair_error(const struct fit *fit, size_t i, size_t j);

/* The cell's mean of y at its component's average block. */
double fit_level(const struct fit *fit, size_t cell);

/* No spread below this one: used_s2 and s2 are raised to it. */
void fit_raise_spread(struct fit *fit, size_t cell, double s2);

#endif
