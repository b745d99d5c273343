/* mountmatrix bench: one workload on one folder, as the classic tool. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/argv.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/stop.h"
#include "platform/isolate.h"
#include "tree/tree.h"
#include "workload/workload.h"

static const struct cli_option options[] = {
	{ "directory", 'd', "DIR", "the folder to work in (needed)" },
	{ "json", 0, NULL, "for a program" },
	{ "style", 0, "NAME",
	    "print as the classic tool would (postmark, blogbench)" },
	{ NULL, 0, NULL, NULL },
};

/* What the words said. */
struct bench {
	const struct cli_args *args;
	const struct workload *workload;
	const char *directory; /* as it was given */
	const char *path;      /* the same in full */
	const char *archive;   /* archive=FILE; NULL */
	int64_t timeout_ns;
	struct setting *settings;
	size_t setting_count;
};

/* "size=300,100000" as a setting, or one of the program's own keys. */
static int
take_setting(struct bench *bench, const char *word, struct error *err)
{
	if (strncmp(word, "archive=", 8) == 0) {
		bench->archive = word + 8;
		return 0;
	}
	if (strncmp(word, "timeout=", 8) == 0)
		return units_parse_duration(word + 8, &bench->timeout_ns, err);
	return workload_parse_setting(bench->workload, word, bench->args->arena,
	    &bench->settings[bench->setting_count++], err);
}

static bool
is_empty(const char *directory)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	bool empty = true;

	if (dir == NULL)
		return false;
	while (empty && (entry = readdir(dir)) != NULL)
		empty = strcmp(entry->d_name, ".") == 0 ||
			strcmp(entry->d_name, "..") == 0 ||
			strcmp(entry->d_name, "lost+found") == 0;
	(void)closedir(dir);
	return empty;
}

/* The folder's full path: a command is run inside it, where a relative one
 * would lead elsewhere. */
static int
resolve_directory(struct bench *bench, struct error *err)
{
	char *path = realpath(bench->directory, NULL);

	if (path == NULL)
		return error_errno(err, "cannot find '%s'", bench->directory);
	bench->path = arena_strdup(bench->args->arena, path);
	free(path);
	return 0;
}

static int
read_words(struct bench *bench, struct error *err)
{
	const struct cli_args *args = bench->args;
	struct stat status;

	bench->workload = workload_find(args->words[0]);
	bench->directory = cli_value(args, "directory");
	if (bench->workload == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "there is no workload '%s'; see 'mountmatrix list "
		    "workloads'",
		    args->words[0]);
	if (bench->directory == NULL)
		return error_set_kind(
		    err, ERROR_USAGE, "bench needs -d DIR, the folder to use");
	if (stat(bench->directory, &status) == -1 || !S_ISDIR(status.st_mode))
		return error_set_kind(
		    err, ERROR_USAGE, "'%s' is not a folder", bench->directory);
	bench->settings = arena_array(
	    args->arena, args->word_count + 1, sizeof *bench->settings);
	for (size_t i = 1; i < args->word_count; i++)
		if (take_setting(bench, args->words[i], err) == -1)
			return -1;
	if (bench->workload->writes && !is_empty(bench->directory))
		return error_set_kind(err, ERROR_USAGE,
		    "'%s' is not empty, and %s writes; give an empty folder",
		    bench->directory, bench->workload->name);
	return resolve_directory(bench, err);
}

static void
print_text(const struct workload_result *result, struct arena *arena)
{
	for (size_t i = 0; i < result->sample_count; i++) {
		const struct sample *sample = &result->samples[i];

		if (sample->pass == 0)
			(void)printf("%-22s %s\n", sample->metric,
			    units_format_value(
				arena, sample->value, sample->unit));
	}
	if (result->notes[0] != '\0')
		(void)printf("note: %s\n", result->notes);
}

static void
print_json(const struct bench *bench, const struct workload_result *result)
{
	struct arena *arena = bench->args->arena;

	(void)printf("{ \"workload\": %s, \"directory\": %s, \"verdict\": %s,"
		     "\n  \"samples\": [",
	    cli_json_string(arena, bench->workload->name),
	    cli_json_string(arena, bench->directory),
	    cli_json_string(arena, verdict_name(result->verdict)));
	for (size_t i = 0; i < result->sample_count; i++) {
		const struct sample *sample = &result->samples[i];

		(void)printf("%s\n    { \"metric\": %s, \"unit\": %s, "
			     "\"better\": %s, \"pass\": %d, \"value\": %.9g }",
		    i > 0 ? "," : "", cli_json_string(arena, sample->metric),
		    cli_json_string(arena, sample->unit),
		    cli_json_string(arena, better_name(sample->better)),
		    sample->pass, sample->value);
	}
	(void)puts(" ] }");
}

