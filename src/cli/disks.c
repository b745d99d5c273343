#include "cli/disks.h"

#include <libgen.h>
#include <string.h>

#include "base/buffer.h"
#include "base/hash.h"
#include "base/units.h"
#include "platform/device.h"
#include "platform/mounts.h"

/* What a file or folder is stored on, by the mount table. */
static bool
disk_under(const struct device_info *file, struct arena *arena,
    struct device_info *disk)
{
	struct mount_list mounts;
	const struct mount_entry *mount;
	struct error err;

	if (platform_mounts(arena, &mounts, &err) == -1)
		return false;
	mount = mount_list_holding(&mounts, file->path);
	return mount != NULL && mount->source[0] == '/' &&
	       platform_device_describe(mount->source, arena, disk, &err) ==
		   0 &&
	       disk->kind == DEVICE_DISK;
}

/* Where the target's bytes are: NULL for memory. */
static const char *
place_of(const struct target *target, const char *results, struct arena *arena)
{
	if (target->kind == TARGET_MEMORY)
		return NULL;
	if (target->kind != TARGET_IMAGE)
		return target->path;
	return dirname(arena_strdup(arena,
	    target->image_is_auto || target->path == NULL ? results
							  : target->path));
}

static void
add(struct buffer *text, const char *before, const char *fact)
{
	if (fact != NULL && fact[0] != '\0')
		buffer_printf(
		    text, "%s%s%s", text->length > 0 ? ", " : "", before, fact);
}

/* Enough to see that a disk is another one, and no serial number that would
 * be posted to a list. */
static const char *
serial_hash(const char *serial, struct arena *arena)
{
	struct hash hash;

	if (serial == NULL || serial[0] == '\0')
		return "";
	hash_init(&hash);
	hash_update(&hash, serial, strlen(serial));
	return arena_printf(
	    arena, "%08x", (unsigned)(hash_final(&hash) & 0xffffffff));
}

/* "sda1, 931.5 GiB, Samsung SSD 870, write back cache, scheduler mq-deadline"
 */
static char *
disk_text(const struct device_info *disk, struct arena *arena)
{
	struct buffer text;
	char *copy;

	buffer_init(&text);
	add(&text, "", disk->name);
	if (disk->size_bytes > 0)
		add(&text, "", units_format_size(arena, disk->size_bytes));
	add(&text, "", disk->model);
	add(&text, "serial hash ", serial_hash(disk->serial, arena));
	if (disk->is_rotational >= 0)
		add(&text, "", disk->is_rotational ? "rotational" : "solid");
	add(&text, "write cache ", disk->write_cache);
	add(&text, "scheduler ", disk->scheduler);
	add(&text, "in ", disk->backing_file);
	for (size_t i = 0; i < disk->parent_count; i++)
		add(&text, "on ", disk->parents[i]);
	if (disk->is_partition)
		add(&text, "starts at ",
		    units_format_size(arena, disk->start_bytes));
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}

/* "" where nothing is known. */
static const char *
disk_of(const struct target *target, const char *results, struct arena *arena)
{
	const char *place = place_of(target, results, arena);
	struct device_info info;
	struct error err;

	if (place == NULL ||
	    platform_device_describe(place, arena, &info, &err) == -1)
		return "";
	if (info.kind != DEVICE_DISK && !disk_under(&info, arena, &info))
		return "";
	return disk_text(&info, arena);
}

void
disks_facts(struct fact_list *facts, const struct plan *plan,
    const char *results, struct arena *arena)
{
	const char **texts =
	    arena_array(arena, plan->target_count + 1, sizeof *texts);
	const char *first = NULL;
	bool is_one = true;

	for (size_t i = 0; i < plan->target_count; i++) {
		texts[i] = disk_of(&plan->targets[i], results, arena);
		if (texts[i][0] == '\0')
			continue;
		if (first == NULL)
			first = texts[i];
		is_one = is_one && strcmp(texts[i], first) == 0;
	}
	if (is_one)
		fact_list_add(arena, facts, "disk", first);
	for (size_t i = 0; i < plan->target_count && !is_one; i++)
		fact_list_add(arena, facts,
		    arena_printf(arena, "disk of %s", plan->targets[i].title),
		    texts[i]);
}
