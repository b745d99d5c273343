/*
 * Operation counters of devices: read before and after, and subtract.  Only
 * what the kernel counts; never estimated.
 */
#ifndef MM_PLATFORM_COUNTERS_H
#define MM_PLATFORM_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/platform.h"

struct device_counters {
	uint64_t reads; /* operations finished */
	uint64_t writes;
	uint64_t read_bytes;
	uint64_t write_bytes;
	uint64_t flushes;
	uint64_t discards;
	int64_t busy_ns;
	bool has_flushes; /* false: not counted, or counted as writes */
	bool has_bytes;   /* false: this device counts operations only */
};

/*
 * Counters of the device at the path, or of the device below the filesystem
 * that holds it.  PLATFORM_ABSENT when there is none (tmpfs, overlay) or the
 * system does not count it.
 */
int platform_counters(
    const char *path, struct device_counters *counters, struct error *err);

/* after - before, field by field. */
struct device_counters counters_difference(
    const struct device_counters *after, const struct device_counters *before);

/* One line of /sys/block/NAME/stat; -1 when it is not of that form. */
int counters_parse_sysfs(const char *text, struct device_counters *counters);

#endif
