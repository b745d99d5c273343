#include "trial/cell_state.h"

#include <string.h>

#include "fs/driver.h"
#include "trial/trial.h"

/* The row of one level: the token is "factor" for a toggle, "factor=level"
 * where the driver has that, else the level's word. */
static const struct option *
row_of(struct night_state *state, const struct driver *driver,
    const struct cell_level *level)
{
	const struct plan *plan = state->night->plan;
	const struct option *row;

	if (level->is_toggle)
		return fs_option_find(driver, level->factor, plan->system,
		    plan->system_version, state->arena);
	row = fs_option_find(driver,
	    arena_printf(state->arena, "%s=%s", level->factor, level->level),
	    plan->system, plan->system_version, state->arena);
	if (row != NULL)
		return row;
	return fs_option_find(driver, level->level, plan->system,
	    plan->system_version, state->arena);
}

void
cell_bind_rows(struct night_state *state, struct cell *cell)
{
	const struct driver *driver = fs_driver_find(cell->driver);

	if (cell->on_count + cell->off_count > 0 || driver == NULL)
		return;
	cell->on = arena_array(
	    state->arena, cell->level_count + 1, sizeof(struct option *));
	cell->off = arena_array(
	    state->arena, cell->level_count + 1, sizeof(struct option *));
	for (size_t i = 0; i < cell->level_count; i++) {
		const struct cell_level *level = &cell->levels[i];
		const struct option *row = row_of(state, driver, level);

		if (row == NULL)
			continue;
		if (level->is_toggle && strcmp(level->level, "off") == 0)
			cell->off[cell->off_count++] = row;
		else
			cell->on[cell->on_count++] = row;
	}
}

static bool
take_text(struct night_state *state, const char **into, const char *text)
{
	if (text == NULL || (*into != NULL && strcmp(*into, text) == 0))
		return false;
	*into = arena_strdup(state->arena, text);
	return true;
}

static int
tell(struct night_state *state, const struct cell *cell, struct error *err)
{
	const struct night_hooks *hooks = state->night->hooks;

	if (hooks->cell_changed == NULL)
		return 0;
	return hooks->cell_changed(hooks->context, cell, err);
}

int
cell_found(struct night_state *state, struct cell *cell,
    const struct cell *found, struct error *err)
{
	bool is_new = cell->status != found->status;

	cell->status = found->status;
	is_new |= take_text(state, &cell->reason, found->reason);
	is_new |= take_text(state, &cell->in_force, found->in_force);
	is_new |= take_text(state, &cell->atime_probe, found->atime_probe);
	is_new |=
	    take_text(state, &cell->durability_probe, found->durability_probe);
	return is_new ? tell(state, cell, err) : 0;
}

int
cell_end(struct night_state *state, struct cell *cell, enum cell_status status,
    const char *reason, struct error *err)
{
	cell->status = status;
	cell->reason = arena_strdup(state->arena, reason);
	return tell(state, cell, err);
}
