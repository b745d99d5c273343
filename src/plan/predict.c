#include "plan/predict.h"

#include <string.h>

#include "base/units.h"

/* Measured with default keys on a virtual disk of a small machine. */
static const struct {
	const char *type;
	double seconds;
} usual[] = {
	{ "traverse", 2 },
	{ "postmark", 1 },
	{ "blogbench", 300 },
	{ "fileio", 30 },
	{ "stream", 10 },
	{ "untar", 5 },
	{ "remove", 3 },
	{ "readtree", 4 },
	{ "copytree", 6 },
	{ "create", 3 },
	{ "command", 30 },
	{ "null", 0.01 },
};

/* attach, make, mount twice, flush, check, detach */
static const double around_s = 2;
static const double populate_s = 3;

static const char *
find_setting(const struct workload_spec *workload, const char *key)
{
	for (size_t i = 0; i < workload->setting_count; i++)
		if (strcmp(workload->settings[i].key, key) == 0 &&
		    workload->settings[i].value_count > 0)
			return workload->settings[i].values[0];
	return NULL;
}

/* The key as a count or a time, in its own unit; "standard" without it. */
static double
setting_number(
    const struct workload_spec *workload, const char *key, double standard)
{
	const char *text = find_setting(workload, key);
	struct error err = { 0 };
	int64_t ns;

	if (text == NULL || units_parse_duration(text, &ns, &err) == -1)
		return standard;
	return (double)ns / 1e9;
}

static double
measure_seconds(const struct workload_spec *workload)
{
	double seconds = setting_number(workload, "seconds", 0);
	double passes = setting_number(workload, "passes", 1);

	if (seconds > 0)
		return seconds * passes;
	if (strcmp(workload->type, "blogbench") == 0)
		return setting_number(workload, "iterations", 30) *
		       setting_number(workload, "interval", 10);
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (strcmp(usual[i].type, workload->type) == 0)
			return usual[i].seconds * passes;
	return 10;
}

int64_t
predict_trial_ns(const struct workload_spec *workload)
{
	double seconds = around_s + measure_seconds(workload);

	if (workload->tree != NULL)
		seconds += populate_s;
	if (strcmp(workload->type, "null") == 0)
		seconds = 0.05;
	return (int64_t)(seconds * 1e9);
}

/* Complete blocks that end before the budget does. */
static int64_t
count_in_budget(const struct plan *plan, const struct prediction *prediction)
{
	int64_t left =
	    plan->budget_ns -
	    (prediction->total_ns - prediction->block_ns * prediction->blocks);

	if (plan->budget_ns == 0 || prediction->block_ns == 0)
		return prediction->blocks;
	if (left <= 0)
		return 0;
	return left / prediction->block_ns < prediction->blocks
		   ? left / prediction->block_ns
		   : prediction->blocks;
}

void
predict_plan(const struct plan *plan, const int64_t *known_ns,
    struct prediction *prediction)
{
	int last = 0;

	*prediction = (struct prediction){ 0 };
	for (size_t i = 0; i < plan->trial_count; i++) {
		const struct planned_trial *trial = &plan->trials[i];
		int64_t ns =
		    known_ns != NULL && known_ns[trial->workload] > 0
			? known_ns[trial->workload]
			: predict_trial_ns(&plan->workloads[trial->workload]);

		if (prediction->total_ns > INT64_MAX / 2)
			break;
		prediction->total_ns += ns;
		if (trial->is_warm_up)
			continue;
		if (trial->block != last)
			prediction->blocks++;
		last = trial->block;
		if (prediction->blocks == 1)
			prediction->block_ns += ns;
	}
	prediction->blocks_in_budget = count_in_budget(plan, prediction);
}
