#include "platform/counters.h"

#include <sys/types.h>

#include <sys/devicestat.h>

#include <stdio.h>
#include <string.h>

#include "platform/bsd/bsd.h"

static void
fill(const struct devstat *stat, struct device_counters *counters)
{
	*counters = (struct device_counters){
		.reads = stat->num_reads,
		/* a flush counts as a write of no bytes */
		.writes = stat->num_writes,
		.read_bytes = stat->bytes_read,
		.write_bytes = stat->bytes_written,
		.discards = stat->num_frees,
		.busy_ns = (int64_t)stat->busy_time.tv_sec * 1000000000 +
			   (int64_t)stat->busy_time.tv_usec * 1000,
		.has_flushes = false,
		.has_bytes = true,
	};
}

/* A generation number, and the structs of all devices; vn has none. */
bool
bsd_disk_counters(
    struct arena *arena, const char *disk, struct device_counters *counters)
{
	size_t size;
	const char *bytes = bsd_sysctl_bytes(arena, "kern.devstat.all", &size);
	struct devstat stat;

	if (bytes == NULL || size < sizeof(long) ||
	    bsd_sysctl_number("kern.devstat.version") != DEVSTAT_VERSION ||
	    (size - sizeof(long)) % sizeof stat != 0)
		return false;
	for (size_t at = sizeof(long); at < size; at += sizeof stat) {
		char name[64];

		memcpy(&stat, bytes + at, sizeof stat);
		(void)snprintf(name, sizeof name, "%s%d", stat.device_name,
		    stat.unit_number);
		if (strcmp(name, disk) == 0) {
			fill(&stat, counters);
			return true;
		}
	}
	return false;
}
