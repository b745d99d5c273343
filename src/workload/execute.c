/* A workload in a child: start it, read what it says, judge how it ended. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/io.h"
#include "workload/result.h"
#include "workload/run.h"

enum { OUTPUT_LIMIT = 64 << 20, FIELDS = 6, CHILD_BROKEN = 125 };

/* --- in the child -------------------------------------------------------- */

/* A walk holds a folder open for each level of depth. */
static void
raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int
run_in_child(void *context, int result_fd)
{
	const struct workload_job *job = context;
	struct workload_run run = {
		.job = job,
		.keys = job->keys,
		.directory = job->directory,
		.tree_directory = job->tree_directory != NULL
				      ? job->tree_directory
				      : job->directory,
	};
	struct error err = { 0 };
	int sent;

	raise_file_limit();
	/* a limit on file sizes is an error like any other */
	(void)signal(SIGXFSZ, SIG_IGN);
	buffer_init(&run.out);
	if (job->workload->run(&run, &err) == -1) {
		run_complain(err.text);
		return CHILD_BROKEN;
	}
	buffer_puts(&run.out, "end\n");
	sent = io_write(result_fd, run.out.data, run.out.length);
	buffer_reset(&run.out);
	return sent == 1 ? CHILD_BROKEN : 0;
}

/* --- reading what it said ------------------------------------------------ */

void
result_add_sample(struct workload_result *result, struct arena *arena,
    const struct sample *sample)
{
	if (result->sample_count == result->sample_capacity)
		result->samples =
		    arena_grow(arena, result->samples, result->sample_count,
			&result->sample_capacity, sizeof *result->samples);
	result->samples[result->sample_count++] = *sample;
}

void
result_add_note(
    struct workload_result *result, struct arena *arena, const char *text)
{
	result->notes = result->notes[0] == '\0' ? arena_strdup(arena, text)
						 : arena_printf(arena, "%s; %s",
						       result->notes, text);
}

/* Splits a line at its tabs; the last field keeps the rest. */
static size_t
split_fields(char *line, char *fields[FIELDS], size_t most)
{
	size_t count = 0;

	while (count < most) {
		char *tab = strchr(line, '\t');

		fields[count++] = line;
		if (tab == NULL || count == most)
			break;
		*tab = '\0';
		line = tab + 1;
	}
	return count;
}

static bool
read_sample(struct workload_result *result, struct arena *arena, char *line)
{
	char *fields[FIELDS];
	struct sample sample = { 0 };

	if (split_fields(line, fields, FIELDS) != FIELDS ||
	    better_parse(fields[3], &sample.better) == -1)
		return false;
	sample.metric = fields[1];
	sample.unit = fields[2];
	sample.pass = (int)strtol(fields[4], NULL, 10);
	sample.value = strtod(fields[5], NULL);
	result_add_sample(result, arena, &sample);
	return true;
}

static bool
read_curve(struct workload_result *result, struct arena *arena, char *line)
{
	char *fields[FIELDS];
	struct trial_curve *curve;
	size_t capacity = 0;
	const char **columns = NULL;

	if (split_fields(line, fields, 4) != 4)
		return false;
	if (result->curve_count == result->curve_capacity)
		result->curves =
		    arena_grow(arena, result->curves, result->curve_count,
			&result->curve_capacity, sizeof *result->curves);
	curve = &result->curves[result->curve_count++];
	*curve = (struct trial_curve){ .name = fields[1],
		.interval_s = strtod(fields[2], NULL) };
	for (char *word = strtok(fields[3], " "); word != NULL;
	     word = strtok(NULL, " ")) {
		if (curve->column_count == capacity)
			columns = arena_grow(arena, columns,
			    curve->column_count, &capacity, sizeof *columns);
		columns[curve->column_count++] = word;
	}
	curve->columns = columns;
	result->cell_capacity = 0;
	return curve->column_count > 0;
}

static bool
read_row(struct workload_result *result, struct arena *arena, char *line)
{
	struct trial_curve *curve;
	size_t used;

	if (result->curve_count == 0)
		return false;
	curve = &result->curves[result->curve_count - 1];
	used = curve->row_count * curve->column_count;
	line += strcspn(line, "\t");
	for (size_t i = 0; i < curve->column_count; i++) {
		if (*line != '\t')
			return false;
		if (used == result->cell_capacity)
			curve->values = arena_grow(arena, curve->values, used,
			    &result->cell_capacity, sizeof *curve->values);
		curve->values[used++] = strtod(line + 1, &line);
	}
	curve->row_count++;
	return true;
}

