#include "analysis/atimes.h"

#include <string.h>

/* What the probes of a filesystem's cells say together. */
enum finding { FOUND_SOME, FOUND_FILES_ONLY, FOUND_NONE };

struct texts {
	struct arena *arena;
	const char **items;
	size_t count, capacity;
};

static void
say(struct texts *texts, const char *text)
{
	texts->items = arena_grow(texts->arena, texts->items, texts->count,
	    &texts->capacity, sizeof *texts->items);
	texts->items[texts->count++] = text;
}

static bool
is_of(const struct cell *cell, const char *filesystem)
{
	return cell_status_runs(cell->status) && cell->filesystem != NULL &&
	       strcmp(cell->filesystem, filesystem) == 0;
}

static bool
is_about_atimes(const char *word)
{
	return strstr(word, "atime") != NULL;
}

/* The levels of a cell that are about access times: "noatime=on ". */
static const char *
levels_text(const struct cell *cell, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < cell->level_count; i++)
		if (is_about_atimes(cell->levels[i].factor) ||
		    is_about_atimes(cell->levels[i].level))
			text = arena_printf(arena, "%s%s=%s ", text,
			    cell->levels[i].factor, cell->levels[i].level);
	return text;
}

/* Do the cells that run differ in it? */
static bool
has_factor(const struct plan *plan, const char *filesystem, struct arena *arena)
{
	const char *first = NULL;

	for (size_t i = 0; i < plan->cell_count; i++) {
		const struct cell *cell = &plan->cells[i];
		const char *levels;

		if (!is_of(cell, filesystem))
			continue;
		levels = levels_text(cell, arena);
		if (first != NULL && strcmp(first, levels) != 0)
			return true;
		first = levels;
	}
	return false;
}

static enum finding
probes_find(const struct plan *plan, const char *filesystem)
{
	static const char folders[] = ", none for folders";
	enum finding found = FOUND_NONE;

	for (size_t i = 0; i < plan->cell_count; i++) {
		const char *probe = plan->cells[i].atime_probe;

		if (!is_of(&plan->cells[i], filesystem))
			continue;
		if (probe == NULL)
			return FOUND_SOME; /* for all that is known */
		if (strcmp(probe, "none") == 0)
			continue;
		if (strstr(probe, folders) == NULL)
			return FOUND_SOME;
		found = FOUND_FILES_ONLY;
	}
	return found;
}

/* Does the workload look at names and never read a file? */
static bool
is_names_only(const struct plan *plan, const char *title)
{
	for (size_t i = 0; i < plan->workload_count; i++) {
		const struct workload_spec *spec = &plan->workloads[i];

		if (strcmp(spec->title, title) != 0)
			continue;
		for (size_t k = 0; k < spec->setting_count; k++)
			if (strcmp(spec->settings[k].key, "content") == 0 &&
			    spec->settings[k].value_count > 0 &&
			    strchr("fFnN0", spec->settings[k].values[0][0]) ==
				NULL &&
			    strcmp(spec->settings[k].values[0], "off") != 0)
				return false;
		return strcmp(spec->type, "traverse") == 0;
	}
	return false;
}

/* Did the devices of all its cells write nothing at all? */
static bool
wrote_nothing(const struct plan *plan, const char *filesystem,
    const struct results_table *table)
{
	size_t known = 0;

	for (size_t k = 0; k < table->companion_count; k++) {
		const struct companion *companion = &table->companions[k];

		if (strcmp(companion->metric, "device_writes") != 0)
			continue;
		for (size_t i = 0; i < table->series->cell_count; i++) {
			size_t cell =
			    plan_find_cell(plan, table->series->cells[i].key);

			if (cell == NO_CELL ||
			    !is_of(&plan->cells[cell], filesystem))
				continue;
			if (!(companion->values[i] <= 0))
				return false;
			known++;
		}
	}
	return known > 1;
}

static bool
is_first_of(const struct results_tables *tables, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(tables->items[i].series->workload,
			tables->items[at].series->workload) == 0)
			return false;
	return true;
}

static void
look_at_workloads(struct texts *texts, const struct plan *plan,
    const char *filesystem, enum finding found,
    const struct results_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++) {
		const char *workload = tables->items[i].series->workload;

		if (!is_first_of(tables, i))
			continue;
		if (found == FOUND_FILES_ONLY && is_names_only(plan, workload))
			say(texts,
			    arena_printf(texts->arena,
				"%s, %s: no cell wrote an atime: a folder's never moves here, and no file was read (content = true reads them)",
				filesystem, workload));
		else if (wrote_nothing(plan, filesystem, &tables->items[i]))
			say(texts,
			    arena_printf(texts->arena,
				"%s, %s: no cell wrote an atime: the device was not written to at all",
				filesystem, workload));
	}
}

static bool
is_new(const struct plan *plan, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (plan->cells[i].filesystem != NULL &&
		    strcmp(plan->cells[i].filesystem,
			plan->cells[at].filesystem) == 0)
			return false;
	return true;
}

size_t
atimes_unwritten(const struct plan *plan, const struct results_tables *tables,
    const char ***sentences, struct arena *arena)
{
	struct texts texts = { .arena = arena };

	for (size_t i = 0; i < plan->cell_count; i++) {
		const char *filesystem = plan->cells[i].filesystem;
		enum finding found;

		if (filesystem == NULL || !is_new(plan, i) ||
		    !has_factor(plan, filesystem, arena))
			continue;
		found = probes_find(plan, filesystem);
		if (found == FOUND_NONE)
			say(&texts,
			    arena_printf(arena,
				"%s: no cell wrote an atime when probed: what its options of access times seem to do has another cause",
				filesystem));
		else
			look_at_workloads(
			    &texts, plan, filesystem, found, tables);
	}
	*sentences = texts.items;
	return texts.count;
}
