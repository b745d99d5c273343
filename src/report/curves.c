/* Series inside a trial: phases, stalls, comparison at equal size. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sections.h"

static char *
count_of(struct arena *arena, double value)
{
	return arena_printf(arena, "%.0f", value);
}

static char *
seconds(struct arena *arena, double value)
{
	return value < 10 ? arena_printf(arena, "%.3g s", value)
			  : arena_printf(arena, "%.0f s", value);
}

/* Which run a curve is of, where its cell has several: the block, or where
 * there are none its place among the cell's runs. */
static const char *
block_text(const struct section *section, size_t curve)
{
	const struct series_table *table = section->table->series;
	size_t place = 0, count = 0;

	for (size_t i = 0; i < table->curve_count; i++) {
		if (table->curves[i].cell != table->curves[curve].cell)
			continue;
		count++;
		place += i <= curve ? 1 : 0;
	}
	if (count < 2)
		return "";
	if (table->curves[curve].block > 0)
		place = (size_t)table->curves[curve].block;
	return arena_printf(section->document->arena, "%zu", place);
}

/* "hammer", "hammer, block 2" */
static const char *
curve_name(const struct section *section, const struct curve_series *series)
{
	const char *name = cell_name(section, series->cell);
	const char *block = block_text(section, series->curve);

	return block[0] == '\0' ? name
				: arena_printf(section->document->arena,
				      "%s, block %s", name, block);
}

static void
add_phases(const struct section *section)
{
	static const struct grid_column columns[] = {
		{ "cell", false, true, false },
		{ "block", true, false, false },
		{ "series", false, false, false },
		{ "from", true, false, false },
		{ "intervals", true, false, false },
		{ "mean", true, false, false },
		{ "median", true, false, false },
		{ "", false, false, false },
	};
	const struct ranking *ranking = section->ranking;
	struct arena *arena = section->document->arena;
	struct grid *grid;

	document_add(section->document, BLOCK_LABEL,
	    "Phases (counts per interval of %s, numbered from 1):",
	    seconds(arena, ranking->series[0].interval_s));
	grid = document_add_grid(section->document, columns, 8);
	for (size_t i = 0; i < ranking->phase_count; i++) {
		const struct curve_phase *phase = &ranking->phases[i];
		const char **cells = grid_add_row(section->document, grid);

		cells[0] = cell_name(section, phase->cell);
		cells[1] = block_text(section, phase->curve);
		cells[2] = phase->series;
		cells[3] = arena_printf(arena, "%zu", phase->start);
		cells[4] = arena_printf(arena, "%zu", phase->length);
		cells[5] = count_of(arena, phase->mean);
		cells[6] = count_of(arena, phase->median);
		cells[7] = phase->is_steady ? "steady" : "";
	}
}

static size_t
interval_count(
    const struct curve_phase *phases, const struct curve_series *series)
{
	size_t count = 0;

	for (size_t i = 0; i < series->phase_count; i++)
		count += phases[i].length;
	return count;
}

static void
say_series(const struct section *section, const struct curve_series *series)
{
	struct arena *arena = section->document->arena;
	const char *name = curve_name(section, series);
	const struct curve_phase *phases =
	    &section->ranking->phases[series->first_phase];

	if (series->phase_count > 1) {
		struct buffer text;

		buffer_init(&text);
		for (size_t i = 1; i < series->phase_count; i++)
			buffer_printf(&text, ", from %s on %s",
			    seconds(arena, phases[i].start_s),
			    count_of(arena, phases[i].mean));
		document_add(section->document, BLOCK_ITEM,
		    "%s: %s %s per interval%s%s", name, series->series,
		    count_of(arena, phases[0].mean), buffer_text(&text),
		    series->has_steady ? "" : "; no steady state");
		buffer_reset(&text);
	}
	if (series->role == CURVE_WRITE && series->stalled > 0)
		document_add(section->document, BLOCK_ITEM,
		    "%s: writes stalled in %zu of %zu intervals, first at %s,"
		    " longest %s",
		    name, series->stalled, interval_count(phases, series),
		    seconds(arena,
			(double)(series->first_stall - 1) * series->interval_s),
		    seconds(arena,
			(double)series->longest_stall * series->interval_s));
}

static void
say_equal_size(const struct section *section, const struct equal_size *equal)
{
	struct arena *arena = section->document->arena;
	const char *one = cell_name(section, equal->cell);
	const char *two = cell_name(section, equal->other);

	if (!equal->available) {
		document_add(section->document, BLOCK_ITEM,
		    "%s and %s never had data sets of the same size", one, two);
		return;
	}
	document_add(section->document, BLOCK_ITEM,
	    "at equal data-set size (%.0f to %.0f) %s has %.2f times the"
	    " %ss of %s, and reached %.0f in %s against %s; the totals say"
	    " %.2f",
	    equal->size_lo, equal->size_hi, one, equal->ratio, equal->series,
	    two, equal->size_hi, seconds(arena, equal->time_s),
	    seconds(arena, equal->other_time_s), equal->final_ratio);
}

void
section_curves(const struct section *section)
{
	const struct ranking *ranking = section->ranking;
	struct document *document = section->document;

	if (ranking->phase_count > 0)
		add_phases(section);
	for (size_t i = 0; i < ranking->series_count; i++)
		if (ranking->series[i].phase_count > 0)
			say_series(section, &ranking->series[i]);
	for (size_t i = 0; i < ranking->equal_size_count; i++)
		say_equal_size(section, &ranking->equal_sizes[i]);
	for (size_t i = 0; i < ranking->dominance_count; i++) {
		const struct curve_dominance *dominance =
		    &ranking->dominances[i];

		document_add(document, BLOCK_ITEM,
		    "%s beats %s at both%s: %.2f times its reads, %.2f times"
		    " its writes",
		    cell_name(section, dominance->cell),
		    cell_name(section, dominance->other),
		    dominance->is_proven ? "" : " (single runs, not proven)",
		    dominance->read_ratio, dominance->write_ratio);
	}
}
