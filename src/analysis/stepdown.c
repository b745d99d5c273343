#include "analysis/stepdown.h"

#include <math.h>
#include <string.h>

#include "analysis/tukey.h"

/* Two logarithms nearer than this are the same number. */
static const double same_log = 1e-9;

/* Marks pairs that differ by more than the critical value. */
static void
mark_pairs(struct stepdown *stepdown, const double *value, const double *error,
    double q)
{
	size_t k = stepdown->count;

	for (size_t i = 0; i < k; i++) {
		for (size_t j = 0; j < k; j++) {
			double gap = fabs(value[i] - value[j]);

			if (gap > same_log &&
			    M_SQRT2 * gap > q * error[i * k + j])
				stepdown->different[i * k + j] = true;
		}
	}
}

/* Spreads one cluster's mark over all that it reaches; returns its size. */
static size_t
flood(const struct stepdown *stepdown, size_t start, bool *seen, size_t *queue)
{
	size_t k = stepdown->count;
	size_t length = 1;

	queue[0] = start;
	seen[start] = true;
	for (size_t next = 0; next < length; next++) {
		for (size_t j = 0; j < k; j++) {
			if (seen[j] || stepdown->different[queue[next] * k + j])
				continue;
			seen[j] = true;
			queue[length++] = j;
		}
	}
	return length;
}

/* Sizes of the clusters of items not told apart; returns how many. */
static size_t
cluster_sizes(
    const struct stepdown *stepdown, size_t *sizes, bool *seen, size_t *queue)
{
	size_t clusters = 0;

	memset(seen, 0, stepdown->count * sizeof(*seen));
	for (size_t i = 0; i < stepdown->count; i++) {
		if (!seen[i])
			sizes[clusters++] = flood(stepdown, i, seen, queue);
	}
	return clusters;
}

struct stepdown *
stepdown_tukey(const double *value, const double *error, size_t count,
    double df, double alpha, struct arena *arena)
{
	struct stepdown *stepdown = arena_alloc(arena, sizeof(*stepdown));
	size_t *sizes = arena_array(arena, count + 1, sizeof(*sizes));
	size_t *queue = arena_array(arena, count + 1, sizeof(*queue));
	bool *seen = arena_array(arena, count + 1, sizeof(*seen));
	size_t clusters = 0;
	size_t now = count == 0 ? 0 : 1;

	stepdown->count = count;
	stepdown->different =
	    arena_array(arena, count * count + 1, sizeof(bool));
	stepdown->rank_lo = arena_array(arena, count + 1, sizeof(int));
	stepdown->rank_hi = arena_array(arena, count + 1, sizeof(int));
	stepdown->q = arena_array(arena, count + 1, sizeof(double));
	sizes[0] = count;
	/* clusters only ever split, so an equal number means equal sizes */
	while (now != clusters && now < count) {
		double q = tukey_quantile(1 - alpha, sizes, now, df);

		stepdown->q[stepdown->step_count++] = q;
		mark_pairs(stepdown, value, error, q);
		clusters = now;
		now = cluster_sizes(stepdown, sizes, seen, queue);
	}
	stepdown_ranges(stepdown, value);
	return stepdown;
}

void
stepdown_ranges(struct stepdown *stepdown, const double *value)
{
	size_t k = stepdown->count;

	for (size_t i = 0; i < k; i++) {
		stepdown->rank_lo[i] = 1;
		stepdown->rank_hi[i] = (int)k;
		for (size_t j = 0; j < k; j++) {
			if (!stepdown->different[i * k + j])
				continue;
			if (value[j] < value[i])
				stepdown->rank_lo[i]++;
			else
				stepdown->rank_hi[i]--;
		}
	}
}

bool
stepdown_is_tied(const struct stepdown *stepdown, size_t item)
{
	for (size_t j = 0; j < stepdown->count; j++) {
		if (j != item &&
		    stepdown->rank_lo[j] == stepdown->rank_lo[item])
			return true;
	}
	return false;
}

enum { MAX_LETTERS = 52 };

/* Columns of the letters table; a column is a set of items. */
struct columns {
	bool *has; /* MAX_LETTERS x count */
	size_t count;
	size_t items;
};

static bool
is_subset(const struct columns *columns, size_t small, size_t large)
{
	const bool *a = &columns->has[small * columns->items];
	const bool *b = &columns->has[large * columns->items];

	for (size_t i = 0; i < columns->items; i++) {
		if (a[i] && !b[i])
			return false;
	}
	return true;
}

/* Drops every column that another one holds. */
static void
absorb(struct columns *columns)
{
	for (size_t a = 0; a < columns->count;) {
		bool held = false;

		for (size_t b = 0; b < columns->count && !held; b++)
			held = a != b && is_subset(columns, a, b);
		if (held) {
			columns->count--;
			memmove(&columns->has[a * columns->items],
			    &columns->has[columns->count * columns->items],
			    columns->items * sizeof(bool));
		} else {
			a++;
		}
	}
}

/* Splits the columns that have both items; false when there are too many. */
static bool
insert(struct columns *columns, size_t i, size_t j)
{
	size_t before = columns->count;

	for (size_t c = 0; c < before; c++) {
		bool *column = &columns->has[c * columns->items];
		bool *copy;

		if (!column[i] || !column[j])
			continue;
		if (columns->count == MAX_LETTERS)
			return false;
		copy = &columns->has[columns->count++ * columns->items];
		memcpy(copy, column, columns->items * sizeof(bool));
		column[i] = false;
		copy[j] = false;
	}
	absorb(columns);
	return true;
}

/* Puts the column that starts with the better item first. */
static void
sort_columns(struct columns *columns, const size_t *order, size_t *sorted)
{
	bool used[MAX_LETTERS] = { false };
	size_t count = 0;

	for (size_t i = 0; i < columns->items; i++) {
		for (size_t c = 0; c < columns->count; c++) {
			if (used[c] ||
			    !columns->has[c * columns->items + order[i]])
				continue;
			used[c] = true;
			sorted[count++] = c;
		}
	}
}

const char **
stepdown_letters(
    const struct stepdown *stepdown, const size_t *order, struct arena *arena)
{
	static const char alphabet[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t k = stepdown->count;
	struct columns columns = { NULL, 1, k };
	size_t sorted[MAX_LETTERS] = { 0 };
	const char **letters = arena_array(arena, k + 1, sizeof(*letters));

	columns.has = arena_array(arena, MAX_LETTERS * k + 1, sizeof(bool));
	for (size_t i = 0; i < k; i++)
		columns.has[i] = true;
	for (size_t i = 0; i < k; i++) {
		for (size_t j = i + 1; j < k; j++) {
			if (stepdown->different[i * k + j] &&
			    !insert(&columns, i, j))
				return NULL;
		}
	}
	sort_columns(&columns, order, sorted);
	for (size_t i = 0; i < k; i++) {
		char *text = arena_alloc(arena, MAX_LETTERS + 1);

		for (size_t c = 0; c < columns.count; c++) {
			if (columns.has[sorted[c] * k + i])
				text[strlen(text)] = alphabet[c];
		}
		letters[i] = text;
	}
	return letters;
}
