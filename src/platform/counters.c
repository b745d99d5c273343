#include "platform/counters.h"

#include <string.h>

#include "platform/text.h"

enum { SECTOR_BYTES = 512 }; /* the unit of sysfs, whatever the device's */

struct device_counters
counters_difference(
    const struct device_counters *after, const struct device_counters *before)
{
	struct device_counters difference = *after;

	difference.reads -= before->reads;
	difference.writes -= before->writes;
	difference.read_bytes -= before->read_bytes;
	difference.write_bytes -= before->write_bytes;
	difference.flushes -= before->flushes;
	difference.discards -= before->discards;
	difference.busy_ns -= before->busy_ns;
	return difference;
}

int
counters_parse_sysfs(const char *text, struct device_counters *counters)
{
	/* reads, merged, sectors, ms; the same of writes; in flight, busy ms,
	 * queue ms; the same four of discards; flushes, ms */
	uint64_t v[17] = { 0 };
	size_t count = text_numbers(text, v, 17);

	if (count < 11)
		return -1;
	*counters = (struct device_counters){
		.reads = v[0],
		.read_bytes = v[2] * SECTOR_BYTES,
		.writes = v[4],
		.write_bytes = v[6] * SECTOR_BYTES,
		.busy_ns = (int64_t)v[9] * 1000000,
		.discards = v[11],
		.flushes = v[15],
		.has_flushes = count >= 17,
		.has_bytes = true,
	};
	return 0;
}

int
cpu_times_parse(const char *text, long ticks_per_s, struct cpu_times *times)
{
	/* user nice system idle iowait irq softirq steal */
	uint64_t v[8] = { 0 };
	int64_t tick_ns;
	size_t count;

	if (ticks_per_s <= 0 || strncmp(text, "cpu ", 4) != 0)
		return -1;
	count = text_numbers(text + 4, v, 8);
	if (count < 4)
		return -1;
	tick_ns = 1000000000 / ticks_per_s;
	times->busy_ns = (int64_t)(v[0] + v[1] + v[2] + v[5] + v[6]) * tick_ns;
	times->idle_ns = (int64_t)v[3] * tick_ns;
	times->iowait_ns = (int64_t)v[4] * tick_ns;
	times->steal_ns = (int64_t)v[7] * tick_ns;
	times->has_steal = count == 8;
	return 0;
}
