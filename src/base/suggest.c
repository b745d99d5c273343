#include "base/suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 64 };

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance, three rows. */
static size_t
distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	size_t m = strlen(a), n = strlen(b);

	if (m > LONGEST || n > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= n; j++)
		above[j] = j;
	for (size_t i = 1; i <= m; i++) {
		size_t *old;

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = smaller(above[j] + 1, row[j - 1] + 1);
			row[j] = smaller(
			    row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
		old = before;
		before = above;
		above = row;
		row = old;
	}
	return above[n];
}

const char *
suggest_nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t allowed = strlen(word) / 3;
	size_t best = (allowed < 1 ? 1 : allowed) + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t d = distance(word, candidates[i]);

		if (d < best) {
			best = d;
			nearest = candidates[i];
		}
	}
	return nearest;
}

const char *
suggest_key(const char *word, const char *const *candidates, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *colon = strchr(candidates[i], ':');

		if (colon != NULL && strcmp(colon + 1, word) == 0)
			return candidates[i];
	}
	return suggest_nearest(word, candidates, count);
}
