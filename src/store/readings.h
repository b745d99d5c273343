/*
 * What was read of one workload, before it becomes a table: its sample names
 * and, of each trial, the last attempt that finished.  One that was cut off
 * and is still to be done again is no run and no failure.
 */
#ifndef MM_STORE_READINGS_H
#define MM_STORE_READINGS_H

#include "store/internal.h"

/* One sample name of a workload, in the order of first appearance. */
struct named {
	const char *name;
	const char *unit;
	enum better better;
};

struct named_list {
	struct named *items;
	size_t count, capacity;
};

/* One finished trial of the workload. */
struct run {
	int64_t attempt;
	size_t trial, session, cell;
	int block, position;
	bool is_warm_up;
	enum verdict verdict;
	const char *reason;
	int64_t started_ns;
	int64_t ended_ns;
	double *values; /* per name, then CPU seconds; NAN */
};

struct readings {
	struct store *store;
	struct arena *arena;
	const struct plan *plan;
	const struct session *sessions;
	size_t session_count;
	/* of the workload at hand */
	size_t workload;
	struct named_list names;
	struct run *runs;
	size_t run_count, run_capacity;
};

/* Reads the workload of that index; inside a transaction. */
int readings_load(
    struct readings *readings, size_t workload, struct error *err);

/* Index of the name, or SIZE_MAX. */
size_t readings_find(const struct readings *readings, const char *name);

/* Adds the table of one name, with what stands beside it. */
int table_build(struct readings *readings, const struct named *ranked,
    bool with_curves, struct results_table *table, struct error *err);

#endif
