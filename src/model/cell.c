#include "model/cell.h"

#include <string.h>

static const char *const statuses[CELL_STATUS_COUNT] = {
	[CELL_OK] = "ok",
	[CELL_CHANGED] = "changed",
	[CELL_DUPLICATE] = "duplicate-of",
	[CELL_REJECTED] = "rejected",
	[CELL_INAPPLICABLE] = "inapplicable",
	[CELL_UNSAFE] = "unsafe",
};

const char *
cell_status_name(enum cell_status status)
{
	return statuses[status];
}

int
cell_status_parse(const char *text, enum cell_status *status)
{
	for (int i = 0; i < CELL_STATUS_COUNT; i++)
		if (strcmp(text, statuses[i]) == 0) {
			*status = (enum cell_status)i;
			return 0;
		}
	return -1;
}

bool
cell_status_runs(enum cell_status status)
{
	return status == CELL_OK || status == CELL_CHANGED ||
	       status == CELL_DUPLICATE;
}

bool
cell_off_departs(const struct cell *cell, const struct option *option)
{
	if (!option_off_departs(option))
		return false;
	for (size_t i = 0; option->group != NULL && i < cell->off_count; i++) {
		const struct option *other = cell->off[i];

		if (other->off != NULL && other->group != NULL &&
		    !option_is_default(other) &&
		    strcmp(other->group, option->group) == 0)
			return false;
	}
	return true;
}
