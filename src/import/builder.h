/*
 * Puts an imported plan together while logs are read.
 *
 * Cells, sessions and workloads are made when they are first named; trials
 * come in the order of the runs.  What builder_add_run returns is valid until
 * the next call.
 */
#ifndef MM_IMPORT_BUILDER_H
#define MM_IMPORT_BUILDER_H

#include "import/import.h"
#include "import/log.h"
#include "model/plan.h"
#include "model/results.h"

struct builder {
	const struct import_options *options;
	struct arena *arena;
	struct imported *imported;
	struct plan *plan;
	size_t workload_capacity, cell_capacity, trial_capacity;
	size_t session_capacity, outcome_capacity, outcome_session_capacity;
};

void builder_init(struct builder *builder, const struct import_options *options,
    struct arena *arena, struct imported *imported);

/* Index of the workload of that title; "metric" as in workload_spec. */
size_t builder_workload(struct builder *builder, const char *title,
    const char *type, const char *metric);

/* A setting of a workload, replaced when it is there. */
void builder_set(struct builder *builder, size_t workload, const char *key,
    const char *value);

/* Index of the cell with the key; a new one gets the levels. */
size_t builder_cell(struct builder *builder, const char *key,
    const struct cell_level *levels, size_t level_count);

/* The key of a log: from --cell, else the file's name without folder and
 * extension; with --driver, "DRIVER:" before it unless it has one. */
const char *builder_log_key(
    const struct builder *builder, const struct import_log *log);

/* Index of the session of that label. */
size_t builder_session(struct builder *builder, const char *label);

/* One more run: its outcome, verdict ok.  Block 0 is none. */
struct outcome *builder_add_run(struct builder *builder, size_t cell,
    size_t workload, int block, size_t session);

/* The trial of the run added last. */
struct planned_trial *builder_last_trial(struct builder *builder);

/* One value of pass 0. */
void builder_add_sample(struct builder *builder, struct outcome *outcome,
    const char *metric, const char *unit, enum better better, double value);

void builder_warn(struct builder *builder, const char *format, ...)
    MM_PRINTF(2, 3);

/* True when it was said already. */
bool builder_has_warned(const struct builder *builder, const char *text);

/* Fails when nothing was found; names the baseline. */
int builder_finish(struct builder *builder, struct error *err);

/* The reader of each log, one after the other, each into its own cell. */
int builder_each_log(struct builder *builder,
    int (*read)(struct builder *builder, struct log *log, size_t cell,
	struct error *err),
    struct error *err);

#endif
