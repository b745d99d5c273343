/* What each option does on average, and where options interact, in words. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

/* "noatime x su" */
static char *
effect_name(struct arena *arena, const struct effect *effect)
{
	struct buffer name;
	char *copy;

	buffer_init(&name);
	for (size_t i = 0; i < effect->option_count; i++)
		buffer_printf(
		    &name, "%s%s", i > 0 ? " x " : "", effect->options[i]);
	copy = arena_strdup(arena, buffer_text(&name));
	buffer_reset(&name);
	return copy;
}

/* "saves 26.5 %" or "costs 1.2 %" */
static char *
saving_text(struct arena *arena, double percent)
{
	return arena_printf(arena, "%s %s", percent < 0 ? "saves" : "costs",
	    percent_size(arena, percent));
}

static bool
is_told(const struct effect *effect)
{
	return effect->estimable && effect->significant;
}

/* "noatime saves 27.1 % without su, 26.4 % with su" */
static void
say_contexts(const struct section *section, const struct effect *effect)
{
	struct arena *arena = section->document->arena;
	struct buffer text;

	buffer_init(&text);
	for (size_t i = 0; i < effect->context_count; i++) {
		const struct effect_context *context = &effect->contexts[i];
		bool same_sign = i > 0 && (context->pct < 0) ==
					      (effect->contexts[i - 1].pct < 0);

		buffer_printf(&text, "%s%s %s", i > 0 ? "; " : "",
		    same_sign ? percent_size(arena, context->pct)
			      : saving_text(arena, context->pct),
		    context->given);
	}
	if (effect->option_count == 2)
		document_add(section->document, BLOCK_ITEM,
		    "%s and %s do not act alone: %s %s", effect->options[0],
		    effect->options[1], effect->options[0], buffer_text(&text));
	else
		document_add(section->document, BLOCK_ITEM, "%s %s",
		    effect->options[0], buffer_text(&text));
	buffer_reset(&text);
}

static void
say_effect(const struct section *section, const struct effect *effect)
{
	struct arena *arena = section->document->arena;

	if (effect->option_count == 1)
		document_add(section->document, BLOCK_ITEM,
		    "%s %s on average (%s to %s)%s", effect->name,
		    saving_text(arena, effect->pct),
		    percent_text(arena, effect->ci_lo),
		    percent_text(arena, effect->ci_hi),
		    effect->assumes_no_interaction
			? ", assuming that it acts alone"
			: "");
	else if (effect->context_count == 0)
		document_add(section->document, BLOCK_ITEM, "%s interact: %s",
		    effect_name(arena, effect),
		    percent_text(arena, effect->pct));
	if (effect->context_count > 1 && effect->context_count <= 8)
		say_contexts(section, effect);
}

/* Names of effects of which nothing can be said. */
static void
say_missing(
    const struct section *section, const struct ranking_effects *effects)
{
	struct buffer names;

	buffer_init(&names);
	for (size_t i = 0; i < effects->effect_count; i++)
		if (!effects->effects[i].estimable)
			buffer_printf(&names, "%s%s",
			    names.length > 0 ? ", " : "",
			    effect_name(section->document->arena,
				&effects->effects[i]));
	if (names.length > 0)
		document_add(section->document, BLOCK_ITEM,
		    "not estimable (these combinations do not exist): %s",
		    buffer_text(&names));
	buffer_reset(&names);
}

/* More effects than these are mains, pairs, and what is told from noise. */
enum { MANY_EFFECTS = 15 };

static bool
is_left_out(const struct ranking_effects *effects, const struct effect *effect)
{
	return effects->effect_count > MANY_EFFECTS &&
	       effect->option_count > 2 && !effect->significant &&
	       !effect->suspected;
}

static void
add_effect_table(
    const struct section *section, const struct ranking_effects *effects)
{
	static const struct grid_column columns[] = {
		{ "option", false, true, false },
		{ "effect", true, false, false },
		{ "from", true, false, false },
		{ "to", true, false, false },
		{ "", false, false, false },
	};
	struct arena *arena = section->document->arena;
	struct grid *grid = document_add_grid(section->document, columns, 5);
	size_t left_out = 0;

	for (size_t i = 0; i < effects->effect_count; i++) {
		const struct effect *effect = &effects->effects[i];
		const char **cells;

		if (!effect->estimable)
			continue;
		if (is_left_out(effects, effect)) {
			left_out++;
			continue;
		}
		cells = grid_add_row(section->document, grid);
		cells[0] = effect_name(arena, effect);
		cells[1] = percent_text(arena, effect->pct);
		cells[2] = isnan(effect->ci_lo)
			       ? ""
			       : percent_text(arena, effect->ci_lo);
		cells[3] = isnan(effect->ci_hi)
			       ? ""
			       : percent_text(arena, effect->ci_hi);
		cells[4] = effect->significant ? "*"
			   : effect->suspected ? "?"
					       : "";
	}
	if (left_out > 0)
		document_add(section->document, BLOCK_ITEM,
		    "and %zu effects of three and more options, none of them"
		    " told from noise",
		    left_out);
}

