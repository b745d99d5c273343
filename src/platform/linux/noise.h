/* What may disturb the night; inside platform/linux only. */
#ifndef MM_PLATFORM_LINUX_NOISE_H
#define MM_PLATFORM_LINUX_NOISE_H

#include "base/arena.h"

/* Names of enabled timers and running daemons known to start disk or
 * processor work by themselves; "none seen" for none. */
char *linux_noise(struct arena *arena);

#endif
