/* The second table: what stands beside the rank and is not ranked. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

enum { BESIDE_MOST = 9 };

/* Is it this figure, of the same size in a sweep ("latency@4K" of
 * "iops@4K")? */
static bool
is_companion(
    const struct companion *companion, const char *wanted, const char *suffix)
{
	size_t length = strlen(wanted);

	return strncmp(companion->metric, wanted, length) == 0 &&
	       strcmp(companion->metric + length, suffix) == 0;
}

/* What is worth a place beside the rank, most wanted first. */
static size_t
choose_companions(
    const struct section *section, const struct companion **chosen)
{
	static const char *const wanted[] = { "flush", "throughput",
		"bandwidth", "latency_min", "latency", "latency_avg",
		"latency_95", "latency_p95", "latency_max", "device_writes",
		"cpu", "device_flushes" };
	const struct results_table *table = section->table;
	const char *suffix = strchr(table->series->metric, '@');
	size_t count = 0;

	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
		for (size_t j = 0; j < table->companion_count; j++) {
			bool is_device = i == 0 || i > 8;

			if (count < BESIDE_MOST &&
			    is_companion(&table->companions[j], wanted[i],
				suffix == NULL || is_device ? "" : suffix))
				chosen[count++] = &table->companions[j];
		}
	return count;
}

/* "flush s", "writes", "latency ms": the size of a sweep is in the heading,
 * that a device wrote is clear. */
static char *
companion_head(struct arena *arena, const struct companion *companion)
{
	const char *prefix = "device_";
	const char *from = companion->metric;
	char *name;

	if (strncmp(from, prefix, strlen(prefix)) == 0)
		from += strlen(prefix);
	name = arena_strndup(arena, from, strcspn(from, "@"));
	for (char *at = name; *at != '\0'; at++)
		if (*at == '_')
			*at = ' ';
	if (companion->unit[0] == '\0')
		return name;
	return arena_printf(arena, "%s %s", name, companion->unit);
}

/* Three digits of the smallest value; counts are whole. */
static int
companion_decimals(
    const struct section *section, const struct companion *companion)
{
	double smallest = NAN;
	bool is_whole = true;
	int decimals;

	for (size_t i = 0; i < section->table->series->cell_count; i++) {
		double value = companion->values[i];

		if (isnan(value))
			continue;
		is_whole = is_whole && value == floor(value);
		if (value > 0 && !(value >= smallest))
			smallest = value;
	}
	decimals = value_decimals(smallest) - 1;
	return is_whole || decimals < 0 ? 0 : decimals;
}

static char *
companion_text(const struct section *section, const struct companion *companion,
    size_t cell)
{
	return value_text(section->document->arena, companion->values[cell],
	    companion_decimals(section, companion));
}

static bool
has_baseline(const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->row_count; i++)
		if (!isnan(ranking->rows[i].baseline_pct) &&
		    ranking->rows[i].baseline_pct != 0)
			return true;
	return false;
}

static const char *
spread_text(const struct section *section, const struct ranking_row *row)
{
	struct arena *arena = section->document->arena;

	if (row->runs < 2)
		return "";
	return arena_printf(arena, "%s-%s",
	    value_text(arena, row->minimum, section->decimals),
	    value_text(arena, row->maximum, section->decimals));
}

/* "+16.7..+32.6 %": how much slower than the best, for sure. */
static const char *
slower_text(const struct section *section, const struct ranking_row *row)
{
	if (isnan(row->slower_lo) || row->slower_pct == 0)
		return "";
	return percent_range(
	    section->document->arena, row->slower_lo, row->slower_hi);
}

/* The cell of the plan, which has what the probes found. */
static const struct cell *
planned_cell(const struct section *section, size_t cell)
{
	size_t index = plan_find_cell(
	    section->input->plan, section->table->series->cells[cell].key);

	return index == NO_CELL ? NULL : &section->input->plan->cells[index];
}

