#include "platform/linux/noise.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "platform/linux/host_proc.h"
#include "platform/text.h"

static const char *const daemons[] = { "cron", "crond", "anacron", "atd",
	"unattended-upgr", "packagekitd", "updatedb", "updatedb.mlocat",
	"updatedb.plocat", "tracker-miner-f", "baloo_file", "fstrim",
	"btrfs-scrub", "mdadm", "snapd", "clamd", "freshclam", "dockerd" };

static const char *const timer_folders[] = {
	"/etc/systemd/system/timers.target.wants",
	"/usr/lib/systemd/system/timers.target.wants"
};

static bool
is_daemon(const char *name)
{
	for (size_t i = 0; i < sizeof daemons / sizeof daemons[0]; i++)
		if (strcmp(name, daemons[i]) == 0)
			return true;
	return false;
}

static void
add_daemons(struct arena *arena, struct name_list *list)
{
	pid_t *pids;
	size_t count = host_proc_pids(arena, &pids);

	for (size_t i = 0; i < count; i++) {
		char *name = host_proc_text(arena, pids[i], "comm");

		if (name == NULL)
			continue;
		name[strcspn(name, "\n")] = '\0';
		if (is_daemon(name))
			name_list_add(arena, list, name);
	}
}

/* Timers only fire where systemd is the init. */
static void
add_timers(struct arena *arena, struct name_list *list)
{
	if (access("/run/systemd/system", F_OK) == -1)
		return;
	for (size_t i = 0; i < sizeof timer_folders / sizeof timer_folders[0];
	     i++) {
		struct name_list timers;

		name_list_folder(arena, &timers, timer_folders[i]);
		for (size_t k = 0; k < timers.count; k++)
			name_list_add(arena, list, timers.names[k]);
	}
}

char *
linux_noise(struct arena *arena)
{
	struct name_list list = { 0 };
	char *text = arena_strdup(arena, "");

	add_daemons(arena, &list);
	add_timers(arena, &list);
	for (size_t i = 0; i < list.count; i++)
		text = arena_printf(
		    arena, "%s%s%s", text, i > 0 ? " " : "", list.names[i]);
	return list.count > 0
		   ? text
		   : arena_strdup(arena, "none that is known to disturb");
}
