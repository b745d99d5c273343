#include "fs/readback.h"

#include <string.h>

#include "base/units.h"
#include "fs/risks.h"
#include "system/system.h"

size_t
fs_readbacks(const struct driver *driver, const char *system,
    const char *version, const struct readback ***list, struct arena *arena)
{
	size_t total = 0, count = 0;

	while (driver->readbacks != NULL &&
	       driver->readbacks[total].command != NULL)
		total++;
	*list = arena_array(arena, total + 1, sizeof(void *));
	for (size_t i = 0; i < total; i++)
		if (system_matches(
			driver->readbacks[i].systems, system, version))
			(*list)[count++] = &driver->readbacks[i];
	return count;
}

/* The words of the kernel's report and of the readback commands. */
static void
add_reports(struct words *words, const struct driver *driver,
    const char *system, const char *version, const struct fs_sources *sources)
{
	const struct readback **list;
	size_t count =
	    fs_readbacks(driver, system, version, &list, words->arena);

	words_add_list(words, sources->report);
	for (size_t i = 0; i < count && i < sources->output_count; i++)
		if (sources->outputs[i] != NULL)
			words_add_list(
			    words, list[i]->parse(sources->outputs[i],
				       sources->mountpoint, words->arena));
}

static void
add_all(struct words *words, const struct driver *driver, const char *system,
    const char *version, const struct fs_sources *sources)
{
	words_add_list(words, sources->mount_options);
	words_add_list(words, sources->super_options);
	add_reports(words, driver, system, version, sources);
}

/* Is the word (or "!word") one that the row's readback mentions? */
static bool
row_mentions(const struct option *row, const char *word, struct arena *arena)
{
	struct words proof;
	size_t key = strcspn(word, "=");

	words_init(&proof, arena);
	words_add_list(&proof, row->readback);
	for (size_t i = 0; i < proof.count; i++) {
		const char *item =
		    proof.items[i] + (proof.items[i][0] == '!' ? 1 : 0);

		if (strncmp(item, word, key) == 0 &&
		    (item[key] == '=' || item[key] == '\0'))
			return true;
	}
	return false;
}

/* Does the word stand for an option that is not the default's own? */
static bool
deviates(const struct driver *driver, const char *word, const char *system,
    const char *version, struct arena *arena)
{
	const struct option *row;

	for (row = driver->options; row->token != NULL; row++)
		if (row->readback != NULL && strcmp(row->readback, word) == 0 &&
		    system_matches(row->systems, system, version))
			return !option_is_default(row);
	row = fs_option_find(driver, word, system, version, arena);
	return row != NULL && row->stage == STAGE_MOUNT &&
	       strchr(row->token, '=') == NULL && !option_is_default(row);
}

/* The words of the mount table that are options. */
static void
add_shown(struct words *shown, const struct driver *driver, const char *text)
{
	struct words all;

	words_init(&all, shown->arena);
	words_add_list(&all, text);
	for (size_t i = 0; i < all.count; i++)
		if (!option_list_has(driver->places, all.items[i]))
			words_add(shown, all.items[i]);
}

/* Sets cell->in_force. */
static void
describe(struct cell *cell, const struct driver *driver, const char *system,
    const char *version, const struct fs_sources *sources, struct arena *arena)
{
	struct words shown, reports;

	words_init(&shown, arena);
	words_init(&reports, arena);
	add_shown(&shown, driver, sources->mount_options);
	add_shown(&shown, driver, sources->super_options);
	add_reports(&reports, driver, system, version, sources);
	for (size_t i = 0; i < reports.count; i++) {
		const char *word = reports.items[i];
		bool wanted = deviates(driver, word, system, version, arena);

		for (size_t j = 0; j < cell->on_count && !wanted; j++)
			wanted = row_mentions(cell->on[j], word, arena);
		for (size_t j = 0; j < cell->off_count && !wanted; j++)
			wanted = option_list_has(cell->off[j]->readback, word);
		if (wanted)
			words_add(&shown, word);
	}
	cell->in_force = words_text(&shown);
}

/* Is the option void beside another one of the cell? */
static bool
is_void(const struct cell *cell, const struct option *row)
{
	for (size_t i = 0; i < cell->on_count; i++)
		if (cell->on[i] != row &&
		    option_list_has(cell->on[i]->voids, row->token))
			return true;
	return false;
}

/* Does the cell's other options bring this one in, so that it is on though
 * its own toggle is off? */
static bool
is_brought(const struct cell *cell, const struct option *row)
{
	for (size_t i = 0; i < cell->on_count; i++)
		if (option_list_has(cell->on[i]->implies, row->token))
			return true;
	return false;
}

/* Are the two "key=value" the same but for the spelling of a size ("64k",
 * "65536")? */
static bool
same_size(const char *a, const char *b)
{
	size_t key = strcspn(a, "=");
	int64_t first, second;
	struct error ignored = { 0 };

	return a[key] == '=' && strncmp(a, b, key + 1) == 0 &&
	       units_parse_size(a + key + 1, &first, &ignored) == 0 &&
	       units_parse_size(b + key + 1, &second, &ignored) == 0 &&
	       first == second;
}

/* Is the item among the words: as it is, as a beginning ("zstd*"), or as the
 * same size in other words? */
