/* The digest that tells plans apart: of what decides the trials. */
#include <string.h>

#include "base/hash.h"
#include "store/store.h"

/* Lowest byte first, so that shards of any two hosts agree. */
static void
hash_number(struct hash *hash, uint64_t number)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(number >> (8 * i));
	hash_update(hash, bytes, sizeof bytes);
}

static void
hash_text(struct hash *hash, const char *text)
{
	/* the length first, so that "ab","c" and "a","bc" differ */
	hash_number(hash, text == NULL ? UINT64_MAX : strlen(text));
	if (text != NULL)
		hash_update(hash, text, strlen(text));
}

static void
hash_workload(struct hash *hash, const struct workload_spec *workload)
{
	hash_text(hash, workload->title);
	hash_text(hash, workload->type);
	hash_text(hash, workload->tree);
	hash_text(hash, workload->metric);
	hash_number(hash, (uint64_t)workload->charge);
	hash_number(hash, (uint64_t)workload->cache);
	hash_number(hash, (uint64_t)workload->memory_limit_bytes);
	hash_number(hash, workload->setting_count);
	for (size_t i = 0; i < workload->setting_count; i++) {
		const struct setting *setting = &workload->settings[i];

		hash_text(hash, setting->key);
		hash_number(hash, setting->value_count);
		for (size_t j = 0; j < setting->value_count; j++)
			hash_text(hash, setting->values[j]);
	}
	for (size_t i = 0; i < workload->pattern_count; i++)
		hash_text(hash, workload->patterns[i].pattern);
}

static void
hash_cell(struct hash *hash, const struct cell *cell)
{
	hash_text(hash, cell->key);
	hash_text(hash, cell->driver);
	hash_text(hash, cell->target);
	hash_text(hash, cell->asked);
	hash_number(hash, cell->command_count);
	for (size_t i = 0; i < cell->command_count; i++) {
		const char *const *argv = cell->commands[i].argv;

		for (; *argv != NULL; argv++)
			hash_text(hash, *argv);
		hash_text(hash, NULL);
	}
}

uint64_t
store_plan_digest(const struct plan *plan)
{
	struct hash hash;

	hash_init(&hash);
	hash_text(&hash, plan->title);
	hash_text(&hash, plan->system);
	hash_number(&hash, plan->seed);
	hash_number(&hash, (uint64_t)plan->rounds);
	hash_number(&hash, (uint64_t)plan->memory_limit_bytes);
	for (size_t i = 0; i < plan->target_count; i++) {
		hash_text(&hash, plan->targets[i].title);
		hash_number(&hash, (uint64_t)plan->targets[i].kind);
		hash_number(&hash, (uint64_t)plan->targets[i].size_bytes);
	}
	for (size_t i = 0; i < plan->tree_count; i++) {
		hash_text(&hash, plan->trees[i].title);
		hash_number(&hash, (uint64_t)plan->trees[i].copies);
		hash_number(&hash, (uint64_t)plan->trees[i].age_ns);
		if (plan->tree_facts != NULL)
			hash_number(&hash, plan->tree_facts[i].digest);
	}
	for (size_t i = 0; i < plan->workload_count; i++)
		hash_workload(&hash, &plan->workloads[i]);
	for (size_t i = 0; i < plan->cell_count; i++)
		hash_cell(&hash, &plan->cells[i]);
	return hash_final(&hash);
}