static bool
read_failure(struct workload_result *result, char *line)
{
	char *fields[FIELDS];

	if (split_fields(line, fields, 3) != 3 ||
	    verdict_parse(fields[1], &result->verdict) == -1)
		return false;
	result->reason = fields[2];
	return true;
}

static bool
read_line(struct workload_result *result, struct arena *arena, char *line)
{
	if (strncmp(line, "sample\t", 7) == 0)
		return read_sample(result, arena, line);
	if (strncmp(line, "curve\t", 6) == 0)
		return read_curve(result, arena, line);
	if (strncmp(line, "row\t", 4) == 0)
		return read_row(result, arena, line);
	if (strncmp(line, "fail\t", 5) == 0)
		return read_failure(result, line);
	if (strncmp(line, "note\t", 5) != 0)
		return false;
	result_add_note(result, arena, line + 5);
	return true;
}

/* False when the child did not come to "end". */
static bool
read_output(struct workload_result *result, struct arena *arena)
{
	char *at = arena_strndup(
	    arena, result->process.output, result->process.output_size);
	char *newline;

	while ((newline = strchr(at, '\n')) != NULL) {
		*newline = '\0';
		if (strcmp(at, "end") == 0)
			return true;
		if (!read_line(result, arena, at))
			return false;
		at = newline + 1;
	}
	return false;
}

/* --- judging ------------------------------------------------------------- */

/* The first line of what the child complained of, or "". */
static const char *
complaint(struct arena *arena, const struct proc_result *process)
{
	return arena_strndup(
	    arena, process->errors, strcspn(process->errors, "\n"));
}

bool
result_judge_process(struct workload_result *result, struct arena *arena)
{
	const struct proc_result *process = &result->process;
	const char *words = complaint(arena, process);

	if (proc_succeeded(process))
		return true;
	result->verdict = process->timed_out ? VERDICT_TIMEOUT : VERDICT_FAILED;
	result->reason = words[0] == '\0'
			     ? proc_describe(arena, process)
			     : arena_printf(arena, "%s: %s",
				   proc_describe(arena, process), words);
	return false;
}

static int
execute_child(const struct workload_job *job, struct arena *arena,
    struct workload_result *result, struct error *err)
{
	struct workload_job copy = *job;
	struct proc_job proc = {
		.function = run_in_child,
		.context = &copy,
		.timeout_ns = job->timeout_ns,
		.output_limit = OUTPUT_LIMIT,
		.setup = job->setup,
		.setup_context = job->setup_context,
	};

	if (proc_run(&proc, arena, &result->process, err) == -1)
		return -1;
	if (result->process.exit_code == CHILD_BROKEN)
		return error_set(err, "%s", complaint(arena, &result->process));
	if (!result_judge_process(result, arena))
		return 0;
	if (!read_output(result, arena)) {
		result->verdict = VERDICT_FAILED;
		result->reason = "ended without a result";
	}
	return 0;
}

int
workload_execute(const struct workload_job *job, struct arena *arena,
    struct workload_result *result, struct error *err)
{
	int code;

	*result = (struct workload_result){
		.verdict = VERDICT_OK, .reason = "", .notes = ""
	};
	if (job->workload->tree == TREE_LOADED && job->tree == NULL)
		return error_set_kind(err, ERROR_USAGE,
		    "workload '%s' needs a tree", job->workload->name);
	code = job->workload->execute != NULL
		   ? job->workload->execute(job, arena, result, err)
		   : execute_child(job, arena, result, err);
	if (code == -1)
		return error_wrap(err, "workload '%s'", job->workload->name);
	if (result->process.cancelled)
		return error_set_kind(err, ERROR_CANCELLED,
		    "workload '%s' was stopped", job->workload->name);
	return 0;
}

bool
workload_result_value(
    const struct workload_result *result, const char *metric, double *value)
{
	for (size_t i = 0; i < result->sample_count; i++) {
		const struct sample *sample = &result->samples[i];

		if (sample->pass == 0 && strcmp(sample->metric, metric) == 0) {
			*value = sample->value;
			return true;
		}
	}
	return false;
}

const struct trial_curve *
workload_result_curve(const struct workload_result *result, const char *name)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (strcmp(result->curves[i].name, name) == 0)
			return &result->curves[i];
	return NULL;
}
