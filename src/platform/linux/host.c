#include "platform/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/units.h"
#include "platform/linux/noise.h"
#include "platform/text.h"

char *
platform_system(struct arena *arena)
{
	return arena_strdup(arena, "linux");
}

char *
platform_boot_id(struct arena *arena)
{
	return text_first_line(arena, "/proc/sys/kernel/random/boot_id");
}

char *
platform_program_path(struct arena *arena)
{
	char *real = realpath("/proc/self/exe", NULL);
	char *path = real != NULL ? arena_strdup(arena, real) : NULL;

	free(real);
	return path;
}

int64_t
platform_memory_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	long page = sysconf(_SC_PAGESIZE);

	return pages <= 0 || page <= 0 ? -1 : (int64_t)pages * page;
}

/* The value of "name : value" or "name: value" in the text. */
static char *
keyed_value(struct arena *arena, const char *text, const char *name)
{
	size_t size = text != NULL ? strlen(text) : 0;
	size_t length = strlen(name);
	size_t position = 0;
	char *line;

	while (text_next_line(arena, text, size, &position, &line)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, name, length) == 0 && colon != NULL &&
		    strspn(line + length, " \t") ==
			(size_t)(colon - line) - length)
			return text_trim(arena, colon + 1);
	}
	return arena_strdup(arena, "");
}

/* The kernel's configuration, wherever it is: packed in /proc, or a file. */
static const char *
kernel_config(struct arena *arena, const char *release)
{
	static const char *const unpack[] = { "gzip", "-dc", "/proc/config.gz",
		NULL };
	struct proc_job job = { .argv = unpack,
		.output_limit = (size_t)1024 * 1024,
		.timeout_ns = 10000000000 };
	struct proc_result result;
	struct error ignored = { 0 };
	const char *text;

	text = text_file(arena, "/boot/config-%s", release);
	if (text == NULL)
		text = text_file(arena, "/lib/modules/%s/config", release);
	if (text == NULL && access("/proc/config.gz", R_OK) == 0 &&
	    proc_run(&job, arena, &result, &ignored) == 0 &&
	    proc_succeeded(&result))
		text = arena_strndup(arena, result.output, result.output_size);
	return text;
}

/* The options that make everything slower, and some things much slower. */
static const char *
debugging_options(struct arena *arena, const char *release)
{
	static const char *const options[] = { "LOCKDEP", "PROVE_LOCKING",
		"DEBUG_LOCK_ALLOC", "LOCK_STAT", "KASAN", "KCSAN", "KMSAN",
		"KFENCE_STATIC_KEYS", "UBSAN", "DEBUG_KMEMLEAK",
		"DEBUG_PAGEALLOC_ENABLE_DEFAULT", "SLUB_DEBUG_ON", "DEBUG_VM",
		"DEBUG_OBJECTS", "XFS_DEBUG", "BTRFS_DEBUG", "BTRFS_ASSERT" };
	const char *config = kernel_config(arena, release);
	char *found = arena_strdup(arena, "");

	if (config == NULL)
		return access("/proc/lockdep", F_OK) == 0 ? "LOCKDEP" : "";
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (strstr(config, arena_printf(arena, "\nCONFIG_%s=y\n",
				       options[i])) != NULL)
			found = arena_printf(arena, "%s%s%s", found,
			    found[0] != '\0' ? " " : "", options[i]);
	return found[0] != '\0' ? found : "no";
}

static const char *
virtualization(struct arena *arena, const char *cpuinfo)
{
	const char *type = text_first_line(arena, "/sys/hypervisor/type");
	const char *product =
	    text_first_line(arena, "/sys/class/dmi/id/product_name");
	bool is_guest =
	    cpuinfo != NULL && strstr(cpuinfo, " hypervisor") != NULL;
	bool is_container = access("/.dockerenv", F_OK) == 0 ||
			    access("/run/.containerenv", F_OK) == 0;

	if (type[0] == '\0' && is_guest)
		type = product[0] != '\0' ? product : "guest";
	if (is_container)
		return arena_printf(
		    arena, "container%s%s", type[0] != '\0' ? ", " : "", type);
	return type[0] != '\0' ? type : "none seen";
}

static void
add_kernel(struct arena *arena, struct fact_list *facts)
{
	struct utsname names;

	if (uname(&names) == -1)
		return;
	fact_list_add(arena, facts, "system", names.sysname);
	fact_list_add(arena, facts, "release", names.release);
	fact_list_add(arena, facts, "version", names.version);
	fact_list_add(arena, facts, "machine", names.machine);
	fact_list_add(arena, facts, "hostname", names.nodename);
	fact_list_add(
	    arena, facts, "debugging", debugging_options(arena, names.release));
}

/* "23.5 GiB" of "24641536 kB"; "none" of 0. */
static const char *
size_of_kb(struct arena *arena, const char *text)
{
	int64_t kb = text_number(text, -1);

	if (kb < 0)
		return text;
	return kb == 0 ? "none" : units_format_size(arena, kb * 1024);
}

static void
add_machine(struct arena *arena, struct fact_list *facts)
{
	const char *cpuinfo = text_file(arena, "/proc/cpuinfo");
	const char *model = keyed_value(arena, cpuinfo, "model name");
	int64_t memory = platform_memory_bytes();

	if (model[0] == '\0')
		model = keyed_value(arena, cpuinfo, "Processor");
	fact_list_add(arena, facts, "cpu", model);
	fact_list_add(arena, facts, "cpus",
	    arena_printf(arena, "%ld", sysconf(_SC_NPROCESSORS_ONLN)));
	fact_list_add(arena, facts, "governor",
	    text_first_line(arena,
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
	if (memory > 0)
		fact_list_add(
		    arena, facts, "memory", units_format_size(arena, memory));
	fact_list_add(arena, facts, "swap",
	    size_of_kb(
		arena, keyed_value(arena, text_file(arena, "/proc/meminfo"),
			   "SwapTotal")));
	fact_list_add(
	    arena, facts, "virtualization", virtualization(arena, cpuinfo));
	fact_list_add(arena, facts, "clock_source",
	    text_first_line(arena,
		"/sys/devices/system/clocksource/clocksource0/"
		"current_clocksource"));
}

/* The first three of five words. */
char *
platform_load(struct arena *arena)
{
	char *load = text_first_line(arena, "/proc/loadavg");
	size_t length = 0;

	for (int words = 0; load[length] != '\0'; length++)
		if (load[length] == ' ' && ++words == 3)
			break;
	return arena_strndup(arena, load, length);
}

void
platform_host_facts(struct arena *arena, struct fact_list *facts)
{
	const char *uptime = text_first_line(arena, "/proc/uptime");
	double seconds = strtod(uptime, NULL);

	*facts = (struct fact_list){ 0 };
	add_kernel(arena, facts);
	add_machine(arena, facts);
	fact_list_add(arena, facts, "boot_id", platform_boot_id(arena));
	if (uptime[0] != '\0')
		fact_list_add(arena, facts, "uptime",
		    units_format_duration(arena, (int64_t)(seconds * 1e9)));
	fact_list_add(arena, facts, "load", platform_load(arena));
	fact_list_add(arena, facts, "background", linux_noise(arena));
}
