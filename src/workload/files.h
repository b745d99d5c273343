/* Small things that workloads do with files.  Only workload/ includes this. */
#ifndef MM_WORKLOAD_FILES_H
#define MM_WORKLOAD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct workload_run;

/* Makes a new folder in the run's folder and opens it; -1 with errno. */
int files_new_folder(const struct workload_run *run, const char *name);

/* "size" bytes, aligned for direct I/O, that do not compress; free() it.
 * "compressible" percent of each 4096 bytes are zeros instead. */
void *files_data(size_t size, uint64_t seed, double compressible);

/* The flag for direct I/O, or -1 where the system has none. */
int files_direct_flag(void);

/* Lets go of a file's cached pages where the system can; they must be
 * clean. */
void files_drop_cache(int fd);

#endif
