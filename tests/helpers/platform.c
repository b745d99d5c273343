/*
 * Shows what platform/ finds, for the tests that need root and for a look by
 * hand: "platform uses /dev/sda1".  Not installed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "platform/attach.h"
#include "platform/cache.h"
#include "platform/counters.h"
#include "platform/device.h"
#include "platform/filesystem.h"
#include "platform/host.h"
#include "platform/isolate.h"
#include "platform/kernel_log.h"
#include "platform/lock.h"
#include "platform/magic.h"
#include "platform/memory.h"
#include "platform/mounts.h"
#include "platform/probe.h"
#include "platform/process.h"

static struct arena *arena;
static struct error err;

static int
failed(void)
{
	(void)fflush(stdout);
	(void)fprintf(stderr, "%s\n", err.text);
	return 1;
}

static int
show_mounts(int argc, char **argv)
{
	struct mount_list list;
	bool all = argc > 0 && strcmp(argv[0], "all") == 0;

	if ((all ? platform_mounts_all_namespaces(arena, &list, &err)
		 : platform_mounts(arena, &list, &err)) == -1)
		return failed();
	for (size_t i = 0; i < list.count; i++)
		(void)printf("%s on %s type %s (%s)%s\n", list.items[i].source,
		    list.items[i].mountpoint, list.items[i].type,
		    mount_options_in_force(arena, &list.items[i]),
		    list.items[i].name_space != list.items[0].name_space
			? " elsewhere"
			: "");
	return 0;
}

static int
describe(const char *path, struct device_info *info)
{
	return platform_device_describe(path, arena, info, &err);
}

static int
show_device(int argc, char **argv)
{
	static const char *const kinds[] = { "absent", "disk", "image",
		"directory", "other" };
	struct device_info info;

	if (argc < 1 || describe(argv[0], &info) == -1)
		return failed();
	(void)printf("kind %s\npath %s\nname %s\nsize %lld\nsector %lld\n"
		     "disk %s\nmodel %s\nserial %s\nwrite_cache %s\n"
		     "scheduler %s\nbacking %s\nrotational %d\n",
	    kinds[info.kind], info.path, info.name, (long long)info.size_bytes,
	    (long long)info.sector_bytes, info.disk, info.model, info.serial,
	    info.write_cache, info.scheduler, info.backing_file,
	    info.is_rotational);
	return 0;
}

static int
show_uses(int argc, char **argv)
{
	static const char *const kinds[] = { "mounted", "swap", "system",
		"holder", "backing", "partition", "open", "writer", "unseen" };
	struct device_info info;
	struct device_uses uses;

	if (argc < 1 || describe(argv[0], &info) == -1 ||
	    platform_device_uses(&info, arena, &uses, &err) == -1)
		return failed();
	for (size_t i = 0; i < uses.count; i++)
		(void)printf(
		    "%s: %s\n", kinds[uses.items[i].kind], uses.items[i].text);
	return 0;
}

static int
show_signatures(int argc, char **argv)
{
	static const char *const kinds[] = { "filesystem", "swap", "member",
		"partitions", "unknown" };
	struct device_info info;
	struct signature_list list;

	if (argc < 1 || describe(argv[0], &info) == -1 ||
	    platform_signatures(&info, -1, arena, &list, &err) == -1)
		return failed();
	for (size_t i = 0; i < list.count; i++)
		(void)printf("%s %s '%s' '%s'\n", kinds[list.items[i].kind],
		    list.items[i].type, list.items[i].uuid,
		    list.items[i].label);
	return 0;
}

/* By magic numbers, as on systems without libblkid. */
static int
show_magic(int argc, char **argv)
{
	enum { HEAD = 1024 * 1024, TAIL = 64 * 1024 };
	unsigned char *head = arena_alloc(arena, HEAD);
	unsigned char *tail = arena_alloc(arena, TAIL);
	struct signature_list list;
	FILE *file = argc > 0 ? fopen(argv[0], "rb") : NULL;
	size_t head_size;
	size_t tail_size;

	if (file == NULL)
		return 2;
	head_size = fread(head, 1, HEAD, file);
	(void)fseek(file, -(long)TAIL, SEEK_END);
	tail_size = fread(tail, 1, TAIL, file);
	(void)fclose(file);
	magic_signatures(head, head_size, tail, tail_size, arena, &list);
	for (size_t i = 0; i < list.count; i++)
		(void)printf("%s '%s' '%s'\n", list.items[i].type,
		    list.items[i].uuid, list.items[i].label);
	return 0;
}

