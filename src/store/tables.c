/* Which tables there are: what ranks in each workload. */
#include <string.h>

#include "base/buffer.h"
#include "store/readings.h"

/* Each is ranked by itself: more would take a report longer than anybody
 * waits. */
enum { TABLE_LIMIT = 512 };

/* One more table at the end of the list. */
static int
add_table(struct readings *readings, const struct named *ranked,
    struct results_tables *tables, bool with_curves, struct error *err)
{
	struct results_table *items =
	    arena_array(readings->arena, tables->count + 1, sizeof *items);

	if (tables->count == TABLE_LIMIT)
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' ranks more than %d metrics: ask for one workload or"
		    " metric",
		    readings->store->db.path, TABLE_LIMIT);
	if (tables->count > 0)
		memcpy(items, tables->items, tables->count * sizeof *items);
	tables->items = items;
	return table_build(
	    readings, ranked, with_curves, &items[tables->count++], err);
}

/* The figure that ranks for "name": the one with the flush, where asked. */
static struct named
charged(const struct readings *readings, const char *name)
{
	const struct workload_spec *spec =
	    &readings->plan->workloads[readings->workload];
	size_t at = readings_find(readings, name);
	size_t flushed = SIZE_MAX;

	if (spec->charge == CHARGE_FLUSHED)
		flushed = readings_find(readings,
		    arena_printf(readings->arena, "%s_flushed", name));
	if (flushed != SIZE_MAX)
		at = flushed;
	if (at != SIZE_MAX)
		return readings->names.items[at];
	/* no run gave a value: the plan knows a command's own metrics; of the
	 * others most are times */
	for (size_t i = 0; i < spec->pattern_count; i++)
		if (strcmp(spec->patterns[i].metric.name, name) == 0)
			return (struct named){ name,
				spec->patterns[i].metric.unit,
				spec->patterns[i].metric.better };
	return (struct named){ name,
		strncmp(name, "elapsed", 7) == 0 ? "s" : "", LOWER_IS_BETTER };
}

/* A sweep has a figure for each of its sizes ("iops@4K", "iops@64K"): each
 * ranks alone.  Returns how many were added, -1 for an error. */
static int
add_sweep(struct readings *readings, const char *name,
    struct results_tables *tables, bool with_curves, struct error *err)
{
	size_t length = strlen(name);
	int count = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < readings->names.count; i++) {
			const struct named *named = &readings->names.items[i];

			if (strncmp(named->name, name, length) != 0 ||
			    named->name[length] != '@')
				continue;
			if (pass == 0)
				count++;
			else if (count > 1 && add_table(readings, named, tables,
						  with_curves, err) == -1)
				return -1;
			with_curves = with_curves && pass == 0;
		}
	return count > 1 ? count : 0;
}

static int
add_ranked(struct readings *readings, const char *name,
    struct results_tables *tables, bool with_curves, struct error *err)
{
	const struct workload_spec *spec =
	    &readings->plan->workloads[readings->workload];
	const char *warm = arena_printf(readings->arena, "%s_warm", name);
	struct named ranked;
	int sweep = add_sweep(readings, name, tables, with_curves, err);

	if (sweep != 0)
		return sweep == -1 ? -1 : 0;
	/* walked warm only: that is what there is */
	if (spec->cache == CACHE_WARM &&
	    readings_find(readings, name) == SIZE_MAX &&
	    readings_find(readings, warm) != SIZE_MAX)
		name = warm;
	ranked = charged(readings, name);
	if (add_table(readings, &ranked, tables, with_curves, err) == -1)
		return -1;
	if (spec->cache != CACHE_BOTH ||
	    readings_find(readings, warm) == SIZE_MAX)
		return 0;
	ranked = charged(readings, warm);
	return add_table(readings, &ranked, tables, false, err);
}

/* Every metric that ranks in the workload at hand. */
static int
add_workload(
    struct readings *readings, struct results_tables *tables, struct error *err)
{
	const char *list = readings->plan->workloads[readings->workload].metric;
	bool is_first = true;

