#include "cli/differences.h"

#include <string.h>

#include "workload/workload.h"

/* The two sides, and where it is said. */
struct pair {
	struct sentences *sentences;
	struct arena *arena;
	const struct difference_side *a, *b;
};

void
sentences_add(struct sentences *list, const char *text)
{
	if (list->count == list->capacity)
		list->items = arena_grow(list->arena, list->items, list->count,
		    &list->capacity, sizeof *list->items);
	list->items[list->count++] = text;
}

static void
say(const struct pair *pair, const char *text)
{
	sentences_add(pair->sentences, text);
}

/* Facts that change by themselves, and the notes of an import. */
static bool
is_passing(const char *name)
{
	static const char *const names[] = { "boot_id", "uptime", "load",
		"load_at_end", "background", "noise", "swap" };

	if (strncmp(name, "note", 4) == 0)
		return true;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static const char *
value_in(const struct fact_list *facts, const char *name)
{
	const char *value = fact_list_get(facts, name);

	return value != NULL ? value : "unknown";
}

static void
say_fact(const struct pair *pair, const char *what, const char *name,
    const char *x, const char *y)
{
	if (strcmp(x, y) != 0)
		say(pair,
		    arena_printf(pair->arena,
			"the %s differ in %s: '%s' in %s, '%s' in %s", what,
			name, x, pair->a->label, y, pair->b->label));
}

/* Programs that both sides ran: one that only one of them needed says nothing
 * of the cells they share. */
static void
compare_tools(const struct pair *pair, const struct fact_list *x,
    const struct fact_list *y)
{
	for (size_t i = 0; i < x->count; i++) {
		const char *other = fact_list_get(y, x->items[i].name);

		if (other != NULL)
			say_fact(pair, "tools", x->items[i].name,
			    x->items[i].value, other);
	}
}

/* Facts of either side, each once.  Where one side has none at all (figures
 * measured by others), nothing can be said to differ. */
static void
compare_hosts(const struct pair *pair, const struct fact_list *x,
    const struct fact_list *y)
{
	for (size_t i = 0; i < x->count && y->count > 0; i++)
		if (!is_passing(x->items[i].name))
			say_fact(pair, "hosts", x->items[i].name,
			    x->items[i].value, value_in(y, x->items[i].name));
	for (size_t i = 0; i < y->count && x->count > 0; i++)
		if (!is_passing(y->items[i].name) &&
		    fact_list_get(x, y->items[i].name) == NULL)
			say_fact(pair, "hosts", y->items[i].name, "unknown",
			    y->items[i].value);
}

void
differences_of_sessions(struct sentences *sentences,
    const struct difference_side *a, const struct difference_side *b)
{
	const struct pair pair = { sentences, sentences->arena, a, b };
	const struct session *x = a->session;
	const struct session *y = b->session;

	if (x == NULL || y == NULL)
		return;
	compare_hosts(&pair, &x->host, &y->host);
	compare_tools(&pair, &x->tools, &y->tools);
	say_fact(
	    &pair, "programs that measured", "version", x->program, y->program);
}

static void
compare_targets(const struct pair *pair)
{
	const struct plan *a = pair->a->plan;
	const struct plan *b = pair->b->plan;

	for (size_t i = 0; i < a->target_count; i++) {
		const struct target *x = &a->targets[i];
		const struct target *y = plan_target(b, x->title);

		if (y != NULL &&
		    (x->kind != y->kind || x->size_bytes != y->size_bytes ||
			x->sector_size != y->sector_size))
			say(pair,
			    arena_printf(pair->arena,
				"the target '%s' is of another kind or size in %s "
				"than in %s",
				x->title, pair->a->label, pair->b->label));
	}
}

/* Index of the tree, or SIZE_MAX. */
static size_t
tree_index(const struct plan *plan, const char *title)
{
	for (size_t i = 0; title != NULL && i < plan->tree_count; i++)
		if (strcmp(plan->trees[i].title, title) == 0)
			return i;
	return SIZE_MAX;
}

static bool
has_same_tree(const struct plan *a, const struct workload_spec *x,
    const struct plan *b, const struct workload_spec *y)
{
	size_t i = tree_index(a, x->tree);
	size_t j = tree_index(b, y->tree);

	if (i == SIZE_MAX || j == SIZE_MAX)
		return i == j;
	return a->tree_facts[i].digest == b->tree_facts[j].digest &&
	       a->trees[i].copies == b->trees[j].copies;
}

/* As they are written: of imported figures no more is known. */
static bool
has_same_words(const struct workload_spec *a, const struct workload_spec *b)
{
	if (a->setting_count != b->setting_count)
		return false;
	for (size_t i = 0; i < a->setting_count; i++) {
		const struct setting *x = &a->settings[i];
		const struct setting *y = &b->settings[i];

		if (strcmp(x->key, y->key) != 0 ||
		    x->value_count != y->value_count)
			return false;
		for (size_t j = 0; j < x->value_count; j++)
			if (strcmp(x->values[j], y->values[j]) != 0)
				return false;
	}
	return true;
}

static bool
has_same_settings(const struct workload_spec *a, const struct workload_spec *b,
    struct arena *arena)
{
	const struct workload *type = workload_find(a->type);
	struct workload_keys *x, *y;
	struct error ignored = { 0 };

	if (strcmp(a->type, b->type) != 0 || a->charge != b->charge ||
	    a->memory_limit_bytes != b->memory_limit_bytes)
		return false;
	if (type == NULL ||
	    workload_bind(type, a->settings, a->setting_count, arena, &x,
		&ignored) == -1 ||
	    workload_bind(
		type, b->settings, b->setting_count, arena, &y, &ignored) == -1)
		return has_same_words(a, b);
	return workload_keys_equal(x, y);
}

static void
compare_workloads(const struct pair *pair)
{
	const struct plan *a = pair->a->plan;
	const struct plan *b = pair->b->plan;

	for (size_t i = 0; i < a->workload_count; i++)
		for (size_t j = 0; j < b->workload_count; j++) {
			const struct workload_spec *x = &a->workloads[i];
			const struct workload_spec *y = &b->workloads[j];

			if (strcmp(x->title, y->title) != 0)
				continue;
			if (!has_same_settings(x, y, pair->arena))
				say(pair,
				    arena_printf(pair->arena,
					"workload '%s' was set otherwise in %s "
					"than in %s",
					x->title, pair->a->label,
					pair->b->label));
			if (!has_same_tree(a, x, b, y))
				say(pair,
				    arena_printf(pair->arena,
					"the tree of workload '%s' is not the "
					"same in %s and %s",
					x->title, pair->a->label,
					pair->b->label));
		}
}

static void
compare_cells(const struct pair *pair)
{
	const struct plan *a = pair->a->plan;
	const struct plan *b = pair->b->plan;

	for (size_t i = 0; i < a->cell_count; i++) {
		const struct cell *x = &a->cells[i];
		size_t found = plan_find_cell(b, x->key);
		const char *in_force;

		if (found == NO_CELL || x->in_force == NULL)
			continue;
		in_force = b->cells[found].in_force;
		if (in_force != NULL && strcmp(x->in_force, in_force) != 0)
			say(pair,
			    arena_printf(pair->arena,
				"cell '%s' had other options in force: '%s' in "
				"%s, '%s' in %s",
				x->key, x->in_force, pair->a->label, in_force,
				pair->b->label));
	}
}

void
differences_of_plans(struct sentences *sentences,
    const struct difference_side *a, const struct difference_side *b)
{
	const struct pair pair = { sentences, sentences->arena, a, b };

	compare_targets(&pair);
	compare_workloads(&pair);
	compare_cells(&pair);
}
