#include <string.h>

#include "platform/geom.h"

enum { DEPTH_MAX = 256 };

const struct geom_provider *
geom_provider(const struct geom_mesh *mesh, const char *name)
{
	for (size_t i = 0; i < mesh->provider_count; i++)
		if (strcmp(mesh->providers[i].name, name) == 0)
			return &mesh->providers[i];
	return NULL;
}

static const struct geom_provider *
provider_of_id(const struct geom_mesh *mesh, const char *id)
{
	for (size_t i = 0; i < mesh->provider_count; i++)
		if (strcmp(mesh->providers[i].id, id) == 0)
			return &mesh->providers[i];
	return NULL;
}

void
geom_ancestors(const struct geom_mesh *mesh, const char *name,
    struct arena *arena, struct name_list *list)
{
	*list = (struct name_list){ 0 };
	name_list_add(arena, list, name);
	for (size_t i = 0; i < list->count && i < DEPTH_MAX; i++) {
		const struct geom_provider *provider =
		    geom_provider(mesh, list->names[i]);

		for (size_t k = 0; provider != NULL && k < mesh->consumer_count;
		     k++) {
			const struct geom_consumer *consumer =
			    &mesh->consumers[k];
			const struct geom_provider *below;

			if (strcmp(consumer->geom_id, provider->geom_id) != 0)
				continue;
			below = provider_of_id(mesh, consumer->provider_id);
			if (below != NULL)
				name_list_add(arena, list, below->name);
		}
	}
}

static void
add_providers_of_geom(const struct geom_mesh *mesh, const char *geom_id,
    struct arena *arena, struct name_list *list)
{
	for (size_t i = 0; i < mesh->provider_count; i++)
		if (strcmp(mesh->providers[i].geom_id, geom_id) == 0)
			name_list_add(arena, list, mesh->providers[i].name);
}

void
geom_children(const struct geom_mesh *mesh, const char *name,
    struct arena *arena, struct name_list *list)
{
	const struct geom_provider *provider = geom_provider(mesh, name);

	*list = (struct name_list){ 0 };
	for (size_t i = 0; provider != NULL && i < mesh->consumer_count; i++)
		if (strcmp(mesh->consumers[i].provider_id, provider->id) == 0)
			add_providers_of_geom(
			    mesh, mesh->consumers[i].geom_id, arena, list);
}

struct finder {
	const struct geom_mesh *mesh;
	struct arena *arena;
	struct device_uses *uses;
	const char *target;
	int own_writes;
};

static void
add_use(struct finder *finder, enum device_use_kind kind, const char *name,
    const char *text)
{
	struct device_uses *uses = finder->uses;

	uses->items = arena_append(
	    finder->arena, uses->items, uses->count, sizeof *uses->items);
	uses->items[uses->count++] = (struct device_use){
		.kind = kind,
		.text = strcmp(name, finder->target) == 0
			    ? text
			    : arena_printf(
				  finder->arena, "its '%s' is %s", name, text),
	};
}

static bool
is_open(const struct geom_mode *mode)
{
	return mode->read > 0 || mode->write > 0 || mode->exclusive > 0;
}

/* Mounts and swap count also where the target is only a part of it. */
static bool
system_use(struct finder *finder, const struct geom_consumer *consumer,
    const char *name)
{
	if (strcmp(consumer->geom_class, "VFS") == 0)
		add_use(finder, USE_MOUNTED, name,
		    arena_printf(
			finder->arena, "mounted ('%s')", consumer->geom_name));
	else if (strcmp(consumer->geom_class, "SWAP") == 0)
		add_use(finder, USE_SWAP, name, "active swap");
	else
		return false;
	return true;
}

static void
other_use(struct finder *finder, const struct geom_consumer *consumer,
    const char *name)
{
	struct name_list made = { 0 };
	int own = strcmp(name, finder->target) == 0 ? finder->own_writes : 0;

	add_providers_of_geom(
	    finder->mesh, consumer->geom_id, finder->arena, &made);
	if (strcmp(consumer->geom_class, "DEV") == 0) {
		if (consumer->mode.write > own)
			add_use(finder, USE_WRITER, name,
			    "open for writing in a program");
	} else if (strcmp(consumer->geom_class, "PART") == 0) {
		if (made.count > 0)
			add_use(finder, USE_PARTITION, name,
			    arena_printf(finder->arena,
				"divided, '%s' is a partition", made.names[0]));
	} else if (strcmp(consumer->geom_class, "LABEL") != 0 &&
		   (made.count > 0 || is_open(&consumer->mode))) {
		/* a label is only another name; any other class holds it */
		add_use(finder, USE_HOLDER, name,
		    arena_printf(finder->arena, "held by %s '%s'",
			consumer->geom_class, consumer->geom_name));
	}
}

static void
uses_of(struct finder *finder, const char *name, bool only_system)
{
	const struct geom_provider *provider =
	    geom_provider(finder->mesh, name);

	for (size_t i = 0; provider != NULL && i < finder->mesh->consumer_count;
	     i++) {
		const struct geom_consumer *consumer =
		    &finder->mesh->consumers[i];

		if (strcmp(consumer->provider_id, provider->id) != 0)
			continue;
		if (!system_use(finder, consumer, name) && !only_system)
			other_use(finder, consumer, name);
	}
}

/* Another md over the same file writes to the same bytes. */
static void
twins_of(struct finder *finder, const char *name)
{
	const struct geom_provider *own = geom_provider(finder->mesh, name);

	if (own == NULL || own->file[0] == '\0')
		return;
	for (size_t i = 0; i < finder->mesh->provider_count; i++) {
		const struct geom_provider *other = &finder->mesh->providers[i];

		if (strcmp(other->file, own->file) != 0 ||
		    strcmp(other->name, own->name) == 0)
			continue;
		add_use(finder, USE_BACKING, name,
		    arena_printf(finder->arena,
			"on the same file as the disk '%s'", other->name));
		uses_of(finder, other->name, false);
	}
}

void
geom_uses(const struct geom_mesh *mesh, const char *name, int own_writes,
    struct arena *arena, struct device_uses *uses)
{
	struct finder finder = { .mesh = mesh,
		.arena = arena,
		.uses = uses,
		.target = name,
		.own_writes = own_writes };
	struct name_list above = { 0 };
	struct name_list below;
	struct name_list children;

	geom_ancestors(mesh, name, arena, &below);
	for (size_t i = 1; i < below.count; i++)
		uses_of(&finder, below.names[i], true);
	name_list_add(arena, &above, name);
	for (size_t i = 0; i < above.count && i < DEPTH_MAX; i++) {
		uses_of(&finder, above.names[i], false);
		geom_children(mesh, above.names[i], arena, &children);
		for (size_t k = 0; k < children.count; k++)
			name_list_add(arena, &above, children.names[k]);
	}
	twins_of(&finder, name);
}
