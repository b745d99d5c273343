/* What the files of the csv importer share. */
#ifndef MM_IMPORT_CSV_H
#define MM_IMPORT_CSV_H

#include "import/builder.h"
#include "import/table.h"

enum { TERM_LIMIT = 32 };

/* One metric: columns that are added. */
struct wanted {
	const char *name, *unit;
	enum better better;
	size_t columns[TERM_LIMIT];
	size_t count;
};

struct reading {
	struct builder *builder;
	const struct import_log *source;
	struct table table;
	/* SIZE_MAX: the table has none */
	size_t block, position, session, in_force;
	size_t cell, state, workload, metric, unit, better;
	size_t *factors;
	bool *is_toggle;
	size_t factor_count;
	struct wanted *wanted;
	size_t wanted_count, ranked_count; /* the ranked ones come first */
	size_t search_from; /* long tables: where the next run may be */
};

/* Finds every column that the options name, or that a table may have. */
int csv_find_columns(struct reading *reading, struct error *err);

/* Puts the plainest cells first, as in a matrix: of two that are the same
 * thing, the plainer one is it and the other its control. */
void csv_order_cells(struct builder *builder);

/* What was in force tells which cells are one cell under two names. */
void csv_name_duplicates(struct builder *builder);

/* Says so where block numbers have wide gaps: then they are sizes or the like,
 * not passes. */
void csv_judge_blocks(struct builder *builder);

#endif
