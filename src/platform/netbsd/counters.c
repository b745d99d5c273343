#include "platform/counters.h"

#include <sys/param.h>

#include <sys/iostat.h>
#include <sys/sysctl.h>

#include <string.h>

#include "platform/bsd/bsd.h"

static void
fill(const struct io_sysctl *stat, struct device_counters *counters)
{
	*counters = (struct device_counters){
		.reads = stat->rxfer,
		.writes = stat->wxfer,
		.read_bytes = stat->rbytes,
		.write_bytes = stat->wbytes,
		.busy_ns = (int64_t)stat->time_sec * 1000000000 +
			   (int64_t)stat->time_usec * 1000,
		.has_flushes = false,
		.has_bytes = true,
	};
}

/* The wanted size of one entry is part of the question. */
bool
bsd_disk_counters(
    struct arena *arena, const char *disk, struct device_counters *counters)
{
	int mib[3] = { CTL_HW, HW_IOSTATS, (int)sizeof(struct io_sysctl) };
	size_t count;
	const struct io_sysctl *table =
	    bsd_sysctl_table(arena, mib, 3, sizeof *table, NULL, &count);

	for (size_t i = 0; i < count; i++)
		if (strncmp(table[i].name, disk, sizeof table[i].name) == 0) {
			fill(&table[i], counters);
			return true;
		}
	return false;
}
