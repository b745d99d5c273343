#include "model/outcome.h"

#include <string.h>

static const char *const verdicts[VERDICT_COUNT] = {
	[VERDICT_ABORTED] = "aborted",
	[VERDICT_OK] = "ok",
	[VERDICT_FAILED] = "failed",
	[VERDICT_TIMEOUT] = "timeout",
	[VERDICT_NO_SPACE] = "no-space",
	[VERDICT_CORRUPT] = "corrupt",
	[VERDICT_VOID] = "void",
	[VERDICT_PANIC] = "panic",
};

const char *
verdict_name(enum verdict verdict)
{
	return verdicts[verdict];
}

int
verdict_parse(const char *text, enum verdict *verdict)
{
	for (int i = 0; i < VERDICT_COUNT; i++)
		if (strcmp(text, verdicts[i]) == 0) {
			*verdict = (enum verdict)i;
			return 0;
		}
	return -1;
}

struct outcome *
outcome_new(struct arena *arena, size_t trial)
{
	struct outcome *outcome = arena_alloc(arena, sizeof *outcome);

	outcome->trial = trial;
	outcome->verdict = VERDICT_ABORTED;
	outcome->reason = "";
	outcome->notes = "";
	return outcome;
}

struct step *
outcome_add_step(struct outcome *outcome, struct arena *arena, enum rung rung)
{
	struct step *step;

	if (outcome->step_count == outcome->step_capacity)
		outcome->steps =
		    arena_grow(arena, outcome->steps, outcome->step_count,
			&outcome->step_capacity, sizeof *outcome->steps);
	step = &outcome->steps[outcome->step_count++];
	*step = (struct step){
		.rung = rung,
		.command = "",
		.output = "",
		.errors = "",
		.kernel = "",
	};
	return step;
}

void
outcome_add_sample(struct outcome *outcome, struct arena *arena,
    const struct metric *metric, int pass, double value)
{
	if (outcome->sample_count == outcome->sample_capacity)
		outcome->samples =
		    arena_grow(arena, outcome->samples, outcome->sample_count,
			&outcome->sample_capacity, sizeof *outcome->samples);
	outcome->samples[outcome->sample_count++] = (struct sample){
		.metric = arena_strdup(arena, metric->name),
		.unit = arena_strdup(arena, metric->unit),
		.better = metric->better,
		.pass = pass,
		.value = value,
	};
}

void
outcome_fail(struct outcome *outcome, enum verdict verdict, enum rung rung,
    const char *reason)
{
	if (outcome->verdict != VERDICT_ABORTED &&
	    outcome->verdict != VERDICT_OK)
		return;
	outcome->verdict = verdict;
	outcome->failed_rung = rung;
	outcome->reason = reason;
}
