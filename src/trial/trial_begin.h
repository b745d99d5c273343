/* Setting a trial up: names of the plan found again, settings bound, the
 * target made ready.  Private to src/trial/. */
#ifndef MM_TRIAL_TRIAL_BEGIN_H
#define MM_TRIAL_TRIAL_BEGIN_H

#include "base/arena.h"
#include "base/error.h"
#include "model/plan.h"

struct night_state;
struct trial;

int trial_begin(struct night_state *state, const struct planned_trial *planned,
    struct arena *arena, struct trial *trial, struct error *err);

/* Without a workload. */
int trial_begin_try(struct night_state *state,
    const struct planned_trial *planned, struct arena *arena,
    struct trial *trial, struct error *err);

#endif
