/*
 * JSON of fio (--output-format=json): each job is a run of the log's cell;
 * jobs of different names are different workloads.  Reads and writes rank
 * apart, by operations per second.
 */
#include <string.h>

#include "import/builder.h"
#include "import/json_read.h"

static const struct {
	const char *member; /* of a job */
	const char *rate, *bandwidth, *latency;
} directions[] = {
	{ "read", "read_iops", "read_bandwidth", "read_latency" },
	{ "write", "write_iops", "write_bandwidth", "write_latency" },
};

enum { DIRECTIONS = 2 };

/* Which of the directions the job has, as a list of ranked metrics. */
static const char *
ranked_metrics(struct arena *arena, const struct json_value *job)
{
	const char *list = NULL;

	for (size_t i = 0; i < DIRECTIONS; i++) {
		const struct json_value *part =
		    json_member(job, directions[i].member);

		if (json_number_of(part, "total_ios", 0) <= 0)
			continue;
		list = list == NULL ? directions[i].rate
				    : arena_printf(arena, "%s %s", list,
					  directions[i].rate);
	}
	return list;
}

/* Mean latency in seconds: nanoseconds since fio 3, microseconds before. */
static double
latency_of(const struct json_value *part)
{
	const struct json_value *ns = json_member(part, "lat_ns");

	if (ns != NULL)
		return json_number_of(ns, "mean", -1) / 1e9;
	return json_number_of(json_member(part, "lat"), "mean", -1) / 1e6;
}

static void
add_direction(struct builder *builder, struct outcome *outcome, size_t i,
    const struct json_value *part)
{
	double bytes = json_number_of(part, "bw_bytes", -1);
	double latency = latency_of(part);

	/* before fio 3 there is only "bw", in KiB/s */
	if (bytes < 0)
		bytes = 1024 * json_number_of(part, "bw", -1);
	builder_add_sample(builder, outcome, directions[i].rate, "1/s",
	    HIGHER_IS_BETTER, json_number_of(part, "iops", 0));
	if (bytes >= 0)
		builder_add_sample(builder, outcome, directions[i].bandwidth,
		    "B/s", HIGHER_IS_BETTER, bytes);
	if (latency >= 0)
		builder_add_sample(builder, outcome, directions[i].latency, "s",
		    LOWER_IS_BETTER, latency);
}

static int
add_job(struct builder *builder, struct log *log, size_t cell,
    const struct json_value *job, struct error *err)
{
	const struct json_value *name = json_member(job, "jobname");
	const char *metrics = ranked_metrics(builder->arena, job);
	const char *title = builder->options->workload;
	struct outcome *outcome;
	double error = json_number_of(job, "error", 0);
	size_t workload;

	log->line = job->line;
	if (name == NULL || name->kind != JSON_TEXT)
		return log_fail(log, err, "a job without a name");
	if (metrics == NULL && error == 0)
		return log_fail(
		    log, err, "job '%.40s' neither read nor wrote", name->text);
	workload = builder_workload(builder, title != NULL ? title : name->text,
	    "fileio", metrics == NULL ? "read_iops" : metrics);
	outcome = builder_add_run(
	    builder, cell, workload, 0, builder_session(builder, NULL));
	if (error != 0) {
		outcome_fail(outcome, VERDICT_FAILED, RUNG_MEASURE,
		    arena_printf(builder->arena, "fio error %.0f", error));
		return 0;
	}
	for (size_t i = 0; i < DIRECTIONS; i++) {
		const struct json_value *part =
		    json_member(job, directions[i].member);

		if (json_number_of(part, "total_ios", 0) <= 0)
			continue;
		if (json_number_of(part, "iops", -1) < 0) {
			log->line = part->line;
			return log_fail(log, err,
			    "the %s of job '%.40s' have no number of iops",
			    i == 0 ? "reads" : "writes", name->text);
		}
		add_direction(builder, outcome, i, part);
	}
	return 0;
}

static int
read_fio(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;

	builder_init(&builder, options, arena, imported);
	for (size_t i = 0; i < options->log_count; i++) {
		const struct import_log *source = &options->logs[i];
		struct log log = { .path = source->path, .line = 1 };
		struct json_value *root;
		const struct json_value *jobs;
		size_t cell;

		if (json_read(source->path, arena, &root, err) == -1)
			return -1;
		jobs = json_member(root, "jobs");
		if (json_member(root, "fio version") == NULL || jobs == NULL ||
		    jobs->kind != JSON_LIST)
			return log_fail(&log, err, "not fio's: it has no jobs");
		cell = builder_cell(
		    &builder, builder_log_key(&builder, source), NULL, 0);
		for (const struct json_value *job = jobs->first; job != NULL;
		     job = job->next)
			if (add_job(&builder, &log, cell, job, err) == -1)
				return -1;
	}
	return builder_finish(&builder, err);
}

extern const struct import_format import_fio;

const struct import_format import_fio = {
	.name = "fio",
	.summary = "JSON of fio, reads and writes apart",
	.options = "",
	.read = read_fio,
};