/* "any": something is marked in the table above. */
static void
say_method(const struct section *section, const struct ranking_effects *effects,
    bool any)
{
	struct document *document = section->document;
	struct arena *arena = document->arena;

	if (effects->lenth != NULL)
		document_add(document, BLOCK_PARAGRAPH,
		    "One run of each combination: by Lenth's method an effect"
		    " must exceed %s to stand out among all of them (*), %s if"
		    " it was the only one asked about (?).",
		    percent_size(arena, effects->lenth->margin_all_pct),
		    percent_size(arena, effects->lenth->margin_one_pct));
	if (effects->lenth != NULL && isfinite(effects->lenth->rest_pair_pct))
		document_add(document, BLOCK_ITEM,
		    "taking the other effects as the noise of a run (%s), two"
		    " single runs must differ by %s, any two of all by %s",
		    percent_size(arena, effects->lenth->rest_cv_pct),
		    percent_size(arena, effects->lenth->rest_pair_pct),
		    percent_size(arena, effects->lenth->rest_any_pair_pct));
	if (effects->lenth != NULL)
		return;
	if (effects->method == EFFECTS_POOLED)
		document_add(document, BLOCK_PARAGRAPH,
		    "One run of each combination: effects of three and more"
		    " options serve as noise. * marks what is told from it"
		    " (Holm, 5 %%); intervals are 95 %% each.");
	else
		document_add(document, BLOCK_PARAGRAPH,
		    "%s (Holm over all of them, 5 %%); intervals are 95 %%"
		    " each%s.",
		    any ? "* marks what is told from noise"
			: "None of them is told from noise",
		    isfinite(effects->half_width_pct)
			? arena_printf(arena, ", %s",
			      margin_words(arena, effects->half_width_pct))
			: "");
}

/* "data x noatime" */
static char *
test_name(struct arena *arena, const struct factor_test *test)
{
	struct buffer name;
	char *copy;

	buffer_init(&name);
	for (const char *c = test->factor; *c != '\0'; c++)
		if (*c == ':')
			buffer_puts(&name, " x ");
		else
			buffer_putc(&name, *c);
	copy = arena_strdup(arena, buffer_text(&name));
	buffer_reset(&name);
	return copy;
}

/* Levels with their range among the levels, and their distance to the best. */
static void
say_levels(const struct section *section, const struct factor_test *test)
{
	struct arena *arena = section->document->arena;
	struct buffer text;

	const char *name = test_name(arena, test);

	if (!test->estimable) {
		document_add(section->document, BLOCK_ITEM,
		    "%s: not estimable (these combinations do not exist)",
		    name);
		return;
	}
	buffer_init(&text);
	for (size_t i = 0; i < test->level_count; i++) {
		const struct factor_level *level = &test->levels[i];

		buffer_printf(&text, "%s%s %s", i > 0 ? ", " : "", level->level,
		    level->pct == 0 ? "best" : percent_text(arena, level->pct));
		if (level->pct == 0)
			buffer_printf(&text, " (%s)",
			    range_text(arena, level->rank_lo, level->rank_hi));
		else
			buffer_printf(&text, " (%s; %s)",
			    range_text(arena, level->rank_lo, level->rank_hi),
			    percent_range(arena, level->pct_lo, level->pct_hi));
	}
	if (test->level_count == 0) /* options together have no levels */
		document_add(section->document, BLOCK_ITEM, "%s: %s", name,
		    test->significant ? "they do not act alone"
				      : "not told from noise");
	else
		document_add(section->document, BLOCK_ITEM, "%s%s: %s", name,
		    test->significant ? "" : " (its levels are not told apart)",
		    buffer_text(&text));
	buffer_reset(&text);
}

