#include "platform/counters.h"

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
