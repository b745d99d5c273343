/*
 * Facts of the host, for the record and for telling what spoils a comparison.
 */
#ifndef MM_PLATFORM_HOST_H
#define MM_PLATFORM_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/facts.h"

/*
 * In this order, those that are known: system, release, version, machine,
 * hostname, debugging (kernel options that slow it down, or "no"), cpu, cpus,
 * governor, memory, swap, virtualization, clock_source, boot_id, uptime,
 * load, background (timers and daemons of a list that may disturb a night).
 */
void platform_host_facts(struct arena *arena, struct fact_list *facts);

/* The load averages of the last 1, 5 and 15 minutes, "0.10 0.20 0.30"; "" where
 * the system does not tell. */
char *platform_load(struct arena *arena);

/* The running system as the --platform word: "linux", "freebsd:14". */
char *platform_system(struct arena *arena);

/* Differs after every boot of this machine. */
char *platform_boot_id(struct arena *arena);

/* The running program's own file, or NULL where the system does not tell. */
char *platform_program_path(struct arena *arena);

/* Bytes of memory in the machine; -1 unknown. */
int64_t platform_memory_bytes(void);

#endif