static int
show_path_is_on(int argc, char **argv)
{
	struct device_info info;

	if (argc < 2 || describe(argv[1], &info) == -1)
		return failed();
	(void)printf("%d\n", platform_path_is_on(argv[0], &info, arena, &err));
	return 0;
}

static int
erase(int argc, char **argv)
{
	int fd = argc < 1 ? -1 : platform_open_exclusive(argv[0], &err);

	if (fd == -1 || platform_erase_signatures(fd, &err) == -1)
		return failed();
	(void)close(fd);
	return 0;
}

/* Attaches, tells the device, and holds it until standard input ends. */
static int
attach(int argc, char **argv)
{
	struct attachment attachment;
	char byte;

	if (argc < 1 || platform_attach(argv[0], argc > 1 ? atol(argv[1]) : 0,
			    arena, &attachment, &err) != 0)
		return failed();
	(void)printf("%s dio=%d %s\n", attachment.device, attachment.direct_io,
	    attachment.note);
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	if (platform_detach(&attachment, 5000000000, &err) == -1)
		return failed();
	(void)printf("detached\n");
	return 0;
}

static int
detach(int argc, char **argv)
{
	if (argc < 1 || platform_detach_device(argv[0], 2000000000, &err) == -1)
		return failed();
	return 0;
}

static int
show_attached(int argc, char **argv)
{
	struct name_list list;

	if (argc < 1 || platform_attached_to(argv[0], arena, &list, &err) == -1)
		return failed();
	for (size_t i = 0; i < list.count; i++)
		(void)printf("%s\n", list.names[i]);
	return 0;
}

static int
make_image(int argc, char **argv)
{
	if (argc < 2 ||
	    platform_image_create(argv[0], atoll(argv[1]), &err) == -1)
		return failed();
	return 0;
}

static int
show_counters(int argc, char **argv)
{
	struct device_counters now;
	int rc = argc < 1 ? -1 : platform_counters(argv[0], &now, &err);

	if (rc == -1)
		return failed();
	if (rc == 0)
		(void)printf("reads %llu writes %llu flushes %llu\n",
		    (unsigned long long)now.reads,
		    (unsigned long long)now.writes,
		    (unsigned long long)now.flushes);
	else
		(void)printf("none\n");
	return 0;
}

struct command {
	char **argv;
};

/* In the worker: runs the words as a program, tells what came of it. */
static int
run_inside(void *context)
{
	const struct command *command = context;
	struct proc_job job = {
		.argv = (const char *const *)(void *)command->argv
	};
	struct proc_result result;
	struct error inner = { 0 };

	if (proc_run(&job, arena, &result, &inner) == -1) {
		(void)fprintf(stderr, "%s\n", inner.text);
		return 125;
	}
	(void)fwrite(result.output, 1, result.output_size, stdout);
	(void)fwrite(result.errors, 1, result.errors_size, stderr);
	return result.exit_code >= 0 ? result.exit_code : 128 + result.signal;
}

static struct isolate isolate;

static void
pass_on(int number)
{
	platform_isolate_signal(&isolate, number);
}

