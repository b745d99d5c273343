/*
 * A command of the user's own, timed, and what it prints read for metrics.
 *
 * It is split into words as a shell would split it and run without one,
 * unless "shell" asks for it.  "%m" is the folder to work in, "%t" the folder
 * with the tree.  Of several matches of a pattern the last one counts: tools
 * print their final figure at the end.
 */
#include <pwd.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/argv.h"
#include "workload/result.h"
#include "workload/run.h"

enum { ELAPSED, USER, SYSTEM, OUTPUT_LIMIT = 4 << 20, GROUPS = 2 };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER, "from start to end" },
	[USER] = { "user", "s", LOWER_IS_BETTER, "processor time of its own" },
	[SYSTEM] = { "system", "s", LOWER_IS_BETTER,
	    "processor time in the kernel" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "run", KEY_TEXT, NULL, 0, 0, NULL, 1,
	    "the command line; %m is the folder, %t the tree's" },
	{ "env", KEY_TEXT, NULL, 0, 0, NULL, 256,
	    "more environment, each NAME=VALUE" },
	{ "user", KEY_TEXT, NULL, 0, 0, NULL, 1, "run as this user" },
	{ "shell", KEY_BOOLEAN, "false", 0, 0, NULL, 1,
	    "give the line to /bin/sh" },
	KEY_PASSES,
	KEY_ONE_THREAD,
	KEY_BY_COUNT,
	{ .name = NULL },
};

static int
check_environment(const struct workload_keys *bound, struct error *err)
{
	for (size_t i = 0; i < keys_count(bound, "env"); i++) {
		const char *text = keys_text_at(bound, "env", i);

		if (text[0] == '=' || strchr(text, '=') == NULL)
			return error_set(err,
			    "key 'env': '%s' is not of the form NAME=VALUE",
			    text);
	}
	return 0;
}

static int
check(const struct workload_keys *bound, struct error *err)
{
	const char *line = keys_text(bound, "run");
	const char *user = keys_text(bound, "user");
	struct arena *arena;
	struct argv argv;
	int code;

	if (line == NULL)
		return error_set(err, "needs the key 'run'");
	if (user != NULL && getpwnam(user) == NULL)
		return error_set(
		    err, "key 'user': there is no user '%s'", user);
	if (check_environment(bound, err) == -1)
		return -1;
	arena = arena_new();
	argv_init(&argv, arena);
	code = argv_split(&argv, line, err);
	if (code == -1)
		(void)error_wrap(err, "key 'run'");
	else if (argv.count == 0)
		code = error_set(err, "key 'run' is empty");
	arena_free(arena);
	return code;
}

/* --- the command --------------------------------------------------------- */

static int
make_argv(const struct workload_job *job, struct arena *arena,
    struct argv *argv, struct error *err)
{
	bool shell = keys_boolean(job->keys, "shell");
	const char *tree =
	    job->tree_directory != NULL ? job->tree_directory : job->directory;
	struct argv_substitution pairs[] = {
		{ 'm', job->directory },
		{ 't', tree },
	};
	struct argv words;

	argv_init(argv, arena);
	argv_init(&words, arena);
	if (shell) {
		pairs[0].value = argv_quote_word(arena, job->directory);
		pairs[1].value = argv_quote_word(arena, tree);
		argv_push(&words, "/bin/sh");
		argv_push(&words, "-c");
		argv_push(&words, keys_text(job->keys, "run"));
	} else if (argv_split(&words, keys_text(job->keys, "run"), err) == -1) {
		return -1;
	}
	argv_substitute(argv, &words, pairs, 2);
	return 0;
}

static int
set_user(
    const struct workload_job *job, struct proc_job *proc, struct error *err)
{
	const char *name = keys_text(job->keys, "user");
	const struct passwd *user;

	if (name == NULL)
		return 0;
	user = getpwnam(name);
	if (user == NULL)
		return error_set_kind(
		    err, ERROR_HOST, "there is no user '%s'", name);
	if (getuid() != 0 && getuid() != user->pw_uid)
		return error_set_kind(err, ERROR_HOST,
		    "only root can run a command as the user '%s'", name);
	proc->change_user = true;
	proc->uid = user->pw_uid;
	proc->gid = user->pw_gid;
	return 0;
}

static int
make_job(const struct workload_job *job, struct arena *arena,
    struct proc_job *proc, struct error *err)
{
	struct argv argv;
	size_t count = keys_count(job->keys, "env");
	const char **environment =
	    arena_array(arena, count + 1, sizeof *environment);

	if (make_argv(job, arena, &argv, err) == -1)
		return -1;
	for (size_t i = 0; i < count; i++)
		environment[i] = keys_text_at(job->keys, "env", i);
	*proc = (struct proc_job){
		.argv = argv.items,
		.timeout_ns = job->timeout_ns,
		.directory = job->directory,
		.extra_environment = environment,
		.output_limit = OUTPUT_LIMIT,
		.setup = job->setup,
		.setup_context = job->setup_context,
	};
	return set_user(job, proc, err);
}

