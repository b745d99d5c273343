/* The isolate's first process; inside platform/linux only. */
#ifndef MM_PLATFORM_LINUX_INIT_H
#define MM_PLATFORM_LINUX_INIT_H

#include <sys/types.h>

#include "platform/isolate.h"

/* The init of the isolate that this process runs in, as the host counts
 * pids; 0 outside of one. */
pid_t linux_init_pid(void);

/* What the init tells the outer process before the worker starts. */
struct init_report {
	int failed_errno; /* 0: all is set up */
	char step[64];    /* what failed */
	bool has_fresh_proc;
};

struct init_setup {
	const struct isolate_job *job;
	int report_fd; /* an init_report, later the worker's wait status */
	int life_read; /* a byte says go, an end that the outer one is gone */
	int life_write;
	bool is_user; /* in a user namespace */
	uid_t uid;    /* the user and group outside */
	gid_t gid;
};

/* Runs in the new namespaces as their first process; never returns. */
_Noreturn void linux_init_main(const struct init_setup *setup);

#endif