	if (list == NULL || list[0] == '\0')
		list = readings->names.count > 0 ? readings->names.items[0].name
						 : "elapsed";
	while (*list != '\0') {
		size_t length = strcspn(list, " ");
		const char *name = arena_strndup(readings->arena, list, length);

		list += length + strspn(list + length, " ");
		if (add_ranked(readings, name, tables, is_first, err) == -1)
			return -1;
		is_first = false;
	}
	return 0;
}

/* The one that was asked for, if this workload has it. */
static int
add_metric(struct readings *readings, const char *metric,
    struct results_tables *tables, struct error *err)
{
	size_t at = readings_find(readings, metric);

	if (at == SIZE_MAX)
		return 0;
	return add_table(
	    readings, &readings->names.items[at], tables, true, err);
}

static void
list_workloads(const struct readings *readings, struct buffer *out)
{
	for (size_t i = 0; i < readings->plan->workload_count; i++)
		buffer_printf(out, "%s%s", i == 0 ? "" : ", ",
		    readings->plan->workloads[i].title);
}

static void
list_metrics(
    struct readings *readings, const char *workload, struct buffer *out)
{
	struct error ignored = { 0 };
	struct fact_list said = { 0 };

	for (size_t i = 0; i < readings->plan->workload_count; i++) {
		if (workload != NULL &&
		    strcmp(readings->plan->workloads[i].title, workload) != 0)
			continue;
		if (readings_load(readings, i, &ignored) == -1)
			return;
		for (size_t j = 0; j < readings->names.count; j++) {
			const char *name = readings->names.items[j].name;

			if (fact_list_get(&said, name) != NULL)
				continue;
			fact_list_add(readings->arena, &said, name, "said");
			buffer_printf(
			    out, "%s%s", out->length == 0 ? "" : ", ", name);
		}
	}
}

static int
refuse_filter(struct readings *readings, const struct store_filter *filter,
    bool has_workload, struct error *err)
{
	bool is_metric = has_workload && filter->metric != NULL;
	struct buffer choices;

	buffer_init(&choices);
	if (is_metric)
		list_metrics(readings, filter->workload, &choices);
	else
		list_workloads(readings, &choices);
	error_set_kind(err, ERROR_USAGE, "'%s' has no %s '%s'; it has: %s",
	    readings->store->db.path, is_metric ? "metric" : "workload",
	    is_metric ? filter->metric : filter->workload,
	    buffer_text(&choices));
	buffer_reset(&choices);
	return -1;
}

static int
load_tables(struct readings *readings, const struct store_filter *filter,
    struct results_tables *tables, struct error *err)
{
	bool has_workload = false;

	for (size_t i = 0; i < readings->plan->workload_count; i++) {
		if (filter != NULL && filter->workload != NULL &&
		    strcmp(filter->workload,
			readings->plan->workloads[i].title) != 0)
			continue;
		has_workload = true;
		if (readings_load(readings, i, err) == -1)
			return -1;
		if ((filter == NULL || filter->metric == NULL
			    ? add_workload(readings, tables, err)
			    : add_metric(
				  readings, filter->metric, tables, err)) == -1)
			return -1;
	}
	if (tables->count == 0 && filter != NULL &&
	    (filter->metric != NULL ||
		(filter->workload != NULL && !has_workload)))
		return refuse_filter(readings, filter, has_workload, err);
	return 0;
}

int
store_tables(struct store *store, const struct store_filter *filter,
    struct arena *arena, struct results_tables *tables, struct error *err)
{
	struct readings readings = { .store = store, .arena = arena };
	struct session *sessions;
	struct plan *plan;
	int rc;

	*tables = (struct results_tables){ 0 };
	if (store_load_plan(store, arena, &plan, err) == -1 ||
	    store_sessions(
		store, arena, &sessions, &readings.session_count, err) == -1)
		return -1;
	readings.plan = plan;
	readings.sessions = sessions;
	if (db_begin(&store->db, false, err) == -1)
		return -1;
	rc = load_tables(&readings, filter, tables, err);
	return db_end(&store->db, rc == -1, err);
}
