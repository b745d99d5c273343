/*
 * What a plan that can be run always has, and a damaged or hostile file need
 * not: "resume" and "report" take these for granted.
 */
#include <string.h>

#include "store/internal.h"

static bool
has(const char *text)
{
	return text != NULL && text[0] != '\0';
}

static bool
has_tree(const struct plan *plan, const char *title)
{
	for (size_t i = 0; i < plan->tree_count; i++)
		if (strcmp(plan->trees[i].title, title) == 0)
			return has(plan->trees[i].archive);
	return false;
}

static bool
needs_path(const struct target *target)
{
	switch (target->kind) {
	case TARGET_IMAGE:
		return !target->image_is_auto;
	case TARGET_MEMORY:
		break;
	case TARGET_DEVICE:
	case TARGET_DIRECTORY:
	case TARGET_MOUNTPOINT:
		return true;
	}
	return false;
}

/* Why the plan cannot be one that was run; NULL when it can. */
static const char *
find_fault(const struct plan *plan, const char **name)
{
	for (size_t i = 0; i < plan->target_count; i++) {
		*name = plan->targets[i].title;
		if (needs_path(&plan->targets[i]) &&
		    !has(plan->targets[i].path))
			return "a target has no path";
	}
	for (size_t i = 0; i < plan->workload_count; i++) {
		*name = plan->workloads[i].title;
		if (has(plan->workloads[i].tree) &&
		    !has_tree(plan, plan->workloads[i].tree))
			return "a workload has no such tree";
	}
	for (size_t i = 0; i < plan->cell_count; i++) {
		*name = plan->cells[i].key;
		if (!has(plan->cells[i].driver))
			return "a cell has no driver";
		if (!has(plan->cells[i].target) ||
		    plan_target(plan, plan->cells[i].target) == NULL)
			return "a cell has no such target";
	}
	return NULL;
}

int
plan_check(struct db *db, const struct plan *plan, struct error *err)
{
	const char *fault, *name = "";
	int64_t is_imported;

	if (db_int(db, "SELECT is_imported FROM plan", &is_imported, err) == -1)
		return -1;
	fault = is_imported != 0 ? NULL : find_fault(plan, &name);
	if (fault == NULL)
		return 0;
	return error_set_kind(err, ERROR_USAGE,
	    "'%s': the file is damaged: %s: '%.60s'", db->path, fault, name);
}
