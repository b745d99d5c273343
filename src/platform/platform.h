/*
 * What only the running system can do, in small groups.
 *
 * Each header offers the same functions on every system: what is common is
 * beside it in this folder, the rest is in one folder per system, of which
 * the build compiles one.  Where a system has no such thing the function says
 * so by its documented value (PLATFORM_ABSENT), never by pretending.
 * Nothing here prints, and nothing here knows matrices, cells or drivers.
 *
 *   mounts.h      the mount table, of every mount namespace
 *   filesystem.h  flags in force, room, sync
 *   device.h      what a target is, and every use of it that was found
 *   attach.h      image files and their devices
 *   counters.h    device operations
 *   isolate.h     a child with mounts and processes of its own
 *   process.h     who holds a mount, who is stuck, who is still alive
 *   kernel_log.h  what the kernel said meanwhile
 *   memory.h      a memory limit for children
 *   cache.h       letting go of cached data
 *   probe.h       asking the kernel about options without a device
 *   host.h        facts of the host, for the record
 *   lock.h        the state folder, and locks that die with their owner
 */
#ifndef MM_PLATFORM_PLATFORM_H
#define MM_PLATFORM_PLATFORM_H

/* Returned where 0 is done and -1 failed: this system has no such thing, or
 * does it by a command of the system tables. */
enum { PLATFORM_ABSENT = 1 };

#endif
