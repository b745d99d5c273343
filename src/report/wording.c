#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "report/sections.h"

enum { MOST_DECIMALS = 7 };

static const double MARGIN_IN_PERCENT = 50;

char *
percent_text(struct arena *arena, double percent)
{
	int decimals = fabs(percent) < 999.95 ? 1 : 0;

	if (isnan(percent))
		return arena_strdup(arena, "-");
	if (isinf(percent))
		return arena_strdup(arena, percent > 0 ? "+inf" : "-inf");
	/* no "-0.0" */
	if (fabs(percent) < 0.05)
		percent = 0;
	return arena_printf(
	    arena, percent == 0 ? "%.*f %%" : "%+.*f %%", decimals, percent);
}

char *
percent_range(struct arena *arena, double low, double high)
{
	const char *from = percent_text(arena, low);

	return arena_printf(arena, "%.*s..%s", (int)strcspn(from, " "), from,
	    percent_text(arena, high));
}

char *
percent_size(struct arena *arena, double percent)
{
	double size = fabs(percent);

	if (isnan(percent))
		return arena_strdup(arena, "-");
	/* a noise of 0.04 % is not none */
	if (size > 0 && size < 0.05)
		return arena_printf(arena, "%.2g %%", size);
	return arena_printf(arena, "%.*f %%", size < 999.95 ? 1 : 0, size);
}

bool
is_factor_margin(double percent)
{
	return percent >= MARGIN_IN_PERCENT;
}

char *
margin_words(struct arena *arena, double percent)
{
	return arena_printf(arena, "%s%s",
	    is_factor_margin(percent) ? "" : "+-", margin_size(arena, percent));
}

char *
margin_size(struct arena *arena, double percent)
{
	double factor = 1 + percent / 100;

	if (!is_factor_margin(percent))
		return percent_size(arena, percent);
	return arena_printf(arena, "x/ %.*f", factor < 9.95 ? 1 : 0, factor);
}

char *
value_text(struct arena *arena, double value, int decimals)
{
	if (isnan(value))
		return arena_strdup(arena, "-");
	/* too large or too small for places behind the point */
	if (fabs(value) >= 1e12 ||
	    (value != 0 && fabs(value) < 100 * pow(10, -MOST_DECIMALS)))
		return arena_printf(arena, "%.4g", value);
	return arena_printf(arena, "%.*f", decimals, value);
}

int
value_decimals(double smallest)
{
	double size = fabs(smallest);
	int decimals;

	if (!isfinite(size) || size == 0)
		return 1;
	decimals = 3 - (int)floor(log10(size));
	return decimals < 0               ? 0
	       : decimals > MOST_DECIMALS ? MOST_DECIMALS
					  : decimals;
}

char *
place_text(struct arena *arena, int place, bool is_tied)
{
	if (place == 0)
		return arena_strdup(arena, "-");
	return arena_printf(arena, "%d%s", place, is_tied ? "=" : "");
}

char *
range_text(struct arena *arena, int low, int high)
{
	if (low == 0)
		return arena_strdup(arena, "");
	if (low == high)
		return arena_printf(arena, "%d", low);
	return arena_printf(arena, "%d-%d", low, high);
}

char *
day_text(struct arena *arena, int64_t wall_ns)
{
	char *text;

	if (wall_ns <= 1000000000)
		return arena_strdup(arena, "");
	text = clock_iso8601(arena, wall_ns);
	if (strlen(text) < 17)
		return text;
	return arena_printf(arena, "%.10s %.5s UTC", text, text + 11);
}

const char *
cell_name(const struct section *section, size_t cell)
{
	const struct series_cell *known = &section->table->series->cells[cell];

	return section->is_one_family ? known->title : known->key;
}
