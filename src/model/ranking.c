#include "model/ranking.h"

#include <string.h>

const char *
standing_name(enum standing standing)
{
	static const char *const names[] = {
		[STANDING_RANKED] = "ranked",
		[STANDING_VALUES] = "no place",
		[STANDING_APART] = "apart",
		[STANDING_TIMEOUT] = "timeout",
		[STANDING_STALLED] = "stalled",
		[STANDING_ZERO] = "zero",
		[STANDING_UNRELIABLE] = "unreliable",
		[STANDING_FAILED] = "failed",
		[STANDING_NOT_RUN] = "not run",
	};

	return names[standing];
}

const struct ranking_row *
ranking_find(const struct ranking *ranking, size_t cell)
{
	for (size_t i = 0; i < ranking->row_count; i++) {
		if (ranking->rows[i].cell == cell)
			return &ranking->rows[i];
	}
	return NULL;
}

bool
ranking_differs(const struct ranking_row *row, const struct ranking_row *other)
{
	if (row->place == 0 || other->place == 0)
		return false;
	if (row->letters[0] != '\0' && other->letters[0] != '\0')
		return strpbrk(row->letters, other->letters) == NULL;
	return row->rank_hi < other->rank_lo || other->rank_hi < row->rank_lo;
}
