#include "platform/counters.h"

#include <sys/param.h>

#include <sys/disk.h>
#include <sys/sched.h>
#include <sys/sysctl.h>

#include <string.h>
#include <unistd.h>

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

int
platform_cpu_times(struct cpu_times *times, struct error *err)
{
	long ticks[CPUSTATES];
	size_t size = sizeof ticks;
	long per_s = sysconf(_SC_CLK_TCK);
	int64_t tick_ns;

	if (bsd_sysctl("kern.cp_time", ticks, &size) == -1 || per_s <= 0)
		return error_errno(err, "cannot read processor times");
	tick_ns = 1000000000 / per_s;
	*times = (struct cpu_times){
		.busy_ns = (ticks[CP_USER] + ticks[CP_NICE] + ticks[CP_SYS] +
			       ticks[CP_SPIN] + ticks[CP_INTR]) *
			   tick_ns,
		.idle_ns = ticks[CP_IDLE] * tick_ns,
	};
	return 0;
}
