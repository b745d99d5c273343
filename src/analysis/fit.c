#include "analysis/fit.h"

#include <math.h>

#include "analysis/matrix.h"

/* Sums over the runs, one row of N per cell. */
struct sums {
	double *counts;    /* cells x blocks */
	double *cell_sum;  /* cells */
	double *block_sum; /* blocks */
	double mean;
};

static void
sum_up(struct sums *sums, struct fit *fit, const struct fit_run *runs,
    struct arena *arena)
{
	size_t blocks = fit->block_count;

	sums->counts =
	    arena_array(arena, fit->cell_count * blocks, sizeof(double));
	sums->cell_sum = arena_array(arena, fit->cell_count, sizeof(double));
	sums->block_sum = arena_array(arena, blocks, sizeof(double));
	sums->mean = 0;
	for (size_t i = 0; i < fit->run_count; i++)
		sums->mean += runs[i].y / (double)fit->run_count;
	for (size_t i = 0; i < fit->run_count; i++) {
		double y = runs[i].y - sums->mean;

		sums->counts[runs[i].cell * blocks + runs[i].block] += 1;
		fit->block_n[runs[i].block] += 1;
		sums->cell_sum[runs[i].cell] += y;
		sums->block_sum[runs[i].block] += y;
		fit->n[runs[i].cell] += 1;
	}
}

/* Lets cells and blocks take the smallest number they can reach. */
static bool
spread_numbers(struct fit *fit, const struct fit_run *runs)
{
	bool changed = false;

	for (size_t i = 0; i < fit->run_count; i++) {
		size_t *cell = &fit->component[runs[i].cell];
		size_t *block = &fit->block_component[runs[i].block];

		if (*cell == *block)
			continue;
		if (*cell < *block)
			*block = *cell;
		else
			*cell = *block;
		changed = true;
	}
	return changed;
}

/* Numbers the components: cells that share a block, directly or not. */
static void
find_components(
    struct fit *fit, const struct fit_run *runs, struct arena *arena)
{
	size_t *number = arena_array(arena, fit->cell_count, sizeof(*number));

	for (size_t i = 0; i < fit->cell_count; i++)
		fit->component[i] = i;
	for (size_t b = 0; b < fit->block_count; b++)
		fit->block_component[b] = fit->cell_count;
	while (spread_numbers(fit, runs))
		continue;
	for (size_t i = 0; i < fit->cell_count; i++) {
		if (fit->component[i] == i)
			number[i] = fit->component_count++;
		fit->component[i] = number[fit->component[i]];
	}
	for (size_t b = 0; b < fit->block_count; b++)
		fit->block_component[b] = number[fit->block_component[b]];
}

/* C + 11'/k of each component. */
static void
fill_normal(struct fit *fit, const struct sums *sums, struct arena *arena)
{
	size_t k = fit->cell_count;
	size_t blocks = fit->block_count;
	double *size = arena_array(arena, fit->component_count, sizeof(double));

	for (size_t i = 0; i < k; i++)
		size[fit->component[i]] += 1;
	for (size_t i = 0; i < k; i++) {
		const double *row = &sums->counts[i * blocks];

		for (size_t j = i; j < k; j++) {
			const double *other = &sums->counts[j * blocks];
			double c = i == j ? fit->n[i] : 0;

			for (size_t b = 0; b < blocks; b++)
				c -= row[b] * other[b] / fit->block_n[b];
			if (fit->component[i] == fit->component[j])
				c += 1 / size[fit->component[i]];
			fit->g[i * k + j] = c;
			fit->g[j * k + i] = c;
		}
	}
}

static void
solve(struct fit *fit, const struct sums *sums, struct arena *arena)
{
	size_t k = fit->cell_count;
	size_t blocks = fit->block_count;
	double *q = arena_array(arena, k, sizeof(*q));

	for (size_t j = 0; j < k; j++) {
		q[j] = sums->cell_sum[j];
		for (size_t b = 0; b < blocks; b++)
			q[j] -= sums->counts[j * blocks + b] *
				sums->block_sum[b] / fit->block_n[b];
	}
	for (size_t i = 0; i < k; i++) {
		for (size_t j = 0; j < k; j++)
			fit->tau[i] += fit->g[i * k + j] * q[j];
	}
	for (size_t b = 0; b < blocks; b++) {
		double sum = sums->block_sum[b];

		for (size_t i = 0; i < k; i++)
			sum -= sums->counts[i * blocks + b] * fit->tau[i];
		fit->beta[b] = sum / fit->block_n[b] + sums->mean;
	}
}

/* G N and N' G N. */
static void
fill_products(struct fit *fit, const struct sums *sums)
{
	size_t k = fit->cell_count;
	size_t blocks = fit->block_count;

	for (size_t i = 0; i < k; i++) {
		double *row = &fit->gn[i * blocks];

		for (size_t j = 0; j < k; j++) {
			const double *counts = &sums->counts[j * blocks];
			double g = fit->g[i * k + j];

			for (size_t b = 0; b < blocks; b++)
				row[b] += g * counts[b];
		}
	}
	for (size_t i = 0; i < k; i++) {
		for (size_t a = 0; a < blocks; a++) {
			double n = sums->counts[i * blocks + a];

			for (size_t b = 0; b < blocks; b++)
				fit->ngn[a * blocks + b] +=
				    n * fit->gn[i * blocks + b];
		}
	}
}

