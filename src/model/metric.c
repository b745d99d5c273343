#include "model/metric.h"

#include <stddef.h>
#include <string.h>

const struct metric metrics_of_trials[] = {
	{ "flush", "s", LOWER_IS_BETTER,
	    "sync and unmount after the workload" },
	{ "elapsed_flushed", "s", LOWER_IS_BETTER,
	    "the workload's time with the flush" },
	{ "user", "s", LOWER_IS_BETTER, "processor time of the workload" },
	{ "system", "s", LOWER_IS_BETTER, "processor time in the kernel" },
	{ "voluntary_switches", "", LOWER_IS_BETTER, "it waited" },
	{ "involuntary_switches", "", LOWER_IS_BETTER, "it was made to wait" },
	{ "major_faults", "", LOWER_IS_BETTER, "pages read for it" },
	{ "device_reads", "", LOWER_IS_BETTER, "measured and flushed" },
	{ "device_writes", "", LOWER_IS_BETTER, "measured and flushed" },
	{ "device_read_bytes", "B", LOWER_IS_BETTER, "measured and flushed" },
	{ "device_written_bytes", "B", LOWER_IS_BETTER,
	    "measured and flushed" },
	{ "device_flushes", "", LOWER_IS_BETTER,
	    "of the device's cache, measured and flushed" },
	{ NULL, NULL, LOWER_IS_BETTER, NULL },
};

const char *
better_name(enum better better)
{
	return better == LOWER_IS_BETTER ? "lower" : "higher";
}

int
better_parse(const char *text, enum better *better)
{
	if (strcmp(text, "lower") == 0)
		*better = LOWER_IS_BETTER;
	else if (strcmp(text, "higher") == 0)
		*better = HIGHER_IS_BETTER;
	else
		return -1;
	return 0;
}
