#include <sys/param.h>

#include <sys/swap.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/cache.h"
#include "platform/mounts.h"
#include "platform/text.h"

/* The kernel does not tell its options; GENERIC always has DIAGNOSTIC. */
char *
bsd_debugging(struct arena *arena)
{
	const char *version = bsd_sysctl_text(arena, "kern.version");

	return arena_strdup(arena,
	    strstr(version, "GENERIC") != NULL ? "DIAGNOSTIC (GENERIC)" : "");
}

const char *const bsd_fact_names[] = { "kern.securelevel", "kern.maxvnodes",
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