double
fit_hat(const struct fit *fit, const struct fit_run *i, const struct fit_run *j)
{
	size_t blocks = fit->block_count;
	double ri = fit->block_n[i->block];
	double rj = fit->block_n[j->block];
	double hat = fit->g[i->cell * fit->cell_count + j->cell] -
		     fit->gn[i->cell * blocks + j->block] / rj -
		     fit->gn[j->cell * blocks + i->block] / ri +
		     fit->ngn[i->block * blocks + j->block] / (ri * rj);

	return i->block == j->block ? hat + 1 / ri : hat;
}

/* Below this, squares of residuals are rounding and not noise. */
static const double rounding_s2 = 1e-26;

static void
find_spread(struct fit *fit, const struct fit_run *runs, struct arena *arena)
{
	double *squares = arena_array(arena, fit->cell_count, sizeof(double));
	double *freedom = arena_array(arena, fit->cell_count, sizeof(double));
	double sum = 0;

	for (size_t i = 0; i < fit->run_count; i++) {
		double e = runs[i].y - fit->tau[runs[i].cell] -
			   fit->beta[runs[i].block];

		fit->residual[i] = e;
		fit->leverage[i] = fit_hat(fit, &runs[i], &runs[i]);
		sum += e * e;
		squares[runs[i].cell] += e * e;
		freedom[runs[i].cell] += 1 - fit->leverage[i];
	}
	fit->df = (double)fit->run_count - (double)fit->cell_count -
		  (double)fit->block_count + (double)fit->component_count;
	fit->s2 = fit->df < 0.5 ? NAN : sum / fit->df;
	if (fit->s2 < rounding_s2)
		fit->s2 = 0;
	for (size_t i = 0; i < fit->cell_count; i++) {
		bool has_own = fit->n[i] >= 2 && freedom[i] > 1e-6;

		fit->own_s2[i] = has_own ? squares[i] / freedom[i] : NAN;
		fit->used_s2[i] = fit->s2;
		if (has_own && fit->own_s2[i] > fmax(fit->s2, rounding_s2))
			fit->used_s2[i] = fit->own_s2[i];
	}
}

struct fit *
fit_cells_blocks(const struct fit_run *runs, size_t run_count,
    size_t cell_count, size_t block_count, struct arena *arena)
{
	struct fit *fit = arena_alloc(arena, sizeof(*fit));
	struct sums sums;

	fit->cell_count = cell_count;
	fit->block_count = block_count;
	fit->run_count = run_count;
	fit->tau = arena_array(arena, cell_count, sizeof(double));
	fit->beta = arena_array(arena, block_count, sizeof(double));
	fit->residual = arena_array(arena, run_count, sizeof(double));
	fit->leverage = arena_array(arena, run_count, sizeof(double));
	fit->g = arena_array(arena, cell_count * cell_count, sizeof(double));
	fit->gn = arena_array(arena, cell_count * block_count, sizeof(double));
	fit->ngn =
	    arena_array(arena, block_count * block_count, sizeof(double));
	fit->block_n = arena_array(arena, block_count, sizeof(double));
	fit->n = arena_array(arena, cell_count, sizeof(double));
	fit->component = arena_array(arena, cell_count, sizeof(size_t));
	fit->block_component = arena_array(arena, block_count, sizeof(size_t));
	fit->own_s2 = arena_array(arena, cell_count, sizeof(double));
	fit->used_s2 = arena_array(arena, cell_count, sizeof(double));
	sum_up(&sums, fit, runs, arena);
	find_components(fit, runs, arena);
	fill_normal(fit, &sums, arena);
	matrix_invert(fit->g, cell_count, arena);
	solve(fit, &sums, arena);
	fill_products(fit, &sums);
	find_spread(fit, runs, arena);
	return fit;
}

double
fit_pair_variance(const struct fit *fit, size_t i, size_t j)
{
	size_t k = fit->cell_count;

	return fit->g[i * k + i] + fit->g[j * k + j] - 2 * fit->g[i * k + j];
}

double
fit_pair_error(const struct fit *fit, size_t i, size_t j)
{
	double share_i = 1 / fit->n[i];
	double share_j = 1 / fit->n[j];
	double s2 = (fit->used_s2[i] * share_i + fit->used_s2[j] * share_j) /
		    (share_i + share_j);

	return sqrt(fit_pair_variance(fit, i, j) * s2);
}

double
fit_level(const struct fit *fit, size_t cell)
{
	double sum = 0;
	size_t count = 0;

	for (size_t b = 0; b < fit->block_count; b++) {
		if (fit->block_component[b] != fit->component[cell])
			continue;
		sum += fit->beta[b];
		count++;
	}
	return fit->tau[cell] + sum / (double)count;
}

void
fit_raise_spread(struct fit *fit, size_t cell, double s2)
{
	if (fit->used_s2[cell] < s2)
		fit->used_s2[cell] = s2;
}