static void
add_by_options(
    const struct section *section, const struct ranking_effects *effects)
{
	static const struct grid_column columns[] = {
		{ "place", false, false, false },
		{ "range", false, false, false },
		{ "options", false, true, false },
		{ "predicted", true, false, false },
		{ "slower by", true, false, false },
	};
	const struct by_options *by = &effects->by_options;
	struct arena *arena = section->document->arena;
	struct grid *grid;

	if (!by->available) {
		if (by->reason != NULL && by->reason[0] != '\0')
			document_add(section->document, BLOCK_ITEM,
			    "no table by options: %s", by->reason);
		return;
	}
	document_add(section->document, BLOCK_LABEL,
	    "By options alone (sharper, but it assumes that options do"
	    " nothing together beyond what is marked above):");
	grid = document_add_grid(section->document, columns, 5);
	for (size_t i = 0; i < by->row_count; i++) {
		const struct by_options_row *row = &by->rows[i];
		const char **cells = grid_add_row(section->document, grid);

		cells[0] = place_text(arena, row->place, row->tied);
		cells[1] = range_text(arena, row->rank_lo, row->rank_hi);
		cells[2] = cell_name(section, row->cell);
		cells[3] = value_text(arena, row->estimate, section->decimals);
		cells[4] = row->slower_pct == 0
			       ? "-"
			       : percent_text(arena, row->slower_pct);
	}
}

/* Each effect that is told from noise; false when there is none, neither of
 * these nor of an axis of several levels. */
static bool
say_effects(
    const struct section *section, const struct ranking_effects *effects)
{
	struct arena *arena = section->document->arena;
	bool any = false;

	for (size_t i = 0; i < effects->factor_test_count; i++)
		any = any || effects->factor_tests[i].significant;
	for (size_t i = 0; i < effects->effect_count; i++)
		if (is_told(&effects->effects[i])) {
			say_effect(section, &effects->effects[i]);
			any = true;
		}
	if (!any && effects->effect_count > 0)
		document_add(section->document, BLOCK_ITEM,
		    "nothing that can be told from noise%s",
		    isfinite(effects->half_width_pct)
			? arena_printf(arena, " (an effect is known to %s)",
			      margin_words(arena, effects->half_width_pct))
			: "");
	return any;
}

/* " of ext4" where there are others. */
static const char *
of_family(const struct section *section, const struct ranking_effects *effects)
{
	return section->is_one_family ? ""
				      : arena_printf(section->document->arena,
					    " of %s", effects->family);
}

static void
add_family(const struct section *section, const struct ranking_effects *effects)
{
	struct document *document = section->document;
	bool is_rate = section->table->series->better == HIGHER_IS_BETTER;
	bool any;

	if (effects->method == EFFECTS_NONE) {
		if (effects->reason != NULL && effects->reason[0] != '\0' &&
		    effects->factor_count > 0)
			document_add(document, BLOCK_PARAGRAPH,
			    "Option effects%s: none given, %s.",
			    of_family(section, effects), effects->reason);
		return;
	}
	document_add(document, BLOCK_LABEL,
	    "What the options%s do%s:", of_family(section, effects),
	    is_rate ? " to the time that each unit of work takes" : "");
	any = say_effects(section, effects);
	for (size_t i = 0; i < effects->factor_test_count; i++)
		say_levels(section, &effects->factor_tests[i]);
	say_missing(section, effects);
	/* axes of several levels alone leave the table without a row */
	if (effects->effect_count > 0) {
		add_effect_table(section, effects);
		say_method(section, effects, any);
	}
	if (any)
		add_by_options(section, effects);
}

/* With one axis and no more the levels are the cells: the ranking says it
 * all. */
static bool
is_ranking_again(
    const struct section *section, const struct ranking_effects *effects)
{
	const struct series_table *series = section->table->series;

	if (effects->factor_count != 1)
		return false;
	for (size_t i = 0; i < series->cell_count; i++)
		if (strcmp(series->cells[i].family, effects->family) == 0 &&
		    series->cells[i].factor_count == 1)
			return !series->cells[i].factors[0].is_toggle;
	return false;
}

void
section_effects(const struct section *section)
{
	for (size_t i = 0; i < section->ranking->effects_count; i++) {
		const struct ranking_effects *effects =
		    &section->ranking->effects[i];

		if (!is_ranking_again(section, effects))
			add_family(section, effects);
		else if (!section->is_one_family)
			document_add(section->document, BLOCK_PARAGRAPH,
			    "Option effects%s: the ranking itself, since %s is"
			    " its only axis.",
			    of_family(section, effects), effects->factors[0]);
	}
}
