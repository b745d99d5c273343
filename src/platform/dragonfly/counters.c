#include "platform/counters.h"

#include <sys/types.h>

#include <sys/devicestat.h>
#include <sys/kinfo.h>

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

/* One struct a processor, in microseconds. */
int
platform_cpu_times(struct cpu_times *times, struct error *err)
{
	struct arena *arena = arena_new();
	size_t size;
	const char *bytes = bsd_sysctl_bytes(arena, "kern.cputime", &size);
	struct kinfo_cputime cpu;
	int rc = 0;

	*times = (struct cpu_times){ 0 };
	if (bytes == NULL || size % sizeof cpu != 0)
		rc = error_set(err, "cannot read processor times");
	for (size_t at = 0; rc == 0 && at < size; at += sizeof cpu) {
		memcpy(&cpu, bytes + at, sizeof cpu);
		times->busy_ns += (int64_t)(cpu.cp_user + cpu.cp_nice +
					    cpu.cp_sys + cpu.cp_intr) *
				  1000;
		times->idle_ns += (int64_t)cpu.cp_idle * 1000;
	}
	arena_free(arena);
	return rc;
}
