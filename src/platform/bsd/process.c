#include "platform/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"
#include "platform/text.h"

/* start times are sums of rounded ones */
enum { ROUNDING_US = 1000 };

char *
platform_process_identity(struct arena *arena, pid_t pid)
{
	struct bsd_process *process;

	if (pid == 0)
		pid = getpid();
	if (bsd_processes(arena, pid, &process) == 0)
		return NULL;
	return arena_printf(arena, "%s:%ld:%lld", platform_boot_id(arena),
	    (long)pid, (long long)process->start_us);
}

bool
platform_is_alive(struct arena *arena, pid_t pid, int64_t start)
{
	struct bsd_process *process;

	return bsd_processes(arena, pid, &process) == 1 &&
	       llabs(process->start_us - start) <= ROUNDING_US &&
	       process->state != 'Z';
}

int
platform_stuck_processes(pid_t group, struct arena *arena,
    struct process_list *list, struct error *err)
{
	struct bsd_process *all;
	size_t count = bsd_processes(arena, 0, &all);

	*list = (struct process_list){ 0 };
	if (count == 0)
		return error_set(err, "cannot list the processes");
	for (size_t i = 0; i < count; i++) {
		if (all[i].state != 'D' ||
		    (group != 0 && all[i].group != group))
			continue;
		list->items = arena_append(
		    arena, list->items, list->count, sizeof *list->items);
		list->items[list->count++] = (struct process_entry){
			.pid = all[i].pid,
			.name = all[i].name,
			.what = all[i].wait[0] != '\0' ? all[i].wait
						       : "unknown place",
		};
	}
	return 0;
}

int
platform_mount_holders(const char *mountpoint, struct arena *arena,
    struct process_list *list, struct error *err)
{
	const char *argv[] = { "fstat", "-f", mountpoint, NULL };
	struct stat status;

	if (stat(mountpoint, &status) == -1)
		return error_errno(err, "cannot look at '%s'", mountpoint);
	fstat_parse(bsd_output_of(arena, argv), arena, list);
	return 0;
}