/* Fast because fsync does not reach the medium?  Named beside the rank. */
static const char *
durability_text(const struct section *section, size_t cell)
{
	const struct cell *planned = planned_cell(section, cell);
	struct arena *arena = section->document->arena;
	static const char kept[] = "kept ", files[] = " files";
	const char *probe, *end;
	size_t digits;

	if (planned == NULL || planned->durability_probe == NULL)
		return "";
	probe = planned->durability_probe;
	/* "kept 5 of 5 files at a power cut, 1.0 writes per fsync, ..." */
	end = strstr(probe, files);
	if (strncmp(probe, kept, sizeof kept - 1) == 0 && end != NULL) {
		probe += sizeof kept - 1;
		return arena_strndup(arena, probe, (size_t)(end - probe));
	}
	/* "2.0 flushes, 3.0 writes per fsync": the first is what counts; where
	 * no flush is counted, the writes come first and are marked */
	digits = strspn(probe, "0123456789.");
	if (digits == 0)
		return probe;
	return arena_printf(arena, "%.*s%s", (int)digits, probe,
	    strncmp(probe + digits, " writes", strlen(" writes")) == 0 ? "w"
								       : "");
}

/* What the figures below "fsync" are, in this table. */
static void
explain_durability(const struct section *section)
{
	bool has_flushes = false, has_writes = false, has_kept = false;

	for (size_t i = 0; i < section->ranking->row_count; i++) {
		const char *text =
		    durability_text(section, section->ranking->rows[i].cell);
		size_t digits = strspn(text, "0123456789.");

		if (strstr(text, " of ") != NULL)
			has_kept = true;
		else if (digits > 0 && text[digits] == 'w')
			has_writes = true;
		else if (digits > 0)
			has_flushes = true;
	}
	if (has_flushes)
		document_add(section->document, BLOCK_ITEM,
		    "fsync: device flushes that one fsync causes; 0 is"
		    " not durable");
	if (has_writes)
		document_add(section->document, BLOCK_ITEM,
		    "fsync: device writes (w) that one fsync causes, which"
		    " prove no durability; flushes are not counted here");
	if (has_kept)
		document_add(section->document, BLOCK_ITEM,
		    "fsync: how many of 5 fsynced files power cuts left in"
		    " tests of such cells");
}

static void
fill_beside(const struct section *section, const struct ranking_row *row,
    const struct companion *const *chosen, size_t count, bool with_baseline,
    const char **cells)
{
	struct arena *arena = section->document->arena;
	size_t at = 0;

	cells[at++] = cell_name(section, row->cell);
	if (with_baseline)
		cells[at++] = row->marks & MARK_BASELINE
				  ? "baseline"
				  : percent_text(arena, row->baseline_pct);
	cells[at++] = spread_text(section, row);
	cells[at++] = durability_text(section, row->cell);
	for (size_t i = 0; i < count; i++)
		cells[at++] = companion_text(section, chosen[i], row->cell);
	cells[at] = slower_text(section, row);
}

void
section_beside(const struct section *section)
{
	struct arena *arena = section->document->arena;
	const struct companion *chosen[BESIDE_MOST];
	size_t count = choose_companions(section, chosen), at = 0;
	bool with_baseline = has_baseline(section->ranking);
	struct grid_column *columns;
	struct grid *grid;

	if (rows_in_ranking(section->ranking) == 0 ||
	    (section->ranking->is_single_runs && count == 0))
		return;
	columns = arena_array(arena, BESIDE_MOST + 5, sizeof *columns);
	columns[at++] = (struct grid_column){ "options", false, true, false };
	if (with_baseline)
		columns[at++] = (struct grid_column){
			section->table->series->better == HIGHER_IS_BETTER
			    ? "slower than base"
			    : "vs base",
			true, false, false
		};
	columns[at++] =
	    (struct grid_column){ "lowest-highest", true, false, false };
	columns[at++] = (struct grid_column){ "fsync", true, false, false };
	for (size_t i = 0; i < count; i++)
		columns[at++] =
		    (struct grid_column){ companion_head(arena, chosen[i]),
			    true, false, i > 0 };
	columns[at++] =
	    (struct grid_column){ "slower, 95 %", true, false, true };
	grid = document_add_grid(section->document, columns, at);
	for (size_t i = 0; i < section->ranking->row_count; i++)
		if (is_in_ranking(&section->ranking->rows[i]))
			fill_beside(section, &section->ranking->rows[i], chosen,
			    count, with_baseline,
			    grid_add_row(section->document, grid));
	explain_durability(section);
	for (size_t i = 0; i < count && !section->input->is_imported; i++)
		if (strcmp(chosen[i]->metric, "device_writes") == 0)
			document_add(section->document, BLOCK_ITEM,
			    "writes: to the device, while measured and"
			    " flushed");
}
