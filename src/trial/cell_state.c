#include "trial/cell_state.h"

#include <string.h>

#include "fs/build.h"
#include "trial/trial.h"

void
cell_bind_rows(struct night_state *state, struct cell *cell)
{
	const struct plan *plan = state->night->plan;

	if (cell->on_count + cell->off_count == 0)
		fs_bind_cell(
		    cell, plan->system, plan->system_version, state->arena);
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
	bool is_new =
	    cell->status != found->status || cell->risk != found->risk;

	cell->status = found->status;
	cell->risk = found->risk;
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