static bool
found(const struct words *words, const char *item)
{
	size_t length = strlen(item);
	bool beginning = length > 0 && item[length - 1] == '*';

	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->items[i];

		if (strcmp(word, item) == 0 || same_size(item, word) ||
		    (beginning && strncmp(word, item, length - 1) == 0))
			return true;
	}
	return false;
}

/* True when every word of the proof is as it says. */
static bool
is_proven(const struct option *row, const struct words *words)
{
	struct words proof;

	words_init(&proof, words->arena);
	words_add_list(&proof, row->readback);
	for (size_t i = 0; i < proof.count; i++) {
		const char *item = proof.items[i];
		bool absent = item[0] == '!';

		if (found(words, item + (absent ? 1 : 0)) == absent)
			return false;
	}
	return true;
}

static void
set_changed(struct cell *cell, const char *what, struct arena *arena)
{
	cell->status = CELL_CHANGED;
	cell->reason = arena_printf(arena, "%s; asked \"%s\", in force \"%s\"",
	    what, cell->asked == NULL ? "" : cell->asked, cell->in_force);
}

static bool
is_in_force_though_off(const struct cell *cell, const struct option *row,
    const struct words *words)
{
	/* the default's own behaviour is there unasked */
	if (row->readback == NULL || row->readback[0] == '!' ||
	    (option_is_default(row) && !cell_off_departs(cell, row)))
		return false;
	return is_proven(row, words) && !is_brought(cell, row);
}

/* The first difference between asked and in force, or NULL. */
static const char *
difference(
    const struct cell *cell, const struct words *words, struct arena *arena)
{
	struct words asked;

	words_init(&asked, arena);
	words_add_list(&asked, cell->asked);
	if (words_have(words, "ro") && !words_have(&asked, "ro"))
		return "mounted read-only";
	for (size_t i = 0; i < cell->on_count; i++) {
		const struct option *row = cell->on[i];

		if (row->readback == NULL || is_proven(row, words))
			continue;
		if (is_void(cell, row)) {
			if (cell->status == CELL_DUPLICATE)
				continue;
			return arena_printf(arena,
			    "%s is without effect beside the others",
			    row->token);
		}
		return arena_printf(arena, "%s is not in force", row->token);
	}
	for (size_t i = 0; i < cell->off_count; i++)
		if (is_in_force_though_off(cell, cell->off[i], words))
			return arena_printf(arena, "%s is in force though off",
			    cell->off[i]->token);
	return NULL;
}

static bool
is_on(const struct cell *cell, const struct option *row)
{
	for (size_t i = 0; i < cell->on_count; i++)
		if (strcmp(cell->on[i]->token, row->token) == 0)
			return true;
	return false;
}

/* Is it in force though nobody spoke of it, as a superblock's default or what
 * an existing filesystem was made with? */
static bool
is_there_unasked(const struct cell *cell, const struct option *row,
    const struct words *words)
{
	return row->summary != NULL && row->readback != NULL &&
	       row->readback[0] != '!' && strchr(row->readback, '*') == NULL &&
	       !option_is_default(row) && is_proven(row, words) &&
	       !is_on(cell, row) && !is_void(cell, row) &&
	       !is_brought(cell, row);
}

/* What the options that are on give up, all or those in force. */
static enum risk
risk_of_on(const struct cell *cell, const struct driver *driver,
    const struct words *words, bool all, struct risks *risks)
{
	risks_init(risks, driver);
	for (size_t i = 0; i < cell->on_count; i++) {
		const struct option *row = cell->on[i];

		if (is_void(cell, row))
			continue;
		/* a report may be missing, the mount table never */
		if (all || row->stage != STAGE_MOUNT || row->readback == NULL ||
		    is_proven(row, words))
			risks_add(risks, row);
	}
	return risks_together(risks);
}

/*
 * The risk of what is in force: soft updates that were there before drop
 * async in silence, and with it what it gives up; a superblock's nobarrier is
 * one, whoever asked.  Where the plan knew of a worse one than the tables do
 * (an option that only the matrix file declares), that stays.
 */
static enum risk
risk_in_force(const struct cell *cell, const struct driver *driver,
    const char *system, const char *version, const struct words *words)
{
	struct risks risks;

	if (cell->risk > risk_of_on(cell, driver, words, true, &risks))
		return cell->risk;
	(void)risk_of_on(cell, driver, words, false, &risks);
	for (const struct option *row = driver->options; row->token != NULL;
	     row++)
		/* of what nobody asked for, only what a crash would show */
		if (row->risk > RISK_FUNC &&
		    system_matches(row->systems, system, version) &&
		    is_there_unasked(cell, row, words))
			risks_add(&risks, row);
	return risks_together(&risks);
}

void
fs_compare(struct cell *cell, const struct driver *driver, const char *system,
    const char *version, const struct fs_sources *sources, struct arena *arena)
{
	struct words words;
	const char *what;

	words_init(&words, arena);
	add_all(&words, driver, system, version, sources);
	describe(cell, driver, system, version, sources, arena);
	what = difference(cell, &words, arena);
	if (cell->status != CELL_OK && cell->status != CELL_CHANGED &&
	    cell->status != CELL_DUPLICATE)
		return;
	if (sources->mount_options != NULL)
		cell->risk =
		    risk_in_force(cell, driver, system, version, &words);
	if (what == NULL && cell->status == CELL_CHANGED) {
		cell->status = CELL_OK;
		cell->reason = NULL;
	}
	if (what != NULL)
		set_changed(cell, what, arena);
}
