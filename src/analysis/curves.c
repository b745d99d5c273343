/* All curves of a table: what each did, and how they compare. */
#include <math.h>
#include <string.h>

#include "analysis/curve.h"
#include "analysis/rank.h"
#include "analysis/summary.h"

/* Lists that grow while curves are read. */
struct curve_lists {
	struct ranking *ranking;
	struct arena *arena;
	struct curve_phase *phases;
	size_t phase_count, phase_capacity;
	struct curve_series *series;
	size_t series_count, series_capacity;
};

static void
add_phases(struct curve_lists *lists, struct curve_series *series,
    const struct series_curve *curve, const double *counts)
{
	size_t count;
	size_t length = curve->sample_count;
	const size_t *starts =
	    curve_phases(counts, length, true, &count, lists->arena);

	series->first_phase = lists->phase_count;
	series->phase_count = count;
	for (size_t p = 0; p < count; p++) {
		size_t begin = starts[p] - 1;
		size_t end = p + 1 < count ? starts[p + 1] - 1 : length;
		struct curve_phase *phase;

		if (lists->phase_count == lists->phase_capacity)
			lists->phases = arena_grow(lists->arena, lists->phases,
			    lists->phase_count, &lists->phase_capacity,
			    sizeof(*phase));
		phase = &lists->phases[lists->phase_count++];
		phase->curve = series->curve;
		phase->cell = series->cell;
		phase->series = series->series;
		phase->start = starts[p];
		phase->length = end - begin;
		phase->start_s = (double)begin * curve->interval_s;
		phase->mean = summary_mean(&counts[begin], end - begin);
		phase->median =
		    summary_median(&counts[begin], end - begin, lists->arena);
		phase->is_steady =
		    p + 1 == count && 3 * (end - begin) >= length;
	}
}

static void
add_series(
    struct curve_lists *lists, size_t at, const struct series_column *column)
{
	const struct series_curve *curve = &lists->ranking->table->curves[at];
	struct curve_series *series;
	const struct curve_phase *last;

	if (lists->series_count == lists->series_capacity)
		lists->series =
		    arena_grow(lists->arena, lists->series, lists->series_count,
			&lists->series_capacity, sizeof(*series));
	series = &lists->series[lists->series_count++];
	series->curve = at;
	series->cell = curve->cell;
	series->series = column->name;
	series->role = column->role;
	series->interval_s = curve->interval_s;
	series->sigma =
	    curve_sigma(column->values, curve->sample_count, lists->arena);
	series->mean = summary_mean(column->values, curve->sample_count);
	series->total = series->mean * (double)curve->sample_count;
	add_phases(lists, series, curve, column->values);
	last = &lists->phases[lists->phase_count - 1];
	series->has_steady = last->is_steady;
	series->steady_mean = last->is_steady ? last->mean : NAN;
	series->steady_median = last->is_steady ? last->median : NAN;
	if (column->role == CURVE_WRITE) {
		struct curve_stalls stalls =
		    curve_stalls(column->values, curve->sample_count);

		series->stalled = stalls.count;
		series->longest_stall = stalls.longest;
		series->first_stall = stalls.first;
	}
}

static const struct series_curve *
find_curve(const struct series_table *table, size_t cell, int block)
{
	for (size_t i = 0; i < table->curve_count; i++) {
		if (table->curves[i].cell == cell &&
		    table->curves[i].block == block)
			return &table->curves[i];
	}
	return NULL;
}

/* The size at the last interval before writes first stalled. */
static double
healthy_size(const struct series_curve *curve, const double *sizes)
{
	const struct series_column *writes = curve_column(curve, CURVE_WRITE);
	struct curve_stalls stalls = { 0, 0, 0 };

	if (writes != NULL)
		stalls = curve_stalls(writes->values, curve->sample_count);
	if (stalls.first == 1)
		return NAN;
	if (stalls.first > 1)
		return sizes[stalls.first - 2];
	return sizes[curve->sample_count - 1];
}

struct size_pair {
	const struct series_curve *a, *b;
	const double *a_sizes, *b_sizes;
	double lo, hi;
};

