/* The cells and blocks of a table: their order, which are the same thing. */
#include <string.h>

#include "import/csv.h"

static size_t
toggles_on(const struct cell *cell)
{
	size_t count = 0;

	for (size_t i = 0; i < cell->level_count; i++)
		if (cell->levels[i].is_toggle &&
		    strcmp(cell->levels[i].level, "on") == 0)
			count++;
	return count;
}

/* Cells that ask for least come first, as in a matrix: of two that are the
 * same thing, the plainer one is it and the other its control. */
void
csv_order_cells(struct builder *builder)
{
	struct plan *plan = builder->plan;
	size_t *places =
	    arena_array(builder->arena, plan->cell_count + 1, sizeof *places);
	struct cell *sorted =
	    arena_array(builder->arena, plan->cell_count + 1, sizeof *sorted);

	for (size_t i = 0; i < plan->cell_count; i++) {
		for (size_t j = 0; j < plan->cell_count; j++) {
			size_t a = toggles_on(&plan->cells[i]);
			size_t b = toggles_on(&plan->cells[j]);

			places[i] += b < a || (b == a && j < i) ? 1 : 0;
		}
		sorted[places[i]] = plan->cells[i];
		sorted[places[i]].index = places[i];
	}
	for (size_t i = 0; i < plan->trial_count; i++)
		plan->trials[i].cell = places[plan->trials[i].cell];
	plan->cells = sorted;
}

/* May the cells be the same thing?  Not when an axis tells them apart. */
static bool
is_comparable(const struct cell *a, const struct cell *b)
{
	if (a->level_count != b->level_count ||
	    strcmp(a->filesystem, b->filesystem) != 0)
		return false;
	for (size_t i = 0; i < a->level_count; i++)
		if (!a->levels[i].is_toggle &&
		    strcmp(a->levels[i].level, b->levels[i].level) != 0)
			return false;
	return a->level_count > 0;
}

/* What was in force tells which cells are one cell under two names: the one
 * that asked for least is it, the others are its controls. */
void
csv_name_duplicates(struct builder *builder)
{
	struct plan *plan = builder->plan;

	for (size_t i = 0; i < plan->cell_count; i++) {
		struct cell *cell = &plan->cells[i];
		size_t best = i;

		for (size_t j = 0; j < plan->cell_count; j++) {
			const struct cell *other = &plan->cells[j];

			if (cell->in_force != NULL && other->in_force != NULL &&
			    strcmp(cell->in_force, other->in_force) == 0 &&
			    is_comparable(cell, other) &&
			    toggles_on(other) < toggles_on(&plan->cells[best]))
				best = j;
		}
		if (best == i)
			continue;
		cell->status = CELL_DUPLICATE;
		cell->duplicate_of = best;
	}
}

void
csv_judge_blocks(struct builder *builder)
{
	const struct plan *plan = builder->plan;
	const char *column = builder->options->block;
	int most = 0, different = 0;

	if (column == NULL)
		return;
	for (size_t i = 0; i < plan->trial_count; i++) {
		int block = plan->trials[i].block;
		bool is_new = true;

		most = block > most ? block : most;
		for (size_t j = i; j > 0 && is_new; j--)
			is_new = plan->trials[j - 1].block != block;
		different += is_new ? 1 : 0;
	}
	if (most > 2 * different + 1)
		builder_warn(builder,
		    "the values of %s serve as blocks: the noise is how cells"
		    " disagree over them, not how noisy a run is",
		    column);
}
