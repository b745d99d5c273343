#include "platform/host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "platform/bsd/bsd.h"
#include "platform/lock.h"
#include "platform/text.h"

int64_t
bsd_boot_us(void)
{
	struct timeval when = { 0 };
	size_t size = sizeof when;

	if (bsd_sysctl("kern.boottime", &when, &size) == -1 ||
	    size != sizeof when)
		return 0;
	return (int64_t)when.tv_sec * 1000000 + when.tv_usec;
}

static time_t
boot_time(void)
{
	return (time_t)(bsd_boot_us() / 1000000);
}

/*
 * The kernel's idea of when it was booted follows its clock.  So the first
 * answer of this boot is the id, and is kept in the state folder beside the
 * latest: a time near the latest is the same boot.
 */
static int64_t
kept_boot(struct arena *arena, int64_t now)
{
	enum { NEAR_S = 5 };
	const char *folder;
	struct error ignored = { 0 };
	uint64_t kept[2] = { 0 };
	const char *path;
	const char *text;
	int fd;

	if (platform_state_directory(arena, &folder, &ignored) == -1)
		return now;
	path = arena_printf(arena, "%s/boot", folder);
	text = text_first_line(arena, "%s", path);
	if (text_numbers(text, kept, 2) != 2 ||
	    (int64_t)kept[1] > now + NEAR_S || (int64_t)kept[1] < now - NEAR_S)
		kept[0] = (uint64_t)now;
	else if ((int64_t)kept[1] == now)
		return (int64_t)kept[0];
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd != -1) {
		(void)dprintf(
		    fd, "%lld %lld\n", (long long)kept[0], (long long)now);
		(void)close(fd);
	}
	return (int64_t)kept[0];
}

char *
platform_boot_id(struct arena *arena)
{
	const char *random = bsd_sysctl_text(arena, "kern.boot_id");

	if (random[0] != '\0')
		return arena_strdup(arena, random);
	return arena_printf(arena, "boot-%lld",
	    (long long)kept_boot(arena, (int64_t)boot_time()));
}

int64_t
platform_memory_bytes(void)
{
	int64_t bytes = bsd_sysctl_number("hw.physmem64");

	return bytes > 0 ? bytes : bsd_sysctl_number("hw.physmem");
}

/* "freebsd:14" of FreeBSD 14.1-RELEASE. */
char *
platform_system(struct arena *arena)
{
	struct utsname names;
	char *name;

	if (uname(&names) == -1)
		return arena_strdup(arena, "unknown");
	name = arena_strdup(arena, names.sysname);
	for (char *c = name; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + ('a' - 'A'));
	return arena_printf(
	    arena, "%s:%lld", name, (long long)text_number(names.release, 0));
}

static const char *
virtualization(struct arena *arena)
{
	static const char *const guests[] = { "QEMU", "KVM", "VMware",
		"VirtualBox", "Xen", "Bochs", "bhyve", "Hyper-V" };
	const char *guest = bsd_sysctl_text(arena, "kern.vm_guest");
	const char *model = bsd_sysctl_text(arena, "hw.model");

	if (guest[0] != '\0' && strcmp(guest, "none") != 0)
		return guest;
	for (size_t i = 0; i < sizeof guests / sizeof guests[0]; i++)
		if (strstr(model, guests[i]) != NULL)
			return guests[i];
	return "none seen";
}

char *
platform_load(struct arena *arena)
{
	double load[3];

	if (getloadavg(load, 3) != 3)
		return arena_strdup(arena, "");
	return arena_printf(arena, "%.2f %.2f %.2f", load[0], load[1], load[2]);
}

static void
add_machine(struct arena *arena, struct fact_list *facts)
{
	int64_t memory = platform_memory_bytes();
	time_t boot = boot_time();

	fact_list_add(arena, facts, "cpu", bsd_sysctl_text(arena, "hw.model"));
	fact_list_add(arena, facts, "cpus",
	    arena_printf(
		arena, "%lld", (long long)bsd_sysctl_number("hw.ncpu")));
	if (memory > 0)
		fact_list_add(
		    arena, facts, "memory", units_format_size(arena, memory));
	fact_list_add(arena, facts, "virtualization", virtualization(arena));
	fact_list_add(arena, facts, "clock_source",
	    bsd_sysctl_text(arena, "kern.timecounter.hardware"));
	fact_list_add(arena, facts, "boot_id", platform_boot_id(arena));
	if (boot != 0)
		fact_list_add(arena, facts, "uptime",
		    units_format_duration(
			arena, (int64_t)(time(NULL) - boot) * 1000000000));
	fact_list_add(arena, facts, "load", platform_load(arena));
}

/* What a system does not know is left out. */
static void
add_settings(struct arena *arena, struct fact_list *facts)
{
	for (const char *const *name = bsd_fact_names; *name != NULL; name++) {
		int64_t value = bsd_sysctl_number(*name);

		if (value >= 0)
			fact_list_add(arena, facts, *name,
			    arena_printf(arena, "%lld", (long long)value));
	}
}

/* Daemons that start work by themselves. */
static const char *
noise(struct arena *arena)
{
	static const char *const daemons[] = { "cron", "periodic", "makewhatis",
		"locate.updatedb", "security", "hammer", "syncer.debug" };
	struct bsd_process *all;
	size_t count = bsd_processes(arena, 0, &all);
	struct name_list list = { 0 };
	char *text = arena_strdup(arena, "");

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof daemons / sizeof daemons[0]; k++)
			if (strcmp(all[i].name, daemons[k]) == 0)
				name_list_add(arena, &list, daemons[k]);
	for (size_t i = 0; i < list.count; i++)
		text = arena_printf(
		    arena, "%s%s%s", text, i > 0 ? " " : "", list.names[i]);
	return list.count > 0 ? text : "none that is known to disturb";
}

void
platform_host_facts(struct arena *arena, struct fact_list *facts)
{
	struct utsname names;

	*facts = (struct fact_list){ 0 };
	if (uname(&names) == 0) {
		fact_list_add(arena, facts, "system", names.sysname);
		fact_list_add(arena, facts, "release", names.release);
		fact_list_add(
		    arena, facts, "version", text_trim(arena, names.version));
		fact_list_add(arena, facts, "machine", names.machine);
		fact_list_add(arena, facts, "hostname", names.nodename);
	}
	fact_list_add(arena, facts, "debugging", bsd_debugging(arena));
	add_machine(arena, facts);
	add_settings(arena, facts);
	fact_list_add(arena, facts, "background", noise(arena));
}