static bool
common_sizes(struct size_pair *pair)
{
	const struct series_column *a = curve_column(pair->a, CURVE_SIZE);
	const struct series_column *b = curve_column(pair->b, CURVE_SIZE);

	if (a == NULL || b == NULL || pair->a->sample_count == 0 ||
	    pair->b->sample_count == 0)
		return false;
	pair->a_sizes = a->values;
	pair->b_sizes = b->values;
	pair->lo = floor(fmax(a->values[0], b->values[0])) + 1;
	pair->hi = floor(fmin(healthy_size(pair->a, a->values),
	    healthy_size(pair->b, b->values)));
	return pair->hi >= pair->lo;
}

/* At more whole sizes than these, so many of them stand for all. */
enum { MAX_SIZES = 4096 };

/* ln of the ratio at every whole size, averaged. */
static double
mean_log_ratio(const struct size_pair *pair, const double *a, const double *b)
{
	double all = pair->hi - pair->lo + 1;
	size_t sizes =
	    all < (double)MAX_SIZES ? (size_t)all : (size_t)MAX_SIZES;
	double sum = 0;
	double count = 0;

	for (size_t i = 0; i < sizes; i++) {
		double size = pair->lo + floor(all * (double)i / (double)sizes);
		double x = curve_at_size(
		    pair->a_sizes, a, pair->a->sample_count, size);
		double y = curve_at_size(
		    pair->b_sizes, b, pair->b->sample_count, size);

		if (x > 0 && y > 0) {
			sum += log(x / y);
			count++;
		}
	}
	return sum / count;
}

/* One pair of cells in one role, averaged over the blocks both have. */
static bool
compare_sizes(struct equal_size *equal, const struct series_table *table,
    enum curve_role role)
{
	double ratio = 0;
	double final = 0;
	double blocks = 0;

	for (size_t i = 0; i < table->curve_count; i++) {
		struct size_pair pair = { .a = &table->curves[i] };
		const struct series_column *a;
		const struct series_column *b;

		if (pair.a->cell != equal->cell)
			continue;
		pair.b = find_curve(table, equal->other, pair.a->block);
		a = curve_column(pair.a, role);
		b = pair.b == NULL ? NULL : curve_column(pair.b, role);
		if (a == NULL || b == NULL || !common_sizes(&pair))
			continue;
		ratio += mean_log_ratio(&pair, a->values, b->values);
		final += log(summary_mean(a->values, pair.a->sample_count) /
			     summary_mean(b->values, pair.b->sample_count));
		blocks++;
		equal->series = a->name;
		equal->size_lo = pair.lo;
		equal->size_hi = pair.hi;
		equal->size_count = (size_t)fmin(pair.hi - pair.lo, 1e15) + 1;
		equal->time_s = curve_time_to_size(pair.a_sizes,
		    pair.a->sample_count, pair.a->interval_s, pair.hi);
		equal->other_time_s = curve_time_to_size(pair.b_sizes,
		    pair.b->sample_count, pair.b->interval_s, pair.hi);
	}
	equal->ratio = exp(ratio / blocks);
	equal->final_ratio = exp(final / blocks);
	equal->available = blocks > 0 && isfinite(equal->ratio);
	return equal->available;
}

/* Cells that have curves, in the table's order. */
static size_t *
curve_cells(
    const struct series_table *table, size_t *count, struct arena *arena)
{
	size_t *cells =
	    arena_array(arena, table->cell_count + 1, sizeof(*cells));

	*count = 0;
	for (size_t c = 0; c < table->cell_count; c++) {
		for (size_t i = 0; i < table->curve_count; i++) {
			if (table->curves[i].cell == c) {
				cells[(*count)++] = c;
				break;
			}
		}
	}
	return cells;
}

/* With more cells than this, each is compared with the first only. */
enum { ALL_PAIRS_UP_TO = 6 };

static void
fill_equal_sizes(struct ranking *ranking, const size_t *cells, size_t count,
    struct arena *arena)
{
	static const enum curve_role roles[] = { CURVE_READ, CURVE_WRITE };
	size_t firsts = count <= ALL_PAIRS_UP_TO ? count : 1;
	struct equal_size *list =
	    arena_array(arena, 2 * firsts * count + 1, sizeof(*list));
	size_t length = 0;

	for (size_t i = 0; i < firsts; i++) {
		for (size_t j = i + 1; j < count; j++) {
			for (size_t r = 0; r < 2; r++) {
				struct equal_size *equal = &list[length];

				equal->cell = cells[i];
				equal->other = cells[j];
				length += compare_sizes(
				    equal, ranking->table, roles[r]);
			}
		}
	}
	ranking->equal_sizes = list;
	ranking->equal_size_count = length;
}

