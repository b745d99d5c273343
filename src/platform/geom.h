/*
 * FreeBSD's kern.geom.confxml: who provides disks, and who uses them.
 * Pure; inside platform/ only.
 *
 * A geom of some class takes what its consumers are attached to and offers
 * providers: PART takes "ada0" and offers "ada0p1"; VFS takes what is mounted
 * and offers nothing.  The <mode> counts openers: rN to read, wN to write, eN
 * to exclude others.
 */
#ifndef MM_PLATFORM_GEOM_H
#define MM_PLATFORM_GEOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "platform/device.h"
#include "platform/text.h"

struct geom_mode {
	int read;
	int write;
	int exclusive;
};

struct geom_provider {
	const char *id;
	const char *name; /* "ada0p1", "ufs/vol1" */
	const char *geom_class;
	const char *geom_name;
	const char *geom_id;
	struct geom_mode mode;
	int64_t size_bytes;
	int64_t sector_bytes;
	int64_t start_bytes;       /* of a partition; -1 unknown */
	const char *ident;         /* serial number, or "" */
	const char *description;   /* model, or "" */
	const char *rotation_rate; /* "0", "7200", "unknown" or "" */
	const char *file;          /* of an md, or "" */
};

struct geom_consumer {
	const char *provider_id;
	const char *geom_class;
	const char *geom_name;
	const char *geom_id;
	struct geom_mode mode;
};

struct geom_mesh {
	struct geom_provider *providers;
	size_t provider_count;
	struct geom_consumer *consumers;
	size_t consumer_count;
};

/* Never fails: of a text cut short, what came before the cut. */
void geom_parse(const char *text, struct arena *arena, struct geom_mesh *mesh);

/* The provider of that name, or NULL. */
const struct geom_provider *geom_provider(
    const struct geom_mesh *mesh, const char *name);

/* Names of the providers it is made of, itself first, down to the disks. */
void geom_ancestors(const struct geom_mesh *mesh, const char *name,
    struct arena *arena, struct name_list *list);

/* Names of the providers made from it directly. */
void geom_children(const struct geom_mesh *mesh, const char *name,
    struct arena *arena, struct name_list *list);

/*
 * Uses of the provider, of everything made from it, and of what it is made
 * of (there, mounts and swap only).  "own_writes" openers for writing by
 * device node are the caller's own.
 */
void geom_uses(const struct geom_mesh *mesh, const char *name, int own_writes,
    struct arena *arena, struct device_uses *uses);

#endif
