#include "cli/facts.h"

#include <string.h>
#include <sys/stat.h>

#include "base/argv.h"
#include "base/clock.h"
#include "base/proc.h"
#include "fs/build.h"

/* Only what is named here is asked, and only on Linux: elsewhere programs of
 * the same names take the flag for a mistake or for an order.  All others are
 * named with their path. */
static const struct {
	const char *program;
	const char *flag; /* NULL: no version to ask for */
} version_flags[] = {
	{ "mount", "-V" },
	{ "umount", "-V" },
	{ "losetup", "-V" },
	{ "mkfs.ext2", "-V" },
	{ "mkfs.ext3", "-V" },
	{ "mkfs.ext4", "-V" },
	/* of the same package as mkfs.ext4 */
	{ "tune2fs", NULL },
	{ "dumpe2fs", NULL },
	{ "e2fsck", "-V" },
	{ "mkfs.xfs", "-V" },
	{ "xfs_repair", "-V" },
	{ "mkfs.btrfs", "--version" },
	{ "btrfs", "--version" },
	{ "mkfs.f2fs", "-V" },
	{ "fuse2fs", "-V" },
	{ NULL, NULL },
};

static char *
first_line(struct arena *arena, const struct proc_result *result)
{
	const char *text =
	    result->output_size > 0 ? result->output : result->errors;
	size_t length;

	while (*text == '\n')
		text++;
	length = strcspn(text, "\n");
	return arena_strndup(arena, text, length < 200 ? length : 200);
}

/* A program that cannot be asked is told by its file. */
static const char *
file_of(const char *program, struct arena *arena)
{
	const char *path = proc_find(arena, program);
	struct stat status;

	if (path == NULL || stat(path, &status) == -1)
		return path;
	return arena_printf(arena, "%s, %lld bytes of %s", path,
	    (long long)status.st_size,
	    clock_iso8601(arena, (int64_t)status.st_mtime * 1000000000));
}

static const char *
version_of(const char *program, bool may_ask, struct arena *arena)
{
	struct proc_result result;
	struct error err;

	for (size_t i = 0; may_ask && version_flags[i].program != NULL; i++) {
		const char *argv[] = { program, version_flags[i].flag, NULL };
		struct proc_job job = { .argv = argv,
			.timeout_ns = 5000000000 };

		if (strcmp(version_flags[i].program, program) != 0)
			continue;
		if (version_flags[i].flag == NULL)
			return proc_find(arena, program);
		if (proc_run(&job, arena, &result, &err) == 0 &&
		    proc_succeeded(&result))
			return first_line(arena, &result);
	}
	return file_of(program, arena);
}

/* Calls "visit" once for each program of the plan's commands until it returns
 * false; the program it stopped at. */
static const char *
each_program(const struct plan *plan, struct arena *arena,
    bool (*visit)(const char *program, struct arena *arena, void *context),
    void *context)
{
	struct fact_list seen = { 0 };

	for (size_t i = 0; i < plan->cell_count; i++) {
		const char *const *programs;

		if (!cell_status_runs(plan->cells[i].status))
			continue;
		programs = fs_programs(
		    &plan->cells[i], plan->system, plan->system_version, arena);
		for (; *programs != NULL; programs++) {
			if (fact_list_get(&seen, *programs) != NULL)
				continue;
			fact_list_add(arena, &seen, *programs, "seen");
			if (!visit(*programs, arena, context))
				return *programs;
		}
	}
	return NULL;
}

struct asking {
	struct fact_list *tools;
	bool may_ask;
};

static bool
add_version(const char *program, struct arena *arena, void *context)
{
	const struct asking *asking = context;

	fact_list_add(arena, asking->tools, program,
	    version_of(program, asking->may_ask, arena));
	return true;
}

void
facts_tools(
    struct fact_list *tools, const struct plan *plan, struct arena *arena)
{
	struct asking asking = { tools, strcmp(plan->system, "linux") == 0 };

	(void)each_program(plan, arena, add_version, &asking);
}

static bool
is_there(const char *program, struct arena *arena, void *context)
{
	(void)context;
	return proc_find(arena, program) != NULL;
}

const char *
facts_missing_tool(const struct plan *plan, struct arena *arena)
{
	return each_program(plan, arena, is_there, NULL);
}

/* A shell may find it in its own way, and so may what sets PATH. */
static bool
is_left_to_others(const struct workload_spec *spec)
{
	for (size_t i = 0; i < spec->setting_count; i++) {
		const struct setting *setting = &spec->settings[i];

		if (setting->value_count == 0)
			continue;
		if (strcmp(setting->key, "shell") == 0 &&
		    strcmp(setting->values[0], "false") != 0)
			return true;
		for (size_t j = 0; j < setting->value_count; j++)
			if (strcmp(setting->key, "env") == 0 &&
			    strncmp(setting->values[j], "PATH=", 5) == 0)
				return true;
	}
	return false;
}

const char *
facts_missing_command(const struct workload_spec *spec, struct arena *arena)
{
	struct error ignored = { 0 };
	const char *line = NULL;
	struct argv argv;

	if (strcmp(spec->type, "command") != 0 || is_left_to_others(spec))
		return NULL;
	for (size_t i = 0; i < spec->setting_count; i++)
		if (strcmp(spec->settings[i].key, "run") == 0 &&
		    spec->settings[i].value_count > 0)
			line = spec->settings[i].values[0];
	argv_init(&argv, arena);
	if (line == NULL || argv_split(&argv, line, &ignored) == -1 ||
	    argv.count == 0)
		return NULL;
	line = argv.items[0];
	/* one in the folder to work in is not there yet */
	if (strchr(line, '%') != NULL ||
	    (line[0] != '/' && strchr(line, '/') != NULL) ||
	    proc_find(arena, line) != NULL)
		return NULL;
	return line;
}
