#include "analysis/night.h"

#include <math.h>

/* What is known of one cell in one block. */
enum { TRIED = 1, GAVE_VALUE = 2 };

/* Blocks by session and number, numbered in order of appearance. */
struct block_list {
	size_t *session;
	int *label;
	size_t count;
};

static size_t
block_number(struct block_list *list, const struct series_run *run)
{
	size_t session = run->block == 0 ? 0 : run->session;

	for (size_t b = list->count; b-- > 0;) {
		if (list->label[b] == run->block && list->session[b] == session)
			return b;
	}
	list->session[list->count] = session;
	list->label[list->count] = run->block;
	return list->count++;
}

/* The number of each run's block; warm-ups have none. */
static size_t *
number_blocks(const struct series_table *table, struct block_list *list,
    struct arena *arena)
{
	size_t n = table->run_count + 1;
	size_t *of_run = arena_array(arena, n, sizeof(*of_run));

	list->session = arena_array(arena, n, sizeof(*list->session));
	list->label = arena_array(arena, n, sizeof(*list->label));
	list->count = 0;
	for (size_t i = 0; i < table->run_count; i++) {
		if (table->runs[i].state != RUN_WARMUP)
			of_run[i] = block_number(list, &table->runs[i]);
	}
	return of_run;
}

static bool
has_value(const struct series_run *run)
{
	return run->state == RUN_OK && isfinite(run->value) && run->value >= 0;
}

static void
count_run(struct tally *tally, const struct series_run *run, bool is_rate)
{
	if (run->block > tally->last_block)
		tally->last_block = run->block;
	if (run->state == RUN_TIMEOUT) {
		tally->timed_out++;
		tally->limit = run->value;
	} else if (!has_value(run)) {
		tally->failed++;
	} else if (run->value > 0) {
		tally->values++;
	} else if (is_rate) {
		tally->stalled++;
	} else {
		tally->zero++;
	}
}

/* Counts blocks tried and blocks without a value, cell by cell. */
static void
count_blocks(struct night *night, const size_t *block_of, size_t block_count,
    struct arena *arena)
{
	const struct series_table *table = night->table;
	unsigned char *seen =
	    arena_array(arena, table->cell_count * block_count + 1, 1);

	for (size_t i = 0; i < table->run_count; i++) {
		const struct series_run *run = &table->runs[i];
		struct tally *tally = &night->tallies[run->cell];
		unsigned char *mark =
		    &seen[run->cell * block_count + block_of[i]];

		if (run->state == RUN_WARMUP)
			continue;
		if (run->block == 0) {
			tally->blocks++;
			tally->failed_blocks += !has_value(run);
			continue;
		}
		if ((*mark & TRIED) == 0) {
			tally->blocks++;
			tally->failed_blocks++;
			*mark |= TRIED;
		}
		if (has_value(run) && (*mark & GAVE_VALUE) == 0) {
			tally->failed_blocks--;
			*mark |= GAVE_VALUE;
		}
	}
}

static enum standing
standing_of(const struct tally *tally)
{
	if (tally->blocks == 0)
		return STANDING_NOT_RUN;
	if (tally->timed_out > 0)
		return STANDING_TIMEOUT;
	if (tally->stalled > 0)
		return STANDING_STALLED;
	if (tally->zero > 0)
		return STANDING_ZERO;
	if (tally->values == 0)
		return STANDING_FAILED;
	if (2 * tally->failed_blocks > tally->blocks)
		return STANDING_UNRELIABLE;
	return STANDING_VALUES;
}

static void
take_tallies(struct night *night, const size_t *block_of, size_t block_count,
    struct arena *arena)
{
	const struct series_table *table = night->table;

	night->tallies =
	    arena_array(arena, table->cell_count + 1, sizeof(struct tally));
	for (size_t i = 0; i < table->cell_count; i++)
		night->tallies[i].limit = NAN;
	for (size_t i = 0; i < table->run_count; i++) {
		const struct series_run *run = &table->runs[i];

		if (run->state != RUN_WARMUP)
			count_run(
			    &night->tallies[run->cell], run, night->is_rate);
	}
	count_blocks(night, block_of, block_count, arena);
	for (size_t i = 0; i < table->cell_count; i++)
		night->tallies[i].standing = standing_of(&night->tallies[i]);
}

