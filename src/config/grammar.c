#include "config/grammar.h"

#include <string.h>

#include "base/suggest.h"
#include "workload/workload.h"

enum { MOST_NAMES = 256 };

static const struct grammar target[] = {
	{ .name = "image" },
	{ .name = "device" },
	{ .name = "directory" },
	{ .name = "memory" },
	{ .name = "mountpoint" },
	{ .name = "remount" },
	{ .name = "size" },
	{ .name = "serial" },
	{ .name = "overwrite" },
	{ .name = "devices" },
	{ .name = "sector_size" },
	{ .name = NULL },
};

static const struct grammar axis[] = {
	{ .name = "levels" },
	{ .name = NULL },
};

static const struct grammar option[] = {
	{ .name = "stage" },
	{ .name = "on" },
	{ .name = "off" },
	{ .name = "group" },
	{ .name = "conflicts" },
	{ .name = "implies" },
	{ .name = "voids" },
	{ .name = "readback" },
	{ .name = "effect" },
	{ .name = "risk" },
	{ .name = "summary" },
	{ .name = NULL },
};

static const struct grammar filesystem[] = {
	{ .name = "driver" },
	{ .name = "target" },
	{ .name = "make" },
	{ .name = "mount" },
	{ .name = "unmount" },
	{ .name = "check" },
	{ .name = "toggle" },
	{ .name = "skip" },
	{ .name = "only" },
	{ .name = "axis", .inside = axis },
	{ .name = "option", .inside = option },
	{ .name = NULL },
};

static const struct grammar tree[] = {
	{ .name = "archive" },
	{ .name = "copies" },
	{ .name = "age" },
	{ .name = NULL },
};

static const struct grammar metric[] = {
	{ .name = "pattern" },
	{ .name = "unit" },
	{ .name = "better" },
	{ .name = NULL },
};

const char *const grammar_workload_keys[] = { "type", "tree", "timeout",
	"memory_limit", "metric", "charge", NULL };

static const struct grammar top[] = {
	{ .name = "title" },
	{ .name = "rounds" },
	{ .name = "budget" },
	{ .name = "seed" },
	{ .name = "baseline" },
	{ .name = "memory_limit" },
	{ .name = "target", .inside = target },
	{ .name = "filesystem", .inside = filesystem },
	{ .name = "tree", .inside = tree },
	{ .name = NULL },
};

const struct grammar *
grammar_find(const struct grammar *table, const char *name, bool is_section)
{
	for (; table->name != NULL; table++)
		if ((table->inside != NULL) == is_section &&
		    strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

const char *
grammar_nearest(const struct grammar *table, const char *name)
{
	const char *names[MOST_NAMES];
	size_t count = 0;

	for (; table->name != NULL && count < MOST_NAMES; table++)
		names[count++] = table->name;
	return suggest_nearest(name, names, count);
}

/* The section "workload": its own keys, and those of every workload once. */
static const struct grammar *
make_workload(struct arena *arena)
{
	const struct workload *const *workloads = workload_list();
	struct grammar *rows;
	size_t most = 8, count = 0;

	for (size_t i = 0; workloads[i] != NULL; i++)
		for (size_t k = 0; workloads[i]->keys != NULL &&
				   workloads[i]->keys[k].name != NULL;
		     k++)
			most++;
	rows = arena_array(arena, most, sizeof *rows);
	for (size_t i = 0; grammar_workload_keys[i] != NULL; i++)
		rows[count++].name = grammar_workload_keys[i];
	rows[count++] = (struct grammar){ "metric", metric, "metric_section" };
	for (size_t i = 0; workloads[i] != NULL; i++)
		for (const struct workload_key *key = workloads[i]->keys;
		     key != NULL && key->name != NULL; key++)
			if (grammar_find(rows, key->name, false) == NULL)
				rows[count++].name = key->name;
	return rows;
}

const struct grammar *
grammar_make(struct arena *arena)
{
	size_t count = sizeof top / sizeof top[0];
	struct grammar *rows = arena_array(arena, count + 1, sizeof *rows);

	memcpy(rows, top, sizeof top);
	rows[count - 1] = (struct grammar){ .name = "workload",
		.inside = make_workload(arena) };
	return rows;
}