/* isolate [-k PIN] PROGRAM WORD...; shows the identity on standard error */
static int
run_isolated(int argc, char **argv)
{
	const char *pin =
	    argc > 2 && strcmp(argv[0], "-k") == 0 ? argv[1] : NULL;
	struct command command = { .argv = pin != NULL ? argv + 2 : argv };
	struct isolate_job job = {
		.function = run_inside, .context = &command, .keep = pin != NULL
	};
	int exit_code;
	int number;

	if (platform_isolate_start(&job, arena, &isolate, &err) == -1)
		return failed();
	(void)signal(SIGTERM, pass_on);
	(void)fprintf(stderr, "identity %s\n",
	    platform_process_identity(arena, isolate.pid));
	if (platform_isolate_wait(&isolate, &exit_code, &number, &err) == -1 ||
	    (pin != NULL && platform_isolate_pin(&isolate, pin, &err) == -1))
		return failed();
	platform_isolate_close(&isolate);
	return exit_code >= 0 ? exit_code : 128 + number;
}

static int
unpin(int argc, char **argv)
{
	return argc < 1 || platform_isolate_unpin(argv[0], &err) == -1
		   ? failed()
		   : 0;
}

static int
show_isolation(int argc, char **argv)
{
	struct isolation isolation;

	(void)argc;
	(void)argv;
	platform_isolation(arena, &isolation);
	(void)printf("root %d mounts %d processes %d user %d %s\n",
	    isolation.is_root, isolation.has_mounts, isolation.has_processes,
	    isolation.has_user_namespace, isolation.note);
	return 0;
}

static int
wait_gone(int argc, char **argv)
{
	return argc < 1 ? 2 : platform_wait_gone(argv[0], 5000000000);
}

static int
show_probe(int argc, char **argv)
{
	struct probe_result result;

	if (argc < 1 ||
	    platform_probe_options(argv[0], (const char *const *)argv + 1,
		(size_t)argc - 1, arena, &result, &err) == -1)
		return failed();
	(void)printf("asked %d known %d %s\n", result.was_asked,
	    result.is_known, result.reason);
	for (size_t i = 0; i < result.refusal_count; i++)
		(void)printf("refused %s: %s\n", result.refusals[i].option,
		    result.refusals[i].words);
	for (size_t i = 0; i < result.warning_count; i++)
		(void)printf("warned %s: %s\n", result.warnings[i].option,
		    result.warnings[i].words);
	return 0;
}

static int
show_processes(const struct process_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		(void)printf("%ld %s: %s\n", (long)list->items[i].pid,
		    list->items[i].name, list->items[i].what);
	return 0;
}

static int
show_holders(int argc, char **argv)
{
	struct process_list list;

	if (argc < 1 ||
	    platform_mount_holders(argv[0], arena, &list, &err) == -1)
		return failed();
	return show_processes(&list);
}

static int
show_stuck(int argc, char **argv)
{
	struct process_list list;

	if (platform_stuck_processes(
		argc > 0 ? (pid_t)atol(argv[0]) : 0, arena, &list, &err) == -1)
		return failed();
	return show_processes(&list);
}

static int
show_facts(int argc, char **argv)
{
	struct fact_list facts;

	(void)argc;
	(void)argv;
	platform_host_facts(arena, &facts);
	for (size_t i = 0; i < facts.count; i++)
		(void)printf(
		    "%s: %s\n", facts.items[i].name, facts.items[i].value);
	return 0;
}

/* limit BYTES PROGRAM WORD...: runs it under a memory limit */
static int
run_limited(int argc, char **argv)
{
	struct memory_limit limit;
	struct proc_job job = { .setup = platform_memory_limit_join,
		.setup_context = &limit };
	struct proc_result result;
	const char *name = arena_printf(arena, "test-%ld", (long)getpid());
	int rc;

	if (argc < 2)
		return 2;
	rc = platform_memory_limit_create(
	    name, atoll(argv[0]), arena, &limit, &err);
	if (rc == 1)
		(void)printf("absent\n");
	if (rc != 0)
		return failed();
	job.argv = (const char *const *)argv + 1;
	rc = proc_run(&job, arena, &result, &err);
	(void)printf("%s, kills %lld\n",
	    rc == 0 ? proc_describe(arena, &result) : err.text,
	    (long long)platform_memory_limit_kills(&limit));
	return platform_memory_limit_remove(limit.path, &err) == -1 ? failed()
								    : 0;
}