/* --- what it printed ----------------------------------------------------- */

/* The number in the last match: of the first group, or of the whole. */
static bool
last_match(const regex_t *regex, const char *text, double *value)
{
	regmatch_t matches[GROUPS];
	bool found = false;
	int flags = 0;

	while (*text != '\0' &&
	       regexec(regex, text, GROUPS, matches, flags) == 0) {
		regmatch_t match =
		    matches[regex->re_nsub > 0 && matches[1].rm_so >= 0];
		char *end;
		double number = strtod(text + match.rm_so, &end);

		if (end != text + match.rm_so) {
			*value = number;
			found = true;
		}
		text += matches[0].rm_eo > 0 ? matches[0].rm_eo : 1;
		flags = REG_NOTBOL;
	}
	return found;
}

static int
compile(const struct metric_pattern *pattern, regex_t *regex, struct error *err)
{
	char words[256];
	int code = regcomp(regex, pattern->pattern, REG_EXTENDED | REG_NEWLINE);

	if (code == 0)
		return 0;
	(void)regerror(code, regex, words, sizeof words);
	return error_set_kind(err, ERROR_USAGE, "metric '%s': pattern '%s': %s",
	    pattern->metric.name, pattern->pattern, words);
}

int
workload_pattern_check(const struct metric_pattern *pattern, struct error *err)
{
	regex_t regex;

	if (compile(pattern, &regex, err) == -1)
		return -1;
	regfree(&regex);
	return 0;
}

static int
read_metric(const struct metric_pattern *pattern, int pass, struct arena *arena,
    struct workload_result *result, struct error *err)
{
	struct sample sample = {
		.metric = pattern->metric.name,
		.unit = pattern->metric.unit,
		.better = pattern->metric.better,
		.pass = pass,
	};
	regex_t regex;

	if (compile(pattern, &regex, err) == -1)
		return -1;
	if (last_match(&regex, result->process.output, &sample.value) ||
	    last_match(&regex, result->process.errors, &sample.value)) {
		result_add_sample(result, arena, &sample);
	} else {
		result->verdict = VERDICT_FAILED;
		result->reason = arena_printf(arena,
		    "metric '%s': '%s' matches nothing that the command printed",
		    pattern->metric.name, pattern->pattern);
	}
	regfree(&regex);
	return 0;
}

static void
add_time(struct workload_result *result, struct arena *arena, int metric,
    int pass, int64_t ns)
{
	struct sample sample = {
		.metric = metrics[metric].name,
		.unit = metrics[metric].unit,
		.better = metrics[metric].better,
		.pass = pass,
		.value = (double)ns / 1e9,
	};

	result_add_sample(result, arena, &sample);
}

static int
run_pass(const struct workload_job *job, int pass, struct arena *arena,
    struct workload_result *result, struct error *err)
{
	struct proc_job proc;

	if (make_job(job, arena, &proc, err) == -1 ||
	    proc_run(&proc, arena, &result->process, err) == -1)
		return -1;
	if (!result_judge_process(result, arena))
		return 0;
	add_time(result, arena, ELAPSED, pass, result->process.wall_ns);
	add_time(result, arena, USER, pass, result->process.user_ns);
	add_time(result, arena, SYSTEM, pass, result->process.system_ns);
	for (size_t i = 0; i < job->pattern_count; i++)
		if (read_metric(&job->patterns[i], pass, arena, result, err) ==
		    -1)
			return -1;
	return 0;
}

/* Each metric's median over the passes, as pass 0. */
static void
add_medians(struct workload_result *result, struct arena *arena, size_t passes)
{
	size_t count = result->sample_count / passes;
	double *values = arena_array(arena, passes, sizeof *values);

	for (size_t i = 0; i < count; i++) {
		struct sample sample = result->samples[i];

		for (size_t pass = 0; pass < passes; pass++)
			values[pass] = result->samples[pass * count + i].value;
		sample.pass = 0;
		sample.value = run_median(values, passes);
		result_add_sample(result, arena, &sample);
	}
}

static int
execute(const struct workload_job *job, struct arena *arena,
    struct workload_result *result, struct error *err)
{
	int passes = (int)keys_integer(job->keys, "passes");

	for (int pass = 1; pass <= passes; pass++) {
		if (run_pass(job, pass, arena, result, err) == -1)
			return -1;
		if (result->verdict != VERDICT_OK)
			return 0;
	}
	add_medians(result, arena, (size_t)passes);
	return 0;
}

const struct workload workload_command = {
	.name = "command",
	.summary = "a command line of one's own, timed; metrics by pattern",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_OPTIONAL,
	.writes = true,
	.check = check,
	.execute = execute,
};
