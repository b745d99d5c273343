#include <sys/param.h>

#include <sys/stat.h>
#include <sys/sysctl.h>
#include <vm/vm_param.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/cache.h"
#include "platform/mounts.h"
#include "platform/text.h"

/* WITNESS and INVARIANTS make everything slower, some things much. */
char *
bsd_debugging(struct arena *arena)
{
	static const char *const options[] = { "WITNESS", "INVARIANTS",
		"DIAGNOSTIC", "KASAN", "KMSAN", "LOCK_PROFILING",
		"MUTEX_PROFILING" };
	const char *config = bsd_sysctl_text(arena, "kern.conftxt");
	char *found = arena_strdup(arena, "");

	if (config[0] == '\0')
		return bsd_sysctl_number("debug.witness.watch") > 0
			   ? arena_strdup(arena, "WITNESS")
			   : arena_strdup(arena, "");
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (strstr(config, arena_printf(arena, "options\t%s\n",
				       options[i])) != NULL)
			found = arena_printf(arena, "%s%s%s", found,
			    found[0] != '\0' ? " " : "", options[i]);
	return found[0] != '\0' ? found : arena_strdup(arena, "no");
}

const char *const bsd_fact_names[] = { "kern.maxvnodes", "vfs.read_max",
	"vfs.hirunningspace", "kern.geom.debugflags", "kern.hz", NULL };

/* One question a device, until there is none of that number. */
int
platform_swaps(struct arena *arena, struct swap_list *list, struct error *err)
{
	int mib[16];
	size_t length = 15;

	*list = (struct swap_list){ 0 };
	if (sysctlnametomib("vm.swap_info", mib, &length) == -1)
		return error_errno(err, "cannot read the swap list");
	for (int i = 0;; i++) {
		struct xswdev device;
		size_t size = sizeof device;

		mib[length] = i;
		if (sysctl(mib, (u_int)(length + 1), &device, &size, NULL, 0) ==
		    -1)
			return 0;
		if (size != sizeof device ||
		    device.xsw_version != XSWDEV_VERSION)
			return error_set(err,
			    "the kernel's swap list is of another version");
		/* a swap file has no number; its md has */
		if (device.xsw_dev != NODEV)
			swap_list_add(arena, list,
			    arena_printf(arena, "/dev/%s",
				devname(device.xsw_dev, S_IFCHR)));
	}
}

int
platform_cache_drop_file(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd == -1)
		return error_errno(err, "cannot open '%s'", path);
	(void)fsync(fd);
	rc = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	(void)close(fd);
	return rc == 0 ? 0 : PLATFORM_ABSENT;
}

int
platform_allocate(int fd, int64_t size)
{
	return posix_fallocate(fd, 0, (off_t)size);
}
