#include "platform/process.h"

#include <ctype.h>
#include <string.h>

#include "platform/host.h"
#include "platform/linux/host_proc.h"
#include "platform/linux/init.h"
#include "platform/text.h"

/* The fields of /proc/PID/stat that matter; the name may hold anything, so
 * they begin after the last ")". */
struct process_stat {
	char state;
	long group;
	int64_t start;
};

/* The pid, state, parent, group, ... start time as field 22. */
static bool
parse_stat(const char *text, struct process_stat *stat)
{
	enum { STATE = 3, GROUP = 5, START = 22 };
	const char *rest = text != NULL ? strrchr(text, ')') : NULL;
	int field = STATE;

	if (rest == NULL || rest[1] != ' ' || rest[2] == '\0')
		return false;
	for (rest += 2; rest != NULL; field++) {
		if (field == STATE)
			stat->state = *rest;
		else if (field == GROUP)
			stat->group = (long)text_number(rest, -1);
		else if (field == START)
			return (stat->start = text_number(rest, -1)) >= 0;
		rest = strchr(rest, ' ');
		rest = rest != NULL ? rest + 1 : NULL;
	}
	return false;
}

char *
platform_process_identity(struct arena *arena, pid_t pid)
{
	struct process_stat stat;

	if (pid == 0)
		pid =
		    linux_init_pid() != 0 ? linux_init_pid() : host_proc_self();
	if (!parse_stat(host_proc_text(arena, pid, "stat"), &stat))
		return NULL;
	return arena_printf(arena, "%s:%ld:%lld", platform_boot_id(arena),
	    (long)pid, (long long)stat.start);
}

bool
platform_is_alive(struct arena *arena, pid_t pid, int64_t start)
{
	struct process_stat stat;

	return parse_stat(host_proc_text(arena, pid, "stat"), &stat) &&
	       stat.start == start && strchr("ZXx", stat.state) == NULL;
}

static void
add(struct arena *arena, struct process_list *list, struct process_entry one)
{
	list->items =
	    arena_append(arena, list->items, list->count, sizeof *list->items);
	list->items[list->count++] = one;
}

/* Threads in state D of one process of the group. */
static void
add_stuck(struct arena *arena, const char *process, pid_t group,
    struct process_list *list)
{
	struct process_stat stat;
	struct name_list threads;

	if (!parse_stat(text_file(arena, "/proc/%s/stat", process), &stat) ||
	    (group != 0 && stat.group != (long)group))
		return;
	name_list_folder(
	    arena, &threads, arena_printf(arena, "/proc/%s/task", process));
	for (size_t i = 0; i < threads.count; i++) {
		const char *thread = threads.names[i];
		const char *place;

		if (!parse_stat(
			text_file(arena, "/proc/%s/stat", thread), &stat) ||
		    stat.state != 'D')
			continue;
		place = text_first_line(arena, "/proc/%s/wchan", thread);
		add(arena, list,
		    (struct process_entry){
			.pid = (pid_t)text_number(thread, 0),
			.name =
			    text_first_line(arena, "/proc/%s/comm", process),
			.what = place[0] == '\0' || strcmp(place, "0") == 0
				    ? "unknown place"
				    : place,
		    });
	}
}

/* This process's own /proc, since the group is one of its numbers. */
int
platform_stuck_processes(pid_t group, struct arena *arena,
    struct process_list *list, struct error *err)
{
	struct name_list all;

	*list = (struct process_list){ 0 };
	name_list_folder(arena, &all, "/proc");
	if (all.count == 0)
		return error_errno(err, "cannot read '/proc'");
	for (size_t i = 0; i < all.count; i++)
		if (isdigit((unsigned char)all.names[i][0]))
			add_stuck(arena, all.names[i], group, list);
	return 0;
}