/* Copies the runs that take part, with the table's numbers for now. */
static void
take_runs(struct night *night, const bool *skip, const size_t *block_of)
{
	const struct series_table *table = night->table;

	for (size_t i = 0; i < table->run_count; i++) {
		const struct series_run *run = &table->runs[i];
		struct fit_run *copy = &night->runs[night->run_count];

		if (!has_value(run) || (skip != NULL && skip[i]) ||
		    night->tallies[run->cell].standing != STANDING_VALUES)
			continue;
		copy->cell = run->cell;
		copy->block = block_of[i];
		copy->y = night_y(night, run->value);
		night->has_blocks |= run->block != 0;
		night->run_index[night->run_count++] = i;
	}
}

/* Replaces the table's numbers by dense ones, cells in the table's order. */
static void
make_dense(
    struct night *night, const struct block_list *list, struct arena *arena)
{
	size_t cells = night->table->cell_count;
	size_t *dense_block =
	    arena_array(arena, list->count + 1, sizeof(*dense_block));
	bool *has_runs = arena_array(arena, cells + 1, sizeof(*has_runs));

	for (size_t i = 0; i < night->run_count; i++)
		has_runs[night->runs[i].cell] = true;
	for (size_t i = 0; i < cells; i++) {
		night->dense[i] = SERIES_NONE;
		if (has_runs[i]) {
			night->dense[i] = night->cell_count;
			night->cells[night->cell_count++] = i;
		}
	}
	for (size_t i = 0; i < night->run_count; i++) {
		struct fit_run *run = &night->runs[i];

		/* one cell alone has no ratio that blocks could clear */
		if (night->cell_count == 1)
			run->block = 0;
		if (dense_block[run->block] == 0) {
			night->block_labels[night->block_count++] =
			    list->label[run->block];
			dense_block[run->block] = night->block_count;
		}
		run->block = dense_block[run->block] - 1;
		run->cell = night->dense[run->cell];
	}
}

struct night *
night_prepare(
    const struct series_table *table, const bool *skip, struct arena *arena)
{
	struct night *night = arena_alloc(arena, sizeof(*night));
	struct block_list list;
	size_t *block_of = number_blocks(table, &list, arena);
	size_t runs = table->run_count + 1;
	size_t cells = table->cell_count + 1;

	night->table = table;
	night->is_rate = table->better == HIGHER_IS_BETTER;
	night->runs = arena_array(arena, runs, sizeof(*night->runs));
	night->run_index = arena_array(arena, runs, sizeof(size_t));
	night->cells = arena_array(arena, cells, sizeof(size_t));
	night->dense = arena_array(arena, cells, sizeof(size_t));
	night->block_labels = arena_array(arena, list.count + 1, sizeof(int));
	take_tallies(night, block_of, list.count, arena);
	take_runs(night, skip, block_of);
	make_dense(night, &list, arena);
	return night;
}

double
night_y(const struct night *night, double value)
{
	return night->is_rate ? -log(value) : log(value);
}

double
night_value(const struct night *night, double y)
{
	return exp(night->is_rate ? -y : y);
}

double *
night_values(
    const struct night *night, size_t cell, size_t *count, struct arena *arena)
{
	const struct series_table *table = night->table;
	size_t values = 0;
	double *list =
	    arena_array(arena, night->tallies[cell].values + 1, sizeof(*list));

	for (size_t i = 0; i < night->run_count; i++) {
		const struct series_run *run =
		    &table->runs[night->run_index[i]];

		if (run->cell == cell)
			list[values++] = run->value;
	}
	*count = values;
	return list;
}

double
night_clock_variance(const struct night *night, double y)
{
	double step = night->table->clock_step / night_value(night, y);

	if (night->table->clock == CLOCK_TWO_READS)
		return step * step / 6;
	if (night->table->clock == CLOCK_ROUNDED)
		return step * step / 12;
	return 0;
}

struct fit *
night_fit(const struct night *night, struct arena *arena)
{
	struct fit *fit;
	double mean = 0;

	if (night->run_count == 0)
		return NULL;
	fit = fit_cells_blocks(night->runs, night->run_count, night->cell_count,
	    night->block_count, arena);
	if (night->table->clock == CLOCK_FINE || isnan(fit->s2))
		return fit;
	for (size_t i = 0; i < fit->cell_count; i++) {
		double floor = night_clock_variance(night, fit_level(fit, i));

		mean += floor / (double)fit->cell_count;
		fit_raise_spread(fit, i, floor);
	}
	if (fit->s2 < mean) {
		fit->s2 = mean;
		fit->is_clock = true;
		for (size_t i = 0; i < fit->cell_count; i++)
			fit_raise_spread(fit, i, mean);
	}
	return fit;
}