/* Writes the archive's tree where the workload wants to find it. */
static int
populate(const struct bench *bench, const struct tree *tree,
    struct workload_job *job, struct error *err)
{
	static const struct populate_options plain = { .copies = 1 };
	struct arena *arena = bench->args->arena;
	struct populate_result result;
	char *path;

	if (bench->workload->tree == TREE_POPULATED && tree == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "workload '%s' needs a tree: archive=FILE",
		    bench->workload->name);
	if (tree == NULL || bench->workload->tree == TREE_LOADED ||
	    bench->workload->tree == TREE_UNUSED)
		return 0;
	path = arena_printf(arena, "%s/tree", bench->path);
	if (mkdir(path, 0755) == -1)
		return error_errno(err, "cannot make folder '%s'", path);
	if (tree_populate(tree, path, &plain, arena, &result, err) == -1)
		return -1;
	job->tree_directory = path;
	if (result.errno_value == 0)
		return 0;
	return error_set(err, "cannot %s '%s/%s': %s", result.action, path,
	    result.path, strerror(result.errno_value));
}

static int
print_result(const struct bench *bench, const struct workload_result *result)
{
	struct arena *arena = bench->args->arena;

	if (cli_has(bench->args, "json"))
		print_json(bench, result);
	else if (result->verdict == VERDICT_OK && cli_has(bench->args, "style"))
		(void)fputs(
		    bench->workload->classic_report(result, arena), stdout);
	else if (result->verdict == VERDICT_OK)
		print_text(result, arena);
	if (result->verdict == VERDICT_OK)
		return EXIT_ALL_OK;
	(void)fprintf(stderr, "mountmatrix: %s: %s\n",
	    verdict_name(result->verdict), result->reason);
	return EXIT_CELLS;
}

static int
check_style(const struct bench *bench, struct error *err)
{
	const char *style = cli_value(bench->args, "style");

	if (style == NULL || (strcmp(style, bench->workload->name) == 0 &&
				 bench->workload->classic_report != NULL))
		return 0;
	return error_set_kind(err, ERROR_USAGE,
	    "workload '%s' has no style '%s'", bench->workload->name, style);
}

/* Ended by a signal that cannot be caught, the program takes its worker along
 * where the system knows how. */
static int
die_with_us(void *parent)
{
	platform_die_with_parent(*(const pid_t *)parent);
	return 0;
}

static int
execute(struct bench *bench, struct tree *tree, struct error *err)
{
	struct arena *arena = bench->args->arena;
	struct workload_result result;
	pid_t self = getpid();
	struct workload_job job = {
		.workload = bench->workload,
		.setup = die_with_us,
		.setup_context = &self,
		.tree = tree,
		.directory = bench->path,
		.timeout_ns = bench->timeout_ns,
	};
	struct workload_keys *keys;
	int rc;

	if (check_style(bench, err) == -1 ||
	    workload_bind(bench->workload, bench->settings,
		bench->setting_count, arena, &keys, err) == -1 ||
	    populate(bench, tree, &job, err) == -1)
		return -1;
	job.keys = keys;
	/* from here on there is a worker that must not stay behind */
	if (stop_catch(err) == -1)
		return -1;
	rc = workload_execute(&job, arena, &result, err);
	if (stop_signal() != 0)
		(void)fprintf(stderr,
		    "mountmatrix: stopped; what it made is left in '%s'\n",
		    bench->directory);
	stop_raise();
	return rc == -1 ? -1 : print_result(bench, &result);
}

static int
exec(const struct cli_args *args)
{
	struct bench bench = { .args = args };
	struct tree *tree = NULL;
	struct error err = { 0 };
	int status = -1;

	if (read_words(&bench, &err) == 0 &&
	    (bench.archive == NULL ||
		tree_load(bench.archive, NULL, &tree, &err) == 0))
		status = execute(&bench, tree, &err);
	tree_free(tree);
	return status == -1 ? cli_fail(&err) : status;
}

const struct cli_command command_bench = {
	.name = "bench",
	.arguments = "WORKLOAD [KEY=VALUE...]",
	.summary = "Runs one workload on one folder.",
	.help =
	    "Keys are those of the matrix file; a list is separated by "
	    "commas (size=300,100000),\nand archive=FILE gives the tree.  A "
	    "folder that is not empty is refused by\nworkloads that write, and "
	    "what they leave in it stays: take a new one each time.",
	.options = options,
	.words_least = 1,
	.words_most = SIZE_MAX,
	.exec = exec,
};
