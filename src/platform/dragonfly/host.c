#include <sys/param.h>

#include <sys/stat.h>
#include <vm/vm_param.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/bsd/bsd.h"
#include "platform/cache.h"
#include "platform/mounts.h"
#include "platform/text.h"

/* The kernel tells its options only where its configuration is kept in it. */
char *
bsd_debugging(struct arena *arena)
{
	const char *version = bsd_sysctl_text(arena, "kern.version");
	const char *config = bsd_sysctl_text(arena, "kern.conftxt");

	if (strstr(config, "INVARIANTS") != NULL ||
	    bsd_sysctl_number("debug.invariants") > 0)
		return arena_strdup(arena, "INVARIANTS");
	/* development versions are built with INVARIANTS by default */
	if (strstr(version, "DEVELOPMENT") != NULL)
		return arena_strdup(
		    arena, "probably INVARIANTS (a development version)");
	return arena_strdup(arena, config[0] != '\0' ? "no" : "");
}

const char *const bsd_fact_names[] = { "vfs.hammer.fsync_mode",
	"vfs.hammer.double_buffer", "kern.maxvnodes", "vfs.read_max",
	"vfs.hirunningspace", "vm.swapcache.read_enable",
	"vm.swapcache.data_enable", "vm.swapcache.meta_enable", "kern.physmem",
	NULL };

/* All devices in one array. */
int
platform_swaps(struct arena *arena, struct swap_list *list, struct error *err)
{
	size_t size = 0;
	const char *bytes =
	    bsd_sysctl_bytes(arena, "vm.swap_info_array", &size);
	struct xswdev device;

	*list = (struct swap_list){ 0 };
	if (bytes == NULL)
		return error_errno(err, "cannot read the swap list");
	if (size % sizeof device != 0)
		return error_set(
		    err, "the kernel's swap list is of another version");
	for (size_t at = 0; at < size; at += sizeof device) {
		memcpy(&device, bytes + at, sizeof device);
		if (device.xsw_dev == NODEV || device.xsw_nblks == 0)
			continue;
		swap_list_add(arena, list,
		    arena_printf(
			arena, "/dev/%s", devname(device.xsw_dev, S_IFCHR)));
	}
	return 0;
}

/* No call lets go of one file's pages. */
int
platform_cache_drop_file(const char *path, struct error *err)
{
	(void)path;
	(void)err;
	return PLATFORM_ABSENT;
}

int
platform_allocate(int fd, int64_t size)
{
	(void)fd;
	(void)size;
	return EOPNOTSUPP;
}
