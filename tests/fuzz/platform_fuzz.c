/*
 * Any bytes as what a kernel or a system's tool prints: the mount table, the
 * swap list, counters, kernel messages, GEOM's mesh.  Reading must end, and
 * keep to what the headers promise.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "platform/bsd_text.h"
#include "platform/counters.h"
#include "platform/geom.h"
#include "platform/kernel_log.h"
#include "platform/magic.h"
#include "platform/mounts.h"
#include "platform/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
check_mounts(const char *text, size_t size, struct arena *arena)
{
	struct mount_list list;
	struct swap_list swaps;
	size_t bad;

	mountinfo_parse(text, size, arena, &list, &bad);
	for (size_t i = 0; i < list.count; i++) {
		const struct mount_entry *entry = &list.items[i];
		const char *in_force = mount_options_in_force(arena, entry);
		struct name_list devices;

		if (strlen(in_force) >
		    strlen(entry->options) + strlen(entry->super_options) + 1)
			abort();
		if (mount_list_at(&list, entry->mountpoint) == NULL)
			abort();
		(void)mount_source_devices(arena, entry, text, &devices);
	}
	swaps_parse(text, size, arena, &swaps);
	for (size_t i = 0; i < swaps.count; i++)
		if (swaps.paths[i][0] != '/')
			abort();
}

static void
check_numbers(const char *text, size_t size, struct arena *arena)
{
	struct device_counters counters;
	const char *clean;
	size_t clean_size = size;

	(void)counters_parse_sysfs(text, &counters);
	clean = kmsg_clean(arena, text, size);
	if (clean != NULL && strchr(clean, '\n') != NULL)
		abort();
	clean = msgbuf_clean(arena, text, &clean_size);
	if (clean_size > size || strlen(clean) != clean_size)
		abort();
	if (msgbuf_news(text, size / 2, text, size) > size)
		abort();
}

static void
check_tools(const char *text, struct arena *arena)
{
	struct file_disk_list disks;
	struct process_list processes;
	struct geom_mesh mesh;

	vnconfig_parse(text, arena, &disks);
	for (size_t i = 0; i < disks.count; i++)
		if ((disks.items[i].file[0] != '\0') ==
			(disks.items[i].folder[0] != '\0') &&
		    disks.items[i].file[0] != '\0')
			abort();
	fstat_parse(text, arena, &processes);
	geom_parse(text, arena, &mesh);
	for (size_t i = 0; i < mesh.provider_count && i < 8; i++) {
		struct device_uses uses = { 0 };

		geom_uses(&mesh, mesh.providers[i].name, 0, arena, &uses);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena *arena = arena_new();
	const char *text = arena_strndup(arena, (const char *)bytes, size);
	struct signature_list signatures;

	check_mounts(text, size, arena);
	check_numbers(text, size, arena);
	check_tools(text, arena);
	magic_signatures(bytes, size, bytes, size, arena, &signatures);
	(void)disk_names_overlap(text, text + size / 2, NAMING_SLICES, 'c');
	arena_free(arena);
	return 0;
}
