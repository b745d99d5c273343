#include "plan/predict.h"

#include <string.h>

#include "base/units.h"

/*
 * Measured on a virtual disk of a small machine, the mean of ext4, xfs and
 * btrfs: seconds for each entry of a tree, each byte, each operation.
 */
static const double around = 1.0; /* attach, make, mount, settle, detach */
static const double probes = 1.2; /* once a cell */
static const double entry_written = 400e-6;
static const double entry_checked = 300e-6;
static const double entry_walked = 30e-6;
static const double byte_moved = 1 / 150e6;
static const double small_operation = 300e-6;

/* A tree that has not been loaded yet. */
static const double unknown_entries = 5000;
static const double unknown_bytes = 40e6;

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

/* What the workload's tree holds, copies and all. */
struct extent {
	double entries;
	double bytes;
};

static struct extent
tree_extent(const struct plan *plan, const struct workload_spec *workload)
{
	struct extent extent = { 0, 0 };

	for (size_t i = 0; workload->tree != NULL && i < plan->tree_count;
	     i++) {
		double copies = (double)plan->trees[i].copies;
		const struct tree_facts *facts = &plan->tree_facts[i];

		if (strcmp(plan->trees[i].title, workload->tree) != 0)
			continue;
		extent = (struct extent){ unknown_entries * copies,
			unknown_bytes * copies };
		if (facts->entries > 0)
			extent =
			    (struct extent){ (double)facts->entries * copies,
				    (double)facts->bytes * copies };
	}
	return extent;
}

static double
write_seconds(struct extent extent)
{
	return extent.entries * entry_written + extent.bytes * byte_moved;
}

static double
read_seconds(struct extent extent)
{
	return 2 * extent.entries * entry_walked + extent.bytes * byte_moved;
}

/* A pass of a workload of which nothing is known. */
static const double unknown_pass = 30;

/* One pass of the workloads whose time follows from their tree or keys; below
 * zero for the others. */
static double
pass_seconds(const struct workload_spec *workload, struct extent extent)
{
	const char *type = workload->type;

	if (strcmp(type, "traverse") == 0)
		return extent.entries * entry_walked;
	if (strcmp(type, "untar") == 0)
		return write_seconds(extent);
	if (strcmp(type, "remove") == 0)
		return extent.entries * entry_checked;
	if (strcmp(type, "readtree") == 0)
		return read_seconds(extent);
	if (strcmp(type, "copytree") == 0)
		return read_seconds(extent) + write_seconds(extent);
	if (strcmp(type, "create") == 0)
		return setting_number(workload, "files", 10000) *
		       small_operation;
	if (strcmp(type, "postmark") == 0)
		return (setting_number(workload, "number", 500) +
			   setting_number(workload, "transactions", 500)) *
		       2 * small_operation;
	if (strcmp(type, "blogbench") == 0)
		return setting_number(workload, "iterations", 30) *
		       setting_number(workload, "interval", 10);
	return -1;
}

bool
predict_is_blind(const struct workload_spec *workload)
{
	const struct extent any = { 1, 1 };

	return strcmp(workload->type, "null") != 0 &&
	       setting_number(workload, "seconds", 0) <= 0 &&
	       pass_seconds(workload, any) < 0;
}

int64_t
predict_trial_ns(const struct plan *plan, const struct workload_spec *workload)
{
	struct extent extent = tree_extent(plan, workload);
	double passes = setting_number(workload, "passes", 1);
	double measured = setting_number(workload, "seconds", 0);

	if (strcmp(workload->type, "null") == 0)
		measured = 0.01;
	else if (measured <= 0)
		measured = pass_seconds(workload, extent);
	if (measured < 0)
		measured = unknown_pass;
	/* the tree is unpacked before, checked after */
	return (int64_t)((around + measured * passes + write_seconds(extent) +
			     extent.entries * entry_checked) *
			 1e9);
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
		int64_t ns = known_ns != NULL && known_ns[trial->workload] > 0
				 ? known_ns[trial->workload]
				 : predict_trial_ns(
				       plan, &plan->workloads[trial->workload]);

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
	for (size_t i = 0; known_ns == NULL && i < plan->cell_count; i++)
		if (cell_status_runs(plan->cells[i].status))
			prediction->total_ns += (int64_t)(probes * 1e9);
	prediction->blocks_in_budget = count_in_budget(plan, prediction);
}
