#include "analysis/side.h"

#include <math.h>
#include <stdlib.h>

static void
take_means(struct side *side)
{
	const struct night *night = side->night;

	for (size_t i = 0; i < night->run_count; i++) {
		size_t cell = night->cells[night->runs[i].cell];

		side->count[cell] += 1;
		side->mean[cell] += night->runs[i].y;
	}
	for (size_t c = 0; c < side->table->cell_count; c++)
		side->mean[c] =
		    side->count[c] > 0 ? side->mean[c] / side->count[c] : NAN;
}

/* Squares about the cells' means; "df" gets their degrees of freedom. */
static double
take_variances(struct side *side, double *df)
{
	const struct night *night = side->night;
	double total = 0;

	for (size_t i = 0; i < night->run_count; i++) {
		size_t cell = night->cells[night->runs[i].cell];
		double d = night->runs[i].y - side->mean[cell];

		side->variance[cell] += d * d;
	}
	*df = 0;
	for (size_t c = 0; c < side->table->cell_count; c++) {
		total += side->variance[c];
		if (side->count[c] > 0)
			*df += side->count[c] - 1;
		side->variance[c] =
		    side->count[c] >= 2
			? side->variance[c] / (side->count[c] - 1)
			: NAN;
	}
	return total;
}

void
side_make(struct side *side, const struct series_table *table,
    const char *label, const bool *skip, struct arena *arena)
{
	size_t cells = table->cell_count + 1;
	const struct fit *fit;
	double total;
	double df;

	side->label = label;
	side->table = table;
	side->night = night_prepare(table, skip, arena);
	side->mean = arena_array(arena, cells, sizeof(double));
	side->count = arena_array(arena, cells, sizeof(double));
	side->variance = arena_array(arena, cells, sizeof(double));
	side->is_tried = arena_array(arena, cells, sizeof(bool));
	for (size_t i = 0; i < table->run_count; i++)
		if (!skip[i] && table->runs[i].state != RUN_WARMUP)
			side->is_tried[table->runs[i].cell] = true;
	take_means(side);
	total = take_variances(side, &df);
	fit = night_fit(side->night, arena);
	if (fit == NULL || isnan(fit->s2)) {
		side->rest_square = total;
		side->rest_df = df;
		return;
	}
	side->rest_df = fit->df;
	side->rest_square = fmin(total, fit->s2 * fit->df);
	side->block_df = fmax(0, df - fit->df);
	side->block_square = side->block_df > 0 ? total - side->rest_square : 0;
}

void
side_pool(const struct side *sides, size_t count, double *variance, double *df)
{
	double freedom = 0;
	double square = 0;
	double spread = 0;

	for (size_t s = 0; s < count; s++) {
		freedom += sides[s].block_df + sides[s].rest_df;
		square += sides[s].block_square + sides[s].rest_square;
	}
	*variance = freedom > 0 ? square / freedom : NAN;
	*df = 0;
	if (freedom <= 0)
		return;
	for (size_t s = 0; s < count; s++) {
		double block = sides[s].block_square / freedom;
		double rest = sides[s].rest_square / freedom;

		if (sides[s].block_df > 0)
			spread += block * block / sides[s].block_df;
		if (sides[s].rest_df > 0)
			spread += rest * rest / sides[s].rest_df;
	}
	*df = spread > 0 ? *variance * *variance / spread : freedom;
	*df = fmax(1, *df);
}

/* When one side's block began. */
struct turn {
	size_t side;
	int block;
	int64_t at;
};

static int
compare_turns(const void *a, const void *b)
{
	const struct turn *x = a;
	const struct turn *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->side > y->side) - (x->side < y->side);
}

/* Within one table the order of runs stands in for the time of day. */
static bool
run_time(const struct side *side, size_t run, bool is_one_table, int64_t *at)
{
	*at = side->table->runs[run].started_ns;
	if (*at == 0 && is_one_table)
		*at = (int64_t)run + 1;
	return *at != 0;
}

/* One turn per block of each side; false when the times are not known. */
static bool
take_turns(const struct side *sides, size_t count, struct turn *turns,
    size_t *turn_count)
{
	bool is_one_table = sides[0].table == sides[count - 1].table;

	for (size_t s = 0; s < count; s++) {
		const struct night *night = sides[s].night;

		for (size_t i = 0; i < night->run_count; i++) {
			size_t run = night->run_index[i];
			int block = sides[s].table->runs[run].block;
			size_t last = *turn_count;
			int64_t at;

			if (!run_time(&sides[s], run, is_one_table, &at))
				return false;
			while (last > 0 && (turns[last - 1].side != s ||
					       turns[last - 1].block != block))
				last--;
			if (last > 0 && at < turns[last - 1].at)
				turns[last - 1].at = at;
			if (last > 0)
				continue;
			turns[*turn_count].side = s;
			turns[*turn_count].block = block;
			turns[(*turn_count)++].at = at;
		}
	}
	return true;
}

bool
side_are_interleaved(
    const struct side *sides, size_t count, struct arena *arena)
{
	size_t runs = 1;
	size_t turn_count = 0;
	struct turn *turns;
	size_t *stretches = arena_array(arena, count + 1, sizeof(*stretches));

	for (size_t s = 0; s < count; s++)
		runs += sides[s].night->run_count;
	turns = arena_array(arena, runs, sizeof(*turns));
	if (!take_turns(sides, count, turns, &turn_count))
		return false;
	qsort(turns, turn_count, sizeof(*turns), compare_turns);
	for (size_t i = 0; i < turn_count; i++) {
		if (i == 0 || turns[i].side != turns[i - 1].side)
			stretches[turns[i].side]++;
	}
	for (size_t s = 0; s < count; s++) {
		if (stretches[s] < 2)
			return false;
	}
	return true;
}
