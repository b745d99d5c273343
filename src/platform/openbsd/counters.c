#include "platform/counters.h"

#include <sys/param.h>

#include <sys/disk.h>
#include <sys/sysctl.h>

#include <string.h>

#include "platform/bsd/bsd.h"

bool
bsd_disk_counters(
    struct arena *arena, const char *disk, struct device_counters *counters)
{
	size_t size;
	const char *bytes = bsd_sysctl_bytes(arena, "hw.diskstats", &size);
	struct diskstats stat;

	for (size_t at = 0; bytes != NULL && at + sizeof stat <= size;
	     at += sizeof stat) {
		memcpy(&stat, bytes + at, sizeof stat);
		if (strncmp(stat.ds_name, disk, sizeof stat.ds_name) != 0)
			continue;
		*counters = (struct device_counters){
			.reads = stat.ds_rxfer,
			.writes = stat.ds_wxfer,
			.read_bytes = stat.ds_rbytes,
			.write_bytes = stat.ds_wbytes,
			.busy_ns = (int64_t)stat.ds_time.tv_sec * 1000000000 +
				   (int64_t)stat.ds_time.tv_usec * 1000,
			.has_flushes = false,
			.has_bytes = true,
		};
		return true;
	}
	return false;
}