/* log PROGRAM WORD...: what the kernel said while it ran */
static int
show_log(int argc, char **argv)
{
	struct kernel_log log;
	struct command command = { .argv = argv };

	if (argc < 1)
		return 2;
	platform_kernel_log_open(&log);
	if (!log.is_available) {
		(void)printf("unavailable: %s\n", log.reason);
		return 0;
	}
	(void)run_inside(&command);
	(void)printf("%s", platform_kernel_log_since(&log, arena, 4096));
	platform_kernel_log_close(&log);
	return 0;
}

/* lock KEY PROGRAM WORD... */
static int
run_locked(int argc, char **argv)
{
	struct command command = { .argv = argv + 1 };

	struct lock_request request = { .key = argv[0] };

	if (argc < 2 || platform_lock(arena, &request, &err) == -1)
		return failed();
	return run_inside(&command);
}

/* exclusive DEVICE...: can all be opened so at once? */
static int
open_exclusively(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (platform_open_exclusive(argv[i], &err) == -1)
			return failed();
	return 0;
}

struct handover {
	int count;
	char **devices;
};

/* In the child, before its exec; what it says is the job's complaint. */
static int
see_held(void *context)
{
	const struct handover *handover = context;

	for (int i = 0; i < handover->count; i++) {
		bool held =
		    platform_open_exclusive(handover->devices[i], &err) == -1;

		(void)fprintf(stderr, "%s\n", held ? "held" : "free");
	}
	return 0;
}

/* handover PROGRAM DEVICE...: holds the devices, hands them over to the
 * program at its start, and says what its child saw before and it itself */
static int
hand_over(int argc, char **argv)
{
	struct handover handover = { argc - 1, argv + 1 };
	struct proc_job job = { .setup = see_held, .setup_context = &handover };
	struct proc_result result;
	int fds[8];

	if (argc < 2 || argc > 8)
		return 2;
	for (int i = 1; i < argc; i++) {
		fds[i - 1] = platform_open_exclusive(argv[i], &err);
		if (fds[i - 1] == -1)
			return failed();
	}
	job.argv = (const char *const *)argv;
	job.release_fds = fds;
	job.release_count = (size_t)(argc - 1);
	if (proc_run(&job, arena, &result, &err) == -1)
		return failed();
	(void)printf("%s%s\n", result.errors, proc_describe(arena, &result));
	return 0;
}

static int
show_flags(int argc, char **argv)
{
	const char *words;

	if (argc < 1 ||
	    platform_flags(argv[0], arena, &words, NULL, &err) == -1)
		return failed();
	(void)printf("%s\n", words);
	return 0;
}

static int
drop_file(int argc, char **argv)
{
	return argc < 1 || platform_cache_drop_file(argv[0], &err) == -1
		   ? failed()
		   : 0;
}

static const struct {
	const char *name;
	int (*exec)(int argc, char **argv);
} commands[] = {
	{ "mounts", show_mounts },
	{ "device", show_device },
	{ "uses", show_uses },
	{ "signatures", show_signatures },
	{ "magic", show_magic },
	{ "is-on", show_path_is_on },
	{ "erase", erase },
	{ "image", make_image },
	{ "attach", attach },
	{ "detach", detach },
	{ "attached", show_attached },
	{ "counters", show_counters },
	{ "isolate", run_isolated },
	{ "isolation", show_isolation },
	{ "unpin", unpin },
	{ "wait-gone", wait_gone },
	{ "probe", show_probe },
	{ "holders", show_holders },
	{ "stuck", show_stuck },
	{ "facts", show_facts },
	{ "limit", run_limited },
	{ "log", show_log },
	{ "lock", run_locked },
	{ "exclusive", open_exclusively },
	{ "handover", hand_over },
	{ "flags", show_flags },
	{ "drop", drop_file },
};

int
main(int argc, char **argv)
{
	int rc = 2;

	arena = arena_new();
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (argc > 1 && strcmp(argv[1], commands[i].name) == 0)
			rc = commands[i].exec(argc - 2, argv + 2);
	arena_free(arena);
	return rc;
}
