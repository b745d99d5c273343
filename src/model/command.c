#include "model/command.h"

#include <string.h>

static const char *const rungs[RUNG_COUNT] = {
	[RUNG_ATTACH] = "attach",
	[RUNG_GUARD] = "guard",
	[RUNG_MAKE] = "make",
	[RUNG_TUNE] = "tune",
	[RUNG_MOUNT] = "mount",
	[RUNG_PROP] = "prop",
	[RUNG_SYSCTL] = "sysctl",
	[RUNG_READBACK] = "read back",
	[RUNG_POPULATE] = "populate",
	[RUNG_SETTLE] = "settle",
	[RUNG_COOL] = "cool",
	[RUNG_MEASURE] = "measure",
	[RUNG_FLUSH] = "flush",
	[RUNG_PROBE] = "probe",
	[RUNG_UNMOUNT] = "unmount",
	[RUNG_CHECK] = "check",
	[RUNG_RESTORE] = "restore",
	[RUNG_DETACH] = "detach",
};

const char *
rung_name(enum rung rung)
{
	return rungs[rung];
}

int
rung_parse(const char *text, enum rung *rung)
{
	for (int i = 0; i < RUNG_COUNT; i++)
		if (strcmp(text, rungs[i]) == 0) {
			*rung = (enum rung)i;
			return 0;
		}
	return -1;
}
