/*
 * Workloads: what is measured on a mounted filesystem.
 *
 * Each is one file ending in one "const struct workload", named in
 * workloads.def.  Its key table gives parsing, defaults, ranges and help at
 * once, to matrix files, "bench KEY=VALUE" and "list workloads" alike.
 *
 * A workload runs in a child process of its own (workload_execute) and never
 * mounts, cools or checks anything: that is the trial's.  Its trouble is data:
 * a full filesystem, a crash or a time-out comes back as a verdict.
 */
#ifndef MM_WORKLOAD_WORKLOAD_H
#define MM_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/proc.h"
#include "model/cell.h"
#include "model/matrix.h"
#include "model/metric.h"
#include "model/outcome.h"
#include "tree/tree.h"

enum key_type {
	KEY_INTEGER,
	KEY_SIZE,     /* bytes: "64K" */
	KEY_DURATION, /* "10s"; kept and ranged in nanoseconds */
	KEY_NUMBER,
	KEY_PERCENT, /* "25%" is 25.0 */
	KEY_BOOLEAN,
	KEY_WORD, /* one of "words" */
	KEY_TEXT,
};

/* One key a workload takes.  Tables end with a row whose name is NULL. */
struct workload_key {
	const char *name;
	enum key_type type;
	const char *standard; /* default as written, commas between values;
				 NULL: none, the key may be left out */
	double low;           /* range of numbers, both ends allowed */
	double high;
	const char *words; /* KEY_WORD: the choices, blanks between */
	size_t most;       /* values at most; 0 is 1 */
	const char *help;
};

/* What it wants of a tree. */
enum tree_use {
	TREE_UNUSED,
	TREE_OPTIONAL,  /* populated before, when one is named */
	TREE_POPULATED, /* must be populated before */
	TREE_LOADED,    /* writes it itself, from memory */
};

struct workload_keys;
struct workload_run;
struct workload_job;
struct workload_result;

struct workload {
	const char *name;
	const char *summary;
	const struct workload_key *keys;
	const struct metric *metrics; /* the first ranks unless asked */
	enum tree_use tree;
	bool writes;     /* never run on a folder that is to stay as it is */
	bool is_classic; /* ranks by its own time, not with the flush */
	/* what the rows cannot say: keys that do not go together */
	int (*check)(const struct workload_keys *keys, struct error *err);
	/* in a child: 0 done, 1 the subject failed (run_fail said how), -1
	 * "err" */
	int (*run)(struct workload_run *run, struct error *err);
	/* instead of "run", in this process: what starts programs itself */
	int (*execute)(const struct workload_job *job, struct arena *arena,
	    struct workload_result *result, struct error *err);
	/* the report as the classic tool prints it ("--style"); NULL: none */
	char *(*classic_report)(
	    const struct workload_result *result, struct arena *arena);
};

/* By name; NULL when there is none. */
const struct workload *workload_find(const char *name);

/* All of them, in the order of workloads.def, NULL-ended. */
const struct workload *const *workload_list(void);

/* The key's row; NULL when this workload does not take it.  The keys of
 * every workload that the program reads itself (type, tree, timeout,
 * memory_limit, metric, charge) have no row. */
const struct workload_key *workload_key_find(
    const struct workload *workload, const char *key);

/*
 * Checks one key's values as they are written.  The message names workload,
 * key, the bad word, what was expected and the nearest right word; the
 * caller puts file and line before it.
 */
int workload_key_check(const struct workload *workload, const char *key,
    const char *const *values, size_t count, struct error *err);

/* "size=300,100000" as a setting, for a command line: a value is split at
 * commas only where the key takes several. */
int workload_parse_setting(const struct workload *workload, const char *text,
    struct arena *arena, struct setting *setting, struct error *err);

/*
 * Reads all settings into typed values, defaults where a key is not set, and
 * checks what belongs together.  Keys and texts live in the arena.  Messages
 * begin with the setting's file and line where it has one.
 */
int workload_bind(const struct workload *workload,
    const struct setting *settings, size_t count, struct arena *arena,
    struct workload_keys **keys, struct error *err);

/* The values of a bound key; asking for a key without a row, or an index
 * beyond keys_count, is a mistake of the program and aborts. */
size_t keys_count(const struct workload_keys *keys, const char *key);
int64_t keys_integer(const struct workload_keys *keys, const char *key);
int64_t keys_integer_at(
    const struct workload_keys *keys, const char *key, size_t index);
double keys_number(const struct workload_keys *keys, const char *key);
bool keys_boolean(const struct workload_keys *keys, const char *key);
/* Text or word; NULL when the key has no value. */
const char *keys_text(const struct workload_keys *keys, const char *key);
const char *keys_text_at(
    const struct workload_keys *keys, const char *key, size_t index);

/* Do two bindings of one workload ask for the same?  A default that is written
 * out, other units and another order change nothing. */
bool workload_keys_equal(
    const struct workload_keys *a, const struct workload_keys *b);

/* That a metric's pattern is a regular expression (POSIX extended). */
int workload_pattern_check(
    const struct metric_pattern *pattern, struct error *err);

/* One execution of a workload.  Everything is borrowed. */
struct workload_job {
	const struct workload *workload;
	const struct workload_keys *keys;
	const struct metric_pattern *patterns; /* type command */
	size_t pattern_count;
	const struct tree *tree; /* NULL: none */
	int64_t copies;          /* of the tree; 0 is 1 */
	int64_t age_ns;
	const char *directory;      /* where to work; made by the caller */
	const char *tree_directory; /* where the tree was populated; NULL:
				       "directory" */
	int64_t timeout_ns;         /* 0: none */
	/* which trial this is, for "null", whose figures are drawn */
	const struct cell *cell; /* NULL: none */
	int block;
	int position;
	/* runs in the child before the workload (a memory limit) */
	int (*setup)(void *context);
	void *setup_context;
};

/* What came of it.  Texts and arrays live in the arena given. */
struct workload_result {
	enum verdict verdict; /* ok, failed, timeout, no-space */
	const char *reason;   /* "" when ok */
	struct sample *samples;
	size_t sample_count;
	size_t sample_capacity;
	struct trial_curve *curves;
	size_t curve_count;
	size_t curve_capacity;
	size_t cell_capacity;       /* of the last curve, while it is read */
	const char *notes;          /* remarks, "; " between; "" */
	struct proc_result process; /* time, rusage, output of a command */
};

/* Runs it in a child.  -1 only when no child could be had or a cancellation
 * came (ERROR_CANCELLED). */
int workload_execute(const struct workload_job *job, struct arena *arena,
    struct workload_result *result, struct error *err);

/* The value that stands for the trial (pass 0); false when there is none. */
bool workload_result_value(
    const struct workload_result *result, const char *metric, double *value);

/* The curve of that name, or NULL. */
const struct trial_curve *workload_result_curve(
    const struct workload_result *result, const char *name);

#endif
