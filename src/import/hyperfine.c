/*
 * JSON of hyperfine (--export-json): every time of every command.  With one
 * command in a log the cell is the log's; with several, each command is a
 * cell.
 */
#include <math.h>
#include <string.h>

#include "import/builder.h"
#include "import/json_read.h"

struct job {
	struct builder *builder;
	struct log log; /* for messages */
	size_t workload, session;
};

static int
bad(struct job *job, const struct json_value *at, const char *what,
    struct error *err)
{
	job->log.line = at == NULL ? 1 : at->line;
	return log_fail(&job->log, err, "%s", what);
}

/* Do all times together give the mean, and has each its exit code?  What is
 * not there is not missed. */
static bool
is_consistent(const struct json_value *result, const struct json_value *times,
    const struct json_value *codes)
{
	double mean = json_number_of(result, "mean", NAN);
	double sum = 0;
	size_t count = 0, code_count = 0;

	for (const struct json_value *time = times->first; time != NULL;
	     time = time->next, count++) {
		/* said with its own line below */
		if (time->kind != JSON_NUMBER || time->number < 0)
			return true;
		sum += time->number;
	}
	if (codes != NULL && codes->kind == JSON_LIST)
		for (const struct json_value *code = codes->first; code != NULL;
		     code = code->next)
			code_count++;
	return (code_count == 0 || code_count == count) &&
	       !(fabs(sum / (double)count - mean) > 1e-6 * fabs(mean));
}

static int
add_times(struct job *job, const struct json_value *result, size_t cell,
    struct error *err)
{
	const struct json_value *times = json_member(result, "times");
	const struct json_value *codes = json_member(result, "exit_codes");
	const struct json_value *code =
	    codes != NULL && codes->kind == JSON_LIST ? codes->first : NULL;

	if (times == NULL || times->kind != JSON_LIST || times->first == NULL)
		return bad(job, result, "a result without times", err);
	if (!is_consistent(result, times, codes))
		return bad(job, times,
		    "the times are not those that gave the mean and the exit"
		    " codes beside them: the log was edited",
		    err);
	for (const struct json_value *time = times->first; time != NULL;
	     time = time->next) {
		struct outcome *outcome;

		if (time->kind != JSON_NUMBER || time->number < 0)
			return bad(job, time, "a time that is no number", err);
		outcome = builder_add_run(
		    job->builder, cell, job->workload, 0, job->session);
		if (code != NULL && code->kind == JSON_NUMBER &&
		    code->number != 0)
			outcome_fail(outcome, VERDICT_FAILED, RUNG_MEASURE,
			    arena_printf(job->builder->arena, "exit %.0f",
				code->number));
		else
			builder_add_sample(job->builder, outcome, "elapsed",
			    "s", LOWER_IS_BETTER, time->number);
		if (code != NULL)
			code = code->next;
	}
	return 0;
}

static int
read_log(struct job *job, const struct import_log *source, struct error *err)
{
	struct builder *builder = job->builder;
	struct json_value *root;
	const struct json_value *results;
	bool is_single;

	job->log = (struct log){ .path = source->path };
	if (json_read(source->path, builder->arena, &root, err) == -1)
		return -1;
	results = json_member(root, "results");
	if (results == NULL || results->kind != JSON_LIST ||
	    results->first == NULL)
		return bad(
		    job, root, "not hyperfine's: it has no results", err);
	is_single = results->first->next == NULL;
	if (!is_single && source->cell != NULL)
		return bad(job, results,
		    "several commands are in it, so each is a cell of its own"
		    " and --cell cannot name one",
		    err);
	for (const struct json_value *result = results->first; result != NULL;
	     result = result->next) {
		const struct json_value *command =
		    json_member(result, "command");
		const char *key;

		if (command == NULL || command->kind != JSON_TEXT)
			return bad(
			    job, result, "a result without a command", err);
		key = is_single ? builder_log_key(builder, source)
				: command->text;
		if (add_times(job, result, builder_cell(builder, key, NULL, 0),
			err) == -1)
			return -1;
	}
	return 0;
}

static int
read_hyperfine(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;
	struct job job = { .builder = &builder };

	builder_init(&builder, options, arena, imported);
	job.workload = builder_workload(&builder,
	    options->workload == NULL ? "hyperfine" : options->workload,
	    "command", "elapsed");
	job.session = builder_session(&builder, NULL);
	for (size_t i = 0; i < options->log_count; i++)
		if (read_log(&job, &options->logs[i], err) == -1)
			return -1;
	builder_warn(&builder,
	    "hyperfine runs one command after the other, so drift of the"
	    " machine is in the differences");
	return builder_finish(&builder, err);
}

extern const struct import_format import_hyperfine;

const struct import_format import_hyperfine = {
	.name = "hyperfine",
	.summary = "JSON of hyperfine, every single time",
	.options = "",
	.read = read_hyperfine,
};
