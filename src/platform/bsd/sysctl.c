#include <sys/param.h>

#include <sys/sysctl.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "platform/bsd/bsd.h"
#include "platform/text.h"

enum { TRIES = 5 };

char *
bsd_sysctl_bytes(struct arena *arena, const char *name, size_t *size)
{
	/* it may grow between the question for its size and the reading */
	for (int i = 0; i < TRIES; i++) {
		size_t room = 0;
		char *bytes;

		if (bsd_sysctl(name, NULL, &room) == -1)
			return NULL;
		room += room / 8 + 64;
		bytes = arena_alloc(arena, room + 1);
		*size = room;
		if (bsd_sysctl(name, bytes, size) == 0) {
			bytes[*size] = '\0';
			return bytes;
		}
	}
	return NULL;
}

char *
bsd_sysctl_text(struct arena *arena, const char *name)
{
	size_t size;
	const char *bytes = bsd_sysctl_bytes(arena, name, &size);

	return bytes != NULL ? text_trim(arena, bytes)
			     : arena_strdup(arena, "");
}

int64_t
bsd_sysctl_number(const char *name)
{
	union {
		int32_t narrow;
		int64_t wide;
	} value = { .wide = 0 };
	size_t size = sizeof value;

	if (bsd_sysctl(name, &value, &size) == -1)
		return -1;
	if (size == sizeof value.narrow)
		return value.narrow;
	return size == sizeof value.wide ? value.wide : -1;
}

void *
bsd_sysctl_table(struct arena *arena, int *mib, u_int parts, size_t item,
    int *wanted, size_t *count)
{
	size_t size = 0;
	void *table;

	*count = 0;
	if (sysctl(mib, parts, NULL, &size, NULL, 0) == -1 || size == 0)
		return NULL;
	/* processes are born between the two questions */
	size += size / 8 + item;
	table = arena_alloc(arena, size);
	if (wanted != NULL)
		*wanted = (int)(size / item);
	if (sysctl(mib, parts, table, &size, NULL, 0) == -1 || size % item != 0)
		return NULL;
	*count = size / item;
	return table;
}

char *
bsd_sysctl_path(struct arena *arena, int *mib, u_int parts)
{
	char path[PATH_MAX];
	size_t size = sizeof path;

	if (sysctl(mib, parts, path, &size, NULL, 0) == -1 || size == 0)
		return NULL;
	path[sizeof path - 1] = '\0';
	return arena_strdup(arena, path);
}

char *
bsd_output_of(struct arena *arena, const char *const *argv)
{
	struct proc_job job = { .argv = argv,
		.timeout_ns = 20000000000,
		.output_limit = (size_t)1024 * 1024 };
	struct proc_result result;
	struct error ignored = { 0 };

	/* the exit status tells little: NetBSD's vnconfig -l ends with 255 */
	if (proc_run(&job, arena, &result, &ignored) == -1 || !result.started)
		return arena_strdup(arena, "");
	return arena_strndup(arena, result.output, result.output_size);
}
