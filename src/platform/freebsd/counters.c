#include "platform/counters.h"

#include <sys/types.h>

#include <sys/devicestat.h>
#include <sys/time.h>

#include <stdio.h>
#include <string.h>

#include "platform/bsd/bsd.h"

/* Seconds, and a fraction of 2^64. */
static int64_t
nanoseconds(const struct bintime *time)
{
	return (int64_t)time->sec * 1000000000 +
	       (int64_t)((time->frac >> 32) * 1000000000 >> 32);
}

static void
fill(const struct devstat *stat, struct device_counters *counters)
{
	*counters = (struct device_counters){
		.reads = stat->operations[DEVSTAT_READ],
		.writes = stat->operations[DEVSTAT_WRITE],
		.read_bytes = stat->bytes[DEVSTAT_READ],
		.write_bytes = stat->bytes[DEVSTAT_WRITE],
		.discards = stat->operations[DEVSTAT_FREE],
		.busy_ns = nanoseconds(&stat->busy_time),
		/* a disk's driver may finish a flush without counting it */
		.has_flushes = false,
		/* md counts operations, its bytes stay at nothing */
		.has_bytes = stat->bytes[DEVSTAT_READ] != 0 ||
			     stat->bytes[DEVSTAT_WRITE] != 0,
	};
}

/* A generation number, and the structs of all devices. */
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
