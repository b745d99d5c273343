#include <sys/types.h>

#include <sys/procctl.h>

#include <signal.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"

/* Versions before 6 have no signal at a parent's death. */
void
bsd_follow_parent(void)
{
#ifdef PROC_PDEATHSIG_CTL
	int number = SIGKILL;

	(void)procctl(P_PID, getpid(), PROC_PDEATHSIG_CTL, &number);
#endif
}
