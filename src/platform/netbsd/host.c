#include <sys/param.h>

#include <sys/swap.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/cache.h"
#include "platform/mounts.h"
#include "platform/text.h"

/* "config -x" reads the options that a kernel was made with, if it has them. */
char *
bsd_debugging(struct arena *arena)
{
	static const char *const ask[] = { "config", "-x", NULL };
	static const char *const options[] = { "DIAGNOSTIC", "DEBUG",
		"LOCKDEBUG", "KASAN", "KMSAN" };
	const char *config = bsd_output_of(arena, ask);
	char *found = arena_strdup(arena, "");

	if (config[0] == '\0')
		return found;
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		const char *line =
		    arena_printf(arena, "options\t%s", options[i]);
		const char *at = strstr(config, line);

		if (at != NULL && strchr(" \t\n#", at[strlen(line)]) != NULL)
			found = arena_printf(arena, "%s%s%s", found,
			    found[0] != '\0' ? " " : "", options[i]);
	}
	return found[0] != '\0' ? found : arena_strdup(arena, "no");
}

const char *const bsd_fact_names[] = { "vm.bufcache", "vm.bufmem",
	"vfs.wapbl.flush_disk_cache", "kern.securelevel", "kern.maxvnodes",
	NULL };

int
platform_swaps(struct arena *arena, struct swap_list *list, struct error *err)
{
	int count = swapctl(SWAP_NSWAP, NULL, 0);
	struct swapent *entries;

	*list = (struct swap_list){ 0 };
	if (count == -1)
		return error_errno(err, "cannot read the swap list");
	if (count == 0)
		return 0;
	entries = arena_array(arena, (size_t)count, sizeof *entries);
	count = swapctl(SWAP_STATS, entries, count);
	if (count == -1)
		return error_errno(err, "cannot read the swap list");
	for (int i = 0; i < count; i++)
		swap_list_add(arena, list, entries[i].se_path);
	return 0;
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