/* A table of the mean counts in one role, to be ranked like any other. */
static struct ranking *
rank_role(
    const struct series_table *table, enum curve_role role, struct arena *arena)
{
	static const struct analysis_options options = { .skip_planning =
							     true };
	struct series_table *means = series_table_new(
	    arena, table->workload, "curve", "1", HIGHER_IS_BETTER);

	for (size_t c = 0; c < table->cell_count; c++) {
		struct series_cell cell = { .key = table->cells[c].key };

		(void)series_add_cell(means, &cell);
	}
	for (size_t i = 0; i < table->curve_count; i++) {
		const struct series_curve *curve = &table->curves[i];
		const struct series_column *column = curve_column(curve, role);
		struct series_run run = { .cell = curve->cell,
			.session = curve->session,
			.block = curve->block,
			.state = RUN_OK };

		if (column == NULL || curve->sample_count == 0)
			continue;
		run.value = summary_mean(column->values, curve->sample_count);
		series_add_run(means, &run);
	}
	return rank_table(means, &options, arena);
}

/* Better 1, worse -1, not told apart 0; single runs go by what they are. */
static int
order_of(
    const struct ranking_row *a, const struct ranking_row *b, bool is_proven)
{
	if (!is_proven)
		return (a->estimate > b->estimate) -
		       (a->estimate < b->estimate);
	if (!ranking_differs(a, b))
		return 0;
	return a->estimate > b->estimate ? 1 : -1;
}

static bool
dominates(struct curve_dominance *dominance, const struct ranking *reads,
    const struct ranking *writes)
{
	const struct ranking_row *read = ranking_find(reads, dominance->cell);
	const struct ranking_row *read_other =
	    ranking_find(reads, dominance->other);
	const struct ranking_row *write = ranking_find(writes, dominance->cell);
	const struct ranking_row *write_other =
	    ranking_find(writes, dominance->other);
	int by_reads;
	int by_writes;

	dominance->is_proven = read->place > 0 && read_other->place > 0 &&
			       write->place > 0 && write_other->place > 0;
	dominance->read_ratio = read->estimate / read_other->estimate;
	dominance->write_ratio = write->estimate / write_other->estimate;
	if (!(dominance->read_ratio > 0) || !(dominance->write_ratio > 0))
		return false;
	by_reads = order_of(read, read_other, dominance->is_proven);
	by_writes = order_of(write, write_other, dominance->is_proven);
	return by_reads >= 0 && by_writes >= 0 && by_reads + by_writes > 0;
}

static void
fill_dominances(struct ranking *ranking, const size_t *cells, size_t count,
    struct arena *arena)
{
	struct curve_dominance *list =
	    arena_array(arena, count * count + 1, sizeof(*list));
	const struct ranking *reads =
	    rank_role(ranking->table, CURVE_READ, arena);
	const struct ranking *writes =
	    rank_role(ranking->table, CURVE_WRITE, arena);
	size_t length = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			list[length].cell = cells[i];
			list[length].other = cells[j];
			if (i != j && dominates(&list[length], reads, writes))
				length++;
		}
	}
	ranking->dominances = list;
	ranking->dominance_count = length;
}

void
curve_fill(struct ranking *ranking, struct arena *arena)
{
	const struct series_table *table = ranking->table;
	struct curve_lists lists = { .ranking = ranking, .arena = arena };
	const size_t *cells;
	size_t count;

	if (table->curve_count == 0)
		return;
	for (size_t i = 0; i < table->curve_count; i++) {
		const struct series_curve *curve = &table->curves[i];

		for (size_t c = 0; c < curve->column_count; c++) {
			enum curve_role role = curve->columns[c].role;

			if (curve->sample_count > 0 &&
			    (role == CURVE_READ || role == CURVE_WRITE))
				add_series(&lists, i, &curve->columns[c]);
		}
	}
	ranking->phases = lists.phases;
	ranking->phase_count = lists.phase_count;
	ranking->series = lists.series;
	ranking->series_count = lists.series_count;
	cells = curve_cells(table, &count, arena);
	fill_equal_sizes(ranking, cells, count, arena);
	fill_dominances(ranking, cells, count, arena);
}
